//! The bodies of `HEAD` and `FRAM`.

use std::rc::Rc;

use raster::limits::{MAX_SIDE, check_size};
use raster::{
    Channels, Delay, Depth, Error, FrameInfo, ImageInfo, Metadata, Orientation, PixelFormat, Result, RowFormat,
    Sequence, Size, Stored, Warning,
};

use crate::block::{Body, Fields, GAIN_MAP, NOTE, PALETTE};
use crate::error::Cause;
use crate::{metadata, note};

/// The offset of the number of frames in the body of a `HEAD`.
pub(crate) const FRAMES_OFFSET: u64 = 15;

/// The size and format of a frame, without its delay.
struct Shape {
    size: Size,
    row_format: RowFormat,
    orientation: Orientation,
}

/// Returns the body of a `HEAD`. A new field in [`ImageInfo`] does not compile until it is handled here.
// The reader computes its own working set.
pub(crate) fn head_body(info: &ImageInfo, warnings: &[Warning]) -> Result<Vec<u8>> {
    let ImageInfo { format, size, frames, sequence, frame_sizes, stored, row_format, orientation, .. } = info;
    let ImageInfo { metadata, quality, working_set: _, gain_map, carried_gain_map, has_palette, .. } = info;
    let (sequence, plays) = match *sequence {
        Sequence::Single => (0, 0),
        Sequence::Pages => (1, 0),
        Sequence::Animation { plays } => (2, plays),
        Sequence::Sizes => (3, 0),
    };
    let mut body = Body::default();
    append_shape(&mut body, &Shape { size: *size, row_format: *row_format, orientation: *orientation });
    body.bytes(&[sequence, quality.unwrap_or(0), stored.depth, stored.channels]);
    [*frames, plays, frame_sizes.len() as u32].into_iter().for_each(|number| body.number(number));
    for size in frame_sizes {
        body.number(size.width);
        body.number(size.height);
    }
    body.text(format.name())?;
    metadata::append(&mut body, metadata)?;
    if *gain_map {
        body.block(GAIN_MAP, &metadata::gain_map_body(carried_gain_map.as_deref())?)?;
    }
    if *has_palette {
        body.block(PALETTE, &[])?;
    }
    for warning in warnings {
        body.block(NOTE, &note::warning_body(warning)?)?;
    }
    Ok(body.0)
}

/// Reads the body of a `HEAD`: what it says of the file, and its warnings.
pub(crate) fn parse_head(mut fields: Fields<'_>) -> Result<(ImageInfo, Vec<Warning>)> {
    let (info, warnings) = parse_head_fields(&mut fields).map_err(Cause::in_head)?;
    check_size(info.size, MAX_SIDE)?;
    info.frame_sizes.iter().try_for_each(|&size| check_size(size, MAX_SIDE))?;
    Ok((info, warnings))
}

fn parse_head_fields(fields: &mut Fields<'_>) -> Result<(ImageInfo, Vec<Warning>), Cause> {
    let Shape { size, row_format, orientation } = parse_shape(fields)?;
    let [sequence, quality, depth, channels] = fields.array()?;
    let (frames, plays, sizes) = (fields.number()?, fields.number()?, fields.number()?);
    let sequence = match sequence {
        0 => Sequence::Single,
        1 => Sequence::Pages,
        2 => Sequence::Animation { plays },
        3 => Sequence::Sizes,
        _ => return Err(Cause::Field("sequence")),
    };
    if frames == 0 || quality > 100 || !(sizes == 0 || sizes == frames) {
        return Err(Cause::Field("head"));
    }
    let sizes = fields.bytes(usize::try_from(u64::from(sizes) * 8).map_err(|_| Cause::Short)?)?;
    let number = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes);
    let frame_sizes = sizes.as_chunks().0.as_chunks::<2>().0;
    let format = note::parse_format(fields)?;
    let mut info = ImageInfo {
        frames,
        sequence,
        frame_sizes: frame_sizes.iter().map(|[w, h]| Size::new(number(w), number(h))).collect(),
        stored: Stored { depth, channels },
        orientation,
        metadata: Rc::new(metadata::parse(fields)?),
        quality: (quality > 0).then_some(quality),
        ..ImageInfo::still(format, size, row_format)
    };
    let mut warnings = Vec::new();
    while !fields.is_empty() {
        match fields.block()? {
            (GAIN_MAP, map) => {
                info.gain_map = true;
                info.carried_gain_map = metadata::parse_gain_map(map)?.map(Rc::new);
            }
            (PALETTE, empty) => {
                empty.end()?;
                info.has_palette = true;
            }
            (NOTE, warning) => warnings.push(note::parse_warning(warning)?),
            (kind, _) => return Err(Cause::Kind(kind)),
        }
    }
    Ok((info, warnings))
}

