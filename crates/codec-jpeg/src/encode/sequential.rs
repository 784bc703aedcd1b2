//! The only scan of a baseline file, which is written while rows come.

use raster::{Budget, ByteSink, Result};

use super::dct::Quantizer;
use super::planes::{Component, Planes};
use super::scan::{Scan, Tables};
use crate::marker::{code, write_segment};

/// A scan of all components, one row of MCUs at a time.
pub(super) struct Sequential {
    scan: Scan,
    components: u8,
    /// The DC coefficient of each component's last block.
    last: [i32; 3],
    /// The number of MCUs between restart markers, 0 for none; and how many are left up to the next one.
    interval: usize,
    left: usize,
    /// The number of restart markers so far, counted up to 8.
    restarts: u8,
    /// The number of finished rows of MCUs.
    done: usize,
}

impl Sequential {
    /// Creates a scan of a picture with `mcu_rows` rows of MCUs, and a restart marker after each `restart_rows` of
    /// them.
    ///
    /// # Errors
    /// `Limit`.
    pub(super) fn new(planes: &Planes, mcu_rows: usize, restart_rows: u16, budget: &Budget) -> Result<Self> {
        let blocks = planes.components.iter().map(|c| c.stride * c.factor / 8).sum::<usize>() as u64 * mcu_rows as u64;
        let interval = (planes.across() * usize::from(restart_rows)).min(0xFFFF);
        Ok(Self {
            scan: Scan::new(blocks, budget)?,
            components: planes.components.len() as u8,
            last: [0; 3],
            interval,
            left: interval,
            restarts: 0,
            done: 0,
        })
    }

    /// Encodes the full row of MCUs.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn mcus(&mut self, planes: &Planes, quantizer: &Quantizer, sink: &mut dyn ByteSink) -> Result<()> {
        for x in 0..planes.across() {
            self.restart(sink)?;
            for (i, component) in planes.components.iter().enumerate() {
                let factor = component.factor;
                for place in 0..factor * factor {
                    if self.scan.is_full() {
                        self.write(sink, false)?;
                    }
                    self.block(component, i, quantizer, (x * factor + place % factor, place / factor));
                }
            }
        }
        self.done += 1;
        Ok(())
    }

    /// Adds a restart marker before an MCU where one is due.
    fn restart(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        if self.interval == 0 {
            return Ok(());
        }
        if self.left == 0 {
            if self.scan.is_full() {
                self.write(sink, false)?;
            }
            self.scan.add_restart(self.restarts);
            self.restarts = (self.restarts + 1) % 8;
            self.last = [0; 3];
            self.left = self.interval;
        }
        self.left -= 1;
        Ok(())
    }

    /// Encodes one block of a component at its position in the row of MCUs. A block outside the picture costs least
    /// when it equals the previous block.
    fn block(&mut self, component: &Component, i: usize, quantizer: &Quantizer, (x, y): (usize, usize)) {
        let Component { factor, blocks, lines, stride } = component;
        let first_table = 2 * i.min(1);
        if x >= blocks.0 || self.done * factor + y >= blocks.1 {
            return self.scan.add(first_table, 0, &[0; 64]);
        }
        let block = quantizer.block(&lines[(y * stride + x) * 8..], *stride);
        let dc = i32::from(block[0]);
        self.scan.add(first_table, dc - self.last[i], &block);
        self.last[i] = dc;
    }

    /// Writes the encoded data; before the first data it writes Huffman tables and the scan's header.
    fn write(&mut self, sink: &mut dyn ByteSink, is_all: bool) -> Result<()> {
        if let Some(tables) = self.scan.settle(is_all) {
            begin_scan(sink, tables, self.components, self.interval as u16)?;
        }
        self.scan.write(sink)
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn finish(&mut self, sink: &mut dyn ByteSink) -> Result<()> {
        self.write(sink, true)?;
        self.scan.finish(sink)
    }
}

/// Writes the tables of `components` components, the restart interval if there is one, and the scan's header (B.2.3,
/// B.2.4.2, B.2.4.4).
fn begin_scan(sink: &mut dyn ByteSink, tables: &Tables, components: u8, interval: u16) -> Result<()> {
    let places = [0x00, 0x10, 0x01, 0x11];
    for (place, table) in places.iter().zip(tables).take(2 * usize::from(components.min(2))) {
        write_segment(sink, code::DHT, &[&[*place], &table.counts, &table.symbols])?;
    }
    if interval > 0 {
        write_segment(sink, code::DRI, &[&interval.to_be_bytes()])?;
    }
    let mut scan = vec![components];
    for i in 1..=components {
        scan.extend([i, if i > 1 { 0x11 } else { 0x00 }]);
    }
    // All coefficients, without successive approximation.
    scan.extend([0, 63, 0]);
    write_segment(sink, code::SOS, &[&scan])
}
