//! Plots of strain over the segments of ropes, and shapes whose strains are exaggerated.

use super::columns::SteadyColumn;
use catena_analysis::settle::Ending;
use catena_base::text::number::short;
use catena_base::text::round::{decimal, round_step};
use catena_draw::{
    Rect, Sizes,
    canvas::Canvas,
    text::{Align, Font},
    theme::{Ink, Theme, mix},
};

/// Range of strains in percent that all plots of a picture share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StrainScale {
    low: f64,
    high: f64,
    /// Mantissa and exponent of the distance of two ticks.
    step: (i64, i32),
}

/// Whether a column shows a state of rest: a run that ended at rest, or a theory.
fn is_sound(column: &SteadyColumn<'_>) -> bool {
    column.ending().is_none_or(|ending| matches!(ending, Ending::AtRest { .. }))
}

/// Strain of each segment in percent; `None` for a broken one.
fn strains(column: &SteadyColumn<'_>) -> Vec<Option<f64>> {
    of_lengths(column, &column.lengths)
}

/// Strains in percent of segments with these lengths.
fn of_lengths(column: &SteadyColumn<'_>, lengths: &[f64]) -> Vec<Option<f64>> {
    let strain = |(j, length): (usize, &f64)| {
        let rest = column.rests[j];
        (!column.springs.is_broken(j)).then(|| 100.0 * (length - rest) / rest)
    };
    lengths.iter().enumerate().map(strain).collect()
}

impl StrainScale {
    /// Scale that contains the measured and the theoretical strains of all ropes at rest. `None` if
    /// there are no ropes.
    pub(super) fn of(columns: &[SteadyColumn<'_>]) -> Option<Self> {
        let ropes = || columns.iter().filter(|column| !column.is_sheet());
        ropes().next()?;
        let of_theory = |column: &SteadyColumn<'_>| {
            column.reference.as_ref().map(|lengths| of_lengths(column, lengths))
        };
        let sound = ropes().filter(|column| is_sound(column)).map(strains);
        let all = sound.chain(ropes().filter_map(of_theory)).flatten().flatten();
        let finite = all.filter(|strain| strain.is_finite());
        let (low, high) = finite.fold((0.0_f64, 0.0_f64), |(a, b), it| (a.min(it), b.max(it)));
        let span = if high > low { high - low } else { 1.0 };
        let (low, high) = (low - 0.04 * span, high.max(low + span) + 0.06 * span);
        Some(Self { low, high, step: round_step(high - low, 3) })
    }

    fn share(&self, strain: f64) -> f64 {
        ((strain - self.low) / (self.high - self.low)).clamp(-0.02, 1.02)
    }

    /// Ticks at round strains.
    fn ticks(&self) -> Vec<f64> {
        let (mantissa, exponent) = self.step;
        let step = decimal(mantissa, exponent);
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        (first..=last).take(8).map(|n| decimal(n * mantissa, exponent)).collect()
    }
}

/// Plot of the strains of a rope in an area of the picture.
pub(super) struct StrainPlot<'a> {
    pub(super) font: &'a Font,
    pub(super) theme: &'a Theme,
    pub(super) sizes: Sizes,
    pub(super) scale: StrainScale,
    pub(super) area: Rect,
}

