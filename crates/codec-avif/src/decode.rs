//! Pictures of AV1 by `rusty_av1d`.

use core::fmt;

use heif::{Decoder, Options, Planes};
use raster::{Error, Format, Result, Size};
use rusty_av1d::{PixelLayout, PlanarImageComponent, Rav1dError, Settings};
use yuv::Sampling;

use crate::sequence_header::CONFIGURATION_HEADER;

/// The defect of a picture.
#[derive(Debug)]
enum Cause {
    /// The data contain no picture.
    NoPicture,
    /// The decoder's own word.
    Decoder(Rav1dError),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPicture => f.write_str("the data contain no picture"),
            Self::Decoder(error) => write!(f, "AV1: {error:?}"),
        }
    }
}

impl std::error::Error for Cause {}

/// A decoder of AV1, which keeps what later frames need.
struct Av1 {
    decoder: rusty_av1d::Decoder,
    /// The configuration may contain the only sequence header.
    first: Vec<u8>,
}

/// Creates a decoder on one thread.
pub(crate) fn decoder(configuration: &[u8], options: &Options) -> Result<Box<dyn Decoder>> {
    let mut settings = Settings::new();
    settings.set_n_threads(1);
    settings.set_max_frame_delay(1);
    settings.set_all_layers(false);
    settings.set_operating_point(options.operating_point.min(31));
    settings.set_frame_size_limit(u32::try_from(options.most_pixels).unwrap_or(u32::MAX));
    let decoder = rusty_av1d::Decoder::with_settings(&settings);
    let decoder = decoder.map_err(|error| Error::malformed(Format::Avif, 0, Cause::Decoder(error)))?;
    let first = configuration.get(CONFIGURATION_HEADER..).unwrap_or_default().to_vec();
    Ok(Box::new(Av1 { decoder, first }))
}

impl Decoder for Av1 {
    fn decode(&mut self, data: Vec<u8>) -> Result<Box<dyn Planes>, raster::Cause> {
        let mut last = None;
        for data in [std::mem::take(&mut self.first), data] {
            if !data.is_empty() {
                last = self.last_picture(data).map_err(Cause::Decoder)?.or(last);
            }
        }
        Ok(Box::new(Picture(last.ok_or(Cause::NoPicture)?)))
    }
}

impl Av1 {
    /// Decodes data and returns the last picture in them: of a picture in layers, the best one.
    fn last_picture(&mut self, data: Vec<u8>) -> Result<Option<rusty_av1d::Picture>, Rav1dError> {
        let mut last = None;
        let mut sent = self.decoder.send_data(data.into_boxed_slice(), None, None, None);
        while let Err(error) = sent {
            if error != Rav1dError::TryAgain {
                return Err(error);
            }
            last = Some(self.decoder.get_picture()?);
            sent = self.decoder.send_pending_data();
        }
        loop {
            match self.decoder.get_picture() {
                Ok(picture) => last = Some(picture),
                Err(Rav1dError::TryAgain) => return Ok(last),
                Err(error) => return Err(error),
            }
        }
    }
}

struct Picture(rusty_av1d::Picture);

impl Planes for Picture {
    fn size(&self) -> Size {
        Size::new(self.0.width(), self.0.height())
    }

    fn layout(&self) -> (u8, Sampling) {
        let sampling = match self.0.pixel_layout() {
            PixelLayout::I400 => Sampling::Gray,
            PixelLayout::I420 => Sampling::Half,
            PixelLayout::I422 => Sampling::Columns,
            PixelLayout::I444 => Sampling::Full,
        };
        (self.0.bits_per_component().map_or(0, |bits| bits.0), sampling)
    }

    fn copy_row(&self, plane: usize, y: u32, row: &mut [u16]) {
        let component = [PlanarImageComponent::Y, PlanarImageComponent::U, PlanarImageComponent::V][plane.min(2)];
        // The stride is in bytes.
        let start = y as usize * self.0.stride(component) as usize;
        let stored = &self.0.plane(component)[start..];
        if self.0.bit_depth() == 8 {
            for (sample, &stored) in row.iter_mut().zip(stored) {
                *sample = stored.into();
            }
        } else {
            for (sample, stored) in row.iter_mut().zip(stored.as_chunks().0) {
                *sample = u16::from_ne_bytes(*stored);
            }
        }
    }
}
