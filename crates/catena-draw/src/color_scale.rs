//! Mapping from quantities to colours, shared by all panels.
//!
//! The colours are viridis (Smith and van der Walt 2015). Equal steps look equal, also to
//! colour-blind readers and in black and white. One end is omitted because it would vanish against
//! the background: the palest colours on a light one, the darkest on a dark one.

use super::canvas::Canvas;
use super::panel_run::{BodyFrame, PanelRun};
use super::pass;
use super::rect::Rect;
use super::text::Align;
use super::theme::{Ink, Theme};
use crate::font::Font;
use crate::pass_budget;
use crate::pass_budget::with_budget;
use crate::sizes::Sizes;
use catena_base::text::number::short;
use catena_base::text::round::round_step;
use catena_scene::{Body, ColorBy, Panel, Scene};
use catena_sim::{Budget, Simulation};
use image::Rgb;
use rayon::prelude::*;

/// Part of viridis that is used on a light and on a dark background.
const USED: [[f64; 2]; 2] = [[0.0, 0.8], [0.36, 1.0]];

/// Maximum number of intervals between ticks, before the ends are rounded.
const PARTS: i64 = 5;

/// Colour scale of a quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct ColorScale {
    /// Quantity that the colours show.
    pub quantity: ColorBy,
    /// Values at both ends. Values beyond an end have its colour.
    pub range: [f64; 2],
    /// Round values between the ends.
    pub ticks: Vec<f64>,
    /// Whether the colours are for a dark background.
    pub is_for_dark: bool,
}

impl ColorScale {
    /// Colour of a value.
    pub fn ink(&self, value: f64) -> Ink {
        let [low, high] = self.range;
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        let [first, last] = USED[usize::from(self.is_for_dark)];
        let share = if share.is_nan() { 1.0 } else { share };
        let color = colorous::VIRIDIS.eval_continuous(first + (last - first) * share);
        Rgb([color.r, color.g, color.b])
    }

    /// Scale between the ends given by a scene.
    fn between(quantity: ColorBy, range: [f64; 2]) -> Self {
        let mut scale = Self::over(quantity, range);
        scale.ticks.retain(|tick| (range[0]..=range[1]).contains(tick));
        Self { range, ..scale }
    }

    /// Scale that covers a range of values; its ends are rounded outwards.
    fn over(quantity: ColorBy, [low, high]: [f64; 2]) -> Self {
        let is_positive = matches!(quantity, ColorBy::Speed | ColorBy::Energy | ColorBy::Curvature);
        let low = if is_positive { 0.0 } else { low };
        let high = if high > low { high } else { low + 1.0 };
        let (mantissa, exponent) = round_step(high - low, PARTS);
        let at = |count: f64| format!("{}e{exponent}", count * mantissa as f64);
        let value = |count: f64| at(count).parse().unwrap_or(count);
        let step = value(1.0);
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let count = (last - first).clamp(1.0, 20.0) as usize;
        let ticks: Vec<f64> = (0..=count).map(|k| value(first + k as f64)).collect();
        Self { quantity, range: [ticks[0], ticks[count]], ticks, is_for_dark: false }
    }
}

/// Scales of all quantities that a scene shows. A scale covers the range given in the scene, or all
/// values in its frames up to a divergence. Diverging bodies do not count, unless all diverge.
pub fn scales(scene: &Scene) -> Vec<ColorScale> {
    let mut wanted: Vec<(ColorBy, Option<[f64; 2]>)> = Vec::new();
    for body in scene.panels.iter().flat_map(|panel| &panel.bodies) {
        let style = &body.style;
        if style.color_by != ColorBy::None && !wanted.iter().any(|(by, _)| *by == style.color_by) {
            wanted.push((style.color_by, style.color_range));
        }
    }
    if wanted.is_empty() {
        return Vec::new();
    }
    let is_open = wanted.iter().any(|(_, range)| range.is_none());
    let found = if is_open { ranges(scene) } else { Vec::new() };
    let scale = |(quantity, range): (ColorBy, Option<[f64; 2]>)| {
        let of = |keeps: bool| {
            let all = found.iter().filter(|it| it.quantity == quantity && it.is_sound == keeps);
            all.map(|it| it.range).reduce(joined)
        };
        let scale = match range {
            Some(range) => ColorScale::between(quantity, range),
            None => {
                let found = of(true).or_else(|| of(false)).unwrap_or([0.0, 1.0]);
                ColorScale::over(quantity, found)
            }
        };
        ColorScale { is_for_dark: scene.background.is_dark(), ..scale }
    };
    wanted.into_iter().map(scale).collect()
}

/// Range of one body's values in all frames.
struct BodyRange {
    quantity: ColorBy,
    range: [f64; 2],
    /// Whether the body never diverges.
    is_sound: bool,
}

