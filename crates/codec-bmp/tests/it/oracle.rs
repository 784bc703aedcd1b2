//! Independent decoders: netpbm, ImageMagick, Chromium, through their command lines. When one is missing, the test that
//! needs it prints a message and passes.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use testkit::Seen;
use testkit::corpus::Row;
use testkit::witness::{self, program};

/// Returns a function that reads files with netpbm's `bmptopnm`, which drops alpha.
pub(crate) fn netpbm() -> Option<impl Fn(&Path) -> Option<Seen>> {
    program(&["bmptopnm"], "Netpbm")?;
    Some(|path: &Path| {
        let output = Command::new("bmptopnm").arg("-quiet").arg(path).output().unwrap();
        if output.status.success() { pnm(&output.stdout) } else { None }
    })
}

/// Returns a function that reads files with ImageMagick.
pub(crate) fn imagemagick() -> Option<impl Fn(&Path, (u32, u32)) -> Option<Seen>> {
    let program = witness::imagemagick()?;
    Some(move |path: &Path, size: (u32, u32)| {
        let output = Command::new(program).arg(path).args(["-depth", "8", "rgba:-"]).output().unwrap();
        let rgba = output.stdout.as_chunks::<4>().0.to_vec();
        (output.stdout.len() as u64 == u64::from(size.0) * u64::from(size.1) * 4).then_some(Seen { size, rgba })
    })
}

/// Parses a binary PBM, PGM or PPM of eight bits.
fn pnm(bytes: &[u8]) -> Option<Seen> {
    let fields = if bytes.starts_with(b"P4") { 3 } else { 4 };
    let mut at = 0;
    let mut words = Vec::new();
    for _ in 0..fields {
        let len = bytes[at..].iter().position(u8::is_ascii_whitespace)?;
        words.push(std::str::from_utf8(&bytes[at..at + len]).ok()?);
        at += len + 1;
    }
    let (width, height): (usize, usize) = (words[1].parse().ok()?, words[2].parse().ok()?);
    let max: u32 = if fields == 4 { words[3].parse().ok()? } else { 1 };
    let samples = &bytes[at..];
    let scaled = |v: u8| ((u32::from(v) * 255 * 2 + max) / (2 * max)) as u8;
    let mut rgba = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let pixel = match words[0] {
                "P4" => [255 * (1 - (samples[y * width.div_ceil(8) + x / 8] >> (7 - x % 8) & 1)); 3],
                "P5" => [scaled(samples[y * width + x]); 3],
                "P6" => [0, 1, 2].map(|c| scaled(samples[(y * width + x) * 3 + c])),
                _ => return None,
            };
            rgba.push([pixel[0], pixel[1], pixel[2], 255]);
        }
    }
    Some(Seen { size: (width as u32, height as u32), rgba })
}

/// The end of a page that shows every image and then replaces each by its pixels. An image of more than 16 million
/// pixels counts as not shown, because their text does not fit into a string.
const PAGE_END: &str = "<script>
const seen = i => {
  const [w, h] = [i.naturalWidth, i.naturalHeight];
  if (!w || w * h > 2 ** 24) return i.title;
  const c = Object.assign(document.createElement('canvas'), { width: w, height: h });
  const context = c.getContext('2d', { willReadFrequently: true });
  context.drawImage(i, 0, 0);
  return `${i.title} ${w} ${h} ${new Uint8Array(context.getImageData(0, 0, w, h).data.buffer).toHex()}`;
};
// A canvas does not support every size that a header can claim.
const seenOrNot = i => { try { return seen(i); } catch { return i.title; } };
onload = () => { document.body.textContent = [...document.images].map(seenOrNot).join('\\n'); };
</script></body></html>";

/// Returns the pixels that Chromium shows of files, by name; files that it does not show are missing. Colour profiles
/// are applied. `group` distinguishes the pages of tests that run at the same time.
pub(crate) fn chromium(group: &str, rows: &[Row]) -> Option<BTreeMap<String, Seen>> {
    let program = program(&["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"], "Chrom")?;
    let mut page = String::from("<html><body>");
    for row in rows {
        let path = row.path.canonicalize().unwrap();
        write!(page, "<img title='{}' src='file://{}'>", row.name, path.display()).unwrap();
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (html, dom) = (folder.join(format!("{group}.html")), folder.join(format!("{group}.dom")));
    fs::write(&html, page + PAGE_END).unwrap();
    let mut child = Command::new(program)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"])
        .args(["--force-color-profile=srgb", "--dump-dom"])
        .arg(format!("file://{}", html.display()))
        .stdout(fs::File::create(&dom).unwrap())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let has_ended = (0..2400).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        child.try_wait().unwrap().is_some()
    });
    if !has_ended {
        child.kill().unwrap();
        panic!("the browser does not answer");
    }
    let text = fs::read_to_string(&dom).unwrap();
    let text = text.rsplit_once("<body>").expect("a page").1;
    Some(text.lines().filter_map(seen).collect())
}

/// Parses a line of the page: name, width, height, pixels.
fn seen(line: &str) -> Option<(String, Seen)> {
    let line = line.split('<').next()?;
    let words: Vec<&str> = line.split(' ').collect();
    let [name, width, height, hex] = words[..] else { return None };
    let (pairs, _) = hex.as_bytes().as_chunks::<2>();
    let byte = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    let size = (width.parse().unwrap(), height.parse().unwrap());
    let bytes: Vec<u8> = pairs.iter().map(byte).collect();
    Some((name.into(), Seen { size, rgba: bytes.as_chunks::<4>().0.to_vec() }))
}
