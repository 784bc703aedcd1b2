//! The coefficients of a whole picture, from which the scans of a progressive file are written at the end.

use raster::{Budget, ByteSink, Result};

use super::dct::Quantizer;
use super::planes::{Component, Planes};
use super::progressive::{Picture, Scans};
use super::script;
use super::store::Store;
use super::trellis::Trellis;

/// What an error of colour at full resolution is worth, relative to one of luminance. With 1, photographs of the Kodak
/// set take 2 to 4 % more bytes at equal SSIMULACRA2. At half the resolution, where an error covers four pixels, 1 is
/// best.
const FULL_COLOR_WORTH: f32 = 0.5;

/// The coefficients of all components.
pub(super) struct Stored {
    stores: Vec<Store>,
    /// For the smallest file, a quantizer of each component; else none.
    trellises: Vec<Trellis>,
    restart_rows: u16,
    /// The number of finished rows of MCUs.
    done: usize,
    budget: Budget,
}

impl Stored {
    /// Creates an empty picture. `steps` is the quantisation table if the smallest file is wanted.
    ///
    /// # Errors
    /// `Limit`.
    pub(super) fn new(planes: &Planes, steps: Option<&[u16; 64]>, restart_rows: u16, budget: &Budget) -> Result<Self> {
        let stores = planes.components.iter().map(|c| Store::new((c.blocks.0 * c.blocks.1) as u64, budget));
        let stores = stores.collect::<Result<_>>()?;
        let trellises = planes.components.iter().enumerate().filter_map(|(i, component)| {
            let worth = if i > 0 && component.factor == planes.components[0].factor { FULL_COLOR_WORTH } else { 1.0 };
            steps.map(|steps| Trellis::new(steps, worth, component.blocks.0, budget))
        });
        let trellises = trellises.collect::<Result<_>>()?;
        Ok(Self { stores, trellises, restart_rows, done: 0, budget: budget.clone() })
    }

    /// Stores the coefficients of the full row of MCUs.
    ///
    /// # Errors
    /// `Limit`.
    pub(super) fn mcus(&mut self, planes: &Planes, quantizer: &Quantizer) -> Result<()> {
        for (i, (component, store)) in planes.components.iter().zip(&mut self.stores).enumerate() {
            let rows = component.factor.min(component.blocks.1 - self.done * component.factor);
            for lines in component.lines.chunks_exact(8 * component.stride).take(rows) {
                if let Some(trellis) = self.trellises.get_mut(i) {
                    trellis.row(lines, component.stride).iter().try_for_each(|block| store.add(block).map(drop))?;
                    continue;
                }
                for x in 0..component.blocks.0 {
                    store.add(&quantizer.block(&lines[x * 8..], component.stride))?;
                }
            }
        }
        self.done += 1;
        Ok(())
    }

    /// Writes the scans.
    ///
    /// # Errors
    /// `Io`, `Limit`.
    pub(super) fn finish(&self, planes: &Planes, sink: &mut dyn ByteSink) -> Result<()> {
        let Self { stores, restart_rows, .. } = self;
        let components: Vec<_> = planes.components.iter().map(Component::layout).collect();
        let count = components.len();
        let mcus = (planes.across(), self.done);
        let picture = Picture { components, stores, mcus, restart_rows: *restart_rows };
        let mut scans = Scans::new(picture, &self.budget)?;
        if self.trellises.is_empty() {
            script::usual(count).iter().try_for_each(|step| scans.write(step, sink))
        } else {
            let script = script::smallest(count, |step| scans.cost(step));
            script?.iter().try_for_each(|step| scans.write(step, sink))
        }
    }
}
