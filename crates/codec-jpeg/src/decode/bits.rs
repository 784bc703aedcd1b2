//! The bits of a scan (T.81 F.2.2.5): bytes of the file without stuffed zeros, up to a marker.
//!
//! Damaged data are treated as in libjpeg. Behind the last byte before a marker there are only zero bits; the MCUs
//! after the one that uses them are left blank up to the next restart marker.

use std::rc::Rc;

use raster::{ByteSource, Cursor, Error, Result};

use crate::marker::code;

/// The number of words that are read at once.
const WORDS: usize = 256;

/// The next bits of a scan. A loop that reads many codes works on a copy, which stays in registers.
#[derive(Clone, Copy)]
pub(super) struct Window {
    /// The bits, the first one at the top. Bits behind `count` are zero or those that follow.
    buffer: u64,
    /// The number of bits in `buffer`, below 64.
    count: u32,
    /// The place in the reader's words of the bits that follow.
    next: usize,
}

impl Window {
    /// No bits, and no words that follow.
    const EMPTY: Self = Self { buffer: 0, count: 0, next: WORDS };

    /// Makes at least 32 bits available: a Huffman code and the bits behind it.
    #[inline(always)]
    pub(super) fn refill(&mut self, bits: &mut BitReader<'_>) {
        if !self.has_refilled(bits) {
            *self = bits.refilled(*self);
        }
    }

    /// Makes at least 32 bits available if the reader has the next word. Returns whether there are as many.
    #[inline(always)]
    pub(super) fn has_refilled(&mut self, bits: &BitReader<'_>) -> bool {
        if self.count >= 32 {
            return true;
        }
        let word = bits.words.get(self.next);
        word.into_iter().for_each(|&word| self.append(word));
        word.is_some()
    }

    /// Does what [`has_refilled`](Self::has_refilled) does without a branch on the number of bits. For whole blocks,
    /// which have many codes, the branch would be mispredicted more often.
    #[inline(always)]
    pub(super) fn has_refilled_without_branch(&mut self, bits: &BitReader<'_>) -> bool {
        let Some(&word) = bits.words.get(self.next) else { return self.count >= 32 };
        self.buffer |= (u64::from(word) << 32) >> self.count;
        self.next += (self.count >> 5 ^ 1) as usize;
        self.count |= 32;
        true
    }

    /// Appends the next word to fewer than 32 bits.
    #[inline(always)]
    fn append(&mut self, word: u32) {
        self.buffer |= u64::from(word) << (32 - self.count);
        self.count += 32;
        self.next += 1;
    }

    /// Returns the next `n` bits without reading them, 1 to 32 after [`refill`](Self::refill).
    #[inline(always)]
    pub(super) const fn peek(self, n: u32) -> u32 {
        (self.buffer >> (64 - n)) as u32
    }

    /// Marks `n` bits as read, at most as many as [`refill`](Self::refill) made available.
    #[inline(always)]
    pub(super) const fn skip(&mut self, n: u32) {
        self.buffer <<= n;
        self.count = self.count.wrapping_sub(n);
    }
}

/// A reader of one scan's bits.
pub(super) struct BitReader<'a> {
    cursor: Cursor<Rc<dyn ByteSource + 'a>>,
    /// The bits that were read ahead.
    pub(super) window: Window,
    /// Data that were read ahead without stuffed zeros, from the window's `next` word to the end.
    words: [u32; WORDS],
    /// Data behind the words that do not fill another one.
    rest: Rest,
    /// The number of bits at the end of `window` that are not in the file.
    padding: u32,
    /// The marker that ended the data. It was read; the cursor stands behind it.
    marker: Option<u8>,
    /// Whether bits were used that are not in the file, so that there are none before the next restart marker.
    is_exhausted: bool,
    /// Whether the file ended without a marker.
    is_cut: bool,
    is_damaged: bool,
    /// Whether bytes stand between the last MCU and the marker behind it.
    has_stray: bool,
    failure: Option<Error>,
}

/// At most three bytes.
#[derive(Clone, Copy, Default)]
struct Rest {
    bytes: [u8; 4],
    len: usize,
}

