//! Colour bars: legends of the colour scales, with round ticks.

use super::canvas::Canvas;
use super::color_scale::ColorScale;
use super::rect::Rect;
use super::sizes::Sizes;
use super::text::{Align, Font};
use super::theme::Theme;
use catena_base::text::number::short;
use catena_scene::ColorBy;

/// Height of the strip for colour bars.
pub fn height(sizes: Sizes) -> i32 {
    (sizes.number * 2.9).round() as i32
}

/// Name of a quantity with its unit.
fn name(quantity: ColorBy) -> &'static str {
    match quantity {
        ColorBy::None => "",
        ColorBy::Strain => "strain (%)",
        ColorBy::Tension => "tension (force)",
        ColorBy::Speed => "speed (length/time)",
        ColorBy::Energy => "energy of a node (kinetic and elastic)",
    }
}

/// Draws the bars of all scales side by side.
pub fn draw(
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
        let text = font.fit(name(scale.quantity), size, place.w / 2);
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
