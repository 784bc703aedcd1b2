#![no_main]

use metadata::{Picture, Policy};
use raster::{Metadata, Orientation, Size, Text};

// The first byte chooses the part; the rest is its content. Rewritten metadata must respect their policy, also after
// they are fitted into a JPEG.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((&part, rest)) = bytes.split_first() else { return };
    let content = Some(rest.to_vec());
    // When there are two parts, the first zero separates them.
    let mut halves = rest.splitn(2, |&byte| byte == 0);
    let (first, second) = (halves.next().unwrap_or_default(), halves.next().unwrap_or_default());
    let words = |bytes| String::from_utf8_lossy(bytes).into_owned();
    let source = match part % 5 {
        0 => Metadata { exif: content, ..Metadata::default() },
        1 => Metadata { xmp: content, ..Metadata::default() },
        2 => Metadata { iptc: content, ..Metadata::default() },
        3 => Metadata { xmp: Some(first.to_vec()), xmp_extension: Some(second.to_vec()), ..Metadata::default() },
        _ => {
            let text = Text { keyword: words(first), text: words(second), ..Text::default() };
            Metadata { texts: vec![text], ..Metadata::default() }
        }
    };
    let picture = Picture { size: Size::new(40, 30), orientation: Orientation::Upright, is_converted: false };
    for policy in [Policy::WithoutLocation, Policy::Everything, Policy::Nothing] {
        let mut left = metadata::apply(&source, policy, picture).metadata;
        assert!(metadata::respects(&left, policy));
        metadata::join_xmp(&mut left, 1 << 16);
        metadata::fit_texts(&mut left, true);
        assert!(metadata::respects(&left, policy));
        metadata::extend_xmp(&mut left);
        assert!(metadata::respects(&left, policy));
    }
});
