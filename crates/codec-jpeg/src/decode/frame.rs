//! The frame header (T.81 B.2.2), and the meaning of the components' samples.

use raster::Size;

use crate::error::Cause;

/// The coding of a frame (T.81 table B.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    /// SOF0, SOF1, SOF9: one pass over the blocks.
    Sequential,
    /// SOF2, SOF10: several passes.
    Progressive,
    /// SOF3, SOF11: prediction instead of blocks.
    Lossless,
    /// SOF5 to 7, 13 to 15: differences between frames.
    Hierarchical,
}

/// One component of the frame (B.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Component {
    pub(crate) id: u8,
    /// Horizontal sampling factor, 1 to 4.
    pub(crate) across: u8,
    /// Vertical sampling factor, 1 to 4.
    pub(crate) down: u8,
    /// The number of its quantisation table.
    pub(crate) table: u8,
}

/// The frame header.
#[derive(Clone, Debug)]
pub(crate) struct FrameHead {
    pub(crate) coding: Coding,
    /// Whether the codes are arithmetic ones (SOF9 to SOF15), not Huffman's.
    pub(crate) is_arithmetic: bool,
    /// The number of bits in a sample.
    pub(crate) precision: u8,
    pub(crate) size: Size,
    pub(crate) components: Vec<Component>,
}

/// The meaning of a pixel's samples, decided as in libjpeg's `default_decompress_parms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    Gray,
    YCbCr,
    Rgb,
    /// Four inks. The flag states whether 255 means no ink, as in all files but TIFF.
    Cmyk {
        inverted: bool,
    },
    Ycck,
    /// Two components, or more than four.
    Other,
}

impl FrameHead {
    /// Parses the payload of the SOF marker with this code.
    ///
    /// # Errors
    /// The defect of the header.
    pub(crate) fn parse(code: u8, payload: &[u8]) -> Result<Self, Cause> {
        let coding = match code {
            0xC0 | 0xC1 | 0xC9 => Coding::Sequential,
            0xC2 | 0xCA => Coding::Progressive,
            0xC3 | 0xCB => Coding::Lossless,
            _ => Coding::Hierarchical,
        };
        let Some((&[precision, h1, h0, w1, w0, count], rest)) = payload.split_first_chunk() else {
            return Err(Cause::Segment("frame header"));
        };
        if count == 0 || rest.len() != 3 * usize::from(count) {
            return Err(Cause::Segment("frame header"));
        }
        let is_known = match coding {
            Coding::Sequential | Coding::Progressive => matches!(precision, 8 | 12),
            Coding::Lossless | Coding::Hierarchical => (2..=16).contains(&precision),
        };
        if !is_known {
            return Err(Cause::Range("the number of bits per sample"));
        }
        let components = rest.as_chunks().0.iter().map(|&[id, factors, table]| Component {
            id,
            across: factors >> 4,
            down: factors & 15,
            table,
        });
        let mut components: Vec<Component> = components.collect();
        if components.iter().any(|c| !(1..=4).contains(&c.across) || !(1..=4).contains(&c.down)) {
            return Err(Cause::Range("a sampling factor"));
        }
        if let [only] = &mut components[..] {
            (only.across, only.down) = (1, 1); // its MCU is one block, whatever its factors (A.2.2)
        }
        let size = Size::new(u16::from_be_bytes([w1, w0]).into(), u16::from_be_bytes([h1, h0]).into());
        Ok(Self { coding, is_arithmetic: code > 0xC8, precision, size, components })
    }

    /// Returns the largest sampling factors, across and down.
    pub(crate) fn most(&self) -> (u8, u8) {
        self.components.iter().fold((1, 1), |(across, down), c| (across.max(c.across), down.max(c.down)))
    }

    /// Returns the number of samples on each side of what MCUs consist of (A.2.2): blocks, or single samples.
    pub(crate) fn unit(&self) -> u32 {
        if self.coding == Coding::Lossless { 1 } else { 8 }
    }

    /// Whether samples are held as numbers of 16 bits.
    pub(crate) fn is_wide(&self) -> bool {
        self.precision != 8 || self.coding == Coding::Lossless
    }

    /// Whether coefficients are held before they are transformed: they come in several scans, or the transform is the
    /// slow one of 12-bit pictures.
    pub(crate) fn has_coefficients(&self) -> bool {
        self.coding == Coding::Progressive || (self.coding == Coding::Sequential && self.is_wide())
    }

    /// Returns the number of MCUs of scans with several components, across and down (A.2.4).
    pub(crate) fn mcus(&self) -> Size {
        let (across, down) = self.most();
        let Size { width, height } = self.size;
        let unit = self.unit();
        Size::new(width.div_ceil(unit * u32::from(across)), height.div_ceil(unit * u32::from(down)))
    }

    /// Returns the size of a component in samples (A.1.1).
    pub(crate) fn component_size(&self, component: &Component) -> Size {
        let (across, down) = self.most();
        let part = |side: u32, factor: u8, most: u8| (side * u32::from(factor)).div_ceil(most.into());
        let Size { width, height } = self.size;
        Size::new(part(width, component.across, across), part(height, component.down, down))
    }

    /// Returns the number of blocks of a component in a row of whole MCUs.
    pub(crate) fn blocks_across(&self, component: &Component) -> u32 {
        self.mcus().width * u32::from(component.across)
    }

    /// Returns the number of blocks, or of samples of lossless pictures, in all components, each padded to whole MCUs
    /// (A.2.4).
    pub(crate) fn blocks(&self) -> u64 {
        let per_mcu: u64 = self.components.iter().map(|c| u64::from(c.across) * u64::from(c.down)).sum();
        self.mcus().area() * per_mcu
    }

    /// Returns the meaning of the samples in a file with or without JFIF's segment, and with this number in Adobe's.
    pub(crate) fn model(&self, jfif: bool, adobe: Option<u8>) -> Model {
        let ids: Vec<u8> = self.components.iter().map(|c| c.id).collect();
        match (self.components.len(), adobe) {
            (1, _) => Model::Gray,
            (3, Some(0)) if !jfif => Model::Rgb,
            (3, None) if !jfif && (ids == *b"RGB" || self.coding == Coding::Lossless) => Model::Rgb,
            (3, _) => Model::YCbCr,
            // Without Adobe's marker, too, browsers and libjpeg's programs take 255 for no ink.
            (4, None | Some(0)) => Model::Cmyk { inverted: true },
            (4, Some(_)) => Model::Ycck,
            _ => Model::Other,
        }
    }
}
