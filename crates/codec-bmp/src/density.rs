//! `biXPelsPerMeter` and `biYPelsPerMeter`: how densely the picture is to be printed. Zero, and what is below it, means
//! unknown.

use core::ops::Range;

use raster::{ByteSource, Resolution, Result};

/// Where the two numbers lie in the file: 24 bytes into an info header of 40 bytes or more, or of OS/2's second kind.
const FIELDS: Range<usize> = 38..46;
/// Where the info header's length stands, and the shortest one with these fields.
const HEADER_LEN: Range<usize> = 14..18;
const SHORTEST: u32 = 32;

/// Metres in an inch.
const INCH: f64 = 0.0254;

/// What the header of the file says.
pub(crate) fn read(source: &dyn ByteSource) -> Result<Option<Resolution>> {
    let mut head = [0; FIELDS.end];
    if source.read_full_at(0, &mut head)? < head.len() {
        return Ok(None);
    }
    let (words, _) = head[HEADER_LEN.start..].as_chunks::<4>();
    let has_fields = u32::from_le_bytes(words[0]) >= SHORTEST;
    let (fields, _) = head[FIELDS].as_chunks::<4>();
    let [x, y] = [fields[0], fields[1]].map(i32::from_le_bytes);
    let known = has_fields && x > 0 && y > 0;
    Ok(known.then(|| Resolution { x: f64::from(x) * INCH, y: f64::from(y) * INCH }))
}

/// Writes it into a head of ours.
pub(crate) fn write(head: &mut [u8], resolution: Option<Resolution>) {
    let Some(Resolution { x, y }) = resolution else { return };
    // Casts of floats saturate.
    let fields = [x, y].map(|dots| ((dots / INCH).round() as i32).max(1).to_le_bytes());
    head[FIELDS].copy_from_slice(fields.as_flattened());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_come_back_to_the_nearest_pixel_in_a_metre() {
        let mut head = vec![0; 54];
        head[14] = 40;
        assert_eq!(read(&head).unwrap(), None, "zero is unknown");
        write(&mut head, Some(Resolution { x: 300.0, y: 72.0 }));
        assert_eq!(head[FIELDS], [0x23, 0x2E, 0, 0, 0x13, 0x0B, 0, 0], "11 811 and 2835 in a metre");
        let Resolution { x, y } = read(&head).unwrap().unwrap();
        assert!((x - 300.0).abs() < 0.02 && (y - 72.0).abs() < 0.02);
        for (at, value) in [(14, 12), (41, 0x80), (14, 0)] {
            let mut other = head.clone();
            other[at] = value;
            assert_eq!(read(&other).unwrap(), None, "byte {at}");
        }
        assert_eq!(read(&&head[..45]).unwrap(), None);
    }
}
