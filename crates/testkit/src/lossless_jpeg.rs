//! A writer of lossless files (T.81 Annex H), slow and plain: the opposite of the decoder.

/// A component.
pub struct Component {
    /// Its sampling factors, across and down.
    pub factors: (usize, usize),
    /// Its samples.
    pub rows: Vec<Vec<u16>>,
}

/// How a file is coded.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// The number of bits in a sample.
    pub precision: u8,
    /// The number of the prediction, 1 to 7.
    pub predictor: u8,
    /// The number of low bits that are left out.
    pub low: u8,
    /// The number of rows of MCUs between restart markers; 0 for none.
    pub restart: usize,
    /// Whether all components are in one scan.
    pub is_interleaved: bool,
}

/// Writes a file of `size` pixels, without metadata.
#[must_use]
pub fn write(size: (usize, usize), components: &[Component], way: Way) -> Vec<u8> {
    let all: Vec<usize> = (0..components.len()).collect();
    let mut file = vec![0xFF, 0xD8];
    let [width, height] = [size.0, size.1].map(|side| (side as u16).to_be_bytes());
    let mut frame = vec![way.precision, height[0], height[1], width[0], width[1], components.len() as u8];
    for (id, component) in components.iter().enumerate() {
        frame.extend([id as u8, (component.factors.0 << 4 | component.factors.1) as u8, 0]);
    }
    segment(&mut file, 0xC3, &frame);
    // The code of each of 17 symbols has five bits.
    segment(
        &mut file,
        0xC4,
        &[&[0, 0, 0, 0, 0, 17][..], &[0; 11], &core::array::from_fn::<u8, 17, _>(|i| i as u8)].concat(),
    );
    let scans = if way.is_interleaved { vec![all] } else { all.into_iter().map(|place| vec![place]).collect() };
    for places in scans {
        scan(&mut file, size, &places, components, way);
    }
    file.extend([0xFF, 0xD9]);
    file
}

fn segment(file: &mut Vec<u8>, code: u8, payload: &[u8]) {
    file.extend([0xFF, code]);
    file.extend((payload.len() as u16 + 2).to_be_bytes());
    file.extend(payload);
}

fn scan(file: &mut Vec<u8>, size: (usize, usize), places: &[usize], components: &[Component], way: Way) {
    let most = |side: fn(&Component) -> usize| components.iter().map(side).max().unwrap_or(1);
    let most = (most(|component| component.factors.0), most(|component| component.factors.1));
    let is_alone = places.len() == 1;
    let factors = |place: usize| if is_alone { (1, 1) } else { components[place].factors };
    let mcus = if is_alone {
        (components[places[0]].rows[0].len(), components[places[0]].rows.len())
    } else {
        (size.0.div_ceil(most.0), size.1.div_ceil(most.1))
    };
    segment(file, 0xDD, &((way.restart * mcus.0) as u16).to_be_bytes());
    let mut head = vec![places.len() as u8];
    head.extend(places.iter().flat_map(|&place| [place as u8, 0]));
    segment(file, 0xDA, &[&head[..], &[way.predictor, 0, way.low]].concat());
    let mut bits = Bits::default();
    for mcu in 0..mcus.1 {
        let interval = mcu.checked_div(way.restart).unwrap_or(0);
        if mcu > 0 && way.restart > 0 && mcu % way.restart == 0 {
            bits.finish(file);
            file.extend([0xFF, 0xD0 + (interval as u8 + 7) % 8]);
        }
        for column in 0..mcus.0 {
            for &place in places {
                let (across, down) = factors(place);
                let first_row = interval * way.restart * down;
                for (y, x) in (0..down).flat_map(|y| (0..across).map(move |x| (mcu * down + y, column * across + x))) {
                    let difference = difference(&components[place].rows, (x, y), first_row, way);
                    bits.put_difference(file, difference);
                }
            }
        }
    }
    bits.finish(file);
}

/// Returns the difference of a sample from its prediction. Samples that only fill the last MCU repeat the edge.
fn difference(rows: &[Vec<u16>], (x, y): (usize, usize), first_row: usize, way: Way) -> i32 {
    let at = |x: usize, y: usize| {
        let row = &rows[y.min(rows.len() - 1)];
        i32::from(row[x.min(row.len() - 1)] >> way.low)
    };
    let prediction = match (x, y == first_row) {
        (0, true) => 1 << (way.precision - way.low - 1),
        (_, true) => at(x - 1, y),
        (0, false) => at(x, y - 1),
        _ => {
            let (a, b, c) = (at(x - 1, y), at(x, y - 1), at(x - 1, y - 1));
            [0, a, b, c, a + b - c, a + ((b - c) >> 1), b + ((a - c) >> 1), (a + b) >> 1][usize::from(way.predictor)]
        }
    };
    // Modulo 65,536, from -32,767 to 32,768.
    let difference = (at(x, y) - prediction) as i16;
    if difference == i16::MIN { 32_768 } else { difference.into() }
}

/// A writer of bits with stuffed zeros.
#[derive(Default)]
struct Bits {
    buffer: u64,
    count: u32,
}

impl Bits {
    fn put_difference(&mut self, file: &mut Vec<u8>, difference: i32) {
        let category = 32 - difference.unsigned_abs().leading_zeros();
        self.put(file, category.into(), 5);
        if (1..16).contains(&category) {
            let bits = if difference < 0 { difference - 1 } else { difference };
            self.put(file, bits as u64 & ((1 << category) - 1), category);
        }
    }

    fn put(&mut self, file: &mut Vec<u8>, bits: u64, count: u32) {
        self.buffer = self.buffer << count | bits;
        self.count += count;
        while self.count >= 8 {
            self.count -= 8;
            let byte = (self.buffer >> self.count) as u8;
            file.push(byte);
            if byte == 0xFF {
                file.push(0);
            }
        }
    }

    fn finish(&mut self, file: &mut Vec<u8>) {
        let rest = (8 - self.count % 8) % 8;
        self.put(file, (1 << rest) - 1, rest);
    }
}
