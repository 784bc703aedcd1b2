//! The palette: blue, green, red, and an unused byte, which OS/2 1 lacks.

use raster::{ByteSource, Result};

use super::header::PaletteSpan;

/// 256 colours as red, green, blue, 255. Colours that the file does not define are black, as in Chromium.
#[derive(Clone, Debug)]
pub(super) struct Palette(pub(super) Box<[[u8; 4]; 256]>);

impl Palette {
    pub(super) fn read(source: &dyn ByteSource, span: PaletteSpan) -> Result<Self> {
        let mut bytes = [0; 1024];
        let len = (span.entries * span.entry_len) as usize;
        source.read_full_at(span.at, &mut bytes[..len])?;
        let mut colors = Box::new([[0, 0, 0, 255]; 256]);
        for (color, entry) in colors.iter_mut().zip(bytes[..len].chunks_exact(span.entry_len as usize)) {
            *color = [entry[2], entry[1], entry[0], 255];
        }
        Ok(Self(colors))
    }

    /// Whether every colour is a grey.
    pub(super) fn is_gray(&self) -> bool {
        self.0.iter().all(|&[red, green, blue, _]| red == green && green == blue)
    }
}
