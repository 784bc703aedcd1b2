#![no_main]

use metadata::{Picture, Policy};
use raster::{Metadata, Orientation, Size};

// The first byte chooses the part; the rest is its content. What a policy leaves must respect that policy.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&part, rest)) = bytes.split_first() else { return };
    let content = Some(rest.to_vec());
    let source = match part % 3 {
        0 => Metadata { exif: content, ..Metadata::default() },
        1 => Metadata { xmp: content, ..Metadata::default() },
        _ => Metadata { iptc: content, ..Metadata::default() },
    };
    let picture = Picture { size: Size::new(40, 30), orientation: Orientation::Upright };
    for policy in [Policy::WithoutLocation, Policy::Everything, Policy::Nothing] {
        let left = metadata::apply(&source, policy, picture).metadata;
        assert!(metadata::respects(&left, policy));
    }
});
