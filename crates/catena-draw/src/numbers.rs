//! Live numbers under a panel: time, rope length, maximum strain, kinetic energy, and the steps of
//! methods that choose their own.

use super::canvas::Canvas;
use super::layout::Sizes;
use super::panel_run::{BodyFrame, is_one_rope};
use super::rect::Rect;
use super::text::{Align, Font};
use super::theme::Ink;
use catena_base::text::number::tabular;
use catena_scene::{Body, Scene};
use catena_sim::StepReport;
use catena_sim::rig::SkinMeasures;

/// One of the live numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveNumber {
    /// Simulated time.
    Time,
    /// Largest distance from the reference.
    Error,
    /// Length of a rope.
    Length,
    /// Maximum strain of a spring.
    Strain,
    /// Kinetic energy.
    Kinetic,
    /// Minimum radius of a tube of skin, relative to that at rest.
    Radius,
    /// Volume of a tube of skin, relative to that at rest.
    Volume,
    /// Minimum step of the frame.
    Step,
    /// Number of steps in the frame that did not converge; shown if it is not 0.
    Unconverged,
}

impl LiveNumber {
    /// Name, and the widest text of a value.
    fn name(self) -> (&'static str, &'static str) {
        match self {
            Self::Time => ("time", "00000.00"),
            Self::Error => ("error", "0.00e+000"),
            Self::Length => ("length", "0.00e+000"),
            Self::Strain => ("max strain", "0.00e+00%"),
            Self::Kinetic => ("E kin", "0.00e+000"),
            Self::Radius => ("least radius", "000.0%"),
            Self::Volume => ("volume", "000.0%"),
            Self::Step => ("dt", "0.00e-00"),
            Self::Unconverged => ("not converged:", "0000"),
        }
    }

    /// Text of the value for a body in a frame, if it has one. `decimals` applies to the time.
    pub fn value(
        self,
        frame: &BodyFrame,
        skin: Option<SkinMeasures>,
        decimals: usize,
    ) -> Option<String> {
        let StepReport { least_dt, unconverged, .. } = frame.report;
        let share =
            |share: Option<f64>| share.map_or("-".into(), |it| format!("{:.1}%", 100.0 * it));
        match self {
            Self::Time if frame.t < 1e6 => Some(format!("{:.decimals$}", frame.t)),
            Self::Time => Some(format!("{:.4e}", frame.t)),
            // The frame alone does not know the reference.
            Self::Error => None,
            Self::Length => Some(frame.length.map_or("-".into(), tabular)),
            Self::Radius => Some(share(skin.and_then(|skin| skin.radius))),
            Self::Volume => Some(share(skin.and_then(|skin| skin.volume))),
            // A body without springs has no strain.
            Self::Strain if frame.strain == f64::NEG_INFINITY => Some("-".into()),
            Self::Strain => Some(format!("{}%", tabular(100.0 * frame.strain))),
            Self::Kinetic => Some(tabular(frame.kinetic)),
            Self::Step if least_dt.is_finite() => Some(format!("{least_dt:.2e}")),
            Self::Step => Some("-".into()),
            Self::Unconverged => (unconverged > 0).then(|| unconverged.to_string()),
        }
    }
}

/// Numbers that are meaningful in a scene.
pub(super) fn items(scene: &Scene) -> Vec<LiveNumber> {
    let bodies = || scene.panels.iter().flat_map(|panel| &panel.bodies);
    let has_rope = bodies().any(|body| is_one_rope(&body.setup.model));
    let mut items = vec![LiveNumber::Time];
    items.extend(bodies().any(|body| body.reference.is_some()).then_some(LiveNumber::Error));
    items.extend(has_rope.then_some(LiveNumber::Length));
    if bodies().any(|body| !body.is_rig_alone()) {
        items.extend([LiveNumber::Strain, LiveNumber::Kinetic]);
    }
    if shows_skins(scene) {
        items.extend([LiveNumber::Radius, LiveNumber::Volume]);
    }
    if bodies().any(chooses_steps) {
        items.extend([LiveNumber::Step, LiveNumber::Unconverged]);
    }
    items
}

/// Whether numbers about tubes of skin are shown.
pub(super) fn shows_skins(scene: &Scene) -> bool {
    let rigs = scene.panels.iter().flat_map(|panel| &panel.bodies).filter_map(|it| it.rig.as_ref());
    rigs.flat_map(|shown| &shown.rig.skins).any(|skin| skin.ring.is_some())
}

/// Whether the steps of a body can differ from the scene's, or fail to converge.
fn chooses_steps(body: &Body) -> bool {
    let is_adaptive = body.setup.step_control.info().name != "Fixed";
    let of_steps = |name: &str| ["tolerance", "iterations", "substeps"].contains(&name);
    is_adaptive || body.method.options.iter().any(|option| of_steps(option.name))
}

/// Maximum number of bodies in a panel with lines of numbers.
const LINES: usize = 3;

/// Setting of the numbers of a panel. All panels have the same, so that they compare.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberBlock {
    size: f64,
    columns: usize,
    /// Numbers for which there is room.
    items: Vec<LiveNumber>,
    /// Pixels from the start of each name to its value.
    indents: Vec<i32>,
    /// Width of each column in pixels.
    widths: Vec<i32>,
    swatch: i32,
    /// Number of decimals of the time, chosen so that adjacent frames differ.
    decimals: usize,
}

