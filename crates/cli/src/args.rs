//! The arguments of the command line. They are stable, because users' scripts depend on them.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use pipeline::{
    Compression, Decoding, JpegCoding, LightChoice, PaletteUse, Policy, ProfileChoice, Sharpening, Subsampling,
};
use raster::{Choice, Effort, Format, Orientation};
use resample::{Kernel, Ringing};

use crate::naming::{DEFAULT_PATTERN, parse_pattern};
use crate::sizing::{Fit, Wish};

/// Resizes images.
#[derive(Parser)]
#[command(name = "resize-images", version, arg_required_else_help = false)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Write a picture at another size, or at its own size in another format
    Resize(Resize),
    /// Copy a JPEG or PNG unchanged, with other metadata
    Relabel(Relabel),
    /// Print the properties in a file's header
    Probe(Probe),
}

#[derive(Args)]
pub(crate) struct Resize {
    /// Images to read, and folders with images
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// File to write, whose extension states the format; for several images the output folder
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Format of the results, such as jpeg; the original's when neither this nor an extension states one
    #[arg(long, value_parser = parse_format)]
    pub(crate) format: Option<Format>,
    /// Names of the results in a folder; name, w, h, n, date and format in braces are replaced by their values
    #[arg(long, value_name = "PATTERN", default_value = DEFAULT_PATTERN, value_parser = parse_pattern)]
    pub(crate) names: String,
    /// Number of images processed at the same time; the number of processors when not given
    #[arg(long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<usize>,
    /// Width of the result (or of the box it goes into) in pixels
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    width: Option<u32>,
    /// Height of the result (or of the box it goes into) in pixels
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    height: Option<u32>,
    /// Size in per cent of the original
    #[arg(long, value_name = "P", conflicts_with_all = ["width", "height"])]
    percent: Option<f64>,
    /// How a picture fits into a box of another shape
    #[arg(long, value_enum, default_value_t = Fit::Contain)]
    fit: Fit,
    /// Allow small pictures to be enlarged
    #[arg(long)]
    enlarge: bool,
    /// Clockwise turn of the upright picture in degrees, before its size is computed
    #[arg(long, value_name = "DEGREES", value_parser = ["90", "180", "270"])]
    rotate: Option<String>,
    /// Mirror the picture: left and right, or top and bottom
    #[arg(long, value_parser = ["horizontal", "vertical"])]
    flip: Option<String>,
    /// Only this page, frame or icon entry, counted from 1; all that the output format supports when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) frame: Option<u32>,
    /// Resampling kernel
    #[arg(long, default_value = Kernel::default().name(), value_parser = choice::<Kernel>())]
    pub(crate) kernel: Kernel,
    /// Dark and bright lines along hard edges: limited clamps each pixel to the range of those that it is made of
    #[arg(long, default_value = Ringing::default().name(), value_parser = choice::<Ringing>())]
    pub(crate) ringing: Ringing,
    /// Light in which pixels are averaged; auto is linear when shrinking
    #[arg(long, default_value = LightChoice::default().name(), value_parser = choice::<LightChoice>())]
    pub(crate) light: LightChoice,
    /// Decoding of JPEGs: exact uses every pixel; fast decodes at a fraction of the size, at least twice the result's
    #[arg(long, default_value = Decoding::default().name(), value_parser = choice::<Decoding>())]
    pub(crate) decoding: Decoding,
    /// Sharpening of pictures that get smaller
    #[arg(long, default_value = Sharpening::default().name(), value_parser = choice::<Sharpening>())]
    pub(crate) sharpen: Sharpening,
    /// Colours: keep leaves them and their profile as they are; srgb converts them to sRGB, without a profile
    #[arg(long, default_value = ProfileChoice::default().name(), value_parser = choice::<ProfileChoice>())]
    pub(crate) profile: ProfileChoice,
    /// Quality of lossy formats, 1 to 100; the estimated quality of the original when not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) quality: Option<u8>,
    /// The most bytes of each result, such as 200KB or 1.5MB: JPEGs get the best quality, up to --quality, that fits
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    pub(crate) max_bytes: Option<u64>,
    /// Time spent on making a PNG smaller
    #[arg(long, default_value = Effort::default().name(), value_parser = choice::<Effort>())]
    pub(crate) effort: Effort,
    /// Colors of a PNG: like-source reduces them to a palette if the source has one and the file gets smaller
    #[arg(long, default_value = PaletteUse::default().name(), value_parser = choice::<PaletteUse>())]
    pub(crate) palette: PaletteUse,
    /// Order and choice of a JPEG's coefficients
    #[arg(long, default_value = JpegCoding::default().name(), value_parser = choice::<JpegCoding>())]
    pub(crate) coding: JpegCoding,
    /// Resolution of a JPEG's colour; auto is full from quality 90 and for graphics
    #[arg(long, default_value = Subsampling::default().name(), value_parser = choice::<Subsampling>())]
    pub(crate) subsampling: Subsampling,
    /// Restart markers in a JPEG, each after N rows of blocks; none when not given
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) restart_rows: u16,
    /// Lossless compression of a TIFF
    #[arg(long, default_value = Compression::default().name(), value_parser = choice::<Compression>())]
    pub(crate) compression: Compression,
    /// Colours of a GIF's palettes at most
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(2..=256))]
    pub(crate) colors: u16,
    /// Sides of an icon's pictures, such as 16,32,256; the usual ones up to its own size when not given
    #[arg(long, value_name = "N,…", value_delimiter = ',', conflicts_with_all = ["width", "height", "percent"])]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) icon_sizes: Vec<u32>,
    /// Metadata that the result keeps; the colour profile is kept with all of them
    #[arg(long, default_value = Policy::default().name(), value_parser = choice::<Policy>())]
    pub(crate) metadata: Policy,
    /// Density to state, in pixels per inch; that of the original when not given
    #[arg(long, value_name = "N", value_parser = density)]
    pub(crate) dpi: Option<f64>,
    /// Memory that each image may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub(crate) memory: u64,
}

