//! What drawing a document costs, told before anything is drawn: the renderer allocates and repeats as the document
//! asks for. The figures are upper bounds and follow from how `resvg` works: isolated groups, masks and clip paths are
//! drawn into layers of their own, which reach up to two canvases beyond each side of the canvas.

use resvg::tiny_skia::{NonZeroRect, Transform};
use resvg::usvg::filter::{Filter, Kind};
use resvg::usvg::{ClipPath, Group, ImageKind, Mask, Node, Paint, Path, Pattern};

/// How many times larger than the canvas a layer may be, on each side.
const LAYER: f64 = 5.0;

/// Levels of layers that are drawn rightly on a canvas which begins below the top of the picture. The renderer bounds
/// the layers within a layer by the wrong origin.
const LEVELS: u32 = 2;

/// Bytes of a pixel.
const PIXEL: f64 = 4.0;

/// Steps of counting, against documents that refer to parts of themselves again and again.
const MAX_STEPS: u64 = 2_000_000;

/// What drawing costs. Numbers are floats, because hostile documents ask for more than integers hold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// Bytes at once, besides the canvas.
    pub(crate) memory: f64,
    /// Operations on pixels.
    pub(crate) work: f64,
    /// How far above or below itself a pixel is seen, in pixels: what blurs and shadows need of their surroundings.
    pub(crate) reach: f64,
    /// Whether the picture can be drawn piece by piece.
    pub(crate) divides: bool,
}

impl Cost {
    const NONE: Self = Self { memory: 0.0, work: 0.0, reach: 0.0, divides: true };

    /// Both, one after the other.
    fn and(self, other: Self) -> Self {
        Self {
            memory: self.memory.max(other.memory),
            work: self.work + other.work,
            reach: self.reach.max(other.reach),
            divides: self.divides && other.divides,
        }
    }

    /// Both, the first while the second is held.
    fn within(self, outer: Self) -> Self {
        Self { memory: self.memory + outer.memory, ..self.and(outer) }
    }

    fn pixels(area: f64, memory: f64, work: f64) -> Self {
        Self { memory: area * memory, work: area * work, ..Self::NONE }
    }
}

/// Counts for one canvas.
pub(crate) struct Counter {
    width: f64,
    height: f64,
    steps: u64,
}