impl NumberBlock {
    /// Largest setting that fits into a panel of this size. `None` if nothing fits.
    pub(super) fn fit(
        font: &Font,
        sizes: Sizes,
        width: i32,
        height: i32,
        bodies: usize,
        items: &[LiveNumber],
        frame_time: f64,
    ) -> Option<Self> {
        let smallest = (sizes.number * 0.72).max(10.0);
        let room = f64::from(height) * 0.32;
        // Order of preference: large text, then all numbers in one line, then all numbers.
        let (large, medium) = (sizes.number, (sizes.number * 0.86).max(smallest));
        let (all, half) = (items.len(), items.len().div_ceil(2));
        let settings = [
            (all, all, large),
            (all, all, medium),
            (all, half, large),
            (all, half, medium),
            (all, all, smallest),
            (all, half, smallest),
            (all, 2, smallest),
            (2, 2, smallest),
            (1, 1, smallest),
        ];
        settings.into_iter().find_map(|(count, columns, size)| {
            // A rig alone has few numbers.
            let (items, columns) = (&items[..count.min(all)], columns.min(all));
            let block = Self {
                decimals: decimals(frame_time),
                ..Self::new(font, size, items, columns, bodies)
            };
            let fits = block.widths.iter().sum::<i32>() + block.swatch <= width;
            (fits && f64::from(block.height(bodies)) <= room).then_some(block)
        })
    }

    fn new(font: &Font, size: f64, items: &[LiveNumber], columns: usize, bodies: usize) -> Self {
        let gap = font.width("00", size);
        let width = |item: &LiveNumber| {
            let (name, widest) = item.name();
            font.width(&format!("{name} {widest}"), size) + gap
        };
        let widths = (0..columns)
            .map(|column| items.iter().skip(column).step_by(columns).map(width).max().unwrap_or(0))
            .collect();
        let swatch = if bodies > 1 { (size * 1.3) as i32 } else { 0 };
        let indent = |item: &LiveNumber| font.width(&format!("{} ", item.name().0), size);
        let (items, indents) = (items.to_vec(), items.iter().map(indent).collect());
        Self { size, columns, items, indents, widths, swatch, decimals: 2 }
    }

    fn line(&self) -> i32 {
        (self.size * 1.3).round() as i32
    }

    /// Height for a panel with this number of bodies.
    pub(super) fn height(&self, bodies: usize) -> i32 {
        let rows = self.items.len().div_ceil(self.columns) * bodies.min(LINES);
        rows as i32 * self.line() + (self.size * 0.7).round() as i32
    }

    /// Index, number and position of each number of the `index`-th body in its panel.
    fn places(
        &self,
        area: Rect,
        index: usize,
    ) -> impl Iterator<Item = (usize, LiveNumber, (i32, i32))> {
        let spare = (area.w - self.swatch - self.widths.iter().sum::<i32>()) / self.columns as i32;
        let (left, top) = self.corner(area, index);
        self.items.iter().enumerate().map(move |(place, item)| {
            let (row, column) = (place / self.columns, place % self.columns);
            let before = self.widths[..column].iter().sum::<i32>() + spare * column as i32;
            (place, *item, (left + self.swatch + before, top + row as i32 * self.line()))
        })
    }

    /// Upper left corner of a body's numbers.
    fn corner(&self, area: Rect, index: usize) -> (i32, i32) {
        let rows = self.items.len().div_ceil(self.columns);
        let top = area.y + (self.size * 0.3).round() as i32;
        (area.x + (self.size * 0.7) as i32, top + (index * rows) as i32 * self.line())
    }

    /// Draws the names, which all frames share. Each body's names follow a bar in its colour.
    pub(super) fn draw_names(
        &self,
        canvas: &mut Canvas,
        font: &Font,
        area: Rect,
        bodies: &[Ink],
        name_ink: Ink,
    ) {
        for (index, ink) in bodies.iter().take(LINES).enumerate() {
            if self.swatch > 0 {
                let (x, y) = self.corner(area, index);
                let bar = Rect { x, y: y + 2, w: self.swatch / 3, h: self.line() - 4 };
                canvas.fill(bar, *ink);
            }
            for (_, item, at) in self.places(area, index) {
                if item != LiveNumber::Unconverged {
                    font.draw(canvas, at, Align::Left, self.size, name_ink, item.name().0);
                }
            }
        }
    }

    /// Draws the values of a panel's bodies, and the names of alarms. A body has its frame, its
    /// skin and its distance from the reference.
    pub(super) fn draw_values(
        &self,
        canvas: &mut Canvas,
        font: &Font,
        area: Rect,
        bodies: &[(&BodyFrame, Option<SkinMeasures>, Option<f64>)],
        [value_ink, alarm]: [Ink; 2],
    ) {
        for (index, (frame, skin, error)) in bodies.iter().take(LINES).enumerate() {
            for (place, item, at) in self.places(area, index) {
                let value = match item {
                    LiveNumber::Error => Some(error.map_or("-".into(), tabular)),
                    _ => item.value(frame, *skin, self.decimals),
                };
                let Some(value) = value else { continue };
                let mut ink = value_ink;
                if item == LiveNumber::Unconverged {
                    ink = alarm;
                    font.draw(canvas, at, Align::Left, self.size, ink, item.name().0);
                }
                let at = (at.0 + self.indents[place], at.1);
                font.draw(canvas, at, Align::Left, self.size, ink, &value);
            }
        }
    }
}

/// Number of decimals, at least 2, that distinguishes adjacent frames.
fn decimals(frame_time: f64) -> usize {
    let steps = [1e-2, 1e-3, 1e-4, 1e-5];
    2 + steps.iter().filter(|step| frame_time < **step).count()
}
