//! Huffman codes of limited length (RFC 1951 §3.2.2).

/// A code as it is written: `bits` from the low end up, `length` of them; 0 where the symbol does not occur.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Code {
    pub(super) bits: u16,
    pub(super) length: u8,
}

/// The code of `N` symbols that occur `counts` times, with at most `limit` bits a symbol. There are always two symbols
/// with a bit at least, since some decoders refuse a code of one.
pub(super) fn code<const N: usize>(counts: &[u32; N], limit: u8) -> [Code; N] {
    let mut leaves: Vec<(u32, usize)> = (0..N).map(|symbol| (counts[symbol], symbol)).filter(|l| l.0 > 0).collect();
    for symbol in 0..N {
        if leaves.len() >= 2 {
            break;
        }
        if counts[symbol] == 0 {
            leaves.push((0, symbol));
        }
    }
    leaves.sort_unstable();
    let of_length = limited(&depths(&leaves), limit);
    let mut lengths = [0; N];
    let mut rarest_first = leaves.iter();
    for length in (1..=limit).rev() {
        for (_, symbol) in rarest_first.by_ref().take(of_length[usize::from(length)]) {
            lengths[*symbol] = length;
        }
    }
    canonical(&lengths)
}

/// Bits of each leaf in Huffman's tree; `leaves` are sorted. Inner nodes come into being in order of weight, so that
/// two queues do for a heap.
fn depths(leaves: &[(u32, usize)]) -> Vec<u8> {
    let n = leaves.len();
    let mut weights = Vec::with_capacity(n - 1);
    let mut parents = vec![0; 2 * n - 1];
    let (mut leaf, mut inner) = (0, 0);
    for node in n..2 * n - 1 {
        let mut weight = 0;
        for _ in 0..2 {
            let takes_leaf = leaf < n && weights.get(inner).is_none_or(|inner| leaves[leaf].0 <= *inner);
            let (child, of_child) = if takes_leaf { (leaf, leaves[leaf].0) } else { (n + inner, weights[inner]) };
            (leaf, inner) = if takes_leaf { (leaf + 1, inner) } else { (leaf, inner + 1) };
            parents[child] = node;
            weight += of_child;
        }
        weights.push(weight);
    }
    let mut depths = vec![0; 2 * n - 1];
    for node in (0..2 * n - 2).rev() {
        depths[node] = depths[parents[node]] + 1;
    }
    depths.truncate(n);
    depths
}

/// How many symbols have which length, once none has more than `limit`. Where cutting has made the code overfull, a
/// symbol that has room below it takes in one of the longest: that gives one unit back each time, and costs little,
/// since what is cut is rare.
fn limited(depths: &[u8], limit: u8) -> [usize; 16] {
    let limit = usize::from(limit);
    let mut of_length = [0; 16];
    for depth in depths {
        of_length[usize::from(*depth).min(limit)] += 1;
    }
    let used: usize = (1..=limit).map(|length| of_length[length] << (limit - length)).sum();
    for _ in 1 << limit..used {
        let Some(roomy) = (1..limit).rev().find(|length| of_length[*length] > 0) else { break };
        of_length[roomy] -= 1;
        of_length[roomy + 1] += 2;
        of_length[limit] -= 1;
    }
    of_length
}

/// The codes that follow from their lengths: shorter ones first, then by symbol.
pub(super) fn canonical<const N: usize>(lengths: &[u8; N]) -> [Code; N] {
    let mut next = [0_u16; 17];
    for length in 1..16_u8 {
        let count = lengths.iter().filter(|l| **l == length).count() as u16;
        next[usize::from(length) + 1] = (next[usize::from(length)] + count) << 1;
    }
    let mut codes = [Code::default(); N];
    for (code, &length) in codes.iter_mut().zip(lengths) {
        if length > 0 {
            let bits = next[usize::from(length)].reverse_bits() >> (16 - length);
            *code = Code { bits, length };
            next[usize::from(length)] += 1;
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kraft<const N: usize>(codes: &[Code; N]) -> u32 {
        codes.iter().filter(|code| code.length > 0).map(|code| 1 << (15 - code.length)).sum()
    }

    #[test]
    fn the_standards_example_comes_out() {
        // RFC 1951 §3.2.2: lengths 3 3 3 3 3 2 4 4 give 010 011 100 101 110 00 1110 1111.
        let want = [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111];
        let lengths = [3, 3, 3, 3, 3, 2, 4, 4];
        for (code, (want, length)) in canonical(&lengths).iter().zip(want.into_iter().zip(lengths)) {
            assert_eq!(code.bits.reverse_bits() >> (16 - length), want);
        }
    }

    #[test]
    fn codes_are_complete_whatever_the_counts_and_the_limit() {
        let mut fibonacci = [1_u32; 30];
        (2..30).for_each(|i| fibonacci[i] = fibonacci[i - 1] + fibonacci[i - 2]);
        let mut single = [0; 30];
        single[7] = 9;
        for counts in [fibonacci, single, [0; 30], [5; 30]] {
            for limit in [7, 14, 15] {
                let codes = code(&counts, limit);
                assert_eq!(kraft(&codes), 1 << 15, "{counts:?} in {limit} bits");
                assert!(codes.iter().all(|code| code.length <= limit));
                assert!((0..30).all(|symbol| counts[symbol] == 0 || codes[symbol].length > 0));
            }
        }
    }

    #[test]
    fn frequent_symbols_are_short_and_the_sum_is_huffmans() {
        // A textbook's tree: 45 13 12 16 9 5 need 224 bits.
        let counts = [45, 13, 12, 16, 9, 5];
        let codes = code(&counts, 15);
        let bits: u32 = (0..6).map(|s| counts[s] * u32::from(codes[s].length)).sum();
        assert_eq!((bits, codes[0].length), (224, 1));
    }
}