impl<'a> BitReader<'a> {
    /// Creates a reader of the data at `offset`.
    pub(super) fn new(source: Rc<dyn ByteSource + 'a>, offset: u64) -> Self {
        Self {
            cursor: Cursor::new(source, offset),
            window: Window::EMPTY,
            words: [0; WORDS],
            rest: Rest::default(),
            padding: 0,
            marker: None,
            is_exhausted: false,
            is_cut: false,
            is_damaged: false,
            has_stray: false,
            failure: None,
        }
    }

    /// Makes at least 32 bits available in [`window`](Self::window).
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        let mut window = self.window;
        window.refill(self);
        self.window = window;
    }

    /// Returns the bits with a word behind them, for which more data are read.
    #[cold]
    #[inline(never)]
    fn refilled(&mut self, mut window: Window) -> Window {
        window.next = self.read_words();
        window.append(self.words[window.next]);
        window
    }

    /// Reads words, or zeros behind the last one, and returns the place of the first. A word that the data do not fill
    /// comes alone, so that `padding` states the end of the window that it is read for.
    fn read_words(&mut self) -> usize {
        let mut bytes = [0; 4 * WORDS];
        let mut len = self.rest.len;
        bytes[..4].copy_from_slice(&self.rest.bytes);
        len += self.read_data(&mut bytes[len..]);
        let (words, rest) = bytes[..len].as_chunks::<4>();
        self.rest = Rest { len: rest.len(), ..Rest::default() };
        self.rest.bytes[..rest.len()].copy_from_slice(rest);
        if words.is_empty() {
            let word = core::mem::take(&mut self.rest);
            self.padding = if word.len > 0 { 0 } else { self.padding } + 32 - 8 * word.len as u32;
            self.words[WORDS - 1] = u32::from_be_bytes(word.bytes);
            return WORDS - 1;
        }
        let first = WORDS - words.len();
        for (into, word) in self.words[first..].iter_mut().zip(words) {
            *into = u32::from_be_bytes(*word);
        }
        first
    }

    /// Reads data, up to a marker if one comes before `into` is full. Returns their length.
    fn read_data(&mut self, into: &mut [u8]) -> usize {
        let mut len = 0;
        while len < into.len() {
            if let (None, Ok(bytes)) = (self.marker, self.cursor.peek()) {
                let from = &bytes[..bytes.len().min(into.len() - len)];
                let plain = plain_len(from);
                into[len..len + plain].copy_from_slice(&from[..plain]);
                self.cursor.advance(plain);
                len += plain;
            }
            if len < into.len() {
                let Some(byte) = self.byte() else { break };
                into[len] = byte;
                len += 1;
            }
        }
        len
    }

    /// Returns the next byte of data, or `None` at a marker, at the end of the file, and when reading failed.
    pub(super) fn byte(&mut self) -> Option<u8> {
        match self.data_byte() {
            Ok(byte) => byte,
            Err(error) => {
                self.failure.get_or_insert(error);
                self.marker = Some(code::EOI);
                None
            }
        }
    }

    /// Returns the next byte of data, or `None` at a marker. The end of the file counts as EOI.
    fn data_byte(&mut self) -> Result<Option<u8>> {
        if self.marker.is_some() {
            return Ok(None);
        }
        let Some(byte) = self.cursor.read_byte()? else {
            (self.marker, self.is_cut) = (Some(code::EOI), true);
            return Ok(None);
        };
        if byte != 0xFF {
            return Ok(Some(byte));
        }
        let mut next = self.cursor.read_byte()?;
        while next == Some(0xFF) {
            next = self.cursor.read_byte()?;
        }
        if next == Some(0) {
            return Ok(Some(0xFF));
        }
        self.is_cut = next.is_none();
        self.marker = Some(next.unwrap_or(code::EOI));
        Ok(None)
    }

    /// Returns the next `n` bits, 1 to 16.
    #[inline(always)]
    pub(super) fn read(&mut self, n: u32) -> u32 {
        self.refill();
        let bits = self.window.peek(n);
        self.window.skip(n);
        bits
    }

    /// Returns the next bit.
    #[inline(always)]
    pub(super) fn read_bit(&mut self) -> bool {
        self.read(1) != 0
    }

    /// States that the data are not valid, such as a code that the table does not define.
    #[cold]
    pub(super) const fn damage(&mut self) {
        self.is_damaged = true;
    }

    /// Ends an MCU: notices when it used bits that are not in the file.
    #[inline(always)]
    pub(super) const fn end_mcu(&mut self) {
        if self.window.count < self.padding {
            self.is_exhausted = true;
            self.is_damaged = true;
        }
    }

    /// Whether there are no data for the next MCU.
    #[inline(always)]
    pub(super) const fn is_exhausted(&self) -> bool {
        self.is_exhausted
    }

    /// Whether there is any bit for the next MCU.
    #[inline(always)]
    pub(super) fn has_data(&mut self) -> bool {
        self.refill();
        !self.is_exhausted && self.window.count > self.padding
    }

    /// Whether the file ended without a marker.
    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether there are no data for any later MCU, because no restart marker can follow.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_exhausted && !self.marker.is_some_and(|marker| matches!(marker, code::RST0..=code::RST7))
    }

    /// Whether invalid or missing data were found so far.
    pub(super) const fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Whether bytes were found behind the last MCU, after [`finish`](Self::finish).
    pub(super) const fn has_stray(&self) -> bool {
        self.has_stray
    }

    /// Ends the scan: looks for bytes between the last MCU and the next marker.
    pub(super) fn finish(&mut self) {
        self.has_stray = !self.is_exhausted && (self.has_whole_byte() || self.byte().is_some());
    }

    /// Whether more bits were read ahead than fill the last byte.
    const fn has_whole_byte(&self) -> bool {
        self.window.count >= self.padding + 8 || self.window.next < WORDS || self.rest.len > 0
    }

    /// Returns the error of the source, if reading failed. Bits behind it are zero.
    ///
    /// # Errors
    /// `Io`.
    pub(super) fn check(&mut self) -> Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Continues behind the restart marker with number `expected`, 0 to 7. If another marker stands here, its number
    /// decides as in libjpeg's `jpeg_resync_to_restart`: an earlier marker and invalid ones are skipped with the data
    /// behind them; one of the next two is kept, so that the data before it count as lost; any other is taken for the
    /// expected one.
    pub(super) fn restart(&mut self, expected: u8) {
        self.is_damaged |= self.has_whole_byte();
        (self.window, self.rest, self.padding) = (Window::EMPTY, Rest::default(), 0);
        if let Err(error) = self.find_restart(expected) {
            self.failure.get_or_insert(error);
            self.marker = Some(code::EOI);
        }
        // With the marker kept, the next MCU notices that there are no bits; libjpeg reads it as zeros, too.
        if self.marker.is_none() {
            self.is_exhausted = false;
        }
    }

    fn find_restart(&mut self, expected: u8) -> Result<()> {
        loop {
            let marker = match self.marker {
                Some(marker) => marker,
                None => self.next_marker()?,
            };
            self.marker = Some(marker);
            if marker == code::RST0 + expected {
                self.marker = None;
                return Ok(());
            }
            self.is_damaged = true;
            let is_restart = matches!(marker, code::RST0..=code::RST7);
            match marker.wrapping_sub(code::RST0 + expected) & 7 {
                _ if marker < code::SOF0 => self.marker = None,
                _ if !is_restart => return Ok(()),
                1 | 2 => return Ok(()),
                6 | 7 => self.marker = None,
                _ => {
                    self.marker = None;
                    return Ok(());
                }
            }
        }
    }

    /// Skips data up to the next marker and returns it.
    fn next_marker(&mut self) -> Result<u8> {
        loop {
            match self.data_byte()? {
                Some(_) => self.is_damaged = true,
                None => return Ok(self.marker.unwrap_or(code::EOI)),
            }
        }
    }
}

/// Returns the number of bytes before the first 0xFF.
fn plain_len(bytes: &[u8]) -> usize {
    let (eights, _) = bytes.as_chunks();
    let plain = 8 * eights.iter().take_while(|eight| !contains_ff(u64::from_ne_bytes(**eight))).count();
    plain + bytes[plain..].iter().take_while(|&&byte| byte != 0xFF).count()
}

/// Whether one of the eight bytes is 0xFF.
#[inline(always)]
const fn contains_ff(word: u64) -> bool {
    let inverse = !word;
    inverse.wrapping_sub(0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 != 0
}
