//! What drawing a document costs, told before anything is drawn: the renderer allocates and repeats as the document
//! asks for. The figures are upper bounds and follow from how `resvg` works: isolated groups, masks and clip paths are
//! drawn into layers of their own, which reach up to two canvases beyond each side of the canvas.

use raster::Size;
use resvg::FilterPlan;
use resvg::tiny_skia::{Rows, Transform};
use resvg::usvg::filter::Kind;
use resvg::usvg::{ClipPath, Group, ImageKind, Mask, Node, Paint, Path, Pattern, Stroke};

/// How many times larger than the canvas a layer may be, on each side.
const LAYER: f64 = 5.0;

/// Bytes of a pixel.
const PIXEL: f64 = 4.0;

/// The most dashes of a stroke, the bytes that one takes, and its operations.
const MAX_DASHES: f64 = 1e6;
const DASH: f64 = 600.0;
const DASH_WORK: f64 = 2000.0;

/// Filters of an element. Each is applied by a call within that of the next one.
const MAX_FILTERS: usize = 50;

/// Steps of counting, against documents that refer to parts of themselves again and again.
const MAX_STEPS: u64 = 2_000_000;

/// What drawing costs. Numbers are floats, because hostile documents ask for more than integers hold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Bytes at once, besides the canvas.
    pub(crate) memory: f64,
    /// Operations on pixels, for each canvas.
    pub(crate) work: f64,
    /// Operations for the smaller pictures of large blurs, which later canvases have from the first.
    pub(crate) once: f64,
    /// Bytes of these pictures.
    pub(crate) kept: f64,
}

impl Cost {
    const NONE: Self = Self { memory: 0.0, work: 0.0, once: 0.0, kept: 0.0 };

    /// Both, one after the other.
    fn and(self, other: Self) -> Self {
        Self {
            memory: self.memory.max(other.memory),
            work: self.work + other.work,
            once: self.once + other.once,
            kept: self.kept + other.kept,
        }
    }

    /// Both, the first while the second is held.
    fn within(self, outer: Self) -> Self {
        Self { memory: self.memory + outer.memory, ..self.and(outer) }
    }

    /// Each pixel of a gradient is compared with each of its stops.
    fn stops(stops: usize, pixels: f64) -> Self {
        Self { work: stops as f64 * pixels, ..Self::NONE }
    }

    fn pixels(area: f64, memory: f64, work: f64) -> Self {
        Self { memory: area * memory, work: area * work, ..Self::NONE }
    }

    /// The cost of drawing that many times what is then kept for all canvases.
    fn kept(self, times: f64) -> Self {
        Self { work: 0.0, once: self.once + times * self.work, ..self }
    }
}

/// The points of a path and the lines between them. Curves are shorter than those.
struct Outline {
    points: f64,
    /// In units of the path.
    length: f64,
    /// Rows on which lines are, counted once for each line.
    line_rows: f64,
}

impl Outline {
    fn new(path: &Path, transform: Transform) -> Self {
        let points = path.data().points();
        let mut outline = Self { points: points.len() as f64, length: 0.0, line_rows: 0.0 };
        for pair in points.windows(2) {
            let (x, y) = (f64::from(pair[1].x - pair[0].x), f64::from(pair[1].y - pair[0].y));
            outline.length += x.abs() + y.abs();
            let rows = f64::from(transform.ky) * x + f64::from(transform.sy) * y;
            outline.line_rows += rows.abs();
        }
        outline
    }

    /// What finding the pixels within costs, when the path has so many rows and the canvas that many: steps along each
    /// line, and lines that change places, as often as they lie side by side.
    fn work(&self, height: f64, canvas: f64) -> f64 {
        let side_by_side = self.line_rows / height.max(1.0);
        20.0 * (self.points + side_by_side * height.min(canvas) * 4.0) + 5.0 * self.points * side_by_side
    }

    /// The dashes of its stroke. `tiny-skia` draws lines without dashes where there are more.
    fn dashes(&self, stroke: &Stroke) -> f64 {
        let Some(lengths) = stroke.dasharray() else { return 0.0 };
        let period: f64 = lengths.iter().map(|&length| f64::from(length)).sum();
        (self.length / period * lengths.len() as f64).min(MAX_DASHES)
    }
}

