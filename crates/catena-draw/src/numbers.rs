//! Live numbers under a panel, one line per body: time, rope length, maximum strain, kinetic
//! energy, and the steps of adaptive methods.

use super::canvas::Canvas;
use super::number_format::{NumberFormat, NumberFormats};
use super::palette::is_faint;
use super::panel_run::BodyFrame;
use super::rect::Rect;
use super::text::Align;
use super::theme::Ink;
use crate::font::Font;
use crate::sizes::Sizes;
use crate::wound::is_one_rope;
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
    /// Minimum radius of a tube of skin, relative to its radius at rest.
    Radius,
    /// Volume of a tube of skin, relative to its volume at rest.
    Volume,
    /// Minimum step of the frame; none in the first frame.
    Step,
    /// Number of steps in the frame that did not converge; shown if it is not 0.
    Unconverged,
}

impl LiveNumber {
    /// Name, and the widest text of a value.
    fn name(self, formats: &NumberFormats) -> (&'static str, String) {
        match self {
            Self::Time => ("time", format!("000.{}", "0".repeat(formats.time))),
            Self::Error => ("error", formats.length.widest()),
            Self::Length => ("length", formats.length.widest()),
            Self::Strain => ("max strain", formats.strain.widest() + "%"),
            Self::Kinetic => ("kinetic energy", formats.energy.widest()),
            Self::Radius => ("smallest radius", "000.0%".into()),
            Self::Volume => ("volume", "000.0%".into()),
            Self::Step => ("step", NumberFormat::Scientific.widest()),
            Self::Unconverged => ("not converged:", "0000".into()),
        }
    }

    /// Whether a body has the number in some frame.
    fn is_of(self, body: &Body) -> bool {
        match self {
            Self::Length => is_one_rope(&body.setup.model),
            Self::Error => body.reference.is_some(),
            Self::Radius | Self::Volume => body.rig.is_some(),
            Self::Strain => !body.is_rig_alone() && !body.setup.model.springs.is_empty(),
            Self::Kinetic => !body.is_rig_alone(),
            Self::Step | Self::Unconverged => chooses_steps(body),
            Self::Time => true,
        }
    }

    /// Whether the number may be absent in some frames of a body. Its name is then drawn together
    /// with the value.
    fn may_be_absent(self) -> bool {
        matches!(self, Self::Step | Self::Unconverged | Self::Error)
    }

