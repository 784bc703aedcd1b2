//! Pictures of HEVC by `heifer-hevc-dec`, which decodes frames that need no others.

use core::fmt;

use heif::{Decoder, Options, Planes};
use heifer_hevc_dec::nal::NalUnit;
use heifer_hevc_dec::params::ParameterSets;
use heifer_hevc_dec::recon::{Frame, Reconstructor};
use heifer_hevc_dec::slice::SliceHeader;
use heifer_hevc_dec::{Error as Defect, syntax};
use raster::{Error, Format, Result, Size};
use yuv::Sampling;

use crate::description::sampling;
use crate::parameter_sets::Configuration;

/// The defect of a picture.
enum Cause {
    /// The configuration is damaged.
    Configuration,
    /// The lengths of units contradict the data.
    Units,
    /// The decoder's own words.
    Decoder(Defect),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Configuration => f.write_str("the configuration of a picture is damaged"),
            Self::Units => f.write_str("the data of a picture are damaged"),
            Self::Decoder(error) => write!(f, "HEVC: {error}"),
        }
    }
}

/// The sentence. A derived implementation would link the escapes of texts, 4 kB of the compressed module.
impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Cause {}

/// A decoder of single pictures.
struct Hevc {
    configuration: Vec<u8>,
    most_pixels: u64,
}

/// Creates a decoder.
pub(crate) fn decoder(configuration: &[u8], options: &Options) -> Result<Box<dyn Decoder>> {
    if Configuration::read(configuration).is_none() {
        return Err(Error::malformed(Format::Heic, 0, Cause::Configuration));
    }
    // Coded sizes are multiples of a block's side, which is at most 64.
    let most_pixels = options.most_pixels.saturating_mul(2).saturating_add(1 << 20);
    Ok(Box::new(Hevc { configuration: configuration.to_vec(), most_pixels }))
}

impl Decoder for Hevc {
    fn decode(&mut self, data: Vec<u8>) -> Result<Box<dyn Planes>, raster::Cause> {
        let configuration = Configuration::read(&self.configuration).ok_or(Cause::Configuration)?;
        let units = configuration.units_of(&data).ok_or(Cause::Units)?;
        Ok(Box::new(Picture(frame(&units, self.most_pixels).map_err(Cause::Decoder)?)))
    }
}

/// Decodes the first picture of these units, as the library's `decode_picture` does. That function takes a byte stream,
/// which would be a copy of the data, and links the code of checksums.
fn frame(units: &[&[u8]], most_pixels: u64) -> Result<Frame, Defect> {
    let units = units.iter().map(|unit| NalUnit::parse(unit)).collect::<Result<Vec<_>, _>>()?;
    let mut sets = ParameterSets::default();
    for unit in units.iter().take_while(|unit| !unit.header.unit_type.is_slice()) {
        sets.add(unit)?;
    }
    let (mut picture, mut before) = (None, None);
    for unit in units.iter().filter(|unit| unit.header.unit_type.is_slice()) {
        let is_first = unit.rbsp.first().is_some_and(|byte| byte & 0x80 != 0);
        if is_first && picture.is_some() {
            break;
        }
        let header = SliceHeader::parse(&unit.rbsp, &unit.header, &sets, before.as_ref())?;
        let (pps, sps) = sets.get(header.slice_pic_parameter_set_id.into())?;
        if u64::from(sps.pic_width_in_luma_samples) * u64::from(sps.pic_height_in_luma_samples) > most_pixels {
            return Err(Defect::Invalid("the picture has another size"));
        }
        let (blocks, samples) =
            picture.get_or_insert_with(|| (syntax::Picture::new(sps, pps), Reconstructor::new(sps, pps)));
        samples.start_slice(&header);
        let data = unit.rbsp.get(header.header_size..).ok_or(Defect::UnexpectedEof)?;
        syntax::decode_slice_segment(blocks, &header, header.slice_qp_y(&sets)?, data, samples)?;
        if let Some(defect) = samples.error.take() {
            return Err(defect);
        }
        if !header.dependent_slice_segment_flag {
            before = Some(header);
        }
    }
    let (blocks, samples) = picture.filter(|(blocks, _)| blocks.is_complete()).ok_or(Defect::UnexpectedEof)?;
    let whole = samples.finish(false);
    let has_margins = blocks.sps.conf_win_offsets != [0; 4];
    Ok(if has_margins { whole.cropped(blocks.sps) } else { whole })
}

