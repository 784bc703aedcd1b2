// Added to resvg; see vendor/README.md.

use tiny_skia::{Rows, Transform};
use usvg::filter::{EdgeMode, Filter, Input, Kind, Primitive};

use super::reduced;

/// Rows beyond which the state of the recursive blur, used for small deviations, has no influence.
const RECURSIVE_BLUR: f32 = 64.0;

/// The rows that are computed of each result of a filter, in coordinates of the filter region.
///
/// A result has the rows that later primitives read, and no others.
pub struct Plan {
    height: u32,
    /// The rows of the filtered layer that are read, or none.
    pub source: Option<Rows>,
    /// What is computed for each primitive, or nothing where nothing reads the result.
    pub steps: Vec<Option<Step>>,
}

/// What is computed for a primitive.
#[derive(Clone, Copy)]
pub struct Step {
    /// The rows of the inputs.
    pub input: Rows,
    /// The rows of the result.
    pub result: Rows,
    /// The number of the last primitive that reads the result.
    pub last_use: usize,
    /// Whether the blur is that of a smaller picture, which must exist before.
    pub is_reduced: bool,
}

impl Plan {
    /// Plans some rows of the result of a filter. `ts` is the transform of the filtered group.
    pub fn of_result(filter: &Filter, ts: Transform, height: u32, rows: Rows) -> Self {
        let primitives = filter.primitives();
        let mut plan = Plan::empty(height);
        plan.steps.resize(primitives.len(), None);
        if let Some(last) = primitives.len().checked_sub(1) {
            plan.need(last, rows, last);
        }
        plan.need_inputs(primitives, ts);
        plan
    }

    /// Plans some rows of the inputs of a primitive.
    pub fn of_input(filter: &Filter, primitive: usize, ts: Transform, height: u32, rows: Rows) -> Self {
        let primitives = &filter.primitives()[..=primitive];
        let mut plan = Plan::empty(height);
        plan.steps.resize(primitive, None);
        for input in inputs(&primitives[primitive]) {
            plan.need_input(primitives, input, rows, primitive);
        }
        plan.need_inputs(primitives, ts);
        plan
    }

    fn empty(height: u32) -> Self {
        Plan {
            height,
            source: None,
            steps: Vec::new(),
        }
    }

    /// From the last primitive to the first, plans the inputs of all whose result is needed.
    fn need_inputs(&mut self, primitives: &[Primitive], ts: Transform) {
        for i in (0..self.steps.len()).rev() {
            let Some(step) = self.steps[i] else {
                continue;
            };
            let is_reduced = reduced::factors(primitives[i].kind(), ts).is_some();
            let input = self.input_rows(primitives[i].kind(), ts, step.result, is_reduced);
            self.steps[i] = Some(Step {
                input,
                is_reduced,
                ..step
            });
            if is_reduced && !matches!(primitives[i].kind(), Kind::DropShadow(_)) {
                continue;
            }
            for name in inputs(&primitives[i]) {
                self.need_input(&primitives[..i], name, input, i);
            }
        }
    }

    /// Adds rows of an input of the primitive `user`. `primitives` has all before it.
    fn need_input(&mut self, primitives: &[Primitive], input: &Input, rows: Rows, user: usize) {
        let result = match input {
            Input::Reference(name) => find(&primitives[..primitives.len().min(user)], name),
            _ => None,
        };
        match result {
            Some(result) => self.need(result, rows, user),
            None => self.source = Some(self.source.map_or(rows, |old| old.union(&rows))),
        }
    }

    /// Adds rows of a result that the primitive `user` reads.
    fn need(&mut self, primitive: usize, rows: Rows, user: usize) {
        let old = self.steps[primitive];
        self.steps[primitive] = Some(Step {
            input: rows,
            result: old.map_or(rows, |old| old.result.union(&rows)),
            last_use: old.map_or(user, |old| old.last_use.max(user)),
            is_reduced: false,
        });
    }

