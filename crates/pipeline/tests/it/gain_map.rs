//! Gain maps, which HDR screens use: no result contains one, and a warning states the loss.

use pipeline::{Policy, Report};
use raster::{Format, Limits, Notes, PixelFormat, Size, Warning};
use testkit::generate;

use crate::shared::{file, job, run};

const SIZE: Size = Size::new(40, 30);
const XMP: &str = "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF \
    xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description rdf:about='' \
    xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/'";

/// Returns a JPEG whose first segment has this marker code and payload.
fn jpeg(code: u8, payload: &[u8]) -> Vec<u8> {
    let plain = file(&generate::gradient(SIZE, PixelFormat::RGB8), Format::Jpeg);
    let [high, low] = (payload.len() as u16 + 2).to_be_bytes();
    [&plain[..2], &[0xFF, code, high, low], payload, &plain[2..]].concat()
}

fn with_xmp(property: &str) -> Vec<u8> {
    jpeg(0xE1, format!("{XMP}{property}/></rdf:RDF></x:xmpmeta>").as_bytes())
}

fn copied(bytes: &[u8]) -> (Vec<u8>, Report) {
    let mut out = Vec::new();
    let report = pipeline::relabel(&bytes, &mut out, Policy::Everything, &Limits::default()).unwrap();
    (out, report)
}

#[test]
fn a_lost_gain_map_is_a_warning() {
    let sources = [jpeg(0xE2, b"urn:iso:std:iso:ts:21496:-1\0\0\0\0\0"), with_xmp(" hdrgm:Version='1.0'")];
    for source in sources {
        let notes = Notes::default();
        let header = pipeline::probe(&source, &Limits::default(), &notes).unwrap();
        assert!(header.gain_map && notes.warnings().is_empty(), "a file that is kept has lost nothing");
        let resized = |format| run(&source, &job(SIZE, Size::new(20, 15), format)).unwrap();
        for (out, report) in [resized(Format::Jpeg), resized(Format::Png), copied(&source)] {
            assert_eq!(report.warnings, [Warning::GainMapDropped], "{}", report.format);
            let result = pipeline::probe(&out, &Limits::default(), &Notes::default()).unwrap();
            assert!(!result.gain_map, "{}: a result made of a result has nothing to lose", report.format);
        }
    }
}

#[test]
fn a_file_without_a_gain_map_gets_no_warning() {
    for source in [jpeg(0xE2, b"urn:iso:std:iso:ts:99999"), with_xmp("")] {
        assert!(!pipeline::probe(&source, &Limits::default(), &Notes::default()).unwrap().gain_map);
        let (_, resized) = run(&source, &job(SIZE, Size::new(20, 15), Format::Jpeg)).unwrap();
        assert_eq!((resized.warnings, copied(&source).1.warnings), (vec![], vec![]));
    }
}
