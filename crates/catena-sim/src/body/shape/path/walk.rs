//! Divides a line into equal chords.
//!
//! With chords of length c, a walk of a given number of steps ends at some position on the line.
//! Regula falsi (Illinois) finds the chord for which the walk ends at the end of the line. The walk
//! also finds the position of each node: the first point at the distance of a chord from the
//! previous node. At a corner sharper than a right angle that position can jump; the last chord
//! then differs from the others.

use crate::body::vector::{Vec3, along, norm, sub};

/// A line parametrised by length: a map from 0 to 1, and the lengths at evenly spaced samples.
pub(super) struct Track<'a> {
    map: &'a dyn Fn(f64) -> Vec3,
    lengths: Vec<f64>,
    is_closed: bool,
}

impl<'a> Track<'a> {
    pub(super) fn new(map: &'a dyn Fn(f64) -> Vec3, lengths: Vec<f64>, is_closed: bool) -> Self {
        Self { map, lengths, is_closed }
    }

    fn length(&self) -> f64 {
        self.lengths.last().copied().unwrap_or(0.0)
    }

    /// Returns the position at a length from the start. Beyond its end a ring continues. An open
    /// line continues straight, away from its start.
    fn place(&self, s: f64) -> Vec3 {
        let total = self.length();
        if s > total && self.is_closed {
            return self.place(s - total);
        }
        let steps = self.lengths.len() - 1;
        if s >= total {
            let end = (self.map)(1.0);
            if s == total {
                return end;
            }
            let before = (self.map)((steps - 1) as f64 / steps as f64);
            let last = total - self.lengths[steps - 1];
            return along(end, (s - total) / last.max(f64::MIN_POSITIVE), sub(end, before));
        }
        let index = self.lengths.partition_point(|length| *length <= s).clamp(1, steps) - 1;
        let (from, to) = (self.lengths[index], self.lengths[index + 1]);
        let share = if to > from { (s - from) / (to - from) } else { 0.0 };
        (self.map)((index as f64 + share) / steps as f64)
    }

    /// Returns the first length at which the line is at the distance `chord` from its position at
    /// `start`.
    fn next(&self, start: f64, chord: f64) -> Option<f64> {
        let from = self.place(start);
        let beyond = |s: f64| norm(sub(self.place(s), from)) - chord;
        let (mut low, mut high) = (start, start + 0.999 * chord);
        let mut at_low = -chord;
        let mut at_high = beyond(high);
        while at_high < 0.0 {
            (low, at_low) = (high, at_high);
            high += 0.1 * chord;
            // No point of the ring is at this distance.
            if self.is_closed && high > start + self.length() {
                return None;
            }
            at_high = beyond(high);
        }
        // Positions limit the accuracy of distances, which matters for short chords.
        let is_short = chord < 1e-4 * self.length();
        let close = if is_short { 2e-16 * self.length() } else { 1e-15 * chord };
        Some(root(low, at_low, high, at_high, close, 100, beyond))
    }

    /// Returns the lengths at the ends of `parts` chords.
    fn walk(&self, chord: f64, parts: usize) -> Option<Vec<f64>> {
        let mut ends = Vec::with_capacity(parts + 1);
        let mut s = 0.0;
        ends.push(s);
        for _ in 0..parts {
            s = self.next(s, chord)?;
            ends.push(s);
        }
        Some(ends)
    }
}

/// Finds a position between two of opposite sign where a function is at most `close` to 0.
/// Otherwise returns the best result within the precision of numbers and the maximum number of
/// tries.
fn root(
    mut low: f64,
    mut at_low: f64,
    mut high: f64,
    mut at_high: f64,
    close: f64,
    tries: usize,
    f: impl Fn(f64) -> f64,
) -> f64 {
    let mut width = f64::INFINITY;
    for count in 0..tries {
        if at_high.abs() <= close {
            break;
        }
        // The function is flat past a corner, where secants converge slowly. If three of them do
        // not halve the interval, a bisection does.
        let is_slow = count % 3 == 2 && (high - low).abs() > 0.5 * width;
        if count % 3 == 2 {
            width = (high - low).abs();
        }
        let next = (low * at_high - high * at_low) / (at_high - at_low);
        let is_between = next > low.min(high) && next < low.max(high);
        let next = if is_between && !is_slow { next } else { 0.5 * (low + high) };
        if next == low || next == high {
            break;
        }
        let at_next = f(next);
        if (at_next < 0.0) == (at_high < 0.0) {
            at_low *= 0.5;
        } else {
            (low, at_low) = (high, at_high);
        }
        (high, at_high) = (next, at_next);
    }
    high
}

