//! The pixels of a picture as prefix codes: literal, from the cache of colours, or copied from earlier pixels (RFC 9649
//! §3.6). The parameters of transforms and the numbers of groups are such pictures, too.

use raster::{Budget, Result, Size};

use super::Argb;
use super::bits::Bits;
use super::prefix::{ALPHA, BLUE, DISTANCE, GREEN, Group, Groups, LENGTHS, RED};

/// The number of pixels to which a reference can reach back, rounded up.
const REACH: u64 = 1 << 20;

/// The number of literal values of a code for green; those of lengths and of the cache follow.
const COLORS: usize = 256;

/// The most bits that select a colour of the cache.
const MAX_CACHE_BITS: u32 = 11;

/// Near pixels, which have the first distance codes (RFC 9649 §3.5.2.2): columns to the left and rows up.
#[rustfmt::skip]
const NEAR: [(i8, i8); 120] = [
    (0, 1), (1, 0),
    (1, 1), (-1, 1), (0, 2), (2, 0), (1, 2), (-1, 2), (2, 1), (-2, 1),
    (2, 2), (-2, 2), (0, 3), (3, 0), (1, 3), (-1, 3), (3, 1), (-3, 1), (2, 3), (-2, 3), (3, 2), (-3, 2),
    (0, 4), (4, 0), (1, 4), (-1, 4), (4, 1), (-4, 1), (3, 3), (-3, 3), (2, 4), (-2, 4), (4, 2), (-4, 2), (0, 5),
    (3, 4), (-3, 4), (4, 3), (-4, 3), (5, 0), (1, 5), (-1, 5), (5, 1), (-5, 1), (2, 5), (-2, 5), (5, 2), (-5, 2),
    (4, 4), (-4, 4), (3, 5), (-3, 5), (5, 3), (-5, 3), (0, 6), (6, 0), (1, 6), (-1, 6), (6, 1), (-6, 1),
    (2, 6), (-2, 6), (6, 2), (-6, 2), (4, 5), (-4, 5), (5, 4), (-5, 4), (3, 6), (-3, 6), (6, 3), (-6, 3),
    (0, 7), (7, 0), (1, 7), (-1, 7), (5, 5), (-5, 5), (7, 1), (-7, 1), (4, 6), (-4, 6), (6, 4), (-6, 4),
    (2, 7), (-2, 7), (7, 2), (-7, 2), (3, 7), (-3, 7), (7, 3), (-7, 3), (5, 6), (-5, 6), (6, 5), (-6, 5),
    (8, 0), (4, 7), (-4, 7), (7, 4), (-7, 4), (8, 1), (8, 2), (6, 6), (-6, 6), (8, 3), (5, 7), (-5, 7),
    (7, 5), (-7, 5), (8, 4), (6, 7), (-6, 7), (7, 6), (-7, 6), (8, 5), (7, 7), (-7, 7), (8, 6), (8, 7),
];

/// A picture that is being decoded.
pub(super) struct Pixels {
    size: Size,
    groups: Groups,
    places: Option<Places>,
    cache: Cache,
    /// The latest pixels: pixel `n` is at index `n` modulo the length, a power of two.
    kept: Vec<Argb>,
    /// The number of pixels decoded, row by row.
    decoded: usize,
    /// The number of rows returned.
    rows: usize,
}

impl Pixels {
    /// Reads what comes before the pixels. Only the picture itself may have several groups of codes.
    pub(super) fn read(bits: &mut Bits<'_>, size: Size, has_groups: bool, budget: &Budget) -> Result<Self> {
        let cache = Cache::read(bits, budget)?;
        let mut places = if has_groups && bits.flag() { Some(Places::read(bits, size, budget)?) } else { None };
        let groups = match &mut places {
            Some(places) => {
                let scope = budget.scope();
                let is_used = places.renumber(&scope)?;
                Groups::read(bits, &is_used, cache.colors.len(), budget)?
            }
            None => Groups::read(bits, &[true], cache.colors.len(), budget)?,
        };
        bits.check()?;
        let kept = budget.filled(Self::kept(size), 0)?;
        Ok(Self { size, groups, places, cache, kept, decoded: 0, rows: 0 })
    }

