//! Huffman codes of limited length (RFC 1951 §3.2.2).

/// The code of one symbol: `length` bits, written from the lowest of `bits` up. Length 0: the symbol does not occur.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Code {
    pub(crate) bits: u16,
    pub(crate) length: u8,
}

/// Returns the best codes for `N` symbols that occur `counts` times, with at most `limit` bits each. At least two
/// symbols get a code, because some decoders refuse a table with one.
pub(crate) fn codes<const N: usize>(counts: &[u32; N], limit: u8) -> [Code; N] {
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
    let count_of = limited(&depths(&leaves), limit);
    let mut lengths = [0; N];
    let mut rarest_first = leaves.iter();
    for length in (1..=limit).rev() {
        for (_, symbol) in rarest_first.by_ref().take(count_of[usize::from(length)]) {
            lengths[*symbol] = length;
        }
    }
    canonical(&lengths)
}

/// Returns the depth of each leaf in Huffman's tree; `leaves` are sorted by weight.
///
/// Nodes are numbered with the leaves first, then inner nodes in the order of their creation, which is also the order
/// of their weights. The two lightest nodes are therefore always at the front of one of two queues (leaves, inner
/// nodes), and no heap is needed.
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
    // Parents have higher numbers than their children. The loop runs from the root down, so each parent's depth is
    // known.
    for node in (0..2 * n - 2).rev() {
        depths[node] = depths[parents[node]] + 1;
    }
    depths.truncate(n);
    depths
}

/// Returns the number of symbols of each length, after the lengths above `limit` were shortened.
///
/// Shortening the long codes makes the code overfull: the sum of 2^-length exceeds 1. Each turn of the last loop
/// repairs one unit of 2^-limit: the deepest leaf above `limit` becomes an inner node with two children, which are
/// itself and one of the longest leaves. That costs little, because symbols with long codes are rare.
fn limited(depths: &[u8], limit: u8) -> [usize; 16] {
    let limit = usize::from(limit);
    let mut count_of = [0; 16];
    for depth in depths {
        count_of[usize::from(*depth).min(limit)] += 1;
    }
    let used: usize = (1..=limit).map(|length| count_of[length] << (limit - length)).sum();
    for _ in 1 << limit..used {
        let Some(roomy) = (1..limit).rev().find(|length| count_of[*length] > 0) else { break };
        count_of[roomy] -= 1;
        count_of[roomy + 1] += 2;
        count_of[limit] -= 1;
    }
    count_of
}

/// Returns the codes that follow from their lengths (§3.2.2): shorter codes first, then by symbol.
pub(crate) fn canonical<const N: usize>(lengths: &[u8; N]) -> [Code; N] {
    let mut next = [0_u16; 17];
    for length in 1..16_u8 {
        let count = lengths.iter().filter(|l| **l == length).count() as u16;
        next[usize::from(length) + 1] = (next[usize::from(length)] + count) << 1;
    }
    let mut codes = [Code::default(); N];
    for (code, &length) in codes.iter_mut().zip(lengths) {
        if length > 0 {
            // Codes are counted from their highest bit and written from the lowest. They are stored reversed.
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
    fn the_codes_of_the_standards_example_are_right() {
        // RFC 1951 §3.2.2: lengths 3 3 3 3 3 2 4 4 give 010 011 100 101 110 00 1110 1111.
        let want = [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111];
        let lengths = [3, 3, 3, 3, 3, 2, 4, 4];
        for (code, (want, length)) in canonical(&lengths).iter().zip(want.into_iter().zip(lengths)) {
            assert_eq!(code.bits.reverse_bits() >> (16 - length), want);
        }
    }

    #[test]
    fn codes_are_complete_for_all_counts_and_limits() {
        let mut fibonacci = [1_u32; 30];
        (2..30).for_each(|i| fibonacci[i] = fibonacci[i - 1] + fibonacci[i - 2]);
        let mut single = [0; 30];
        single[7] = 9;
        for counts in [fibonacci, single, [0; 30], [5; 30]] {
            for limit in [7, 14, 15] {
                let codes = codes(&counts, limit);
                assert_eq!(kraft(&codes), 1 << 15, "{counts:?} in {limit} bits");
                assert!(codes.iter().all(|code| code.length <= limit));
                assert!((0..30).all(|symbol| counts[symbol] == 0 || codes[symbol].length > 0));
            }
        }
    }

    #[test]
    fn frequent_symbols_are_short_and_the_sum_is_huffmans() {
        // A textbook's tree: the counts 45 13 12 16 9 5 need 224 bits.
        let counts = [45, 13, 12, 16, 9, 5];
        let codes = codes(&counts, 15);
        let bits: u32 = (0..6).map(|s| counts[s] * u32::from(codes[s].length)).sum();
        assert_eq!((bits, codes[0].length), (224, 1));
    }
}
