// Copyright 2018 the Resvg Authors
// SPDX-License-Identifier: Apache-2.0 OR MIT

use crate::OptionLog;
use crate::filter::Blurs;

pub struct Context<'a> {
    pub max_bbox: tiny_skia::IntRect,
    pub blurs: &'a Blurs,
}

pub fn render_nodes(
    parent: &usvg::Group,
    ctx: &Context,
    transform: tiny_skia::Transform,
    pixmap: &mut tiny_skia::PixmapMut,
) {
    for node in parent.children() {
        render_node(node, ctx, transform, pixmap);
    }
}

pub fn render_node(
    node: &usvg::Node,
    ctx: &Context,
    transform: tiny_skia::Transform,
    pixmap: &mut tiny_skia::PixmapMut,
) {
    match node {
        usvg::Node::Group(group) => {
            render_group(group, ctx, transform, pixmap);
        }
        usvg::Node::Path(path) => {
            crate::path::render(
                path,
                tiny_skia::BlendMode::SourceOver,
                ctx,
                transform,
                pixmap,
            );
        }
        usvg::Node::Image(image) => {
            crate::image::render(image, transform, pixmap);
        }
        usvg::Node::Text(text) => {
            render_group(text.flattened(), ctx, transform, pixmap);
        }
    }
}

fn render_group(
    group: &usvg::Group,
    ctx: &Context,
    transform: tiny_skia::Transform,
    pixmap: &mut tiny_skia::PixmapMut,
) -> Option<()> {
    let transform = transform.pre_concat(group.transform());

    if !group.should_isolate() {
        render_nodes(group, ctx, transform, pixmap);
        return Some(());
    }

    let rest = if group.filters().is_empty() {
        tiny_skia::Transform::identity()
    } else {
        let sx = libm::hypotf(transform.sx, transform.ky);
        let sy = libm::hypotf(transform.kx, transform.sy);
        tiny_skia::Transform::from_row(
            transform.sx / sx,
            transform.ky / sx,
            transform.kx / sy,
            transform.sy / sy,
            0.0,
            0.0,
        )
    };
    let inv_rest = rest.invert()?;

    let max_bbox = ctx.max_bbox.to_rect().transform(inv_rest)?.round_out()?;
    let window = Window {
        width: pixmap.width(),
        rows: pixmap.rows(),
        transform: inv_rest,
    };
    let (layer, ibbox) =
        render_layer(group, &Context { max_bbox, ..*ctx }, inv_rest.pre_concat(transform), &window)?;

    let paint = tiny_skia::Paint {
        shader: tiny_skia::Pattern::new(
            layer.as_ref(),
            tiny_skia::SpreadMode::Pad,
            tiny_skia::FilterQuality::Bilinear,
            group.opacity().get(),
            tiny_skia::Transform::from_translate(ibbox.x() as f32, ibbox.y() as f32),
        ),
        blend_mode: convert_blend_mode(group.blend_mode()),
        anti_alias: true,
        ..tiny_skia::Paint::default()
    };
    let path = tiny_skia::PathBuilder::from_rect(ibbox.to_rect());
    pixmap.fill_path(&path, &paint, tiny_skia::FillRule::Winding, rest, None);

    Some(())
}

/// Renders an isolated group into a new layer, returning it and its position.
///
/// The layer stores the rows that are needed for `window`.
fn render_layer(
    group: &usvg::Group,
    ctx: &Context,
    transform: tiny_skia::Transform,
    window: &Window,
) -> Option<(tiny_skia::Pixmap, tiny_skia::IntRect)> {
    let bbox = group.layer_bounding_box().transform(transform)?;

    let mut ibbox = if group.filters().is_empty() {
        // Convert group bbox into an integer one, expanding each side outwards by 2px
        // to make sure that anti-aliased pixels would not be clipped.
        tiny_skia::IntRect::from_xywh(
            (bbox.x().floor() as i32).checked_sub(2)?,
            (bbox.y().floor() as i32).checked_sub(2)?,
            (bbox.width().ceil() as u32).checked_add(4)?,
            (bbox.height().ceil() as u32).checked_add(4)?,
        )?
    } else {
        // The bounding box for groups with filters is special and should not be expanded by 2px,
        // because it's already acting as a clipping region.
        let bbox = tiny_skia::IntRect::from_xywh(
            bbox.x().floor() as i32,
            bbox.y().floor() as i32,
            bbox.width().ceil().max(1.0) as u32,
            bbox.height().ceil().max(1.0) as u32,
        )?;
        // Make sure our filter region is not bigger than 4x the canvas size.
        // This is required mainly to prevent huge filter regions that would tank the performance.
        // It should not affect the final result in any way.
        crate::geom::fit_to_rect(bbox, ctx.max_bbox)?
    };

    // Make sure our layer is not bigger than 4x the canvas size.
    // This is required to prevent huge layers.
    if group.filters().is_empty() {
        ibbox = crate::geom::fit_to_rect(ibbox, ctx.max_bbox)?;
    }

    let shift_ts = {
        // Original shift.
        let mut dx = bbox.x();
        let mut dy = bbox.y();

        // Account for subpixel positioned layers.
        dx -= bbox.x() - ibbox.x() as f32;
        dy -= bbox.y() - ibbox.y() as f32;

        tiny_skia::Transform::from_translate(-dx, -dy)
    };

    let transform = shift_ts.pre_concat(transform);

    let layer = Layer {
        group,
        ctx,
        transform,
        size: (ibbox.width(), ibbox.height()),
    };
    let mut sub_pixmap = window
        .rows_of(ibbox)
        .and_then(|rows| layer.filtered(group.filters().len(), rows))
        .log_none(|| log::warn!("Failed to allocate a group layer for: {:?}.", ibbox))?;

    if let Some(clip_path) = group.clip_path() {
        crate::clip::apply(clip_path, transform, &mut sub_pixmap);
    }

    if let Some(mask) = group.mask() {
        crate::mask::apply(mask, ctx, transform, &mut sub_pixmap);
    }

    Some((sub_pixmap, ibbox))
}

