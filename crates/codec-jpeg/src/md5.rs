//! MD5 (RFC 1321), which names the second part of XMP. It keeps nothing secret and proves nothing.

/// Bits that each step turns by, four for each round (§3.4).
const TURNS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// The integer parts of 2³² · |sin i| (§3.4).
#[rustfmt::skip]
const SINES: [u32; 64] = [
    0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613, 0xFD46_9501,
    0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821,
    0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
    0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A,
    0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70,
    0x289B_7EC6, 0xEAA1_27FA, 0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
    0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
    0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
];

/// The digest of `bytes`.
pub(crate) fn digest(bytes: &[u8]) -> [u8; 16] {
    let mut state = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476];
    let (blocks, rest) = bytes.as_chunks::<64>();
    for block in blocks {
        take(&mut state, block);
    }
    // A one, zeros, and the length in bits fill the last block, or the last two (§3.1, §3.2).
    let mut last = [rest, &[0x80]].concat();
    last.resize((last.len() + 8).next_multiple_of(64) - 8, 0);
    last.extend((bytes.len() as u64 * 8).to_le_bytes());
    for block in last.as_chunks().0 {
        take(&mut state, block);
    }
    let mut digest = [0; 16];
    for (place, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(state) {
        *place = word.to_le_bytes();
    }
    digest
}

fn take(state: &mut [u32; 4], block: &[u8; 64]) {
    let (words, _) = block.as_chunks::<4>();
    let [mut a, mut b, mut c, mut d] = *state;
    for (i, sine) in SINES.iter().enumerate() {
        let (mixed, word) = match i / 16 {
            0 => (b & c | !b & d, i),
            1 => (b & d | c & !d, 5 * i + 1),
            2 => (b ^ c ^ d, 3 * i + 5),
            _ => (c ^ (b | !d), 7 * i),
        };
        let word = u32::from_le_bytes(words[word % 16]);
        let sum = a.wrapping_add(mixed).wrapping_add(word).wrapping_add(*sine);
        (a, b, c, d) = (d, b.wrapping_add(sum.rotate_left(TURNS[i / 16][i % 4])), b, c);
    }
    for (sum, value) in state.iter_mut().zip([a, b, c, d]) {
        *sum = sum.wrapping_add(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 1321 §A.5, and lengths around the padding against md5sum.
    #[test]
    fn digests_are_those_of_the_standard() {
        let a = |count: usize| "a".repeat(count);
        let table = [
            (String::new(), "d41d8cd98f00b204e9800998ecf8427e"),
            ("abc".into(), "900150983cd24fb0d6963f7d28e17f72"),
            ("abcdefghijklmnopqrstuvwxyz".into(), "c3fcd3d76192e4007dfb496cca67e13b"),
            ("1234567890".repeat(8), "57edf4a22be3c955ac49da2e2107b67a"),
            (a(55), "ef1772b6dff9a122358552954ad0df65"),
            (a(56), "3b0c8ac703f828b04c6c197006d17218"),
            (a(64), "014842d480b571495a4a0363793f7367"),
        ];
        for (text, expected) in table {
            let hex: String = digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(hex, expected, "{text}");
        }
    }
}
