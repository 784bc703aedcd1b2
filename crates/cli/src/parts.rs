//! Which pictures go into the written file: every page or frame where its format can hold them, the usual sizes where it
//! is an icon, else one.

use pipeline::{Canvas, Part};
use raster::{Format, ImageInfo, Sequence, Size};

use crate::args::Resize;
use crate::sizing::{Fit, Wish, place};

/// The sides of an icon's pictures. Windows shows these, from its lists to its largest view.
const ICON_SIDES: [u32; 7] = [16, 24, 32, 48, 64, 128, 256];

const CLEAR: [u8; 4] = [0; 4];

/// The parts of the job.
///
/// # Errors
/// What is wrong with the call.
pub(crate) fn parts(info: &ImageInfo, format: Format, resize: &Resize) -> Result<Vec<Part>, String> {
    let frames: Vec<u32> = match resize.frame {
        Some(number) if number > info.frames => return Err(format!("there are only {} frames", info.frames)),
        Some(number) => vec![number - 1],
        None if pipeline::holds(format, info.sequence) => (0..info.frames).collect(),
        None => vec![0],
    };
    let wish = resize.wish();
    if format == Format::Ico && wish.is_empty() && info.sequence != Sequence::Sizes {
        return icon(upright(info, frames[0]), frames[0], wish.enlarge);
    }
    frames.into_iter().map(|frame| Ok(Part { frame, ..place(upright(info, frame), &wish)? })).collect()
}

fn upright(info: &ImageInfo, frame: u32) -> Size {
    info.frame_sizes.get(frame as usize).copied().unwrap_or_else(|| info.orientation.turn(info.size))
}

/// The picture in the middle of clear squares; none larger than itself unless it may grow.
fn icon(upright: Size, frame: u32, enlarge: bool) -> Result<Vec<Part>, String> {
    let longest = upright.width.max(upright.height);
    let fits = |&side: &u32| enlarge || side <= longest || side == ICON_SIDES[0];
    let square = |side: u32| {
        let wish = Wish { width: Some(side), height: Some(side), fit: Fit::Pad, enlarge, ..Wish::default() };
        let part = place(upright, &wish)?;
        let canvas = part.canvas.map(|canvas| Canvas { color: CLEAR, ..canvas });
        Ok(Part { frame, canvas, ..part })
    };
    ICON_SIDES.into_iter().filter(fits).map(square).collect()
}
