//! An item `iovl`: pictures that are placed on a canvas (ISO/IEC 23008-12 §6.6.2.2).

use raster::{Budget, ByteSource, Result, Size};

use crate::fields::Fields;
use crate::{Cause, Container, Item};

/// The most pictures on a canvas.
pub const MOST_LAYERS: usize = 32;

/// A canvas and the pictures on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// The size of the canvas.
    pub size: Size,
    /// Red, green, blue and straight alpha of the empty canvas, in sRGB of 16 bits.
    pub fill: [u16; 4],
    /// The pictures, the lowest first.
    pub layers: Vec<Placed>,
}

/// A picture on a canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The number of its item.
    pub id: u32,
    /// The column of the canvas in which it begins; it can begin and end outside.
    pub x: i32,
    /// The row of the canvas in which it begins.
    pub y: i32,
}

impl Container {
    /// Returns the canvas of an item `iovl`.
    ///
    /// # Errors
    /// `Malformed`, also for more than [`MOST_LAYERS`] pictures; `Io`.
    pub fn overlay(&self, source: &dyn ByteSource, item: &Item, budget: &Budget) -> Result<Overlay> {
        let bytes = self.bytes(source, item, &budget.scope())?;
        read(&bytes, self.referred(*b"dimg", item.id)).map_err(|cause| self.refusal(cause))
    }
}

fn read(bytes: &[u8], ids: &[u32]) -> Result<Overlay, Cause> {
    let mut fields = Fields::new(bytes);
    let [version, flags] = fields.array()?;
    if version != 0 || ids.is_empty() || ids.len() > MOST_LAYERS {
        return Err(Cause::Overlay);
    }
    let fill = [fields.u16()?, fields.u16()?, fields.u16()?, fields.u16()?];
    let is_long = flags & 1 == 1;
    let size = Size::new(fields.id(is_long)?, fields.id(is_long)?);
    if size.is_empty() {
        return Err(Cause::Overlay);
    }
    let mut offset = || match is_long {
        true => fields.u32().map(u32::cast_signed),
        false => fields.u16().map(|offset| offset.cast_signed().into()),
    };
    let layers = ids.iter().map(|&id| Ok(Placed { id, x: offset()?, y: offset()? })).collect::<Result<_, Cause>>()?;
    Ok(Overlay { size, fill, layers })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_and_offsets_have_two_or_four_bytes_and_offsets_a_sign() {
        let fill = [1, 2, 3, 65_535];
        let start = |flags| [&[0, flags][..], &fill.map(u16::to_be_bytes).concat()].concat();
        let short = [&start(0)[..], &[1, 0, 0, 9, 0xFF, 0xFE, 0, 3, 0, 0, 0x80, 0]].concat();
        let layers = vec![Placed { id: 7, x: -2, y: 3 }, Placed { id: 5, x: 0, y: -32_768 }];
        assert_eq!(read(&short, &[7, 5]), Ok(Overlay { size: Size::new(256, 9), fill, layers }));
        let long = [&start(1)[..], &[0, 1, 0, 0, 0, 0, 0, 9, 0xFF, 0xFF, 0xFF, 0xFE, 0, 1, 0, 0]].concat();
        let layers = vec![Placed { id: 7, x: -2, y: 65_536 }];
        assert_eq!(read(&long, &[7]), Ok(Overlay { size: Size::new(65_536, 9), fill, layers }));
        for (bytes, ids) in [(&short, vec![]), (&short, vec![1; 3]), (&short, vec![1; 33]), (&long, vec![1; 2])] {
            assert!(read(bytes, &ids).is_err());
        }
        assert_eq!(read(&[&start(0)[..], &[0; 4]].concat(), &[1]), Err(Cause::Overlay));
        assert_eq!(read(&[&[1], &short[1..]].concat(), &[7, 5]), Err(Cause::Overlay));
        (0..short.len()).for_each(|len| assert!(read(&short[..len], &[7, 5]).is_err()));
    }
}
