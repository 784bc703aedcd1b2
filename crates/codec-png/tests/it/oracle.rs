//! Readings of other programs: libpng through Debian's `pngtopam`, and the `png` crate.

use std::io::Write;
use std::process::{Command, Stdio};

use raster::{Channels, Depth, PixelFormat, Size};
use testkit::{Picture, Wide};

/// Whether the tool is installed; prints a message when it is not.
pub(crate) fn is_there() -> bool {
    let there = Command::new("pngtopam").arg("-version").stdin(Stdio::null()).output().is_ok();
    if !there {
        eprintln!("SKIPPED: no pngtopam (Debian: apt-get install netpbm)");
    }
    there
}

/// Returns the file as libpng reads it, or its error message.
pub(crate) fn read(png: &[u8]) -> Result<Wide, String> {
    let mut child = Command::new("pngtopam")
        .arg("-alphapam")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("pngtopam starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let bytes = png.to_vec();
    // A tool that fails early closes the pipe, which is not an error here.
    let feed = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
    let output = child.wait_with_output().expect("pngtopam ends");
    feed.join().expect("the feeder ends");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(parse_pam(&output.stdout))
}

/// Returns the file as the `png` crate reads it, whole and deinterlaced.
pub(crate) fn read_with_png_crate(bytes: &[u8]) -> Result<Wide, String> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|e| e.to_string())?;
    let mut data = vec![0; reader.output_buffer_size().ok_or("too large")?];
    let frame = reader.next_frame(&mut data).map_err(|e| e.to_string())?;
    Ok(wide(&frame, data))
}

/// Converts the buffer of a frame of the `png` crate.
pub(crate) fn wide(frame: &png::OutputInfo, mut data: Vec<u8>) -> Wide {
    let channels = match frame.color_type {
        png::ColorType::Grayscale => Channels::Gray,
        png::ColorType::GrayscaleAlpha => Channels::GrayAlpha,
        png::ColorType::Rgba => Channels::Rgba,
        _ => Channels::Rgb,
    };
    let depth = if frame.bit_depth == png::BitDepth::Sixteen { Depth::Sixteen } else { Depth::Eight };
    if depth == Depth::Sixteen {
        data.as_chunks_mut::<2>().0.iter_mut().for_each(|pair| pair.reverse());
    }
    let size = Size::new(frame.width, frame.height);
    Wide::of(&Picture { size, pixels: PixelFormat::new(channels, depth), rows: data })
}

/// Parses PAM: a header of `KEY value` lines, then samples of one or two bytes, big-endian.
fn parse_pam(pam: &[u8]) -> Wide {
    let end = pam.windows(7).position(|w| w == b"ENDHDR\n").expect("a PAM header") + 7;
    let header = String::from_utf8_lossy(&pam[..end]);
    let field = |key: &str| -> usize {
        let line = header.lines().find_map(|line| line.strip_prefix(key)).expect("a header field");
        line.trim().parse().expect("a number")
    };
    let (width, height, depth, max) = (field("WIDTH"), field("HEIGHT"), field("DEPTH"), field("MAXVAL"));
    let scale = 65_535 / max as u32;
    let samples: Vec<u16> = if max > 255 {
        pam[end..].as_chunks::<2>().0.iter().map(|&pair| u16::from_be_bytes(pair)).collect()
    } else {
        pam[end..].iter().map(|&byte| (u32::from(byte) * scale) as u16).collect()
    };
    assert_eq!(samples.len(), width * height * depth);
    let spread = |s: &[u16]| match depth {
        1 => [s[0], s[0], s[0], 65_535],
        2 => [s[0], s[0], s[0], s[1]],
        3 => [s[0], s[1], s[2], 65_535],
        _ => [s[0], s[1], s[2], s[3]],
    };
    Wide { size: Size::new(width as u32, height as u32), pixels: samples.chunks_exact(depth).map(spread).collect() }
}

/// Whether a file is an animation whose first frame follows the default image (fcTL after IDAT).
pub(crate) fn animation_leaves_out_the_default_image(png: &[u8]) -> bool {
    let find = |name: &[u8; 4]| png.windows(4).position(|window| window == name);
    let (Some(actl), Some(idat), Some(fctl)) = (find(b"acTL"), find(b"IDAT"), find(b"fcTL")) else { return false };
    let doubled = png[actl + 4..].windows(4).any(|window| window == b"acTL");
    actl < idat && idat < fctl && !doubled && png[actl + 4] < 0x80
}