impl StrainPlot<'_> {
    /// Draws the axes, then the theoretical strains in the background, then the strains of the
    /// column.
    pub(super) fn draw(&self, canvas: &mut Canvas, column: &SteadyColumn<'_>, ink: Ink) {
        let plot = self.plot();
        self.draw_axes(canvas, plot, column.lengths.len());
        if let Some(theory) = &column.reference {
            let theory = of_lengths(column, theory);
            let ink = mix(self.theme.grey, self.theme.panel, 96);
            self.draw_line(canvas, plot, &theory, ink, [6.0, 12.0]);
        }
        self.draw_line(canvas, plot, &strains(column), ink, [2.0, 6.0]);
    }

    /// Area inside the axes.
    fn plot(&self) -> Rect {
        let Rect { x, y, w, h } = self.area;
        let size = self.sizes.number;
        let left = self.font.width("000", size);
        let right = self.font.width("00", size);
        let below = (size * 1.7) as i32;
        Rect { x: x + left, y, w: (w - left - right).max(8), h: (h - below).max(8) }
    }

    fn x(&self, plot: Rect, strain: f64) -> f64 {
        f64::from(plot.x) + self.scale.share(strain) * f64::from(plot.w)
    }

    fn draw_axes(&self, canvas: &mut Canvas, plot: Rect, count: usize) {
        let (theme, size) = (self.theme, self.sizes.number);
        let (top, bottom) = (f64::from(plot.y), f64::from(plot.bottom()));
        let ticks = self.scale.ticks();
        canvas.shape(self.area, theme.border, |pen| {
            for tick in &ticks {
                let x = self.x(plot, *tick);
                pen.line([x, top], [x, bottom], 1.0);
            }
        });
        let mut end = i32::MIN;
        for tick in &ticks {
            let (text, x) = (short(*tick), self.x(plot, *tick) as i32);
            let half = self.font.width(&text, size) / 2;
            // A label that would touch the previous one is omitted.
            if x - half > end && x + half <= self.area.right() + half / 2 {
                let at = (x, plot.bottom() + (size * 0.3) as i32);
                self.font.draw(canvas, at, Align::Center, size, theme.muted, &text);
                end = x + half + (size * 0.6) as i32;
            }
        }
        let number = |canvas: &mut Canvas, index: usize| {
            let y = self.y(plot, index, count) - size * 0.5;
            let at = (plot.x - (size * 0.4) as i32, y as i32);
            let text = (index + 1).to_string();
            self.font.draw(canvas, at, Align::Right, size, theme.muted, &text);
        };
        if count > 0 {
            number(canvas, 0);
        }
        if count > 1 && f64::from(plot.h) > 2.0 * size {
            number(canvas, count - 1);
        }
    }

    fn y(&self, plot: Rect, index: usize, count: usize) -> f64 {
        f64::from(plot.y) + (index as f64 + 0.5) / count.max(1) as f64 * f64::from(plot.h)
    }

    /// Draws a line through the strains, and discs at segments that are far enough apart. `widths`
    /// are the widths of line and discs.
    fn draw_line(
        &self,
        canvas: &mut Canvas,
        plot: Rect,
        strains: &[Option<f64>],
        ink: Ink,
        widths: [f64; 2],
    ) {
        let [width, disc] = widths.map(|width| width * self.sizes.stroke.max(0.6));
        let place = |(index, strain): (usize, &Option<f64>)| {
            let x = self.x(plot, (*strain)?);
            Some([x, self.y(plot, index, strains.len())])
        };
        let places: Vec<Option<[f64; 2]>> = strains.iter().enumerate().map(place).collect();
        let has_discs = f64::from(plot.h) / places.len().max(1) as f64 > disc;
        canvas.shape(self.area, ink, |pen| {
            for pair in places.windows(2) {
                if let [Some(a), Some(b)] = *pair {
                    pen.line(a, b, width);
                }
            }
            let size = if has_discs { disc } else { width };
            places.iter().flatten().for_each(|at| pen.disc(*at, size));
        });
    }
}

/// Maximum strain of an exaggerated shape, as a ratio.
const SHOWN: f64 = 0.25;
/// Strain, as a ratio, from which a shape is visibly strained and not exaggerated.
const VISIBLE: f64 = 0.05;

/// Maximum factor of exaggeration. Strains that would need a larger factor are not exaggerated.
const MAX: f64 = 1e6;

/// Factor by which the strains of all shapes are exaggerated, a round number. `None` if the strains
/// are visible or vanish, or if the shapes are not ropes that hang from one end.
pub(super) fn exaggeration(columns: &[SteadyColumn<'_>]) -> Option<f64> {
    if !columns.iter().all(hangs_from_one_end) {
        return None;
    }
    let sound = columns.iter().filter(|column| is_sound(column));
    let strains = sound.flat_map(strains).flatten().map(f64::abs);
    let greatest = strains.fold(0.0_f64, f64::max) / 100.0;
    if !(SHOWN / MAX..VISIBLE).contains(&greatest) {
        return None;
    }
    let exponent = libm::floor(libm::log10(SHOWN / greatest)) as i32;
    let power = libm::pow(10.0, f64::from(exponent));
    let factors = [5.0, 2.0, 1.0].map(|factor| factor * power);
    factors.into_iter().find(|factor| factor * greatest <= SHOWN).filter(|factor| *factor > 1.0)
}

/// Whether a column is a rope with one pin, at an end.
fn hangs_from_one_end(column: &SteadyColumn<'_>) -> bool {
    let pinned = &column.model.pinned;
    let at_end = pinned.first() == Some(&true) || pinned.last() == Some(&true);
    !column.is_sheet() && at_end && pinned.iter().filter(|it| **it).count() == 1
}

/// Positions of a rope with exaggerated strains. Each segment keeps its direction. The shape of a
/// run that is not at rest is not changed.
pub(super) fn exaggerated(column: &SteadyColumn<'_>, factor: f64) -> Vec<f64> {
    if !is_sound(column) {
        return column.x.clone();
    }
    let n = column.model.nodes();
    let strains = strains(column);
    let from_end = column.model.pinned.last() == Some(&true);
    let mut x = column.x.clone();
    for step in 1..n {
        let (here, before, j) = match from_end {
            true => (n - 1 - step, n - step, n - 1 - step),
            false => (step, step - 1, step - 1),
        };
        let strain = strains.get(j).copied().flatten().unwrap_or(0.0) / 100.0;
        let scale = ((1.0 + factor * strain) / (1.0 + strain)).max(0.02);
        for axis in 0..column.model.axes {
            let offset = column.x[axis * n + here] - column.x[axis * n + before];
            x[axis * n + here] = x[axis * n + before] + scale * offset;
        }
    }
    x
}