struct Picture(Frame);

impl Planes for Picture {
    fn size(&self) -> Size {
        Size::new(self.0.widths[0], self.0.heights[0])
    }

    fn layout(&self) -> (u8, Sampling) {
        (self.0.bit_depth[0], sampling(self.0.chroma_format))
    }

    fn copy_row(&self, plane: usize, y: u32, row: &mut [u16]) {
        let plane = plane.min(2);
        let start = y as usize * self.0.widths[plane] as usize;
        let stored = &self.0.planes[plane][start..][..self.0.widths[plane] as usize];
        for (sample, &stored) in row.iter_mut().zip(stored) {
            *sample = stored;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic, reason = "a failed call fails the test")]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use heifer_hevc_dec::nal::NalUnitType;
    use heifer_hevc_dec::sei::parse_picture_hash;
    use isobmff::Container;
    use raster::{Budget, Depth, Limits, PixelFormat};
    use testkit::{generate, witness, write_all};

    use super::*;

    /// Ways of coding, as parameters of `heif-enc`.
    const WAYS: [&str; 6] =
        ["preset=ultrafast", "preset=slow", "x265:ctu=16", "x265:tskip=1", "x265:rect=1", "x265:aq-mode=3"];

    /// The encoder writes a checksum of the picture that it expects from decoders.
    #[test]
    fn decoded_planes_have_the_checksums_of_the_encoder() {
        if witness::program(&["heif-enc"], "libheif").is_none() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let [source, file] = ["source.png", "made.heic"].map(|name| folder.path().join(name));
        for bits in ["8", "10", "12"] {
            png(&source, if bits == "8" { Depth::Eight } else { Depth::Sixteen });
            for chroma in ["420", "422", "444"] {
                for way in WAYS {
                    for quality in ["15", "80"] {
                        let chroma = format!("chroma={chroma}");
                        let arguments = ["-b", bits, "-q", quality, "-p", &chroma, "-p", way, "-p", "x265:hash=1"];
                        let output =
                            Command::new("heif-enc").args(arguments).arg(&source).arg("-o").arg(&file).output();
                        assert!(output.unwrap().status.success(), "{arguments:?}");
                        assert!(is_exact(&std::fs::read(&file).unwrap()), "{arguments:?}");
                    }
                }
            }
        }
    }

    /// Writes rings as PNG.
    fn png(path: &Path, depth: Depth) {
        let picture = generate::zone_plate(Size::new(208, 144), PixelFormat { depth, ..PixelFormat::RGB8 });
        let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
        let spec = raster::ImageSpec::single(picture.size, picture.pixels, &budget);
        write_all(codec_png::create(&mut bytes, &spec, &codec_png::Options::default()).unwrap(), &picture).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// Whether a decoded picture has the checksum that the encoder expects.
    fn is_exact(file: &[u8]) -> bool {
        let budget = Budget::new(&Limits::default());
        let container = Container::read(&file, Format::Heic, &budget).unwrap();
        let item = container.primary().unwrap();
        let data = container.bytes(&file, item, &budget).unwrap();
        let configuration = Configuration::read(container.configuration(item).unwrap()).unwrap();
        let units = configuration.units_of(&data).unwrap();
        let units_of_kind = units.iter().map(|unit| NalUnit::parse(unit).unwrap());
        let message = units_of_kind.into_iter().find(|unit| unit.header.unit_type == NalUnitType::SuffixSei).unwrap();
        let expected = parse_picture_hash(&message.rbsp, 3).unwrap().unwrap();
        // A checksum includes margins, which pictures of whole blocks do not have.
        expected.compute_like(&frame(&units, u64::MAX).unwrap()) == expected
    }
}