    /// Returns the number of pixels that are kept.
    fn kept(size: Size) -> u64 {
        size.area().next_power_of_two().min(REACH)
    }

    /// Returns the bytes of the pixels that are kept.
    pub(super) fn memory(size: Size) -> u64 {
        Self::kept(size) * size_of::<Argb>() as u64
    }

    /// Decodes a whole picture that has one group of codes, and returns a value for each of its pixels.
    pub(super) fn all<T>(bits: &mut Bits<'_>, size: Size, budget: &Budget, value: fn(Argb) -> T) -> Result<Vec<T>> {
        let scope = budget.scope();
        let mut pixels = Self::read(bits, size, false, &scope)?;
        let mut row = scope.filled(size.width.into(), 0)?;
        let mut values = budget.reserved(size.area())?;
        for _ in 0..size.height {
            pixels.next_row(bits, &mut row)?;
            values.extend(row.iter().map(|&pixel| value(pixel)));
        }
        Ok(values)
    }

    /// Decodes the next row into the first pixels of `row`.
    pub(super) fn next_row(&mut self, bits: &mut Bits<'_>, row: &mut [Argb]) -> Result<()> {
        let start = self.rows * self.size.width as usize;
        self.rows += 1;
        self.decode_to(bits, self.rows * self.size.width as usize)?;
        bits.check()?;
        let mask = self.kept.len() - 1;
        for (n, pixel) in (start..).zip(&mut row[..self.size.width as usize]) {
            *pixel = self.kept[n & mask];
        }
        Ok(())
    }

    /// Decodes until there are `end` pixels; a copy at the end may make more.
    fn decode_to(&mut self, bits: &mut Bits<'_>, end: usize) -> Result<()> {
        let width = self.size.width as usize;
        let mut x = self.decoded % width;
        let mut group = self.group_at(x);
        let mask = self.places.as_ref().map_or(usize::MAX, |places| (1 << places.bits) - 1);
        while self.decoded < end {
            if x & mask == 0 {
                group = self.group_at(x);
            }
            bits.refill();
            let symbol = self.groups.symbol(group[GREEN], bits);
            if symbol < COLORS {
                let pixel = self.literal(bits, &group, symbol as u8);
                self.push(pixel);
                x += 1;
            } else if let Some(cached) = symbol.checked_sub(COLORS + LENGTHS) {
                self.push(self.cache.colors[cached]);
                x += 1;
            } else {
                x += self.copy(bits, &group, symbol - COLORS)?;
                if x < width && x & mask != 0 {
                    group = self.group_at(x);
                }
            }
            if x >= width {
                x %= width;
                group = self.group_at(x);
            }
        }
        Ok(())
    }

    /// Returns the group of codes for the next pixel, which is in column `x`.
    fn group_at(&self, x: usize) -> Group {
        let y = self.decoded / self.size.width as usize;
        let number = self.places.as_ref().filter(|_| y < self.size.height as usize).map_or(0, |places| places.at(x, y));
        self.groups.group(number)
    }

    /// Reads the other channels of a literal pixel.
    #[inline(always)]
    fn literal(&self, bits: &mut Bits<'_>, group: &Group, green: u8) -> Argb {
        let red = self.groups.symbol(group[RED], bits) as u8;
        bits.refill();
        let blue = self.groups.symbol(group[BLUE], bits) as u8;
        let alpha = self.groups.symbol(group[ALPHA], bits) as u8;
        Argb::from_le_bytes([blue, green, red, alpha])
    }

    #[inline(always)]
    fn push(&mut self, pixel: Argb) {
        let mask = self.kept.len() - 1;
        self.kept[self.decoded & mask] = pixel;
        self.decoded += 1;
        self.cache.add(pixel);
    }

