//! The specification of the steps of JPEG decoding, with libjpeg-turbo's arithmetic: inverse transform, upsampling and
//! conversion of colours. Targets without a vector implementation use it.
#![cfg_attr(
    all(target_arch = "wasm32", target_feature = "simd128"),
    allow(
        dead_code,
        unreachable_pub,
        reason = "only tests use the parts of the specification that have a vector implementation"
    )
)]

/// The fraction bits of the constants of the transforms.
pub(crate) const CONSTANT_BITS: u32 = 13;
/// The fraction bits that are kept between their two passes.
pub(crate) const BETWEEN_BITS: u32 = 2;

/// Eight vectors of eight numbers.
type Square = [[i16; 8]; 8];

/// Writes the 8 × 8 samples of a block of quantised coefficients (T.81 A.3.3) to the start of `into`, whose rows are
/// `stride` apart: the IJG's accurate integer transform (Loeffler, Ligtenberg and Moschytz, ICASSP 1989, with 12
/// multiplications). Products and sums wrap or saturate at 16 bits where libjpeg-turbo's vector code does, so that the
/// samples of damaged files are equal too.
#[inline]
pub fn inverse_dct(coefficients: &[i16; 64], steps: &[i16; 64], into: &mut [u8], stride: usize) {
    let mut square = [[0; 8]; 8];
    let rows = coefficients.as_chunks::<8>().0.iter().zip(steps.as_chunks::<8>().0);
    for (row, (coefficients, steps)) in square.iter_mut().zip(rows) {
        for i in 0..8 {
            row[i] = coefficients[i].wrapping_mul(steps[i]);
        }
    }
    // The eight columns are transformed side by side, then the eight rows.
    let columns = transformed::<{ CONSTANT_BITS - BETWEEN_BITS }>(&square);
    let rows = transformed::<{ CONSTANT_BITS + BETWEEN_BITS + 3 }>(&transposed(&columns));
    for (into, row) in into.chunks_mut(stride).zip(transposed(&rows)) {
        into[..8].copy_from_slice(&row.map(|level| (level.clamp(-128, 127) + 128) as u8));
    }
}

/// Does what [`inverse_dct`] does for a block that has coefficients in the first four rows and columns only.
#[inline]
pub fn inverse_dct_of_few(coefficients: &[i16; 64], steps: &[i16; 64], into: &mut [u8], stride: usize) {
    inverse_dct(coefficients, steps, into, stride);
}

#[inline(always)]
fn transposed(square: &Square) -> Square {
    let mut result = [[0; 8]; 8];
    for (y, row) in square.iter().enumerate() {
        for (x, &value) in row.iter().enumerate() {
            result[x][y] = value;
        }
    }
    result
}

/// Returns the transforms of the eight columns, divided by 2 to the power of `SHIFT`.
#[inline(always)]
fn transformed<const SHIFT: u32>(input: &Square) -> Square {
    let mut output = [[0; 8]; 8];
    for x in 0..8 {
        let column = core::array::from_fn(|y| i32::from(input[y][x]));
        for (row, value) in output.iter_mut().zip(transform::<SHIFT>(&column)) {
            row[x] = value;
        }
    }
    output
}

/// Returns the transform of eight coefficients.
#[inline(always)]
fn transform<const SHIFT: u32>(c: &[i32; 8]) -> [i16; 8] {
    let wrapped = |sum: i32| i32::from(sum as i16);
    // The even part.
    let shared = (c[2] + c[6]).wrapping_mul(4433); // 0.541 196 100
    let low = shared.wrapping_sub(c[6].wrapping_mul(15_137)); // 1.847 759 065
    let high = shared.wrapping_add(c[2].wrapping_mul(6270)); // 0.765 366 865
    let sum = wrapped(c[0] + c[4]) << CONSTANT_BITS;
    let difference = wrapped(c[0] - c[4]) << CONSTANT_BITS;
    let even =
        [sum.wrapping_add(high), difference.wrapping_add(low), difference.wrapping_sub(low), sum.wrapping_sub(high)];
    // The odd part.
    let (third, fourth) = (wrapped(c[7] + c[3]), wrapped(c[5] + c[1]));
    let shared = third.wrapping_add(fourth).wrapping_mul(9633); // 1.175 875 602
    let third = shared.wrapping_sub(third.wrapping_mul(16_069)); // 1.961 570 560
    let fourth = shared.wrapping_sub(fourth.wrapping_mul(3196)); // 0.390 180 644
    let first = (c[7] + c[1]).wrapping_mul(-7373); // 0.899 976 223
    let second = (c[5] + c[3]).wrapping_mul(-20_995); // 2.562 915 447
    let odd = [
        c[1].wrapping_mul(12_299).wrapping_add(first).wrapping_add(fourth), // 1.501 321 110
        c[3].wrapping_mul(25_172).wrapping_add(second).wrapping_add(third), // 3.072 711 026
        c[5].wrapping_mul(16_819).wrapping_add(second).wrapping_add(fourth), // 2.053 119 869
        c[7].wrapping_mul(2446).wrapping_add(first).wrapping_add(third),    // 0.298 631 336
    ];
    let mut result = [0; 8];
    for i in 0..4 {
        let half = even[i].wrapping_add(1 << (SHIFT - 1));
        result[i] = saturated(half.wrapping_add(odd[i]) >> SHIFT);
        result[7 - i] = saturated(half.wrapping_sub(odd[i]) >> SHIFT);
    }
    result
}

