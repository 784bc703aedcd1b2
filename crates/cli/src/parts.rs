//! The pictures of the written file: every page or frame if its format supports them, the usual or the chosen sizes if
//! it is an icon, else one.

use pipeline::{Canvas, Part};
use raster::{FormatTraits, ImageInfo, Orientation, Sequence, Size};

use crate::args::Resize;
use crate::sizing::{Fit, Wish, place};

/// The sides of an icon's pictures, which Windows uses from its lists to its largest view.
const ICON_SIDES: [u32; 7] = [16, 24, 32, 48, 64, 128, 256];

const CLEAR: [u8; 4] = [0; 4];

/// Returns the parts of the job.
///
/// # Errors
/// The defect of the call.
pub(crate) fn parts(info: &ImageInfo, traits: &FormatTraits, resize: &Resize) -> Result<Vec<Part>, String> {
    let turn = resize.turn();
    let parts = turned_parts(&turned(info, turn), traits, resize)?;
    Ok(parts.into_iter().map(|part| Part { turn, ..part }).collect())
}

/// Returns the description of a file whose pictures are turned.
fn turned(info: &ImageInfo, turn: Orientation) -> ImageInfo {
    let frame_sizes = info.frame_sizes.iter().map(|&size| turn.turn(size)).collect();
    ImageInfo { orientation: info.orientation.then(turn), frame_sizes, ..info.clone() }
}

fn turned_parts(info: &ImageInfo, traits: &FormatTraits, resize: &Resize) -> Result<Vec<Part>, String> {
    let frames: Vec<u32> = match resize.frame {
        Some(number) if number > info.frames => return Err(format!("there are only {} frames", info.frames)),
        Some(number) => vec![number - 1],
        None if traits.holds(info.sequence) => (0..info.frames).collect(),
        None => vec![0],
    };
    let wish = resize.wish();
    if !traits.sequences.sizes && !resize.icon_sizes.is_empty() {
        return Err("--icon-sizes is for icons: the output's extension is another".to_owned());
    }
    if !resize.icon_sizes.is_empty() {
        return icon(info, resize.frame, &resize.icon_sizes, wish.enlarge);
    }
    if traits.sequences.sizes && wish.is_empty() && info.sequence != Sequence::Sizes {
        return icon(info, Some(frames[0] + 1), &ICON_SIDES, wish.enlarge);
    }
    frames.into_iter().map(|frame| Ok(Part { frame, ..place(upright(info, frame), &wish)? })).collect()
}

fn upright(info: &ImageInfo, frame: u32) -> Size {
    info.frame_sizes.get(frame as usize).copied().unwrap_or_else(|| info.orientation.turn(info.size))
}

/// Returns the picture in the middle of transparent squares. No square is larger than the picture unless it may grow,
/// but there is at least one. For an icon as the source, each square is made from the entry of its size, else from the
/// first entry, which is the largest.
fn icon(info: &ImageInfo, number: Option<u32>, sides: &[u32], enlarge: bool) -> Result<Vec<Part>, String> {
    let mut sides = sides.to_vec();
    sides.sort_unstable();
    sides.dedup();
    let from = upright(info, number.map_or(0, |number| number - 1));
    let longest = from.width.max(from.height);
    let fits = |&side: &u32| enlarge || side <= longest;
    let kept = sides.iter().take_while(|side| fits(side)).count().max(1);
    let square = |&side: &u32| {
        let frame = number.map_or_else(|| entry(info, side), |number| number - 1);
        let upright = upright(info, frame);
        let wish = Wish { width: Some(side), height: Some(side), fit: Fit::Pad, enlarge, ..Wish::default() };
        let part = place(upright, &wish)?;
        let canvas = part.canvas.map(|canvas| Canvas { color: CLEAR, ..canvas });
        Ok(Part { frame, canvas, ..part })
    };
    sides[..kept].iter().map(square).collect()
}

/// Returns the number of the icon entry of exactly that side, else of the first.
fn entry(info: &ImageInfo, side: u32) -> u32 {
    let entries = info.frame_sizes.iter().filter(|_| info.sequence == Sequence::Sizes);
    let found = entries.into_iter().position(|&size| size == Size::new(side, side));
    found.map_or(0, |frame| frame as u32)
}
