//! The destination of a job's rows.

use raster::{ByteSink, ImageInfo, ImageSpec, ImageWriter, Result};

use crate::codecs::Encoding;

/// The output of a job.
pub(crate) enum Target<'a> {
    /// The job's file.
    File(&'a mut dyn ByteSink),
    /// Raw rows for an encoder elsewhere.
    Encoder(&'a mut dyn ByteSink),
}

impl<'a> Target<'a> {
    /// Creates the writer; `info` is the source's.
    pub(crate) fn create(
        self,
        encoding: &Encoding,
        info: &ImageInfo,
        spec: &ImageSpec<'_>,
    ) -> Result<Box<dyn ImageWriter + 'a>> {
        match self {
            Self::File(sink) => encoding.create(sink, spec),
            Self::Encoder(rows) => {
                let options =
                    codec_raw::Options { origin: info.format, quality: info.quality, has_palette: info.has_palette };
                Encoding::Raw(options).create(rows, spec)
            }
        }
    }
}
