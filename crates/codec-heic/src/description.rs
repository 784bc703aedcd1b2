//! What a picture is, by its parameter sets.

use heif::Description;
use heifer_hevc_dec::params::Sps;
use isobmff::CodePoints;
use raster::Size;
use yuv::{Sampling, Siting};

use crate::parameter_sets::Configuration;

/// Describes a picture by the parameter sets in its configuration.
pub(crate) fn describe(configuration: &[u8], _: &[u8]) -> Option<Description> {
    let sps = Configuration::read(configuration)?.sequence()?;
    if sps.bit_depth_luma != sps.bit_depth_chroma || sps.separate_colour_plane_flag {
        return None;
    }
    let (width, height) = sps.output_size();
    Some(Description {
        size: Size::new(width, height),
        depth: sps.bit_depth_luma,
        sampling: sampling(sps.chroma_format_idc),
        // The place of chroma where a stream does not state it (H.265, E.3.1). No encoder of pictures states it.
        siting: Siting::Left,
        code_points: code_points(&sps),
    })
}

/// Returns how many chroma samples there are.
pub(crate) const fn sampling(chroma_format: u8) -> Sampling {
    match chroma_format {
        0 => Sampling::Gray,
        1 => Sampling::Half,
        2 => Sampling::Columns,
        _ => Sampling::Full,
    }
}

fn code_points(sps: &Sps) -> CodePoints {
    let vui = sps.vui.as_ref();
    let number = |number: Option<u8>| u16::from(number.unwrap_or(2));
    CodePoints {
        primaries: number(vui.map(|vui| vui.colour_primaries)),
        transfer: number(vui.map(|vui| vui.transfer_characteristics)),
        matrix: number(vui.map(|vui| vui.matrix_coeffs)),
        is_full_range: vui.is_some_and(|vui| vui.video_full_range_flag),
    }
}

/// Returns the bytes that decoding takes: two of each sample, once more while margins are cut off, and what the decoder
/// notes about blocks. Photographs without margins take 4.1 bytes a pixel at 4:2:0 and 7.1 at 4:4:4 (tests/it/made.rs).
pub(crate) fn working_set(description: &Description, size: Size, _: bool) -> u64 {
    // Samples in two pixels.
    let samples = match description.sampling {
        Sampling::Gray => 2,
        Sampling::Half => 3,
        Sampling::Columns => 4,
        Sampling::Full => 6,
    };
    size.area().saturating_mul(2 * samples + 2).saturating_add(1 << 20)
}
