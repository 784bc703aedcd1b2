//! Independent decoders, called through their command lines, and pictures as they decode them.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use raster::Channels;

use crate::Picture;

/// Returns the first of these programs whose `--version` (or `-version`) mentions `name`, or `None` with a message.
#[must_use]
#[allow(clippy::print_stderr, reason = "a skipped test must be visible")]
pub fn program(names: &[&'static str], name: &str) -> Option<&'static str> {
    let speaks = |program: &&&str| {
        ["--version", "-version"].iter().any(|flag| {
            let output = Command::new(program).arg(flag).stdin(Stdio::null()).output();
            output.is_ok_and(|o| {
                let all = [o.stdout, o.stderr].concat();
                o.status.success() && String::from_utf8_lossy(&all).contains(name)
            })
        })
    };
    let found = names.iter().find(speaks).copied();
    if found.is_none() {
        eprintln!("SKIPPED: no {name} on PATH");
    }
    found
}

/// Returns ImageMagick under any of its names. Debian's names of the program come first: `convert` can be a script that
/// starts it, or another program.
#[must_use]
pub fn imagemagick() -> Option<&'static str> {
    static FOUND: LazyLock<Option<&str>> =
        LazyLock::new(|| program(&["convert-im7.q16", "convert-im6.q16", "magick", "convert"], "ImageMagick"));
    *FOUND
}

/// Returns the lines that exiftool prints about each file, sorted, or `None` with a message when it is missing. One
/// process reads all files, because its start takes longer than reading a file. Tags that exiftool computes from others
/// are left out (`-e`), because they take half of its time.
///
/// # Panics
/// When exiftool cannot read one of the files.
#[must_use]
#[allow(clippy::print_stderr, reason = "a skipped test must be visible")]
pub fn exiftool(options: &[&str], files: &[PathBuf]) -> Option<Vec<Vec<String>>> {
    let Ok(output) = Command::new("exiftool").arg("-e").args(options).args(files).stdin(Stdio::null()).output() else {
        eprintln!("SKIPPED: no exiftool on PATH");
        return None;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    // Several files have a heading each, and a count at the end; a single file has neither.
    let is_tag = |line: &&str| !line.ends_with(" image files read");
    let mut readings: Vec<Vec<String>> = vec![Vec::new(); usize::from(files.len() == 1)];
    for line in text.lines().filter(is_tag) {
        match readings.last_mut() {
            _ if line.starts_with("======== ") => readings.push(Vec::new()),
            Some(lines) => lines.push(line.to_owned()),
            None => panic!("a line before the first heading: {line}"),
        }
    }
    assert_eq!(readings.len(), files.len(), "{}", String::from_utf8_lossy(&output.stderr));
    readings.iter_mut().for_each(|lines| lines.sort());
    Some(readings)
}

/// A picture as another program decodes it, in eight bits: red, green, blue, straight alpha.
#[derive(Debug)]
pub struct Seen {
    /// The width and height.
    pub size: (u32, u32),
    /// All pixels, row by row.
    pub rgba: Vec<[u8; 4]>,
}

impl Seen {
    /// Converts a picture that we read.
    #[must_use]
    pub fn of(picture: &Picture) -> Self {
        let pixel = |p: &[u8]| match picture.pixels.channels {
            Channels::Gray => [p[0], p[0], p[0], 255],
            Channels::GrayAlpha => [p[0], p[0], p[0], p[1]],
            Channels::Rgb => [p[0], p[1], p[2], 255],
            Channels::Rgba => [p[0], p[1], p[2], p[3]],
        };
        let rgba = picture.rows.chunks_exact(picture.pixels.bytes()).map(pixel).collect();
        Self { size: (picture.size.width, picture.size.height), rgba }
    }

    /// Returns the largest distance of two pixels, or `None` when the sizes differ.
    pub fn difference(&self, other: &Self, distance: impl Fn([u8; 4], [u8; 4]) -> u8) -> Option<u8> {
        if (self.size, self.rgba.len()) != (other.size, other.rgba.len()) {
            return None;
        }
        self.rgba.iter().zip(&other.rgba).map(|(&ours, &theirs)| distance(ours, theirs)).max()
    }
}

/// Returns the largest difference of two samples of a pixel, in levels.
#[must_use]
pub fn furthest(ours: [u8; 4], theirs: [u8; 4]) -> u8 {
    (0..4).map(|i| ours[i].abs_diff(theirs[i])).fold(0, u8::max)
}

/// Returns the same difference of premultiplied colours: colours of transparent pixels are then equal.
#[must_use]
pub fn premultiplied(ours: [u8; 4], theirs: [u8; 4]) -> u8 {
    let times = |v: u8, a: u8| ((u32::from(v) * u32::from(a) * 2 + 255) / 510) as u8;
    let all = |[r, g, b, a]: [u8; 4]| [times(r, a), times(g, a), times(b, a), a];
    furthest(all(ours), all(theirs))
}

/// Parses pictures in netpbm's PAM, one behind the other, of at most eight bits. Returns `None` when the bytes are not
/// PAM.
#[must_use]
pub fn pams(mut bytes: &[u8]) -> Option<Vec<Seen>> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let end = bytes.windows(7).position(|window| window == b"ENDHDR\n")?;
        let header = std::str::from_utf8(&bytes[..end]).ok()?;
        let field = |name: &str| {
            header.lines().find_map(|line| line.strip_prefix(name)).and_then(|value| value.trim().parse::<u32>().ok())
        };
        let (width, height, depth) = (field("WIDTH")?, field("HEIGHT")?, field("DEPTH")? as usize);
        let max = field("MAXVAL")?;
        let (samples, rest) = bytes[end + 7..].split_at(width as usize * height as usize * depth);
        let full = |sample: u8| (u32::from(sample) * 255 / max) as u8;
        let pixel = |pixel: &[u8]| match *pixel {
            [gray] => [full(gray), full(gray), full(gray), 255],
            [gray, alpha] => [full(gray), full(gray), full(gray), full(alpha)],
            [red, green, blue] => [full(red), full(green), full(blue), 255],
            _ => [full(pixel[0]), full(pixel[1]), full(pixel[2]), full(pixel[3])],
        };
        all.push(Seen { size: (width, height), rgba: samples.chunks_exact(depth).map(pixel).collect() });
        bytes = rest;
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use raster::{PixelFormat, Size};

    #[test]
    fn colors_under_alpha_0_do_not_count_and_sizes_do() {
        let picture = Picture { size: Size::new(1, 1), pixels: PixelFormat::RGBA8, rows: vec![9, 8, 7, 0] };
        let ours = Seen::of(&picture);
        let theirs = Seen { size: (1, 1), rgba: vec![[0; 4]] };
        assert_eq!(ours.difference(&theirs, premultiplied), Some(0));
        assert_eq!(ours.difference(&theirs, furthest), Some(9));
        assert_eq!(ours.difference(&Seen { size: (2, 1), rgba: vec![[0; 4]; 2] }, furthest), None);
    }
}
