//! Pictures of HEVC by `heifer-hevc-dec`, which decodes frames that need no others.

use core::fmt;

use heif::{Decoder, Options, Planes};
use heifer_hevc_dec::decoder::{DecodeOptions, decode_picture};
use heifer_hevc_dec::recon::Frame;
use raster::{Error, Format, Result, Size};
use yuv::Sampling;

use crate::description::sampling;
use crate::parameter_sets::Configuration;

/// The defect of a picture.
#[derive(Debug)]
enum Cause {
    /// The configuration is damaged.
    Configuration,
    /// The lengths of units contradict the data.
    Units,
    /// The decoder's own words.
    Decoder(heifer_hevc_dec::Error),
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

impl std::error::Error for Cause {}

/// A decoder of single pictures.
struct Hevc {
    configuration: Vec<u8>,
    options: DecodeOptions,
}

/// Creates a decoder.
pub(crate) fn decoder(configuration: &[u8], options: &Options) -> Result<Box<dyn Decoder>> {
    if Configuration::read(configuration).is_none() {
        return Err(Error::malformed(Format::Heic, 0, Cause::Configuration));
    }
    // Coded sizes are multiples of a block's side, which is at most 64.
    let max_pixels = options.most_pixels.saturating_mul(2).saturating_add(1 << 20);
    let options = DecodeOptions { max_pixels, ..DecodeOptions::default() };
    Ok(Box::new(Hevc { configuration: configuration.to_vec(), options }))
}

impl Decoder for Hevc {
    fn decode(&mut self, data: Vec<u8>) -> Result<Box<dyn Planes>, raster::Cause> {
        let configuration = Configuration::read(&self.configuration).ok_or(Cause::Configuration)?;
        let stream = configuration.byte_stream(&data).ok_or(Cause::Units)?;
        drop(data);
        Ok(Box::new(Picture(decode_picture(&stream, self.options).map_err(Cause::Decoder)?)))
    }
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

    use heifer_hevc_dec::decoder::{HashCheck, decode_picture_checked};
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
                        let found = checked(&std::fs::read(&file).unwrap());
                        assert!(matches!(found, Ok(HashCheck::Verified(_))), "{arguments:?}: {found:?}");
                    }
                }
            }
        }
    }

    /// Writes rings as PNG.
    fn png(path: &Path, depth: Depth) {
        let picture = generate::zone_plate(Size::new(190, 130), PixelFormat { depth, ..PixelFormat::RGB8 });
        let (mut bytes, budget) = (Vec::new(), Budget::new(&Limits::default()));
        let spec = raster::ImageSpec::single(picture.size, picture.pixels, &budget);
        write_all(codec_png::create(&mut bytes, &spec, &codec_png::Options::default()).unwrap(), &picture).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    fn checked(file: &[u8]) -> Result<HashCheck, heifer_hevc_dec::Error> {
        let budget = Budget::new(&Limits::default());
        let container = Container::read(&file, Format::Heic, &budget).unwrap();
        let item = container.primary().unwrap();
        let data = container.bytes(&file, item, &budget).unwrap();
        let configuration = Configuration::read(container.configuration(item).unwrap()).unwrap();
        let options = DecodeOptions { verify_hash: true, ..DecodeOptions::default() };
        decode_picture_checked(&configuration.byte_stream(&data).unwrap(), options).map(|(_, check)| check)
    }
}