#[inline(always)]
fn saturated(value: i32) -> i16 {
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Writes two samples for each of a row of at least two: three quarters of it and a quarter of the nearer neighbour.
/// The remainders are rounded in turn down and up, so that there is no bias.
pub fn double_columns(row: &[u8], into: &mut [u8]) {
    let pairs = into.as_chunks_mut().0;
    double_inner_columns(row, &mut pairs[1..]);
    double_outer_columns(row, pairs);
}

/// Writes the pairs of all samples but the first and the last.
pub(crate) fn double_inner_columns(row: &[u8], pairs: &mut [[u8; 2]]) {
    for (pair, &[before, this, after]) in pairs.iter_mut().zip(row.array_windows()) {
        let this = 3 * u16::from(this);
        *pair = [((this + u16::from(before) + 1) >> 2) as u8, ((this + u16::from(after) + 2) >> 2) as u8];
    }
}

/// Writes the pairs of the first and the last sample.
pub(crate) fn double_outer_columns(row: &[u8], pairs: &mut [[u8; 2]]) {
    let &[first, .., last] = row else { return };
    let quarter =
        |sample: u8, neighbour: u8, half: u16| ((3 * u16::from(sample) + u16::from(neighbour) + half) >> 2) as u8;
    pairs[0] = [first, quarter(first, row[1], 2)];
    pairs[row.len() - 1] = [quarter(last, row[row.len() - 2], 1), last];
}

/// Writes two samples for each of a row of at least two: nine sixteenths of it, three each of its neighbours in the row
/// and in the column, and one of the fourth. `near` and `far` have the same length.
pub fn double_both(near: &[u8], far: &[u8], into: &mut [u8]) {
    let pairs = into.as_chunks_mut().0;
    double_inner_both(near, far, &mut pairs[1..]);
    double_outer_both(near, far, pairs);
}

/// Writes the pairs of all samples but the first and the last.
pub(crate) fn double_inner_both(near: &[u8], far: &[u8], pairs: &mut [[u8; 2]]) {
    let inner = near.array_windows::<3>().zip(far.array_windows::<3>());
    for (pair, (near, far)) in pairs.iter_mut().zip(inner) {
        let [before, this, after] = [0, 1, 2].map(|i| 3 * u16::from(near[i]) + u16::from(far[i]));
        *pair = [((3 * this + before + 8) >> 4) as u8, ((3 * this + after + 7) >> 4) as u8];
    }
}

/// Writes the pairs of the first and the last sample.
pub(crate) fn double_outer_both(near: &[u8], far: &[u8], pairs: &mut [[u8; 2]]) {
    let sum = |x: usize| 3 * u16::from(near[x]) + u16::from(far[x]);
    let last = near.len() - 1;
    pairs[0] = [((4 * sum(0) + 8) >> 4) as u8, ((3 * sum(0) + sum(1) + 7) >> 4) as u8];
    pairs[last] = [((3 * sum(last) + sum(last - 1) + 8) >> 4) as u8, ((4 * sum(last) + 7) >> 4) as u8];
}

/// Writes RGB pixels of rows of YCbCr (JFIF: BT.601, full range). The shortest slice sets the number of pixels.
pub fn ycbcr_to_rgb([y, cb, cr]: [&[u8]; 3], rgb: &mut [u8]) {
    for (((pixel, &y), &cb), &cr) in rgb.as_chunks_mut::<3>().0.iter_mut().zip(y).zip(cb).zip(cr) {
        *pixel = rgb_of_ycbcr([y, cb, cr]);
    }
}

/// Returns the RGB of a pixel of YCbCr: products in 16-bit fixed point, rounded half up, clipped.
#[inline(always)]
#[must_use]
pub fn rgb_of_ycbcr([y, cb, cr]: [u8; 3]) -> [u8; 3] {
    let (y, cb, cr) = ((i32::from(y) << 16) + 0x8000, i32::from(cb) - 128, i32::from(cr) - 128);
    let red = y + 91_881 * cr; // 1.402
    let green = y - 22_554 * cb - 46_802 * cr; // 0.344 136, 0.714 136
    let blue = y + 116_130 * cb; // 1.772
    [red, green, blue].map(|v| (v >> 16).clamp(0, 255) as u8)
}