/// Maximum number of Newton steps to equalise chords.
const STEPS: usize = 6;

/// Moves all positions except the first and the last until chords are equal to rounding. At a right
/// angle the error of a walk is the square root of the rounding error; this method is accurate
/// there as well.
fn even_out(track: &Track<'_>, ends: &mut [f64]) {
    let inner = ends.len().saturating_sub(2);
    let chords = |ends: &[f64]| -> Vec<f64> {
        let places: Vec<Vec3> = ends.iter().map(|s| track.place(*s)).collect();
        places.windows(2).map(|pair| norm(sub(pair[1], pair[0]))).collect()
    };
    let unevenness = |chords: &[f64]| {
        chords.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max)
    };
    let mut now = chords(ends);
    for _ in 0..STEPS {
        // Derivatives of the chords before and after each inner position.
        let h = 1e-6 * now.iter().copied().fold(f64::INFINITY, f64::min);
        let slopes = |k: usize| {
            let [low, high] = [ends[k] - h, ends[k] + h].map(|s| track.place(s));
            [k - 1, k + 1].map(|other| {
                let other = track.place(ends[other]);
                (norm(sub(high, other)) - norm(sub(low, other))) / (2.0 * h)
            })
        };
        let slopes: Vec<[f64; 2]> = (1..=inner).map(slopes).collect();
        let Some(steps) = tridiagonal(&slopes, &now) else { return };
        let moved: Vec<f64> = ends.iter().zip(&steps).map(|(s, step)| s + step).collect();
        let then = chords(&moved);
        let is_better = unevenness(&then) < unevenness(&now);
        if !is_better || !moved.is_sorted() {
            return;
        }
        ends.copy_from_slice(&moved);
        now = then;
    }
}

/// Returns the steps of positions that make all chords equal to first order, 0 for the first and
/// the last position. `None` if there is no solution. Row k states that chord k grows as much as
/// chord k - 1.
fn tridiagonal(slopes: &[[f64; 2]], chords: &[f64]) -> Option<Vec<f64>> {
    let n = slopes.len();
    let (mut upper, mut right) = (vec![0.0; n], vec![0.0; n]);
    for k in 0..n {
        let [before, after] = slopes[k];
        let lower = if k > 0 { -slopes[k - 1][1] } else { 0.0 };
        let (above, known) = if k > 0 { (upper[k - 1], right[k - 1]) } else { (0.0, 0.0) };
        let pivot = after - before - lower * above;
        if !pivot.is_normal() {
            return None;
        }
        upper[k] = if k + 1 < n { slopes[k + 1][0] / pivot } else { 0.0 };
        right[k] = (chords[k] - chords[k + 1] - lower * known) / pivot;
    }
    let mut steps = vec![0.0; n + 2];
    for k in (0..n).rev() {
        steps[k + 1] = right[k] - upper[k] * steps[k + 2];
    }
    Some(steps)
}

/// Returns positions of nodes that divide the line into `parts` equal chords, including the end of
/// an open line. `None` for a line of length 0.
pub(super) fn equal_chords(track: &Track<'_>, parts: usize) -> Option<Vec<Vec3>> {
    let total = track.length();
    let longest = total / parts as f64;
    if !longest.is_normal() {
        return None;
    }
    // If a walk fails, its chords are too long.
    let beyond = |chord: f64| track.walk(chord, parts).map_or(total, |ends| ends[parts] - total);
    let at_longest = beyond(longest);
    let (mut shortest, mut at_shortest) = (longest, at_longest);
    let mut share = 1e-3;
    while at_shortest > 0.0 && share < 1.0 {
        shortest = longest * (1.0 - share);
        at_shortest = beyond(shortest);
        share = if share < 0.5 { 2.0 * share } else { 0.5 * (1.0 + share) };
        if share > 1.0 - 1e-6 {
            return None;
        }
    }
    // Each try is a walk, and rounding errors accumulate along it.
    let tries = (10_000_000 / parts).clamp(10, 80);
    let close = if parts < 10_000 { 1e-14 } else { 1e-15 * (parts as f64).sqrt() } * total;
    let chord = root(shortest, at_shortest, longest, at_longest, close, tries, beyond);
    let mut ends = track.walk(chord, parts)?;
    if (ends[parts] - total).abs() <= 1e-3 * chord {
        ends[parts] = total;
        even_out(track, &mut ends);
    }
    let count = if track.is_closed { parts } else { parts + 1 };
    let mut places: Vec<Vec3> = ends[..count].iter().map(|s| track.place(*s)).collect();
    if !track.is_closed {
        places[parts] = track.place(total);
    }
    Some(places)
}
