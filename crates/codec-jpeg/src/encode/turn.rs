//! A turned copy without loss: blocks change their places, and coefficients their places and signs. The copy is a
//! progressive file with the coefficients of the original.

use std::rc::Rc;

use raster::{Budget, ByteSink, ByteSource, Metadata, Orientation, Rect, Result, Size};

use super::dct::Block;
use super::planes::Layout;
use super::progressive::{Picture, Scans};
use super::script;
use super::store::{Coefficient, Store, StoredAt};
use super::write_metadata;
use crate::decode::{Head, read_coefficients, read_head};
use crate::error::unsupported;
use crate::gain_map::Pending;
use crate::marker::{code, write_segment};
use crate::zigzag::ZIGZAG;

/// Writes `source` turned, with `metadata` instead of its own, the profile included.
///
/// # Errors
/// `Unsupported` for damaged pictures, for other ones than grey and YCbCr of 8 bits, and for turns that would begin
/// with a part of an MCU: the side that is mirrored must consist of whole ones. `Malformed`, `Limit`, `Io`.
pub fn turn(
    source: &dyn ByteSource,
    sink: &mut dyn ByteSink,
    turn: Orientation,
    metadata: &Metadata,
    budget: &Budget,
) -> Result<()> {
    let head = read_head(source)?;
    let turned = Turned::new(&head, turn)?;
    let mut stored: Vec<_> = turned.stored.iter().map(|blocks| Plane::new(*blocks, budget)).collect::<Result<_>>()?;
    let mut zigzag = [0; 64];
    let steps = read_coefficients(source, &head, budget, &mut |component, block| {
        for (value, natural) in zigzag.iter_mut().zip(ZIGZAG) {
            *value = block[usize::from(natural)];
        }
        stored[component].add(&zigzag)
    })?;
    let places = places(turn);
    let mut stores = Vec::new();
    for (plane, layout) in stored.drain(..).zip(&turned.components) {
        stores.push(plane.turned(turn, &places, layout, budget)?);
    }

    write_metadata(sink, metadata, true)?;
    let map = metadata.gain_map.as_ref().map(|map| Pending::begin(sink, Rc::clone(map))).transpose()?;
    turned.write_header(&steps, &places, sink)?;
    let (components, mcus) = (turned.components, turned.mcus);
    let script = script::usual(components.len());
    let mut scans = Scans::new(Picture { components, stores: &stores, mcus, restart_rows: 0 }, budget)?;
    script.iter().try_for_each(|step| scans.write(step, sink))?;
    sink.write(&[0xFF, code::EOI])?;
    map.map_or(Ok(()), |map| map.finish(sink))
}

/// The place and the sign that a coefficient has in a turned block, by its place in zigzag order.
type Places = [(u8, i16); 64];

fn places(turn: Orientation) -> Places {
    let (mirrors_x, mirrors_y) = turn.mirrors();
    let mut numbers = [0; 64];
    (0..).zip(ZIGZAG).for_each(|(number, natural)| numbers[usize::from(natural)] = number);
    ZIGZAG.map(|natural| {
        let (row, column) = (natural / 8, natural % 8);
        let (row, column) = if turn.swaps_sides() { (column, row) } else { (row, column) };
        // A mirrored cosine of an odd frequency is the negative one.
        let is_negative = (mirrors_x && column % 2 == 1) != (mirrors_y && row % 2 == 1);
        (numbers[usize::from(8 * row + column)], if is_negative { -1 } else { 1 })
    })
}

/// The layout of a turned picture.
struct Turned {
    size: Size,
    components: Vec<Layout>,
    mcus: (usize, usize),
    /// The number of blocks of each component of the original, across and down.
    stored: Vec<Size>,
}

impl Turned {
    fn new(head: &Head, turn: Orientation) -> Result<Self> {
        let frame = &head.frame;
        let swapped = |(across, down)| if turn.swaps_sides() { (down, across) } else { (across, down) };
        let (size, most) = (turn.turn(frame.size), swapped(frame.most()));
        let (mirrors_x, mirrors_y) = turn.mirrors();
        let is_whole = |side: u32, factor: u8| side.is_multiple_of(8 * u32::from(factor));
        if (mirrors_x && !is_whole(size.width, most.0)) || (mirrors_y && !is_whole(size.height, most.1)) {
            return Err(unsupported("turning a picture of this size without loss"));
        }
        let blocks = |component| {
            let Size { width, height } = frame.component_size(component);
            Size::new(width.div_ceil(8), height.div_ceil(8))
        };
        let stored: Vec<_> = frame.components.iter().map(blocks).collect();
        let layout = |(component, stored): (&crate::decode::Component, &Size)| {
            let (across, down) = swapped((component.across, component.down));
            let Size { width, height } = turn.turn(*stored);
            Layout { factors: (across.into(), down.into()), blocks: (width as usize, height as usize) }
        };
        let components = frame.components.iter().zip(&stored).map(layout).collect();
        let Size { width, height } = turn.turn(frame.mcus());
        Ok(Self { size, components, mcus: (width as usize, height as usize), stored })
    }

    /// Writes the quantisation tables, one for each component, and the frame's header.
    fn write_header(&self, steps: &[[u16; 64]], places: &Places, sink: &mut dyn ByteSink) -> Result<()> {
        for (number, steps) in (0..).zip(steps) {
            let mut turned = [0; 64];
            places.iter().zip(steps).for_each(|(&(place, _), &step)| turned[usize::from(place)] = step);
            if steps.iter().all(|&step| step < 256) {
                write_segment(sink, code::DQT, &[&[number], &turned.map(|step| step as u8)])?;
            } else {
                write_segment(sink, code::DQT, &[&[0x10 | number], &turned.map(u16::to_be_bytes).concat()])?;
            }
        }
        let Size { width, height } = self.size;
        let [[top, bottom], [left, right]] = [height, width].map(|side| (side as u16).to_be_bytes());
        let mut frame = vec![8, top, bottom, left, right, self.components.len() as u8];
        for (number, Layout { factors, .. }) in (0..).zip(&self.components) {
            frame.extend([number + 1, (factors.0 << 4 | factors.1) as u8, number]);
        }
        write_segment(sink, code::SOF2, &[&frame])
    }
}

/// The blocks of a component of the original.
struct Plane {
    size: Size,
    store: Store,
    /// The place of each block, row by row.
    places: Vec<StoredAt>,
}

impl Plane {
    fn new(size: Size, budget: &Budget) -> Result<Self> {
        Ok(Self { size, store: Store::new(size.area(), budget)?, places: budget.reserved(size.area())? })
    }

    fn add(&mut self, block: &Block) -> Result<()> {
        self.places.push(self.store.add(block)?);
        Ok(())
    }

    /// Returns the blocks of the turned component.
    fn turned(self, turn: Orientation, places: &Places, layout: &Layout, budget: &Budget) -> Result<Store> {
        let (across, down) = layout.blocks;
        let mut turned = Store::new((across * down) as u64, budget)?;
        for (y, x) in (0..down as u32).flat_map(|y| (0..across as u32).map(move |x| (y, x))) {
            let from = turn.stored_rect(Rect { x, y, width: 1, height: 1 }, self.size);
            let index = (from.y * self.size.width + from.x) as usize;
            let mut block = [0; 64];
            block[0] = self.store.dc()[index];
            for &Coefficient { place, value } in self.store.blocks_from(self.places[index]).next() {
                let (place, sign) = places[usize::from(place)];
                block[usize::from(place)] = value.wrapping_mul(sign);
            }
            turned.add(&block)?;
        }
        Ok(turned)
    }
}