/// Simulates a scene and returns the range of values of each body, over as many frames as a pass
/// allows.
fn ranges(scene: &Scene) -> Vec<BodyRange> {
    let frames = pass::affordable_frames(scene);
    let mut budgets = pass_budget::budgets(scene, frames).unwrap_or_default().into_iter();
    let mut panels = scene.panels.clone();
    for body in panels.iter_mut().flat_map(|panel| &mut panel.bodies) {
        let budget = budgets.next().unwrap_or(Budget { work: 0, pairs: 0 });
        body.setup = with_budget(&body.setup, budget);
    }
    panels.par_iter().flat_map_iter(|panel| ranges_of(panel, frames)).collect()
}

/// Range of values of each body in a panel, over the given number of frames.
fn ranges_of(panel: &Panel, frames: u64) -> Vec<BodyRange> {
    let mut run = PanelRun::new(panel);
    let mut ranges: Vec<Option<[f64; 2]>> = vec![None; panel.bodies.len()];
    for frame in 0..frames {
        if frame > 0 {
            run.advance_frame();
        }
        let refused = |simulation: &Simulation| simulation.refusal().is_some();
        let bodies = run.current().bodies.iter().zip(run.simulations());
        for (range, (body, simulation)) in ranges.iter_mut().zip(bodies) {
            if body.diverged.is_none() && !refused(simulation) {
                *range = [*range, body.values.range()].into_iter().flatten().reduce(joined);
            }
        }
        if run.simulations().iter().all(refused) {
            break;
        }
    }
    let states = panel.bodies.iter().zip(&run.current().bodies);
    let found = |(range, (body, end)): (Option<[f64; 2]>, (&Body, &BodyFrame))| {
        let (quantity, is_sound) = (body.style.color_by, end.diverged.is_none());
        range.map(|range| BodyRange { quantity, range, is_sound })
    };
    ranges.into_iter().zip(states).filter_map(found).collect()
}

fn joined(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// Name of a quantity with its unit.
fn quantity_name(quantity: ColorBy) -> &'static str {
    match quantity {
        ColorBy::None => "",
        ColorBy::Strain => "strain (%)",
        ColorBy::Tension => "tension (force)",
        ColorBy::Speed => "speed (length/time)",
        ColorBy::Energy => "energy of a node (kinetic and elastic)",
        ColorBy::Curvature => "curvature (1/length)",
        ColorBy::Twist => "twist (turns/length)",
    }
}

/// Draws the bars of all scales side by side.
pub fn draw_bars(
    canvas: &mut Canvas,
    font: &Font,
    area: Rect,
    sizes: Sizes,
    theme: &Theme,
    scales: &[ColorScale],
) {
    let size = sizes.number;
    let room = area.w / scales.len().max(1) as i32;
    for (index, scale) in scales.iter().enumerate() {
        let place = Rect { x: area.x + index as i32 * room, w: room - sizes.gap, ..area };
        let text = font.fit(quantity_name(scale.quantity), size, place.w / 2);
        let bar_height = (size * 0.9).round() as i32;
        font.draw(canvas, (place.x, place.y), Align::Left, size, theme.text, &text);
        let left = place.x + font.width(&text, size) + 2 * sizes.gap;
        let bar = Rect {
            x: left,
            y: place.y,
            w: (place.right() - left - sizes.gap).min(room),
            h: bar_height,
        };
        draw_bar(canvas, font, bar, size, theme, scale);
    }
}

/// Draws one bar with its ticks below.
fn draw_bar(
    canvas: &mut Canvas,
    font: &Font,
    bar: Rect,
    size: f64,
    theme: &Theme,
    scale: &ColorScale,
) {
    let [low, high] = scale.range;
    for x in 0..bar.w {
        let share = (f64::from(x) + 0.5) / f64::from(bar.w);
        let ink = scale.ink(low + (high - low) * share);
        canvas.fill(Rect { x: bar.x + x, w: 1, ..bar }, ink);
    }
    canvas.frame(bar, theme.border);
    let factor = if scale.quantity == ColorBy::Strain { 100.0 } else { 1.0 };
    let labels: Vec<String> = scale.ticks.iter().map(|tick| short(factor * tick)).collect();
    let widest = labels.iter().map(|label| font.width(label, size)).max().unwrap_or(0);
    let gaps = (labels.len().max(2) - 1) as i32;
    // Labels that would overlap are omitted, except at the ends.
    let every = if (widest + size as i32) * gaps <= bar.w { 1 } else { labels.len().max(2) - 1 };
    for (tick, label) in scale.ticks.iter().zip(&labels).step_by(every) {
        let x = bar.x + (f64::from(bar.w - 1) * (tick - low) / (high - low)).round() as i32;
        canvas.fill(Rect { x, y: bar.bottom(), w: 1, h: (size * 0.25) as i32 }, theme.muted);
        let at = (x, bar.bottom() + (size * 0.3) as i32);
        font.draw(canvas, at, Align::Center, size, theme.muted, label);
    }
}
