//! PNM, the formats of Netpbm: PBM, PGM and PPM as text (P1 to P3) and binary (P4 to P6), and PAM (P7), with samples of
//! 1 to 16 bits, read row by row in the memory of a row.
//!
//! Sources: the pages `pbm(5)`, `pgm(5)`, `ppm(5)` and `pam(5)` of Netpbm. Read first: `header.rs`.
//!
//! ```
//! use raster::{Budget, Limits, Notes, RowReader, Wanted};
//!
//! let file = b"P3\n# two pixels\n2 1\n15\n15 0 0  0 0 15\n".to_vec();
//! let mut reader = codec_pnm::open(&file, &Budget::new(&Limits::default()), &Notes::default())?;
//! let mut row = [0; 6];
//! if let Some(mut frame) = reader.next_frame(&Wanted::FULL_SIZE)? {
//!     frame.rows.read_row(&mut row)?;
//! }
//! assert_eq!(row, [255, 0, 0, 0, 0, 255]);
//! # Ok::<(), raster::Error>(())
//! ```

mod decode;
mod header;

use raster::limits::MAX_SIDE;
use raster::{
    Budget, ByteSource, Channels, Depth, Format, FormatTraits, ImageReader, MetadataRoom, Notes, Profiles, Result,
    Sequences,
};

/// What a PNM can hold.
pub const FORMAT: FormatTraits = FormatTraits {
    format: Format::Pnm,
    max_side: MAX_SIDE,
    sequences: Sequences::NONE,
    channels: &[Channels::Gray, Channels::GrayAlpha, Channels::Rgb, Channels::Rgba],
    depth: Depth::Sixteen,
    profiles: Profiles::None,
    metadata: MetadataRoom::NONE,
};

/// Whether a file begins as a PNM: its magic number, and what must come behind it.
#[must_use]
pub fn is_pnm(head: &[u8]) -> bool {
    match head {
        [b'P', b'1'..=b'6', space, rest @ ..] if space.is_ascii_whitespace() => {
            matches!(rest.trim_ascii_start(), [b'0'..=b'9' | b'#', ..])
        }
        [b'P', b'7', b'\n', rest @ ..] => {
            [&b"#"[..], b"WIDTH", b"HEIGHT", b"DEPTH", b"MAXVAL", b"TUPLTYPE"].iter().any(|word| rest.starts_with(word))
        }
        _ => false,
    }
}

/// Opens a file: reads its header. Samples come with 8 bits where they have as many or fewer, else with 16, and fill
/// that range. Of several pictures in one file the first is read.
///
/// # Errors
/// `Malformed`, `Unsupported` for a PAM that is neither grey nor red, green and blue; `Limit` or `Io`.
pub fn open<'a>(source: &'a dyn ByteSource, budget: &Budget, notes: &Notes) -> Result<Box<dyn ImageReader + 'a>> {
    Ok(Box::new(decode::Reader::open(source, budget, notes)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_starts_with_the_magic_number_is_no_picture() {
        for picture in [&b"P1 1 1 0"[..], b"P6\n# made by hand\n1 1", b"P5\n\n8 8\n255\n", b"P7\nWIDTH 3"] {
            assert!(is_pnm(picture));
        }
        for text in [&b"P1 is a license"[..], b"P", b"P6", b"P8\n1 1", b"P5. Of the second part", b"P7 332\n8 8 255\n"]
        {
            assert!(!is_pnm(text));
        }
    }
}
