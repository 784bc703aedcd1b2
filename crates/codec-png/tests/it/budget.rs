//! Memory is charged before it is allocated, and released when it is dropped.

use core::cell::Cell;

use codec_png::open;
use raster::{Budget, ByteSource, Limits, Notes, Result, Warning};
use testkit::memory;

use crate::robust::{file_of, ihdr};

/// A file that records the furthest byte read.
struct Watched {
    bytes: Vec<u8>,
    furthest: Cell<u64>,
}

impl ByteSource for Watched {
    fn byte_len(&self) -> u64 {
        self.bytes.byte_len()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize> {
        let read = self.bytes.read_at(offset, into)?;
        self.furthest.set(self.furthest.get().max(offset + read as u64));
        Ok(read)
    }
}

fn control(sequence: u32) -> Vec<u8> {
    let words = [sequence, 1, 1, 0, 0].map(u32::to_be_bytes);
    [words.as_flattened(), &[0, 1, 0, 10, 0, 0]].concat()
}

#[test]
fn a_list_of_frames_stops_growing_where_the_budget_ends() {
    let frames = 100_000_u32;
    let declared = [frames.to_be_bytes(), [0; 4]].concat();
    let data = fdeflate::compress_to_vec(&[0, 7]);
    let first = control(0);
    let header = ihdr(1, 1, 8, 0, 0);
    let later: Vec<(Vec<u8>, Vec<u8>)> =
        (1..frames).map(|frame| (control(2 * frame - 1), [&(2 * frame).to_be_bytes()[..], &data].concat())).collect();
    let mut chunks: Vec<(&[u8; 4], &[u8])> =
        vec![(b"IHDR", &header), (b"acTL", &declared), (b"fcTL", &first), (b"IDAT", &data)];
    for (control, data) in &later {
        chunks.push((b"fcTL", control));
        chunks.push((b"fdAT", data));
    }
    chunks.push((b"IEND", &[]));
    let file = Watched { bytes: file_of(&chunks), furthest: Cell::new(0) };

    let budget = Budget::new(&Limits::default());
    assert_eq!(open(&file, &budget, &Notes::default()).unwrap().info().frames, frames);
    assert_eq!(file.furthest.replace(0), file.byte_len());

    let small = Budget::new(&Limits { memory: 1 << 20 });
    assert_eq!(open(&file, &small, &Notes::default()).err().unwrap().code(), "memory");
    let furthest = file.furthest.get();
    assert!(furthest < file.byte_len() / 2, "read {furthest} bytes of {} for a list of 1 MiB", file.byte_len());
}

#[test]
fn dropped_texts_release_their_budget() {
    // Twenty texts of 1 MB that claim to be deflated and are not, and three XMP packets, of which the first is kept.
    let broken = [b"Comment\0\0", &[0xFF; 1 << 20][..]].concat();
    let packet = [b"XML:com.adobe.xmp\0\0\0\0\0", &[b' '; 1 << 20][..]].concat();
    let header = ihdr(1, 1, 8, 0, 0);
    let mut chunks: Vec<(&[u8; 4], &[u8])> = vec![(b"IHDR", &header)];
    chunks.extend([(b"zTXt", &broken[..]); 20]);
    chunks.extend([(b"iTXt", &packet[..]); 3]);
    let data = fdeflate::compress_to_vec(&[0, 7]);
    chunks.extend([(b"IDAT", &data[..]), (b"IEND", &[])]);
    let file = file_of(&chunks);

    let budget = Budget::new(&Limits { memory: 4 << 20 });
    let notes = Notes::default();
    let reader = open(&file, &budget, &notes).unwrap();
    assert_eq!(notes.warnings(), [Warning::Skipped("text")]);
    assert_eq!(reader.info().metadata.xmp.as_ref().unwrap().len(), 1 << 20);
    assert!(budget.used() < (1 << 20) + (1 << 16), "{} bytes are still charged", budget.used());
}

/// Texts that inflate to megabytes: a packet, a profile in hexadecimal digits, and a comment of two-byte characters.
#[test]
fn texts_are_charged_while_they_are_inflated_and_unpacked() {
    let len = 2_000_000;
    let deflated = |text: &[u8]| fdeflate::compress_to_vec(text);
    let digits = [format!("\niptc\n{len:8}\n").into_bytes(), b"1C".repeat(len)].concat();
    let packet = [&b"XML:com.adobe.xmp\0\x01\0\0\0"[..], &deflated(&vec![b' '; len])].concat();
    let profile = [&b"Raw profile type iptc\0\0"[..], &deflated(&digits)].concat();
    let comment = [&b"Comment\0\0"[..], &deflated(&vec![0xE5; len])].concat();
    let (header, data) = (ihdr(1, 1, 8, 0, 0), fdeflate::compress_to_vec(&[0, 7]));
    for text in [(b"iTXt", &packet[..]), (b"zTXt", &profile), (b"zTXt", &comment)] {
        let file = file_of(&[(b"IHDR", &header), text, (b"IDAT", &data), (b"IEND", &[])]);
        let what = text.1[..20].escape_ascii().to_string();
        let kept = memory::counted(&what, &Limits::default(), |budget| {
            let reader = open(&file, budget, &Notes::default()).unwrap();
            reader.info().metadata.byte_len()
        });
        assert!(kept >= len as u64, "{what}: {kept}");
    }
}