/// Returns the body of a `FRAM`, with metadata if they differ from the previous ones.
pub(crate) fn frame_body(frame: &FrameInfo, metadata: Option<&Metadata>) -> Result<Vec<u8>> {
    let FrameInfo { size, row_format, orientation, delay, .. } = *frame;
    let mut body = Body::default();
    append_shape(&mut body, &Shape { size, row_format, orientation });
    body.number(delay.map_or(0, |delay| delay.numerator));
    body.number(delay.map_or(0, |delay| delay.denominator));
    body.byte(u8::from(metadata.is_some()));
    if let Some(metadata) = metadata {
        metadata::append(&mut body, metadata)?;
    }
    Ok(body.0)
}

/// Reads the body of a `FRAM` that begins at `offset`.
pub(crate) fn parse_frame(mut fields: Fields<'_>, offset: u64) -> Result<(FrameInfo, Option<Metadata>)> {
    let parsed = parse_frame_fields(&mut fields).and_then(|frame| fields.end().map(|()| frame));
    let (frame, metadata) = parsed.map_err(|cause| cause.at(offset))?;
    check_size(frame.size, MAX_SIDE).map_err(|_: Error| Cause::Field("size").at(offset))?;
    Ok((frame, metadata))
}

fn parse_frame_fields(fields: &mut Fields<'_>) -> Result<(FrameInfo, Option<Metadata>), Cause> {
    let Shape { size, row_format, orientation } = parse_shape(fields)?;
    let delay = match (fields.number()?, fields.number()?) {
        (0, 0) => None,
        (_, 0) => return Err(Cause::Field("delay")),
        (numerator, denominator) => Some(Delay { numerator, denominator }),
    };
    let metadata = if fields.flag()? { Some(metadata::parse(fields)?) } else { None };
    Ok((FrameInfo { orientation, delay, ..FrameInfo::new(size, row_format) }, metadata))
}

fn append_shape(body: &mut Body, shape: &Shape) {
    let number = match shape.row_format {
        RowFormat::Colors(pixels) => match pixels.channels {
            Channels::Gray => 1,
            Channels::GrayAlpha => 2,
            Channels::Rgb => 3,
            Channels::Rgba => 4,
        },
        RowFormat::Inks { alpha: false, .. } => 5,
        RowFormat::Inks { alpha: true, .. } => 6,
    };
    body.bytes(&[number, shape.row_format.depth().bits(), shape.orientation.exif()]);
    body.number(shape.size.width);
    body.number(shape.size.height);
}

fn parse_shape(fields: &mut Fields<'_>) -> Result<Shape, Cause> {
    let [number, bits, orientation] = fields.array()?;
    let depth = match bits {
        8 => Depth::Eight,
        16 => Depth::Sixteen,
        _ => return Err(Cause::Field("depth")),
    };
    let colors = |channels| RowFormat::Colors(PixelFormat::new(channels, depth));
    let row_format = match number {
        1 => colors(Channels::Gray),
        2 => colors(Channels::GrayAlpha),
        3 => colors(Channels::Rgb),
        4 => colors(Channels::Rgba),
        5 => RowFormat::Inks { depth, alpha: false },
        6 => RowFormat::Inks { depth, alpha: true },
        _ => return Err(Cause::Field("row format")),
    };
    let orientation = Orientation::from_exif(orientation.into()).ok_or(Cause::Field("orientation"))?;
    Ok(Shape { size: Size::new(fields.number()?, fields.number()?), row_format, orientation })
}
