//! The memory that a reader holds beside what its budget counts.

use raster::Limits;
use testkit::memory;

/// A picture of one pixel behind a comment of `len` bytes in Latin-1, which take two bytes each in UTF-8.
fn with_comment(len: usize) -> Vec<u8> {
    let mut file = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff\x21\xfe".to_vec();
    for block in vec![0xe9; len].chunks(255) {
        file.push(block.len() as u8);
        file.extend(block);
    }
    file.extend(b"\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0\x3b");
    file
}

/// The text of a comment once took up to six times as much memory as was counted.
#[test]
fn a_long_comment_is_counted() {
    for len in [40_000, 1 << 20] {
        let (file, limits) = (with_comment(len), Limits { memory: 64 << 20 });
        let read = |budget: &_| memory::read(codec_gif::open, &file, budget, u64::MAX);
        memory::counted("a comment", &limits, read).unwrap();
    }
}