impl Counter {
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self { width: width.into(), height: height.into(), steps: 0 }
    }

    /// The cost of drawing a tree; nothing where it cannot be told in bounded time.
    pub(crate) fn tree(&mut self, root: &Group, transform: Transform) -> Option<Cost> {
        let cost = self.group(root, transform, 0);
        (self.steps < MAX_STEPS).then_some(cost)
    }

    fn group(&mut self, group: &Group, transform: Transform, level: u32) -> Cost {
        self.steps += 1;
        if self.steps >= MAX_STEPS {
            return Cost::NONE;
        }
        let transform = transform.pre_concat(group.transform());
        if !group.should_isolate() {
            return self.children(group, transform, level);
        }
        let area = self.layer_area(group.layer_bounding_box(), transform);
        let mut layer = Cost::pixels(area, PIXEL, 4.0);
        layer.divides = level < LEVELS;
        let mut inside = self.children(group, transform, level + 1);
        for filter in group.filters() {
            let cost = self.filter(filter, transform, area, level);
            inside = Cost { reach: inside.reach + cost.reach, ..inside.and(cost) };
        }
        if let Some(clip) = group.clip_path() {
            inside = inside.and(self.clip_path(clip, transform, area));
        }
        if let Some(mask) = group.mask() {
            inside = inside.and(self.mask(mask, transform, area, level + 1));
        }
        inside.within(layer)
    }

    fn children(&mut self, group: &Group, transform: Transform, level: u32) -> Cost {
        group.children().iter().fold(Cost::NONE, |cost, node| {
            let child = match node {
                Node::Group(group) => self.group(group, transform, level),
                Node::Path(path) => self.path(path, transform, level),
                Node::Text(text) => self.group(text.flattened(), transform, level),
                Node::Image(image) => self.image(image.kind(), transform),
            };
            cost.and(child)
        })
    }

    /// The pixels of a layer for a rectangle.
    fn layer_area(&self, rect: NonZeroRect, transform: Transform) -> f64 {
        let Some(rect) = rect.transform(transform) else { return 0.0 };
        let side = |length: f32, canvas: f64| (f64::from(length) + 5.0).min(canvas * LAYER);
        side(rect.width(), self.width) * side(rect.height(), self.height)
    }

    fn path(&mut self, path: &Path, transform: Transform, level: u32) -> Cost {
        self.steps += 1;
        let bounds = path.bounding_box().transform(transform);
        let seen = bounds
            .map_or(0.0, |rect| f64::from(rect.width()).min(self.width) * f64::from(rect.height()).min(self.height));
        let points = path.data().len() as f64;
        let mut cost = Cost { work: 4.0 * seen + 20.0 * points, memory: 64.0 * points, ..Cost::NONE };
        let paints = [path.fill().map(|fill| fill.paint()), path.stroke().map(|stroke| stroke.paint())];
        for paint in paints.into_iter().flatten() {
            if let Paint::Pattern(pattern) = paint {
                cost = cost.and(self.pattern(pattern, transform, level));
            }
        }
        cost
    }

    /// A cell is drawn on a canvas of its own and then repeated.
    fn pattern(&mut self, pattern: &Pattern, transform: Transform, level: u32) -> Cost {
        let (sx, sy) = transform.pre_concat(pattern.transform()).get_scale();
        let (width, height) = (f64::from(pattern.rect().width() * sx), f64::from(pattern.rect().height() * sy));
        let cell = Cost::pixels(width * height, PIXEL, 1.0);
        let mut inside = self.children(pattern.root(), Transform::from_scale(sx, sy), level);
        // Layers in a cell are bounded by the canvas of the picture.
        inside.divides &= height <= 2.0 * self.height || !has_layers(pattern.root());
        inside.within(cell)
    }

    fn clip_path(&mut self, clip: &ClipPath, transform: Transform, area: f64) -> Cost {
        self.steps += 1;
        let own = Cost::pixels(area, 2.0 * PIXEL + 1.0, 4.0);
        let inside = self.children(clip.root(), transform.pre_concat(clip.transform()), LEVELS);
        let inside = Cost { divides: true, ..inside };
        let outer = clip.clip_path().map_or(Cost::NONE, |clip| self.clip_path(clip, transform, area));
        inside.and(outer).within(own)
    }

    fn mask(&mut self, mask: &Mask, transform: Transform, area: f64, level: u32) -> Cost {
        self.steps += 1;
        let own = Cost::pixels(area, PIXEL + 2.0, 6.0);
        let inside = self.children(mask.root(), transform, level);
        let outer = mask.mask().map_or(Cost::NONE, |mask| self.mask(mask, transform, area, level));
        inside.and(outer).within(own)
    }

    fn image(&mut self, kind: &ImageKind, transform: Transform) -> Cost {
        self.steps += 1;
        let bytes = match kind {
            ImageKind::SVG(tree) => {
                let layer = Cost::pixels(self.width * self.height * LAYER, PIXEL, 4.0);
                return self.group(tree.root(), transform, 1).within(layer);
            }
            ImageKind::JPEG(bytes) | ImageKind::PNG(bytes) | ImageKind::GIF(bytes) | ImageKind::WEBP(bytes) => bytes,
        };
        let area = imagesize::blob_size(bytes).map_or(0.0, |size| size.width as f64 * size.height as f64);
        // The pixels, and twice as many bytes while they are decoded.
        Cost::pixels(area, 3.0 * PIXEL, 20.0)
    }

    fn filter(&mut self, filter: &Filter, transform: Transform, area: f64, level: u32) -> Cost {
        let (_, sy) = transform.get_scale();
        let sy = f64::from(sy).max(f64::from(transform.get_scale().0));
        let mut all = Cost::pixels(area, PIXEL * (filter.primitives().len() as f64 + 3.0), 10.0);
        for primitive in filter.primitives() {
            self.steps += 1;
            let (work, reach, divides) = match primitive.kind() {
                Kind::GaussianBlur(blur) => (40.0, 3.0 * f64::from(blur.std_dev_y().get()) * sy + 32.0, true),
                Kind::DropShadow(shadow) => {
                    let blur = 3.0 * f64::from(shadow.std_dev_y().get()) + f64::from(shadow.dy()).abs();
                    (60.0, blur * sy + 32.0, true)
                }
                Kind::Offset(offset) => (2.0, f64::from(offset.dy()).abs() * sy + 1.0, true),
                Kind::Morphology(morphology) => {
                    let side = |radius: f32| 2.0 * f64::from(radius) * sy + 1.0;
                    let (x, y) = (side(morphology.radius_x().get()), side(morphology.radius_y().get()));
                    (x.min(self.width * LAYER) * y.min(self.height * LAYER), y, true)
                }
                Kind::ConvolveMatrix(convolve) => {
                    let (columns, rows) = (f64::from(convolve.matrix().columns()), f64::from(convolve.matrix().rows()));
                    (10.0 * columns * rows, rows, true)
                }
                Kind::DisplacementMap(map) => (10.0, f64::from(map.scale()).abs() * sy, true),
                Kind::Turbulence(turbulence) => (200.0 * (1.0 + f64::from(turbulence.num_octaves())), 0.0, true),
                Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => (100.0, 2.0, true),
                Kind::Image(image) => {
                    all = all.and(self.group(image.root(), transform, level + 1));
                    (10.0, 0.0, false)
                }
                Kind::Tile(_) => (10.0, 0.0, false),
                _ => (10.0, 0.0, true),
            };
            all.work += work * area;
            all.reach += reach;
            // The renderer rounds regions to pixels and turns layers, both from where a layer begins.
            all.divides &= divides && primitive.rect() == filter.rect() && !transform.has_skew();
        }
        all
    }
}

/// Whether anything in a group is drawn into a layer.
fn has_layers(group: &Group) -> bool {
    group.should_isolate()
        || group.children().iter().any(|node| match node {
            Node::Group(group) => has_layers(group),
            Node::Text(text) => has_layers(text.flattened()),
            Node::Path(_) | Node::Image(_) => false,
        })
}
