#![no_main]

use metadata::Policy;
use pipeline::{Changes, relabel};
use raster::{Error, Orientation};

// Copies any file with other metadata, and turned. The copy is read back and compared with its promise; a broken
// promise is a defect.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let policies = [Policy::WithoutLocation, Policy::Everything, Policy::Nothing];
    let copies = policies.map(Changes::from);
    let turned = Changes { turn: Orientation::Rotate90, ..copies[bytes.len() % 3] };
    for changes in copies.into_iter().chain([turned]) {
        let result = relabel(&bytes, &mut Vec::new(), &changes, &fuzz::LIMITS);
        assert!(!matches!(result, Err(Error::Contradiction(_))), "{changes:?}: {result:?}");
    }
});