impl Resize {
    /// Returns the requested turn: first the rotation, then the mirroring.
    pub(crate) fn turn(&self) -> Orientation {
        let rotation = match self.rotate.as_deref() {
            Some("90") => Orientation::Rotate90,
            Some("180") => Orientation::Rotate180,
            Some("270") => Orientation::Rotate270,
            _ => Orientation::Upright,
        };
        rotation.then(match self.flip.as_deref() {
            Some("horizontal") => Orientation::FlipHorizontal,
            Some("vertical") => Orientation::FlipVertical,
            _ => Orientation::Upright,
        })
    }

    /// Returns the requested size.
    pub(crate) fn wish(&self) -> Wish {
        Wish { width: self.width, height: self.height, percent: self.percent, fit: self.fit, enlarge: self.enlarge }
    }
}

#[derive(Args)]
pub(crate) struct Relabel {
    /// The picture to read
    pub(crate) input: PathBuf,
    /// The file to write
    #[arg(short, long)]
    pub(crate) output: PathBuf,
    /// Metadata that the copy keeps; colour profile and orientation are always kept
    #[arg(long, default_value = Policy::default().name(), value_parser = choice::<Policy>())]
    pub(crate) metadata: Policy,
    /// Density to state, in pixels per inch; that of the original when not given
    #[arg(long, value_name = "N", value_parser = density)]
    pub(crate) dpi: Option<f64>,
    /// Memory that copying may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub(crate) memory: u64,
}

#[derive(Args)]
pub(crate) struct Probe {
    /// Images to read, and folders with images
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// One JSON object instead of a sentence
    #[arg(long)]
    pub(crate) json: bool,
    /// Memory that reading may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    pub(crate) memory: u64,
}

/// Reads a choice by its name and lists all names in the help.
fn choice<C: Choice + Send + Sync>() -> impl TypedValueParser<Value = C> {
    let values = C::ALL.iter().map(|choice| PossibleValue::new(choice.name()).help(choice.summary()));
    PossibleValuesParser::new(values).try_map(|name| C::from_name(&name).ok_or("an unknown name"))
}

fn parse_format(name: &str) -> Result<Format, String> {
    Format::from_extension(name).ok_or_else(|| format!("no format is called {name}"))
}

/// Parses a density, in the range that every format can state.
fn density(number: &str) -> Result<f64, String> {
    let parsed = number.parse().ok().filter(|density| (1.0..=9600.0).contains(density));
    parsed.ok_or_else(|| "a number from 1 to 9600".to_owned())
}

fn parse_jobs(number: &str) -> Result<usize, String> {
    number.parse().ok().filter(|&jobs| (1..=256).contains(&jobs)).ok_or_else(|| "a number from 1 to 256".to_owned())
}

/// Reads a number of bytes with a unit: B, KB (1000), MB, KiB (1024), MiB; bytes if there is none.
fn parse_bytes(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" | "k" => 1e3,
        "mb" | "m" => 1e6,
        "kib" => 1024.0,
        "mib" => 1_048_576.0,
        _ => return Err("a number of bytes such as 200KB, 1.5MB or 512KiB".to_owned()),
    };
    let bytes = number.parse::<f64>().ok().map(|number| (number * factor).floor());
    let bytes = bytes.filter(|bytes| (1.0..=1e12).contains(bytes));
    bytes.map(|bytes| bytes as u64).ok_or_else(|| "a number of bytes such as 200KB, at least 1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse_bytes;

    #[test]
    fn bytes_have_a_unit_or_none() {
        let table = [
            ("1", 1),
            ("200000", 200_000),
            ("200KB", 200_000),
            ("200 kb", 200_000),
            ("200k", 200_000),
            ("1.5MB", 1_500_000),
            ("512KiB", 524_288),
            ("2MiB", 2_097_152),
            ("0.0015kb", 1),
        ];
        for (text, bytes) in table {
            assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
        }
        for text in ["", "KB", "0", "0.5", "-1", "1.2.3KB", "5GBP", "1e3", "99999999999999MB", "inf", "NaN"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }
}
