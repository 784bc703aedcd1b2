//! The promise that a written file has to keep: what its own header must say. It speaks of meaning (size, frames,
//! alpha, depth, profile, metadata) and not of layout, so that a writer may store a picture in fewer bytes.

use metadata::Policy;
use raster::{Depth, Error, Format, ImageInfo, Orientation, Result, Sequence, Size};

/// What the header of a written file must say.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Promise {
    pub(crate) format: Format,
    /// The upright size of every frame, in order.
    pub(crate) sizes: Vec<Size>,
    pub(crate) orientation: Orientation,
    /// Whether the first picture has transparent pixels.
    pub(crate) alpha: bool,
    /// The first picture's depth, which must not be less.
    pub(crate) depth: Depth,
    pub(crate) icc: Option<Vec<u8>>,
    /// What the file may say about its pictures.
    pub(crate) policy: Policy,
}

impl Promise {
    /// The promise of a copy: all that the header `info` says stays, but for the metadata.
    pub(crate) fn same_picture(info: &ImageInfo, policy: Policy) -> Self {
        Self {
            format: info.format,
            sizes: upright_sizes(info),
            orientation: info.orientation,
            alpha: info.row_format.has_alpha(),
            depth: info.row_format.depth(),
            icc: info.metadata.icc.clone(),
            policy,
        }
    }

    /// Compares the promise with the header of the written file.
    ///
    /// # Errors
    /// `Contradiction`, with the first difference: a defect of ours.
    pub(crate) fn verify(&self, written: &ImageInfo) -> Result<()> {
        let kept = [
            (written.format == self.format, "the written file is of another format"),
            (self.has_sizes_of(written), "the written pictures have other sizes"),
            (written.orientation == self.orientation, "the written picture is turned otherwise"),
            (written.row_format.has_alpha() || !self.alpha, "the written picture has lost its alpha"),
            (written.row_format.depth().bits() >= self.depth.bits(), "the written picture has lost depth"),
            (written.metadata.icc == self.icc, "the written picture has another colour profile"),
            (metadata::respects(&written.metadata, self.policy), "the written metadata say more than they may"),
        ];
        match kept.into_iter().find(|(is_kept, _)| !is_kept) {
            Some((_, broken)) => Err(Error::Contradiction(broken)),
            None => Ok(()),
        }
    }

    /// Sizes of one picture are compared by area: their reader hands out the largest first.
    fn has_sizes_of(&self, written: &ImageInfo) -> bool {
        let (mut promised, mut sizes) = (self.sizes.clone(), upright_sizes(written));
        if written.sequence == Sequence::Sizes {
            promised.sort_by_key(|size| size.area());
            sizes.sort_by_key(|size| size.area());
        }
        sizes == promised
    }
}

/// The upright size of every frame.
fn upright_sizes(info: &ImageInfo) -> Vec<Size> {
    match info.frame_sizes.is_empty() {
        true => vec![info.orientation.turn(info.size); info.frames as usize],
        false => info.frame_sizes.clone(),
    }
}
