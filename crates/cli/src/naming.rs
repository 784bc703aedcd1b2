//! The file names of results in a folder. The page uses the same pattern (`web/domain/naming.ts`).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use raster::{Format, Size};

/// The default pattern, which is also the page's.
pub(crate) const DEFAULT_PATTERN: &str = "{name}-{w}x{h}";

/// The facts for a result's name.
pub(crate) struct Facts<'a> {
    /// The path of the original.
    pub(crate) original: &'a Path,
    /// The format of the result.
    pub(crate) format: Format,
    /// The size of the result.
    pub(crate) size: Size,
    /// The number of the result, from 1.
    pub(crate) number: usize,
    /// The number of all results, which sets the digits of `{n}`.
    pub(crate) count: usize,
}

/// Checks a pattern from the command line.
///
/// # Errors
/// The defect of the pattern.
pub(crate) fn parse_pattern(pattern: &str) -> Result<String, String> {
    if pattern.trim().is_empty() || pattern.contains(['/', '\\', '\0']) {
        return Err("a pattern is a file name without folders, such as {name}-{w}x{h}".to_owned());
    }
    Ok(pattern.to_owned())
}

/// Returns the file name of a result with its extension: `IMG_0012.JPG` becomes `IMG_0012-1920x1440.JPG`.
pub(crate) fn file_name(pattern: &str, facts: &Facts<'_>) -> String {
    let stem = facts.original.file_stem().map_or_else(|| "image".into(), |stem| stem.to_string_lossy());
    let number = format!("{:0width$}", facts.number, width = facts.count.to_string().len());
    let name = pattern
        .replace("{w}", &facts.size.width.to_string())
        .replace("{h}", &facts.size.height.to_string())
        .replace("{n}", &number)
        .replace("{date}", &chrono::Local::now().format("%Y-%m-%d").to_string())
        .replace("{format}", usual_extension(facts.format))
        // The name is replaced last, because an original may be called `{w}`.
        .replace("{name}", &stem);
    format!("{name}.{}", extension(facts))
}

/// Returns the original's extension (`JPG`, `jpeg`) if it belongs to the format of the result, else the format's own.
fn extension(facts: &Facts<'_>) -> String {
    let own = facts.original.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if facts.format.is_written_as(own) { own.to_owned() } else { usual_extension(facts.format).to_owned() }
}

fn usual_extension(format: Format) -> &'static str {
    if format == Format::Jpeg { "jpg" } else { format.name() }
}

/// The output paths in use, which are all different. Upper and lower case are equal, as on Windows and macOS.
#[derive(Default)]
pub(crate) struct Taken(BTreeSet<String>);

impl Taken {
    /// Returns the path, or one with a number such as `name (2).jpg` when the path is in use; marks it as used.
    pub(crate) fn claim(&mut self, path: PathBuf) -> PathBuf {
        let mut candidate = path.clone();
        let mut number = 1;
        while !self.0.insert(candidate.to_string_lossy().to_lowercase()) {
            number += 1;
            candidate = numbered(&path, number);
        }
        candidate
    }
}

fn numbered(path: &Path, number: u32) -> PathBuf {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    path.with_file_name(format!("{} ({number}).{}", part(path.file_stem()), part(path.extension())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_pattern_and_keep_the_spelling_of_the_extension() {
        let table = [
            ("{name}-{w}x{h}", "trip/IMG_0012.JPG", Format::Jpeg, "IMG_0012-1920x1440.JPG"),
            ("{name}-{w}x{h}", "IMG_0012.JPG", Format::Png, "IMG_0012-1920x1440.png"),
            ("{name}", "scan.tif", Format::Tiff, "scan.tif"),
            ("{name}", "photo", Format::Jpeg, "photo.jpg"),
            ("{name}", "arrow.CUR", Format::Ico, "arrow.ico"),
            ("{name}", "logo.svgz", Format::Svg, "logo.svg"),
            ("{n}-{format}", "a.b.c.png", Format::Png, "007-png.png"),
            ("{name}", "{w}.png", Format::Png, "{w}.png"),
            ("{other}", "a.png", Format::Png, "{other}.png"),
        ];
        for (pattern, original, format, want) in table {
            let size = Size::new(1920, 1440);
            let facts = Facts { original: Path::new(original), format, size, number: 7, count: 120 };
            assert_eq!(file_name(pattern, &facts), want, "{pattern} {original}");
        }
    }

    #[test]
    fn two_results_never_share_a_path() {
        let mut taken = Taken::default();
        let claimed = ["a.png", "A.png", "a.png", "b/a.png"].map(|path| taken.claim(path.into()));
        assert_eq!(claimed, ["a.png", "A (2).png", "a (3).png", "b/a.png"].map(PathBuf::from));
    }

    #[test]
    fn a_pattern_contains_no_folder() {
        assert!(["", "  ", "a/{name}", "a\\{name}"].iter().all(|pattern| parse_pattern(pattern).is_err()));
        assert!(parse_pattern("{name}").is_ok());
    }
}
