//! Tests of rewritten metadata, from block to block.

#![allow(clippy::unwrap_used, reason = "a failed call fails the test")]

mod exif;
mod tiff;
mod xmp;

use metadata::{Picture, Policy, apply, respects, surely_respects};
use raster::{Metadata, Orientation, Size};

#[test]
fn parts_that_are_not_read_stay_only_if_all_stays() {
    let unread = Metadata { unread: true, ..Metadata::default() };
    let picture = Picture { size: Size::new(40, 30), orientation: Orientation::Upright, is_converted: false };
    for policy in Policy::ALL {
        let is_allowed = policy == Policy::Everything;
        assert_eq!(apply(&unread, policy, picture).metadata.unread, is_allowed, "{policy:?}");
        let allows = [respects(&unread, policy), surely_respects(&unread, policy)];
        assert_eq!(allows, [is_allowed; 2], "{policy:?}");
    }
}
