//! EXIF and XMP, which are items that describe another one.

use raster::{Budget, ByteSource, Error, Metadata, Notes, Result, Warning};

use crate::Container;

impl Container {
    /// Reads EXIF and XMP of the item `id`. Of several items of a kind the first one counts. What
    /// cannot be read is left out with a warning.
    ///
    /// # Errors
    /// `Io` from the source, `Limit` when the metadata exceed the budget.
    pub fn metadata(&self, source: &dyn ByteSource, id: u32, budget: &Budget, notes: &Notes) -> Result<Metadata> {
        let mut metadata = Metadata::default();
        for item in self.referring(*b"cdsc", id) {
            let (part, name) = match item {
                item if item.is_exif() => (&mut metadata.exif, "exif"),
                item if item.is_xmp() => (&mut metadata.xmp, "xmp"),
                _ => continue,
            };
            if part.is_some() {
                continue;
            }
            *part = match self.bytes(source, item, budget) {
                Ok(bytes) if item.is_exif() => exif(bytes),
                Ok(bytes) => Some(bytes),
                Err(Error::Malformed { .. }) => None,
                Err(error) => return Err(error),
            };
            if part.is_none() {
                notes.warn(Warning::Skipped(name));
            }
        }
        Ok(metadata)
    }
}

/// Returns the TIFF structure of EXIF: the item begins with the distance to it.
fn exif(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let distance = u32::from_be_bytes(*bytes.first_chunk()?) as usize;
    let start = distance.checked_add(4).filter(|&start| start < bytes.len())?;
    bytes.drain(..start);
    Some(bytes)
}
