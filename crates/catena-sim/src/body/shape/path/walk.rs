//! Walks along a line in equal chords.
//!
//! With chords of length c, a walk of a given number of steps ends at some place of the line. The
//! chord that ends at the end of the line is found by regula falsi (Illinois), and so is the place
//! of each node: the first at which the line is as far from the node before it as the chord is
//! long. Round a corner sharper than a right angle that place can jump; then the last chord differs
//! from the others.

use crate::body::vector::{Vec3, along, norm, sub};

/// A line by its length: a map from 0 to 1, and the lengths at evenly spaced samples.
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

    /// The place at a length from the start. Beyond its end a ring goes on, and an open line goes
    /// on straight away from its start.
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

    /// The length at which the line is first as far as `chord` from its place at `start`.
    fn next(&self, start: f64, chord: f64) -> Option<f64> {
        let from = self.place(start);
        let beyond = |s: f64| norm(sub(self.place(s), from)) - chord;
        let (mut low, mut high) = (start, start + 0.999 * chord);
        let mut at_low = -chord;
        let mut at_high = beyond(high);
        while at_high < 0.0 {
            (low, at_low) = (high, at_high);
            high += 0.1 * chord;
            // A ring that is nowhere so far from this place.
            if self.is_closed && high > start + self.length() {
                return None;
            }
            at_high = beyond(high);
        }
        // Distances are no more exact than places, which counts where chords are short.
        let is_short = chord < 1e-4 * self.length();
        let close = if is_short { 2e-16 * self.length() } else { 1e-15 * chord };
        Some(root((low, at_low), (high, at_high), (close, 60), beyond))
    }

    /// The lengths at which so many chords end.
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

/// A place between two of opposite sign where a function is at most `close` to 0, or as near as
/// numbers and so many tries come.
fn root(
    (mut low, mut at_low): (f64, f64),
    (mut high, mut at_high): (f64, f64),
    (close, tries): (f64, usize),
    f: impl Fn(f64) -> f64,
) -> f64 {
    for _ in 0..tries {
        if at_high.abs() <= close {
            break;
        }
        let next = (low * at_high - high * at_low) / (at_high - at_low);
        let next =
            if next > low.min(high) && next < low.max(high) { next } else { 0.5 * (low + high) };
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

/// Places of nodes that cut the line into so many equal chords; the end of an open line is one of
/// them. `None` for a line without length.
pub(super) fn equal_chords(track: &Track<'_>, parts: usize) -> Option<Vec<Vec3>> {
    let total = track.length();
    let longest = total / parts as f64;
    if !longest.is_normal() {
        return None;
    }
    // A walk that goes nowhere has chords that are too long.
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
    // Each try is a walk, and rounding adds up along it.
    let tries = (10_000_000 / parts).clamp(10, 80);
    let close = if parts < 10_000 { 1e-14 } else { 1e-15 * (parts as f64).sqrt() } * total;
    let chord = root((shortest, at_shortest), (longest, at_longest), (close, tries), beyond);
    let ends = track.walk(chord, parts)?;
    let count = if track.is_closed { parts } else { parts + 1 };
    let mut places: Vec<Vec3> = ends[..count].iter().map(|s| track.place(*s)).collect();
    if !track.is_closed {
        places[parts] = track.place(total);
    }
    Some(places)
}