    /// Copies earlier pixels; returns their number.
    fn copy(&mut self, bits: &mut Bits<'_>, group: &Group, length: usize) -> Result<usize> {
        let length = prefixed(bits, length);
        bits.refill();
        let symbol = self.groups.symbol(group[DISTANCE], bits);
        let distance = self.distance(prefixed(bits, symbol));
        if distance > self.decoded || self.decoded + length > self.size.area() as usize {
            return Err(bits.broken("a reference beyond the picture"));
        }
        let mask = self.kept.len() - 1;
        for _ in 0..length {
            self.push(self.kept[(self.decoded - distance) & mask]);
        }
        Ok(length)
    }

    /// Returns the number of pixels back for a distance code.
    fn distance(&self, code: usize) -> usize {
        match NEAR.get(code - 1) {
            Some(&(left, up)) => {
                let distance = i64::from(up) * i64::from(self.size.width) + i64::from(left);
                distance.max(1) as usize
            }
            None => code - NEAR.len(),
        }
    }
}

/// Reads the number for the symbol of a length or distance: the symbol has its first two bits, other bits follow.
fn prefixed(bits: &mut Bits<'_>, symbol: usize) -> usize {
    if symbol < 4 {
        return symbol + 1;
    }
    let extra = (symbol as u32 - 2) >> 1;
    ((2 + (symbol & 1)) << extra) + bits.read(extra) as usize + 1
}

/// The numbers of the groups of codes, for each square of the picture.
struct Places {
    /// The side of a square, as a power of two.
    bits: u32,
    /// The number of squares in a row.
    width: usize,
    numbers: Vec<u16>,
}

impl Places {
    fn read(bits: &mut Bits<'_>, size: Size, budget: &Budget) -> Result<Self> {
        let (side, squares) = squares(bits, size);
        let numbers = Pixels::all(bits, squares, budget, |pixel| (pixel >> 8) as u16)?;
        Ok(Self { bits: side, width: squares.width as usize, numbers })
    }

    /// Numbers the groups in use anew, without gaps. Returns for each stored group whether it is in use.
    fn renumber(&mut self, budget: &Budget) -> Result<Vec<bool>> {
        let most = self.numbers.iter().copied().max().unwrap_or_default();
        let mut is_used = budget.filled(u64::from(most) + 1, false)?;
        self.numbers.iter().for_each(|&number| is_used[usize::from(number)] = true);
        let mut renumbered = budget.reserved(is_used.len() as u64)?;
        let mut next = 0_u32;
        for &is_used in &is_used {
            renumbered.push(next as u16);
            next += u32::from(is_used);
        }
        self.numbers.iter_mut().for_each(|number| *number = renumbered[usize::from(*number)]);
        Ok(is_used)
    }

    fn at(&self, x: usize, y: usize) -> usize {
        self.numbers[(y >> self.bits) * self.width + (x >> self.bits)].into()
    }
}

/// Reads the side of squares, as a power of two. Returns it with the number of columns and rows of squares.
pub(super) fn squares(bits: &mut Bits<'_>, size: Size) -> (u32, Size) {
    let side = 2 + bits.read(3);
    let count = |pixels: u32| pixels.div_ceil(1 << side);
    (side, Size::new(count(size.width), count(size.height)))
}

/// The cache of colours (RFC 9649 §3.5.2.3). Without one it has no colours.
struct Cache {
    colors: Vec<Argb>,
    /// The shift that leaves the bits which select a colour.
    shift: u32,
}

impl Cache {
    fn read(bits: &mut Bits<'_>, budget: &Budget) -> Result<Self> {
        if !bits.flag() {
            return Ok(Self { colors: Vec::new(), shift: 0 });
        }
        let count = bits.read(4);
        if count == 0 || count > MAX_CACHE_BITS {
            return Err(bits.broken("a cache of colours of a wrong size"));
        }
        Ok(Self { colors: budget.filled(1 << count, 0)?, shift: 32 - count })
    }

    #[inline(always)]
    fn add(&mut self, color: Argb) {
        if let Some(place) = self.colors.get_mut((color.wrapping_mul(0x1E35_A7BD) >> self.shift) as usize) {
            *place = color;
        }
    }
}
