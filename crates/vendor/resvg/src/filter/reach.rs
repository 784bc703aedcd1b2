// Added to resvg; see vendor/README.md.

use usvg::filter::{EdgeMode, Filter, Kind};

/// Rows beyond which the state of the recursive blur, used for small deviations, has no influence.
const RECURSIVE_BLUR: f32 = 64.0;

/// Returns how many rows above and below a row of its result a filter looks at, or `None` when it is all of them.
///
/// `ts` is the transform of the filtered group.
pub fn reach(filter: &Filter, ts: tiny_skia::Transform) -> Option<u32> {
    let (_, sy) = ts.get_scale();
    let mut rows = 0.0;
    for primitive in filter.primitives() {
        rows += match primitive.kind() {
            Kind::GaussianBlur(fe) => blur(fe.std_dev_y().get() * sy),
            Kind::DropShadow(fe) => blur(fe.std_dev_y().get() * sy) + (fe.dy() * sy).abs() + 1.0,
            Kind::Offset(fe) => (fe.dy() * sy).abs() + 1.0,
            Kind::Morphology(fe) => fe.radius_y().get() * sy + 1.0,
            Kind::DisplacementMap(fe) => (fe.scale() * fe.scale() * sy).abs() + 1.0,
            Kind::ConvolveMatrix(fe) if fe.edge_mode() == EdgeMode::Wrap => return None,
            Kind::ConvolveMatrix(fe) => fe.matrix().rows() as f32,
            Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => 1.0,
            Kind::Tile(_) => return None,
            Kind::Blend(_)
            | Kind::ColorMatrix(_)
            | Kind::ComponentTransfer(_)
            | Kind::Composite(_)
            | Kind::Flood(_)
            | Kind::Image(_)
            | Kind::Merge(_)
            | Kind::Turbulence(_) => 0.0,
        };
    }
    Some(rows.ceil() as u32)
}

/// Five boxes have the deviation of a blur, and together about four times as many rows on each side.
fn blur(std_dev: f32) -> f32 {
    if std_dev < 2.0 {
        RECURSIVE_BLUR
    } else {
        4.0 * std_dev + 8.0
    }
}
