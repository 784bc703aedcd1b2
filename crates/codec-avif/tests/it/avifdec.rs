//! The planes that `avifdec` decodes, converted by `yuv`, which its own tests compare with exact arithmetic.

use std::path::Path;
use std::process::Command;

use isobmff::{CodePoints, Container};
use raster::{Budget, Channels, Format, ImageInfo, Limits, PixelFormat};
use testkit::Picture;
use yuv::{Coding, Converter, Matrix, Rows, Sampling, Siting};

/// A picture of YUV4MPEG2.
struct Planes {
    width: u32,
    height: u32,
    depth: u8,
    sampling: Sampling,
    is_full_range: bool,
    rows: [Vec<Vec<u16>>; 3],
}

/// Compares the frame of that number with that of `avifdec`, without alpha. Files that it refuses are an error that
/// says so.
pub(crate) fn compare(path: &Path, info: &ImageInfo, frame: usize, ours: &Picture) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let out = folder.path().join("out.y4m");
    let index = frame.to_string();
    let output =
        Command::new("avifdec").args(["--no-strict", "-j", "1", "--index", &index]).arg(path).arg(&out).output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err("refused".to_owned());
    }
    let planes = Planes::read(&std::fs::read(out).map_err(|error| error.to_string())?);
    let theirs = planes.picture(&coding(&bytes, &planes), ours.pixels);
    let colors = |picture: &Picture| -> Vec<u16> {
        let count = picture.pixels.channels.count();
        let kept = count - usize::from(picture.pixels.channels.has_alpha());
        picture.samples().chunks_exact(count).flat_map(|pixel| pixel[..kept].to_vec()).collect()
    };
    if (planes.depth, theirs.size) != (info.stored.depth, ours.size) {
        return Err(format!("{} bits, {:?}", planes.depth, theirs));
    }
    if colors(&theirs) == colors(ours) { Ok(()) } else { Err("differs".to_owned()) }
}

/// Returns the meaning of samples by the container; without code points the matrix is not stated.
fn coding(bytes: &[u8], planes: &Planes) -> Coding {
    let container = Container::read(&bytes, Format::Avif, &Budget::new(&Limits::default())).unwrap();
    let (points, configuration) = match container.sequence(*b"avis", *b"av01") {
        Some((track, _)) => (track.code_points(), track.configuration()),
        None => {
            let item = container.primary().unwrap();
            let tile = container.referred(*b"dimg", item.id).first().and_then(|&id| container.item(id));
            (container.code_points(item), container.configuration(tile.unwrap_or(item)))
        }
    };
    let is_full_range = planes.is_full_range;
    let points = points.unwrap_or(CodePoints { primaries: 2, transfer: 2, matrix: 2, is_full_range });
    let siting = match configuration.and_then(|bytes| bytes.get(2)).map_or(0, |byte| byte & 3) {
        1 => Siting::Left,
        2 => Siting::TopLeft,
        _ => Siting::Center,
    };
    let matrix = Matrix::new(points.matrix, points.primaries).unwrap_or(Matrix::BT_601);
    Coding { depth: planes.depth, sampling: planes.sampling, siting, matrix, is_full_range: points.is_full_range }
}

impl Planes {
    /// Reads the first frame of a file.
    fn read(bytes: &[u8]) -> Self {
        let mut lines = bytes.splitn(3, |&byte| byte == b'\n');
        let header = String::from_utf8(lines.next().unwrap().to_vec()).unwrap();
        assert_eq!(lines.next(), Some(&b"FRAME"[..]));
        let mut samples = lines.next().unwrap();
        let word = |letter: &str| header.split(' ').find_map(|word| word.strip_prefix(letter)).unwrap_or_default();
        let (width, height) = (word("W").parse().unwrap(), word("H").parse().unwrap());
        let kind = word("C");
        let sampling = match &kind[..3] {
            "mon" => Sampling::Gray,
            "420" => Sampling::Half,
            "422" => Sampling::Columns,
            "444" => Sampling::Full,
            kind => panic!("unknown sampling {kind}"),
        };
        let depth = ["p10", "p12", "o10", "o12"].iter().find(|end| kind.ends_with(*end));
        let depth: u8 = depth.map_or(8, |end| end[1..].parse().unwrap());
        let mut plane = |width: u32, height: u32| -> Vec<Vec<u16>> {
            let mut row = || {
                let (row, rest) = samples.split_at(width as usize * if depth > 8 { 2 } else { 1 });
                samples = rest;
                match depth {
                    8 => row.iter().map(|&sample| sample.into()).collect(),
                    _ => row.as_chunks().0.iter().map(|sample| u16::from_le_bytes(*sample)).collect(),
                }
            };
            (0..height).map(|_| row()).collect()
        };
        let (across, down) = (sampling.width(width), sampling.height(height));
        let rows = [plane(width, height), plane(across, down), plane(across, down)];
        Self { width, height, depth, sampling, is_full_range: header.contains("COLORRANGE=FULL"), rows }
    }

    /// Converts the planes to a picture with the format of another one.
    fn picture(&self, coding: &Coding, pixels: PixelFormat) -> Picture {
        let budget = Budget::new(&Limits::default());
        let mut converter = Converter::new(*coding, self.width, self.height, &budget).unwrap();
        let channels = Channels::new(self.sampling != Sampling::Gray, pixels.channels.has_alpha());
        let pixels = PixelFormat::new(channels, pixels.depth);
        let mut all = Vec::new();
        for y in 0..self.height {
            let chroma = |plane: usize| {
                converter.chroma_rows(y).map(|row| self.rows[plane].get(row as usize).map_or(&[][..], Vec::as_slice))
            };
            let rows = Rows { luma: &self.rows[0][y as usize], blue: chroma(1), red: chroma(2) };
            let mut row = vec![0; pixels.row_bytes(self.width) as usize];
            converter.convert(y, &rows, pixels.channels.count(), &mut row);
            all.extend(row);
        }
        Picture { size: raster::Size::new(self.width, self.height), pixels, rows: all }
    }
}