/// Counts for one canvas.
pub(crate) struct Counter {
    width: f64,
    height: f64,
    /// The rows of the canvas that are stored.
    rows: f64,
    steps: u64,
}

impl Counter {
    pub(crate) fn new(canvas: Size, rows: u32) -> Self {
        Self { width: canvas.width.into(), height: canvas.height.into(), rows: rows.into(), steps: 0 }
    }

    /// The cost of drawing a tree; nothing where it cannot be told in bounded time.
    pub(crate) fn tree(&mut self, root: &Group, transform: Transform) -> Option<Cost> {
        let cost = self.group(root, transform, self.rows);
        (self.steps < MAX_STEPS).then_some(cost)
    }

    /// `rows` are those that the parent stores.
    fn group(&mut self, group: &Group, transform: Transform, rows: f64) -> Cost {
        self.steps += 1;
        if self.steps >= MAX_STEPS {
            return Cost::NONE;
        }
        let transform = transform.pre_concat(group.transform());
        if !group.should_isolate() {
            return self.children(group, transform, rows);
        }
        let layer = self.layer(group, transform, rows);
        let Layer { rows, .. } = layer;
        let area = layer.width * rows;
        let mut inside = self.filtered(&layer, group.filters().len(), rows);
        if let Some(clip) = group.clip_path() {
            inside = inside.and(self.clip_path(clip, transform, area, rows));
        }
        if let Some(mask) = group.mask() {
            inside = inside.and(self.mask(mask, transform, area, rows));
        }
        inside.within(Cost::pixels(area, PIXEL, 4.0))
    }

    fn children(&mut self, group: &Group, transform: Transform, rows: f64) -> Cost {
        group.children().iter().fold(Cost::NONE, |cost, node| {
            let child = match node {
                Node::Group(group) => self.group(group, transform, rows),
                Node::Path(path) => self.path(path, transform),
                Node::Text(text) => self.group(text.flattened(), transform, rows),
                Node::Image(image) => self.image(image.kind(), transform, rows),
            };
            cost.and(child)
        })
    }