/// An isolated group, which is drawn into a layer of its own.
struct Layer<'a> {
    group: &'a usvg::Group,
    ctx: &'a Context<'a>,
    transform: tiny_skia::Transform,
    size: (u32, u32),
}

impl Layer<'_> {
    /// Returns some rows of the group with its first filters.
    fn filtered(&self, filters: usize, rows: tiny_skia::Rows) -> Option<tiny_skia::Pixmap> {
        let Some(last) = filters.checked_sub(1) else {
            let mut pixmap = tiny_skia::Pixmap::with_rows(self.size.0, self.size.1, rows)?;
            render_nodes(self.group, self.ctx, self.transform, &mut pixmap.as_mut());
            return Some(pixmap);
        };
        let job = crate::filter::Job {
            filter: &self.group.filters()[last],
            ts: self.transform,
            size: self.size,
            source: &|rows| self.filtered(last, rows),
            blurs: self.ctx.blurs,
            key: (core::ptr::from_ref(self.group) as usize, last),
        };
        job.apply(rows)
    }
}

/// What a parent shows of its layers.
struct Window {
    width: u32,
    rows: tiny_skia::Rows,
    /// From the parent to a layer.
    transform: tiny_skia::Transform,
}

impl Window {
    /// Returns the rows of a layer that are needed for the stored rows of the parent, or `None` when there are none.
    fn rows_of(&self, ibbox: tiny_skia::IntRect) -> Option<tiny_skia::Rows> {
        // Anti-aliasing and bilinear sampling look at the neighbors of a pixel.
        const NEIGHBORS: f32 = 2.0;

        let shown = ibbox.to_rect().transform(self.transform.invert()?)?;
        let needed = tiny_skia::Rect::from_ltrb(
            shown.left().max(-NEIGHBORS),
            shown.top().max(self.rows.top() as f32 - NEIGHBORS),
            shown.right().min(self.width as f32 + NEIGHBORS),
            shown.bottom().min(self.rows.bottom() as f32 + NEIGHBORS),
        )?;
        let needed = needed.transform(self.transform)?;
        let within = |row: f32, more: f32| {
            (row + more - ibbox.y() as f32).clamp(0.0, ibbox.height() as f32) as u32
        };
        let rows = tiny_skia::Rows::new(
            within(needed.top().floor(), -NEIGHBORS),
            within(needed.bottom().ceil(), NEIGHBORS),
        );
        (!rows.is_empty()).then_some(rows)
    }
}

pub fn convert_blend_mode(mode: usvg::BlendMode) -> tiny_skia::BlendMode {
    match mode {
        usvg::BlendMode::Normal => tiny_skia::BlendMode::SourceOver,
        usvg::BlendMode::Multiply => tiny_skia::BlendMode::Multiply,
        usvg::BlendMode::Screen => tiny_skia::BlendMode::Screen,
        usvg::BlendMode::Overlay => tiny_skia::BlendMode::Overlay,
        usvg::BlendMode::Darken => tiny_skia::BlendMode::Darken,
        usvg::BlendMode::Lighten => tiny_skia::BlendMode::Lighten,
        usvg::BlendMode::ColorDodge => tiny_skia::BlendMode::ColorDodge,
        usvg::BlendMode::ColorBurn => tiny_skia::BlendMode::ColorBurn,
        usvg::BlendMode::HardLight => tiny_skia::BlendMode::HardLight,
        usvg::BlendMode::SoftLight => tiny_skia::BlendMode::SoftLight,
        usvg::BlendMode::Difference => tiny_skia::BlendMode::Difference,
        usvg::BlendMode::Exclusion => tiny_skia::BlendMode::Exclusion,
        usvg::BlendMode::Hue => tiny_skia::BlendMode::Hue,
        usvg::BlendMode::Saturation => tiny_skia::BlendMode::Saturation,
        usvg::BlendMode::Color => tiny_skia::BlendMode::Color,
        usvg::BlendMode::Luminosity => tiny_skia::BlendMode::Luminosity,
        usvg::BlendMode::PlusLighter => tiny_skia::BlendMode::Plus,
    }
}

#[cfg(test)]
mod tests {

    // Derived from https://github.com/servo/servo/issues/42258.
    #[test]
    fn filter_bbox_outside_int_rect() {
        let svg = r#"<svg filter="url(#f)"><filter id="f" x="2em"><feFlood/></filter><path d="M0 0H1e8V1"/></svg>"#;
        let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).unwrap();
        let mut pixmap = tiny_skia::Pixmap::new(1, 1).unwrap();

        // Just make sure we don't panic.
        crate::render(
            &tree,
            tiny_skia::Transform::identity(),
            &mut pixmap.as_mut(),
        );
    }
}