    /// Returns the rows of the inputs that a primitive looks at for rows of its result.
    fn input_rows(&self, kind: &Kind, ts: Transform, rows: Rows, is_reduced: bool) -> Rows {
        let (_, sy) = ts.get_scale();
        let moved = |dy: f32| (dy * sy) as i32;
        match kind {
            Kind::DropShadow(_) if is_reduced => rows,
            Kind::GaussianBlur(fe) => around(rows, 0, blur(fe.std_dev_y().get() * sy), self.height),
            Kind::DropShadow(fe) => {
                let shadow = around(rows, moved(fe.dy()), blur(fe.std_dev_y().get() * sy), self.height);
                shadow.union(&rows)
            }
            Kind::Offset(fe) => around(rows, moved(fe.dy()), 1.0, self.height),
            Kind::Morphology(fe) => around(rows, 0, fe.radius_y().get() * sy + 1.0, self.height),
            Kind::DisplacementMap(fe) => {
                around(rows, 0, (fe.scale() * fe.scale() * sy).abs() + 1.0, self.height)
            }
            Kind::ConvolveMatrix(fe) if fe.edge_mode() == EdgeMode::Wrap => Rows::all(self.height),
            Kind::ConvolveMatrix(fe) => around(rows, 0, fe.matrix().rows() as f32, self.height),
            Kind::DiffuseLighting(_) | Kind::SpecularLighting(_) => around(rows, 0, 1.0, self.height),
            Kind::Tile(_) => Rows::all(self.height),
            Kind::Blend(_)
            | Kind::ColorMatrix(_)
            | Kind::ComponentTransfer(_)
            | Kind::Composite(_)
            | Kind::Flood(_)
            | Kind::Image(_)
            | Kind::Merge(_)
            | Kind::Turbulence(_) => rows,
        }
    }
}

/// Returns the rows of a picture that are moved to `rows` by `dy`, and `margin` more on each side. There is one row at
/// least.
pub fn around(rows: Rows, dy: i32, margin: f32, height: u32) -> Rows {
    let margin = i64::from(margin.ceil() as u32);
    let within = |row: i64, most: u32| row.clamp(0, i64::from(most)) as u32;
    let top = i64::from(rows.top()) - i64::from(dy) - margin;
    let bottom = i64::from(rows.bottom()) - i64::from(dy) + margin;
    let top = within(top, height.saturating_sub(1));
    Rows::new(top, within(bottom, height).max(top + 1))
}

/// Returns the number of the primitive whose result has that name.
pub fn find(primitives: &[Primitive], name: &str) -> Option<usize> {
    primitives.iter().rposition(|primitive| primitive.result() == name)
}

/// Returns the inputs of a primitive.
pub fn inputs(primitive: &Primitive) -> Vec<&Input> {
    match primitive.kind() {
        Kind::Blend(fe) => vec![fe.input1(), fe.input2()],
        Kind::Composite(fe) => vec![fe.input1(), fe.input2()],
        Kind::DisplacementMap(fe) => vec![fe.input1(), fe.input2()],
        Kind::Merge(fe) => fe.inputs().iter().collect(),
        Kind::ColorMatrix(fe) => vec![fe.input()],
        Kind::ComponentTransfer(fe) => vec![fe.input()],
        Kind::ConvolveMatrix(fe) => vec![fe.input()],
        Kind::DiffuseLighting(fe) => vec![fe.input()],
        Kind::DropShadow(fe) => vec![fe.input()],
        Kind::GaussianBlur(fe) => vec![fe.input()],
        Kind::Morphology(fe) => vec![fe.input()],
        Kind::Offset(fe) => vec![fe.input()],
        Kind::SpecularLighting(fe) => vec![fe.input()],
        Kind::Tile(fe) => vec![fe.input()],
        Kind::Flood(_) | Kind::Image(_) | Kind::Turbulence(_) => Vec::new(),
    }
}

/// Five boxes have the deviation of a blur, and together about four times as many rows on each side.
fn blur(std_dev: f32) -> f32 {
    if std_dev < 2.0 {
        RECURSIVE_BLUR
    } else {
        4.0 * std_dev + 8.0
    }
}