    /// The layer of a group, when the parent stores that many rows.
    fn layer<'g>(&self, group: &'g Group, transform: Transform, rows: f64) -> Layer<'g> {
        let bounds = group.layer_bounding_box();
        let turned = if group.filters().is_empty() { Turn::of(Transform::identity()) } else { Turn::of(transform) };
        let upright = if group.filters().is_empty() {
            bounds.transform(transform).map(|rect| (rect.width(), rect.height()))
        } else {
            let (sx, sy) = transform.get_scale();
            Some((bounds.width() * sx, bounds.height() * sy))
        };
        let (width, height) = upright.unwrap_or_default();
        let side = |length: f32, canvas: f64| (f64::from(length) + 5.0).min(canvas * LAYER);
        let most = self.width.max(self.height);
        let (canvas_width, canvas_height) =
            if turned.is_upright() { (self.width, self.height) } else { (2.0 * most, 2.0 * most) };
        let (width, height) = (side(width, canvas_width), side(height, canvas_height));
        let shown = bounds.transform(transform).map_or(0.0, |rect| f64::from(rect.width())).min(self.width);
        Layer { group, transform, width, height, rows: height.min(turned.rows(shown, rows) + 8.0).ceil() }
    }

    /// The cost of some rows of a layer with its first filters.
    fn filtered(&mut self, layer: &Layer<'_>, filters: usize, rows: f64) -> Cost {
        self.steps += 1;
        if self.steps >= MAX_STEPS || filters > MAX_FILTERS {
            self.steps = MAX_STEPS;
            return Cost::NONE;
        }
        let Some(last) = filters.checked_sub(1) else {
            let own = Cost::pixels(layer.width * rows, PIXEL, 4.0);
            return self.children(layer.group, layer.transform, rows).within(own);
        };
        let filter = &layer.group.filters()[last];
        let (transform, height) = (layer.transform, layer.height as u32);
        let plan = FilterPlan::of_result(filter, transform, height, layer.middle(rows));
        let mut cost = self.planned(layer, last, &plan);
        let chunk = f64::from(resvg::chunk_rows(layer.width as u32)).min(layer.height);
        for (i, primitive) in filter.primitives().iter().enumerate() {
            let Some((across, down)) = resvg::blur_factors(primitive.kind(), transform) else { continue };
            let plan = FilterPlan::of_input(filter, i, transform, height, layer.middle(chunk));
            let chunks = self.planned(layer, last, &plan).within(Cost::pixels(layer.width * chunk, 3.0 * PIXEL, 30.0));
            let cells = (layer.width / f64::from(across) + 1.0) * (layer.height / f64::from(down) + 1.0);
            let blur = Cost::pixels(cells, PIXEL, 200.0);
            cost = cost.and(chunks.kept(layer.height / chunk)).and(blur.kept(1.0));
            cost.kept += cells * 2.0 * PIXEL;
        }
        cost
    }

    /// The cost of the results of a filter, as they are planned.
    fn planned(&mut self, layer: &Layer<'_>, number: usize, plan: &FilterPlan) -> Cost {
        let filter = &layer.group.filters()[number];
        let source = plan.source.map_or(0.0, |rows| f64::from(rows.len()));
        let drawn = if source > 0.0 { self.filtered(layer, number, source) } else { Cost::NONE };
        let (mut all, mut held, mut most) = (Cost::NONE, 0.0, 0.0_f64);
        for (i, (primitive, step)) in filter.primitives().iter().zip(&plan.steps).enumerate() {
            self.steps += 1;
            let Some(step) = step else { continue };
            let (input, result) = (f64::from(step.input.len()), f64::from(step.result.len()));
            let area = layer.width * if step.is_reduced { result } else { input.max(result) };
            if let Kind::Image(image) = primitive.kind() {
                all = all.and(self.group(image.root(), layer.transform, result));
            }
            all.work += area * work(primitive.kind());
            held += layer.width * result * PIXEL;
            most = most.max(held + area * (2.0 * PIXEL + working(primitive.kind(), step.is_reduced)));
            let unused = plan.steps[..=i].iter().flatten().filter(|step| step.last_use == i);
            held -= unused.map(|step| layer.width * f64::from(step.result.len()) * PIXEL).sum::<f64>();
        }
        let source = Cost::pixels(layer.width * source, PIXEL, 0.0);
        let results = Cost { memory: most, ..Cost::NONE };
        drawn.and(all.within(results).within(source))
    }

    fn path(&mut self, path: &Path, transform: Transform) -> Cost {
        self.steps += 1;
        let bounds = path.stroke_bounding_box().transform(transform);
        let (width, height) = bounds.map_or((0.0, 0.0), |rect| (f64::from(rect.width()), f64::from(rect.height())));
        let seen = width.min(self.width) * height.min(self.rows);
        let outline = Outline::new(path, transform);
        let work = 4.0 * seen + outline.work(height, self.height);
        let mut cost = Cost { work, memory: 64.0 * outline.points, ..Cost::NONE };
        if let Some(stroke) = path.stroke() {
            let dashes = outline.dashes(stroke);
            cost = cost.and(Cost { work: DASH_WORK * dashes, memory: DASH * dashes, ..Cost::NONE });
        }
        let paints = [path.fill().map(|fill| fill.paint()), path.stroke().map(|stroke| stroke.paint())];
        for paint in paints.into_iter().flatten() {
            cost = cost.and(match paint {
                Paint::Color(_) => Cost::NONE,
                Paint::LinearGradient(gradient) => Cost::stops(gradient.stops().len(), seen),
                Paint::RadialGradient(gradient) => Cost::stops(gradient.stops().len(), seen),
                Paint::Pattern(pattern) => self.pattern(pattern, transform),
            });
        }
        cost
    }

    /// A cell is drawn on a canvas of its own and then repeated.
    fn pattern(&mut self, pattern: &Pattern, transform: Transform) -> Cost {
        let (sx, sy) = transform.pre_concat(pattern.transform()).get_scale();
        let (width, height) = (f64::from(pattern.rect().width() * sx), f64::from(pattern.rect().height() * sy));
        let cell = Cost::pixels(width * height, PIXEL, 1.0);
        self.children(pattern.root(), Transform::from_scale(sx, sy), height).within(cell)
    }

    fn clip_path(&mut self, clip: &ClipPath, transform: Transform, area: f64, rows: f64) -> Cost {
        self.steps += 1;
        let own = Cost::pixels(area, 2.0 * PIXEL + 1.0, 4.0);
        let inside = self.children(clip.root(), transform.pre_concat(clip.transform()), rows);
        let outer = clip.clip_path().map_or(Cost::NONE, |clip| self.clip_path(clip, transform, area, rows));
        inside.and(outer).within(own)
    }

    fn mask(&mut self, mask: &Mask, transform: Transform, area: f64, rows: f64) -> Cost {
        self.steps += 1;
        let own = Cost::pixels(area, PIXEL + 2.0, 6.0);
        let inside = self.children(mask.root(), transform, rows);
        let outer = mask.mask().map_or(Cost::NONE, |mask| self.mask(mask, transform, area, rows));
        inside.and(outer).within(own)
    }

    fn image(&mut self, kind: &ImageKind, transform: Transform, rows: f64) -> Cost {
        self.steps += 1;
        let bytes = match kind {
            ImageKind::SVG(tree) => {
                let layer = Cost::pixels(self.width * rows, PIXEL, 4.0);
                return self.group(tree.root(), transform, rows).within(layer);
            }
            ImageKind::JPEG(bytes) | ImageKind::PNG(bytes) | ImageKind::GIF(bytes) | ImageKind::WEBP(bytes) => bytes,
        };
        let area = imagesize::blob_size(bytes).map_or(0.0, |size| size.width as f64 * size.height as f64);
        // The pixels, and twice as many bytes while they are decoded.
        Cost::pixels(area, 3.0 * PIXEL, 20.0)
    }
}

