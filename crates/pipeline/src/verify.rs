//! The promise of a written file: the required content of its own header. It consists of meaning (size, frames, alpha,
//! depth, profile, metadata) and not of layout, so that a writer may store a picture in fewer bytes.

use metadata::Policy;
use raster::{Budget, ByteSource, Depth, Error, Format, ImageInfo, Limits, Notes, Orientation, Result, Sequence, Size};

use crate::codecs::{find_gain_map, header};
use crate::{labels, sniff};

/// Reads the header of a written file. Returns it with the most bytes that this took. The source is closed by then, so
/// the header has a budget of its own; `held` is the number of bytes that the job still holds.
///
/// # Errors
/// Errors of the reader; `Limit` when the budget is too small for the header and the copies that the comparison makes.
pub(crate) fn read_back(written: &dyn ByteSource, limits: &Limits, held: u64) -> Result<(ImageInfo, u64)> {
    let budget = Budget::new(limits);
    budget.charge(held)?;
    let notes = Notes::default();
    let mut info = header(sniff(written)?, written, &budget, &notes)?;
    budget.charge(labels::COPIES * info.metadata.byte_len())?;
    // A gain map counts if it is there, and not only announced.
    info.gain_map = info.gain_map && find_gain_map(info.format, written, &budget)?.is_some();
    Ok((info, budget.peak()))
}

/// The required content of a written file's header.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Promise {
    pub(crate) format: Format,
    /// The upright size of every frame, in order.
    pub(crate) sizes: Vec<Size>,
    pub(crate) orientation: Orientation,
    /// Whether the first picture has a pixel that is not opaque. A picture without one needs no alpha in the file.
    pub(crate) is_transparent: bool,
    /// The least depth of the first picture.
    pub(crate) depth: Depth,
    pub(crate) icc: Option<Vec<u8>>,
    /// Whether the file has a gain map.
    pub(crate) has_gain_map: bool,
    /// The policy of the file's metadata.
    pub(crate) policy: Policy,
}

impl Promise {
    /// The number of bytes of the profile, which is the only part that a file can make large.
    pub(crate) fn byte_len(&self) -> u64 {
        self.icc.as_ref().map_or(0, |icc| icc.len() as u64)
    }

    /// Returns the promise of a copy: all content of the header `info` stays, except for the metadata and a gain map.
    pub(crate) fn same_picture(info: &ImageInfo, policy: Policy) -> Self {
        Self {
            format: info.format,
            sizes: upright_sizes(info),
            orientation: info.orientation,
            is_transparent: info.row_format.has_alpha(),
            depth: info.row_format.depth(),
            icc: info.metadata.icc.clone(),
            has_gain_map: false,
            policy,
        }
    }

    /// Compares the promise with the header of the written file.
    ///
    /// # Errors
    /// `Contradiction` with the first difference, which is a defect of the engine.
    pub(crate) fn verify(&self, written: &ImageInfo) -> Result<()> {
        let kept = [
            (written.format == self.format, "the written file is of another format"),
            (self.has_sizes_of(written), "the written pictures have other sizes"),
            (written.orientation == self.orientation, "the written picture is turned otherwise"),
            (written.row_format.has_alpha() || !self.is_transparent, "the written picture has lost its alpha"),
            (written.row_format.depth().bits() >= self.depth.bits(), "the written picture has lost depth"),
            (written.metadata.icc == self.icc, "the written picture has another colour profile"),
            (written.gain_map == self.has_gain_map, "the written gain map is not the promised one"),
            (metadata::respects(&written.metadata, self.policy), "the written metadata say more than they may"),
        ];
        match kept.into_iter().find(|(is_kept, _)| !is_kept) {
            Some((_, broken)) => Err(Error::Contradiction(broken)),
            None => Ok(()),
        }
    }

    /// Whether the sizes match. Sizes of one picture are compared in any order, because their reader returns the
    /// largest first.
    fn has_sizes_of(&self, written: &ImageInfo) -> bool {
        let (mut promised, mut sizes) = (self.sizes.clone(), upright_sizes(written));
        if written.sequence == Sequence::Sizes {
            for sizes in [&mut promised, &mut sizes] {
                raster::sort_by_key(sizes, |size| u64::from(size.width) << 32 | u64::from(size.height));
            }
        }
        sizes == promised
    }
}

/// Returns the upright size of every frame.
fn upright_sizes(info: &ImageInfo) -> Vec<Size> {
    match info.frame_sizes.is_empty() {
        true => vec![info.orientation.turn(info.size); info.frames as usize],
        false => info.frame_sizes.clone(),
    }
}
