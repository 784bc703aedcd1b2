//! The scans of a picture. A file with several scans is searched for their headers once before it is decoded, so that
//! all scans can then be read side by side.

use std::rc::Rc;

use raster::bytes::WINDOW;
use raster::{Budget, ByteSource, Error, Limit, Result};

use super::bits::BitReader;
use super::frame::Coding;
use super::head::Head;
use super::huffman::Lookup;
use super::scan::Scan;
use super::scan_head::ScanHead;
use super::tables::Tables;
use crate::error::Cause;
use crate::marker::{MarkerReader, code};

/// The largest number of scans. Encoders write 10 to 15; a file with very many takes long to decode.
const MAX_SCANS: usize = 100;

/// The bytes that one scan holds: the windows of its reader, and two tables for each of at most four components.
pub(super) const SCAN_MEMORY: u64 = (WINDOW + size_of::<BitReader<'_>>() + 8 * size_of::<Lookup>()) as u64;

/// The scans of a picture, in the order of the file.
pub(super) struct Scans<'a> {
    pub(super) scans: Vec<Scan<'a>>,
    /// For each component, the quantisation steps that are valid at its first scan, in zigzag order.
    pub(super) steps: Vec<Option<[u16; 64]>>,
    /// Whether scans are missing or have invalid headers.
    pub(super) is_damaged: bool,
    /// Whether bytes between the segments were skipped.
    pub(super) has_stray: bool,
}

/// Reads the headers of all scans. As in libjpeg, an invalid header ends the picture with the scans before it.
///
/// # Errors
/// `Malformed` when the first header is not valid, `Limit`, `Io`.
pub(super) fn read_scans<'a>(source: &Rc<dyn ByteSource + 'a>, head: &Head, budget: &Budget) -> Result<Scans<'a>> {
    let mut search = Search {
        source,
        head,
        budget,
        tables: head.tables.clone(),
        restart_interval: head.restart_interval,
        found: Scans {
            scans: Vec::new(),
            steps: vec![None; head.frame.components.len()],
            is_damaged: false,
            has_stray: false,
        },
    };
    let mut markers = MarkerReader::at(&**source, head.scan_offset);
    loop {
        match search.step(&mut markers) {
            Ok(true) => {}
            Ok(false) => break,
            Err(Error::Malformed { .. }) if !search.found.scans.is_empty() => {
                search.found.is_damaged = true;
                break;
            }
            Err(error) => return Err(error),
        }
    }
    let mut found = search.found;
    found.has_stray = markers.has_stray();
    found.is_damaged |= !(0..head.frame.components.len()).all(|place| is_complete(&found.scans, place));
    Ok(found)
}

/// Whether the scans contain all bits of all coefficients of a component.
fn is_complete(scans: &[Scan<'_>], place: usize) -> bool {
    let scans = scans.iter().filter(|scan| scan.components().any(|component| component == place));
    scans.fold(0, |known, scan| known | scan.pass.completed()) == u64::MAX
}

/// The state of the search.
struct Search<'s, 'a> {
    source: &'s Rc<dyn ByteSource + 'a>,
    head: &'s Head,
    budget: &'s Budget,
    tables: Tables,
    restart_interval: u16,
    found: Scans<'a>,
}

impl Search<'_, '_> {
    /// Takes the next marker with its segment and data. Returns whether more scans can follow.
    fn step(&mut self, markers: &mut MarkerReader<'_>) -> Result<bool> {
        let Some(marker) = markers.next()? else {
            self.found.is_damaged = true;
            return Ok(false);
        };
        match marker.code {
            code::EOI | code::SOI => return Ok(false),
            _ if marker.is_alone() => {}
            code::SOS => {
                let payload = markers.payload()?.needed("scan header")?;
                self.add(&payload, markers.position(), marker.offset)?;
                if self.is_whole() {
                    return Ok(false);
                }
                markers.entropy_coded(&mut |_| Ok(()))?;
            }
            code::DRI => self.restart_interval = markers.payload()?.restart_interval()?,
            code::DHT | code::DQT | code::DAC => {
                let payload = markers.payload()?.needed("table")?;
                self.tables.define(marker.code, &payload).map_err(|cause| cause.at(marker.offset))?;
            }
            _ => markers.skip()?,
        }
        Ok(true)
    }

    /// Adds the scan with this header, whose marker is at `offset` and whose data begin at `start`.
    fn add(&mut self, payload: &[u8], start: u64, offset: u64) -> Result<()> {
        if self.found.scans.len() == MAX_SCANS {
            return Err(Limit::Parts("scans").into());
        }
        self.budget.charge(SCAN_MEMORY)?;
        let frame = &self.head.frame;
        let scan = ScanHead::parse(payload, frame)
            .and_then(|head| {
                Scan::new((Rc::clone(self.source), start), frame, &head, &self.tables, self.restart_interval)
            })
            .map_err(|cause| cause.at(offset))?;
        for place in scan.components().filter(|_| frame.coding != Coding::Lossless) {
            let table = usize::from(frame.components[place].table);
            let defined = self.tables.quantization.get(table).copied().flatten();
            let missing = || Cause::Missing("a quantisation table").at(offset);
            let steps = &mut self.found.steps[place];
            *steps = Some(steps.or(defined).ok_or_else(missing)?);
        }
        self.found.scans.push(scan);
        Ok(())
    }

    /// Whether the first scan is the whole picture.
    fn is_whole(&self) -> bool {
        let [scan] = &self.found.scans[..] else { return false };
        let frame = &self.head.frame;
        frame.coding != Coding::Progressive && scan.components().count() == frame.components.len()
    }
}