/// The layer of a group.
struct Layer<'g> {
    group: &'g Group,
    transform: Transform,
    width: f64,
    height: f64,
    /// The rows that the parent shows.
    rows: f64,
}

impl Layer<'_> {
    /// So many rows in the middle of the layer.
    fn middle(&self, rows: f64) -> Rows {
        let rows = rows.min(self.height);
        let top = ((self.height - rows) / 2.0) as u32;
        Rows::new(top, top + (rows as u32).max(1))
    }
}

/// How a filtered group is turned: its layer is upright.
struct Turn {
    /// Rows of the layer for each column and each row of the parent.
    across: f64,
    down: f64,
}

impl Turn {
    fn of(transform: Transform) -> Self {
        let (sx, sy) = transform.get_scale();
        let Transform { sx: a, ky: b, kx: c, sy: d, .. } = transform;
        let turn = Transform::from_row(a / sx, b / sx, c / sy, d / sy, 0.0, 0.0);
        let back = turn.invert().unwrap_or_default();
        Self { across: f64::from(back.ky.abs()), down: f64::from(back.sy.abs()) }
    }

    fn is_upright(&self) -> bool {
        self.across == 0.0
    }

    /// The rows of the layer that are shown on so many columns and rows of the parent.
    fn rows(&self, columns: f64, rows: f64) -> f64 {
        self.across * columns + self.down * rows
    }
}

/// Operations on each pixel.
fn work(kind: &Kind) -> f64 {
    match kind {
        Kind::GaussianBlur(_) => 200.0,
        Kind::DropShadow(_) => 220.0,
        Kind::Morphology(_) => 60.0,
        Kind::Offset(_) => 2.0,
        Kind::ConvolveMatrix(fe) => 10.0 * f64::from(fe.matrix().columns()) * f64::from(fe.matrix().rows()),
        Kind::Turbulence(fe) => 200.0 * (1.0 + f64::from(fe.num_octaves())),
        Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => 100.0,
        _ => 10.0,
    }
}

/// Bytes for each pixel, besides an input and the result.
fn working(kind: &Kind, is_reduced: bool) -> f64 {
    match kind {
        _ if is_reduced => PIXEL,
        // The small blur takes numbers of 64 bits for a channel.
        Kind::GaussianBlur(_) | Kind::DropShadow(_) => 3.0 * PIXEL,
        _ => PIXEL,
    }
}
