//! LZMA (compression 34925 of libtiff): each segment is an .xz file. This file reads its headers and undoes a delta
//! filter; `lzma-rust2` decodes its LZMA2 data.
//!
//! `XzReader` of the same library is not suitable for two reasons. It allocates the dictionary that the header
//! requests, up to 4 GiB, before a budget can be checked, although the segment's own length would be enough. And it
//! verifies checksums, so that a wrong one at the end of a segment loses the rows before it. Checksums are ignored
//! here, as in Deflate.

use std::io::Read;

use lzma_rust2::Lzma2Reader;
use raster::{Budget, Result};

use super::decompress::{Decompress, Segment};
use crate::decode::input::{Input, Stream};
use crate::error::{Cause, unsupported};

/// The largest dictionary of the presets of `xz` is 64 MiB (-9); libtiff's default is 8 MiB.
const MAX_DICTIONARY: u64 = 64 << 20;
/// The memory of LZMA2 beside the dictionary: a chunk of 64 KiB, and probabilities.
const MEMORY: u64 = 128 << 10;

pub(super) struct Lzma<'a> {
    state: State<'a>,
    budget: Budget,
    /// The budget that is charged for the dictionary.
    memory: Budget,
    delta: Option<Delta>,
}

/// The state of the reader. The library's reader takes the input and later returns it.
enum State<'a> {
    Idle(Input<'a>),
    Reading(Box<Lzma2Reader<Stream<'a>>>),
    Taken,
}

impl<'a> Lzma<'a> {
    pub(super) fn new(input: Input<'a>, budget: &Budget) -> Self {
        Self { state: State::Idle(input), budget: budget.clone(), memory: budget.scope(), delta: None }
    }

    fn take_input(&mut self) -> Result<Input<'a>> {
        match core::mem::replace(&mut self.state, State::Taken) {
            State::Idle(input) => Ok(input),
            State::Reading(reader) => Ok(reader.into_inner().input),
            State::Taken => Err(raster::Error::Contradiction("an input was lost")),
        }
    }
}

impl Decompress for Lzma<'_> {
    fn begin(&mut self, segment: &Segment) -> Result<()> {
        let mut input = self.take_input()?;
        input.enter(segment.span.at, segment.span.len);
        let head = block_head(&mut input);
        self.state = State::Idle(input);
        let head = head?;
        // Matches cannot refer to bytes before the segment's start.
        let dictionary = head.dictionary.min(segment.bytes.max(4096));
        if dictionary > MAX_DICTIONARY {
            return Err(unsupported("an LZMA dictionary of more than 64 MiB"));
        }
        self.memory = self.budget.scope();
        self.memory.charge(dictionary + MEMORY)?;
        self.delta = head.delta;
        let reader = Lzma2Reader::new(Stream::new(self.take_input()?), dictionary as u32, None);
        self.state = State::Reading(Box::new(reader));
        Ok(())
    }

    fn fill(&mut self, line: &mut [u8]) -> Result<()> {
        let State::Reading(reader) = &mut self.state else {
            return Err(raster::Error::Contradiction("a line before its segment"));
        };
        let mut done = 0;
        while done < line.len() {
            let n = reader.read(&mut line[done..]).map_err(|error| reader.inner_mut().explain(&error))?;
            if n == 0 {
                return Err(Cause::DataEnds.at(reader.inner().input.position()));
            }
            done += n;
        }
        self.delta.iter_mut().for_each(|delta| delta.undo(line));
        Ok(())
    }
}

/// The fields of a block's header.
struct Head {
    dictionary: u64,
    delta: Option<Delta>,
}

/// Reads the headers of the stream and of the first block (the .xz file format §2.1.1, §3.1).
fn block_head(input: &mut Input<'_>) -> Result<Head> {
    const STREAM: usize = 12;
    let at = input.position();
    let broken = |what: &str| Cause::Data(what.into()).at(at);
    let mut head = [0; STREAM + 1];
    if input.read_full(&mut head)? < head.len() || !head.starts_with(b"\xFD7zXZ\0") || head[STREAM] == 0 {
        return Err(broken("no xz stream"));
    }
    // The size byte counts words of four bytes, including itself, minus one.
    let mut block = vec![0; usize::from(head[STREAM]) * 4 + 3];
    if input.read_full(&mut block)? < block.len() {
        return Err(Cause::DataEnds.at(at));
    }
    let (&flags, fields) = block.split_first().ok_or_else(|| broken("no xz block"))?;
    let mut fields = Fields(fields);
    for bit in [0x40, 0x80] {
        if flags & bit != 0 {
            fields.number().ok_or_else(|| broken("an xz block header is cut"))?;
        }
    }
    let mut delta = None;
    for _ in 0..=flags & 3 {
        let (id, properties) = fields.filter().ok_or_else(|| broken("an xz block header is cut"))?;
        match (id, properties) {
            (0x03, &[distance]) => delta = Some(Delta { history: vec![0; usize::from(distance) + 1], next: 0 }),
            (0x21, &[code @ 0..=40]) => return Ok(Head { dictionary: dictionary(code), delta }),
            (0x04..=0x0B, _) => return Err(unsupported("LZMA behind a filter for programs")),
            _ => return Err(broken("an xz filter that does not exist")),
        }
    }
    Err(broken("an xz block without LZMA2"))
}

/// Returns the dictionary's size (§5.3.1): 2 or 3 times a power of two; 40 is 4 GiB minus one.
fn dictionary(code: u8) -> u64 {
    if code == 40 { u32::MAX.into() } else { u64::from(2 | code & 1) << (code / 2 + 11) }
}

/// A reader of the fields of a block's header.
struct Fields<'h>(&'h [u8]);

impl<'h> Fields<'h> {
    /// Reads a number (§1.2): seven bits a byte, lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in 0..9 {
            let (&byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7F) << (7 * shift);
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Reads a filter's identifier and properties.
    fn filter(&mut self) -> Option<(u64, &'h [u8])> {
        let id = self.number()?;
        let len = usize::try_from(self.number()?).ok()?;
        let (properties, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some((id, properties))
    }
}

/// The delta filter (§5.3.3): each stored byte is the difference from the byte at a fixed distance before it.
struct Delta {
    history: Vec<u8>,
    next: usize,
}

impl Delta {
    fn undo(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            *byte = byte.wrapping_add(self.history[self.next]);
            self.history[self.next] = *byte;
            self.next = (self.next + 1) % self.history.len();
        }
    }
}
