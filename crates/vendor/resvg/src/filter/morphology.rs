// Copyright 2020 the Resvg Authors
// SPDX-License-Identifier: Apache-2.0 OR MIT

use super::ImageRefMut;
use rgb::RGBA8;
use usvg::filter::MorphologyOperator;

/// Applies a morphology filter.
///
/// `src` pixels should have a **premultiplied alpha**.
///
/// The extremes of a rectangle are those of its rows' extremes, so rows are filtered first, then columns.
///
/// # Allocations
///
/// This method will allocate four times the longer side of the `src` image.
pub fn apply(operator: MorphologyOperator, rx: f32, ry: f32, src: ImageRefMut) {
    let (width, height) = (src.width as usize, src.height as usize);
    let rx = (rx.round() as usize).min(width - 1);
    let ry = (ry.round() as usize).min(height - 1);
    let (outside, extreme): (u8, fn(u8, u8) -> u8) = match operator {
        MorphologyOperator::Erode => (255, u8::min),
        MorphologyOperator::Dilate => (0, u8::max),
    };
    let mut line = Line {
        outside: RGBA8::new(outside, outside, outside, outside),
        extreme: |p: RGBA8, q: RGBA8| {
            RGBA8::new(
                extreme(p.r, q.r),
                extreme(p.g, q.g),
                extreme(p.b, q.b),
                extreme(p.a, q.a),
            )
        },
        from_start: Vec::new(),
        to_end: Vec::new(),
    };
    for row in 0..height {
        line.apply(src.data, row * width, 1, width, rx);
    }
    for column in 0..width {
        line.apply(src.data, column, width, height, ry);
    }
}

/// Filters rows or columns by the algorithm of van Herk, Gil and Werman, whose time does not depend on the radius.
struct Line<F> {
    /// What stands for pixels outside of the image.
    outside: RGBA8,
    extreme: F,
    /// The extremes from the start of a block to each pixel.
    from_start: Vec<RGBA8>,
    /// The extremes from each pixel to the end of its block.
    to_end: Vec<RGBA8>,
}

impl<F: Fn(RGBA8, RGBA8) -> RGBA8> Line<F> {
    /// Filters `len` pixels from `first`, `step` apart.
    fn apply(&mut self, data: &mut [RGBA8], first: usize, step: usize, len: usize, radius: usize) {
        if radius == 0 {
            return;
        }

        let block = 2 * radius + 1;
        self.from_start.clear();
        self.from_start.resize(radius, self.outside);
        self.from_start
            .extend(data[first..].iter().step_by(step).take(len));
        self.from_start
            .resize((len + 2 * radius).next_multiple_of(block), self.outside);
        self.to_end.clone_from(&self.from_start);

        for block in self.from_start.chunks_exact_mut(block) {
            for i in 1..block.len() {
                block[i] = (self.extreme)(block[i], block[i - 1]);
            }
        }
        for block in self.to_end.chunks_exact_mut(block) {
            for i in (1..block.len()).rev() {
                block[i - 1] = (self.extreme)(block[i - 1], block[i]);
            }
        }
        for i in 0..len {
            data[first + i * step] = (self.extreme)(self.to_end[i], self.from_start[i + block - 1]);
        }
    }
}
