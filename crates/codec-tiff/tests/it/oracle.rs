//! Readings of other programs: libtiff through its `tiff2rgba`, ImageMagick.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use raster::Size;
use testkit::{Wide, witness};

/// Whether the tools are installed; prints a message when they are not.
pub(crate) fn is_there() -> bool {
    let runs = |tool: &str| {
        Command::new(tool).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    let there = runs("tiff2rgba") && witness::imagemagick().is_some();
    if !there {
        eprintln!("SKIPPED: no tiff2rgba or ImageMagick (Debian: apt-get install libtiff-tools imagemagick)");
    }
    there
}

/// A file that is removed when it is dropped.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let thread = format!("{:?}", std::thread::current().id());
        let thread: String = thread.chars().filter(char::is_ascii_digit).collect();
        Self(std::env::temp_dir().join(format!("codec-tiff-{}-{thread}-{name}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The file may never have been written.
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns a page as libtiff's RGBA interface reads it: eight bits, colours multiplied by alpha.
pub(crate) fn libtiff(path: &Path, page: u32, size: Size) -> Result<Wide, String> {
    let one = Scratch::new("page.tif");
    let rgba = Scratch::new("rgba.tif");
    // The page by its number, unchanged.
    let source = format!("{},{page}", path.display());
    let copied = page > 0 && run(Command::new("tiffcp").arg(&source).arg(&one.0)).is_ok();
    let from = if copied { one.0.as_path() } else { path };
    run(Command::new("tiff2rgba").args(["-c", "none"]).arg(from).arg(&rgba.0))?;
    let bytes = fs::read(&rgba.0).map_err(|e| e.to_string())?;
    // The tool writes all strips in order, right behind the header.
    let data = bytes.get(8..8 + size.area() as usize * 4).ok_or("another size")?;
    let wide = |v: u8| u16::from(v) * 257;
    Ok(Wide { size, pixels: data.as_chunks::<4>().0.iter().map(|p| p.map(wide)).collect() })
}

/// Returns a page as ImageMagick reads it: straight alpha, or inks. It counts all directories as pages.
pub(crate) fn magick(path: &Path, page: u32, size: Size, in_inks: bool) -> Result<Wide, String> {
    let kind = if in_inks { "cmyk:-" } else { "rgba:-" };
    let source = format!("tiff:{}[{page}]", path.display());
    let program = witness::imagemagick().ok_or("no ImageMagick")?;
    let bytes = run(Command::new(program).arg(source).args(["-depth", "16", "-endian", "LSB", kind]))?;
    if bytes.len() as u64 != size.area() * 8 {
        return Err(format!("{} bytes", bytes.len()));
    }
    let samples = |p: &[u8; 8]| core::array::from_fn(|i| u16::from_le_bytes([p[2 * i], p[2 * i + 1]]));
    Ok(Wide { size, pixels: bytes.as_chunks::<8>().0.iter().map(samples).collect() })
}

fn run(command: &mut Command) -> Result<Vec<u8>, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|e| e.to_string())?;
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}