    /// Text of the value for a body in a frame, if it has one.
    pub fn value(
        self,
        frame: &BodyFrame,
        skin: Option<SkinMeasures>,
        formats: &NumberFormats,
    ) -> Option<String> {
        let StepReport { least_dt, unconverged, .. } = frame.report;
        let share = |share: f64| format!("{:.1}%", 100.0 * share);
        match self {
            Self::Time if frame.t < 1e6 => Some(format!("{:.*}", formats.time, frame.t)),
            Self::Time => Some(format!("{:.4e}", frame.t)),
            // The frame does not contain the reference.
            Self::Error => None,
            Self::Length => frame.length.map(|length| formats.length.text(length)),
            Self::Radius => skin.and_then(|skin| skin.radius).map(share),
            Self::Volume => skin.and_then(|skin| skin.volume).map(share),
            // A body without springs has no strain.
            Self::Strain if frame.strain == f64::NEG_INFINITY => None,
            Self::Strain => Some(formats.strain.text(100.0 * frame.strain) + "%"),
            Self::Kinetic => Some(formats.energy.text(frame.kinetic)),
            Self::Step => least_dt.is_finite().then(|| NumberFormat::Scientific.text(least_dt)),
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
    for number in [LiveNumber::Strain, LiveNumber::Kinetic] {
        items.extend(bodies().any(|body| number.is_of(body)).then_some(number));
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

/// Minimum height in pixels of a panel with numbers. A lower panel shows only bodies.
const MIN_HEIGHT: i32 = 300;

/// Text sizes that are tried, relative to the usual one. Narrow panels show fewer numbers rather
/// than smaller ones.
const TEXT_SIZES: [f64; 2] = [1.0, 0.92];

/// Minimum height of a line in pixels, with letters of 11 pixels. Small pictures use the smaller
/// size of their labels.
const MIN_SIZE: f64 = 13.3;

/// Minimum height in pixels of a panel with the distance from a reference. The limit is low because
/// the distance is the purpose of a scene with a reference.
const MIN_WITH_ERROR: i32 = 140;

/// Returns the sets of numbers to try in a panel of this height, the largest set first. The
/// distance from a reference is dropped last.
fn settings(items: &[LiveNumber], height: i32) -> Vec<Vec<LiveNumber>> {
    let has_error = items.contains(&LiveNumber::Error);
    let minimum = if has_error { MIN_WITH_ERROR } else { MIN_HEIGHT };
    if height < minimum {
        return Vec::new();
    }
    let maximum = if height < MIN_HEIGHT { 2 } else { items.len() };
    let first = |count: usize| match count {
        1 if has_error => vec![LiveNumber::Error],
        _ => items[..count].to_vec(),
    };
    (1..=maximum.min(items.len())).rev().map(first).collect()
}

/// Typographic setting of the numbers of a panel. All panels share one setting, so that they can be
/// compared.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberBlock {
    size: f64,
    /// Numbers that fit into one line.
    items: Vec<LiveNumber>,
    /// Pixels from the start of each name to its value.
    indents: Vec<i32>,
    /// Width of each number in pixels.
    widths: Vec<i32>,
    swatch: i32,
    formats: NumberFormats,
}

impl NumberBlock {
    /// Setting with the maximum count of numbers that fits into a line of a panel of this size, in
    /// the largest letters that fit. `None` if no number fits or the panel is too low.
    pub(super) fn fit(
        font: &Font,
        sizes: Sizes,
        [width, height]: [i32; 2],
        bodies: usize,
        items: &[LiveNumber],
        formats: NumberFormats,
    ) -> Option<Self> {
        let room = f64::from(height) * 0.32;
        let settings = settings(items, height);
        settings
            .into_iter()
            .flat_map(|items| TEXT_SIZES.map(|share| (items.clone(), share)))
            .find_map(|(items, share)| {
                let size = (sizes.number * share).max(MIN_SIZE.min(sizes.label));
                let block = Self::new(font, size, &items, bodies, formats);
                let fits = block.widths.iter().sum::<i32>() + block.swatch <= width;
                (fits && f64::from(block.height(bodies)) <= room).then_some(block)
            })
    }

    fn new(
        font: &Font,
        size: f64,
        items: &[LiveNumber],
        bodies: usize,
        formats: NumberFormats,
    ) -> Self {
        let gap = font.width("00", size);
        let width = |item: &LiveNumber| {
            let (name, widest) = item.name(&formats);
            font.width(&format!("{name} {widest}"), size) + gap
        };
        let swatch = if bodies > 1 { (size * 1.3) as i32 } else { 0 };
        let indent = |item: &LiveNumber| font.width(&format!("{} ", item.name(&formats).0), size);
        Self {
            size,
            items: items.to_vec(),
            indents: items.iter().map(indent).collect(),
            widths: items.iter().map(width).collect(),
            swatch,
            formats,
        }
    }

    fn line(&self) -> i32 {
        (self.size * 1.3).round() as i32
    }

    /// Height for a panel with this number of bodies.
    pub(super) fn height(&self, bodies: usize) -> i32 {
        bodies.min(LINES) as i32 * self.line() + (self.size * 0.7).round() as i32
    }

    /// Index, number and position of each number of the `index`-th body in its panel.
    fn places(
        &self,
        area: Rect,
        index: usize,
    ) -> impl Iterator<Item = (usize, LiveNumber, (i32, i32))> {
        let count = self.items.len().max(1) as i32;
        let spare = (area.w - self.swatch - self.widths.iter().sum::<i32>()) / count;
        let (left, top) = self.corner(area, index);
        self.items.iter().enumerate().map(move |(place, item)| {
            let before = self.widths[..place].iter().sum::<i32>() + spare * place as i32;
            (place, *item, (left + self.swatch + before, top))
        })
    }

    /// Upper left corner of a body's numbers.
    fn corner(&self, area: Rect, index: usize) -> (i32, i32) {
        let top = area.y + (self.size * 0.3).round() as i32;
        (area.x + (self.size * 0.7) as i32, top + index as i32 * self.line())
    }

    /// Draws the names, which all frames share. Each body's names follow a bar in its colour, with
    /// an outline if the colour is faint. Inks are the colours of names and of the background.
    pub(super) fn draw_names(
        &self,
        canvas: &mut Canvas,
        font: &Font,
        area: Rect,
        bodies: &[(&Body, Ink)],
        [name_ink, background]: [Ink; 2],
    ) {
        for (index, (body, ink)) in bodies.iter().take(LINES).enumerate() {
            if self.swatch > 0 {
                let (x, y) = self.corner(area, index);
                let bar = Rect { x, y: y + 2, w: self.swatch / 3, h: self.line() - 4 };
                if is_faint(*ink, background) {
                    canvas.fill(bar.shrunk(-1), name_ink);
                }
                canvas.fill(bar, *ink);
            }
            for (_, item, at) in self.places(area, index) {
                if item.is_of(body) && !item.may_be_absent() {
                    let name = item.name(&self.formats).0;
                    font.draw(canvas, at, Align::Left, self.size, name_ink, name);
                }
            }
        }
    }

    /// Draws the values of a panel's bodies, and the names of numbers that may be absent. Each body
    /// comes with its frame, skin and distance from the reference. Inks are the colours of values,
    /// names and alarms.
    pub(super) fn draw_values(
        &self,
        canvas: &mut Canvas,
        font: &Font,
        area: Rect,
        bodies: &[(&BodyFrame, Option<SkinMeasures>, Option<f64>)],
        [value_ink, name_ink, alarm]: [Ink; 3],
    ) {
        for (index, (frame, skin, error)) in bodies.iter().take(LINES).enumerate() {
            for (place, item, at) in self.places(area, index) {
                let value = match item {
                    LiveNumber::Error => error.map(|error| self.formats.length.text(error)),
                    _ => item.value(frame, *skin, &self.formats),
                };
                let Some(value) = value else { continue };
                let is_alarm = item == LiveNumber::Unconverged;
                let inks = if is_alarm { [alarm; 2] } else { [value_ink, name_ink] };
                if item.may_be_absent() {
                    let name = item.name(&self.formats).0;
                    font.draw(canvas, at, Align::Left, self.size, inks[1], name);
                }
                let at = (at.0 + self.indents[place], at.1);
                font.draw(canvas, at, Align::Left, self.size, inks[0], &value);
            }
        }
    }
}
