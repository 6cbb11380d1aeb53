//! Patterns of surfaces: strands of a rope, and woven or printed cloth.

use super::mesh::Weave;
use super::single::{Single3, crossed, mixed, normalized, plus, times, within};
use catena_scene::Pattern;

/// Tilt of the normal on the strands of a rope, and darkness of the grooves between them.
const RELIEF: f32 = 1.1;
const GROOVE: f32 = 0.55;

/// Share of white in the second colour of a pattern, and darkness of the lines of a weave.
const PALE: f32 = 0.68;
const LINE: f32 = 0.62;
/// Half the thickness of a line of a weave, in cells.
const LINE_HALF: f32 = 0.07;

/// Normal and colour of a rope whose strands wind around it.
#[inline(always)]
pub fn strand(
    count: f32,
    grain: [f32; 2],
    change: [f32; 2],
    normal: Single3,
    axis: Single3,
    ink: Single3,
) -> (Single3, Single3) {
    // grain[0] counts a strand's turns along the rope, grain[1] the position around it.
    let phase = count * (grain[0] + grain[1]);
    let across = 2.0 * (phase - phase.floor()) - 1.0;
    // Strands that are narrower than two pixels have no relief.
    let seen = within(1.0 - count * (change[0] + change[1]), 0.0, 1.0);
    let around = crossed(axis, normal);
    let tilt = RELIEF * seen * across;
    let tilted = normalized(plus(normal, tilt, plus(around, 0.5, axis)));
    let deep = across * across * across * across;
    (tilted, times(ink, 1.0 - GROOVE * seen * deep))
}

/// Colour of a sheet with a pattern. A pattern finer than pixels is averaged.
#[inline(always)]
pub fn pattern(weave: Weave, grain: [f32; 2], change: [f32; 2], ink: Single3) -> Single3 {
    let place = [grain[0] / weave.cells, grain[1] / weave.cells];
    let width = [change[0] / weave.cells + 1e-6, change[1] / weave.cells + 1e-6];
    let pale = mixed(ink, [1.0; 3], PALE);
    match weave.pattern {
        Pattern::Plain => ink,
        Pattern::Stripes => mixed(ink, pale, square_wave(place[1], width[1])),
        Pattern::Checks => {
            let (a, b) = (square_wave(place[0], width[0]), square_wave(place[1], width[1]));
            mixed(ink, pale, a + b - 2.0 * a * b)
        }
        Pattern::Weave => {
            let half = LINE_HALF / weave.cells;
            let (a, b) = (line(place[0], width[0], half), line(place[1], width[1], half));
            times(ink, 1.0 - LINE * (a + b - a * b))
        }
    }
}

/// Square wave with values 0 and 1 in alternating unit intervals, averaged over a pixel of this
/// width.
#[inline(always)]
fn square_wave(at: f32, width: f32) -> f32 {
    let (low, high) = (at - 0.5 * width, at + 0.5 * width);
    within((square_wave_sum(high) - square_wave_sum(low)) / width, 0.0, 1.0)
}

/// Integral of the square wave.
#[inline(always)]
fn square_wave_sum(at: f32) -> f32 {
    let half = 0.5 * at;
    let rest = 2.0 * (half - half.floor()) - 1.0;
    half.floor() + if rest > 0.0 { rest } else { 0.0 }
}

/// Share of a pixel of this width covered by lines at integers. `half` is half of their thickness.
#[inline(always)]
fn line(at: f32, width: f32, half: f32) -> f32 {
    let (low, high) = (at - 0.5 * width, at + 0.5 * width);
    within((line_sum(high, half) - line_sum(low, half)) / width, 0.0, 1.0)
}

/// Integral of a function that is 1 on lines at integers and 0 between them.
#[inline(always)]
fn line_sum(at: f32, half: f32) -> f32 {
    let rest = at - at.floor();
    let (before, after) = (within(rest, 0.0, half), within(rest - 1.0 + half, 0.0, half));
    2.0 * half * at.floor() + before + after
}
