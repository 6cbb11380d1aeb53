//! Tensions of a rope whose parts exchange length over pulleys.
//!
//! A part between two pulleys that resist has the length ℓ, the rest length u and the tension
//! T = EA (ℓ - u)/u, or 0 where it is slack. Rope of the length s moves over a pulley. Without
//! sliding, s = τ v + τ² (T' - T)/J: the rim of a wheel with the mass J = I/r² and
//! the speed v turns for the time τ, by the implicit Euler method; a bollard does not turn, s = 0.
//! Rope slides where the ratio of tensions would be above e^{μθ}, until it is e^{μθ}. Neither rule
//! depends on the time in which friction acts, so a rope that holds does so for ever.

use super::list::List;

/// A part of the rope between two pulleys that resist.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    /// Length.
    pub(super) length: f64,
    /// Length at rest before anything moves over pulleys.
    pub(super) rest: f64,
}

/// The signed tension of a span as a line through its value for some ways over the holds.
#[derive(Clone, Copy, Debug)]
struct Tangent {
    /// Tension, below 0 where the span is slack.
    tension: f64,
    /// Rope that the span has given away there.
    exchanged: f64,
    /// Tension per length of rope given away, EA ℓ/u².
    by_exchange: f64,
    /// Tension per length of the span, EA/u.
    by_length: f64,
}

/// Resistance between two spans, or beside a motor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// Largest ratio of the tensions, e^{μθ}; infinite where the rope cannot slide.
    pub(super) ratio: f64,
    /// Way that the rim moves without a difference of tensions, τ v.
    pub(super) way: f64,
    /// Further way per difference of tensions, τ²/J; 0 for a bollard.
    pub(super) gain: f64,
    /// 1 if the rope slid in the direction of the route in the last step, -1 if in the other one.
    pub(super) slid: f64,
}

/// A pull at the end of the rope in place of a span: the tension by which a motor winds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motor {
    /// Tension by the torque.
    pub(super) tension: f64,
    /// Whether it is at the start of the route instead of the end.
    pub(super) is_first: bool,
}

/// The spans in the order of the route, what is between them, and a motor at an end.
#[derive(Clone, Debug)]
pub(super) struct Rope {
    pub(super) spans: List<Span>,
    /// EA.
    pub(super) axial: f64,
    /// Minimum length at rest of a span.
    pub(super) least: f64,
    /// One between each two spans, and one more beside the motor.
    pub(super) holds: List<Hold>,
    pub(super) motor: Option<Motor>,
}

/// State of a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grip {
    Held,
    /// The tension behind is the larger one by the whole ratio.
    SlidesOn,
    /// The tension before is.
    SlidesBack,
    /// Holds near the ratio, and slid in the direction of the route in the step before.
    NearlyOn,
    /// Holds near the ratio, and slid in the other direction in the step before.
    NearlyBack,
}

/// Tensions and ways of the rope.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Tension of each span.
    pub(super) tension: List<f64>,
    /// Way of the rope over each hold, in the direction of the route.
    pub(super) moved: List<f64>,
    grips: List<Grip>,
}

impl Found {
    /// 1 if the rope slides over a hold in the direction of the route, -1 if in the other one, 0 if
    /// it holds.
    pub(super) fn slides(&self, hold: usize) -> f64 {
        match self.grips[hold] {
            Grip::SlidesOn => 1.0,
            Grip::SlidesBack => -1.0,
            Grip::Held | Grip::NearlyOn | Grip::NearlyBack => 0.0,
        }
    }
}

/// Share of the largest ratio from which a rope that slid has the derivatives of one that slides:
/// at the end of a step it is at the ratio but for the change of its arc.
const NEARLY: f64 = 0.999;

/// Maximum number of sweeps over the holds.
const MOST_SWEEPS: usize = 20_000;

/// Maximum number of tangents.
const MOST_TANGENTS: usize = 30;

impl Rope {
    /// Index of the span before a hold; `None` for a motor at the start.
    fn before(&self, hold: usize) -> Option<usize> {
        match self.motor {
            Some(Motor { is_first: true, .. }) => hold.checked_sub(1),
            _ => Some(hold),
        }
    }

    /// Index of the span behind a hold; `None` for a motor at the end.
    fn behind(&self, hold: usize) -> Option<usize> {
        let span = self.before(hold).map_or(0, |before| before + 1);
        (span < self.spans.len()).then_some(span)
    }

    /// Spans before and behind a hold; `None` for the motor.
    pub(super) fn beside(&self, hold: usize) -> [Option<usize>; 2] {
        [self.before(hold), self.behind(hold)]
    }

    /// Rest length of a span after the rope has moved.
    pub(super) fn rest_after(&self, span: usize, found: &Found) -> f64 {
        self.rest_with(span, &found.moved)
    }

    fn rest_with(&self, span: usize, moved: &[f64]) -> f64 {
        (self.spans[span].rest - self.exchanged(span, moved)).max(self.least)
    }

    /// Tangents of all spans at these ways.
    fn tangents(&self, moved: &[f64]) -> List<Tangent> {
        let of = |span: usize| {
            let (length, rest) = (self.spans[span].length, self.rest_with(span, moved));
            let by_length = self.axial / rest;
            Tangent {
                tension: by_length * (length - rest),
                exchanged: self.exchanged(span, moved),
                by_exchange: by_length * length / rest,
                by_length,
            }
        };
        (0..self.spans.len()).map(of).collect()
    }

    /// Signed tension of a span by its tangent.
    fn pull(&self, span: usize, tangents: &[Tangent], moved: &[f64]) -> f64 {
        let Tangent { tension, exchanged, by_exchange, .. } = tangents[span];
        tension + by_exchange * (self.exchanged(span, moved) - exchanged)
    }

    /// Rope that a span gives to its neighbours.
    fn exchanged(&self, span: usize, moved: &[f64]) -> f64 {
        let shift = usize::from(self.motor.is_some_and(|motor| motor.is_first));
        let out = moved.get(span + shift).copied().unwrap_or(0.0);
        let into = (span + shift).checked_sub(1).map_or(0.0, |hold| moved[hold]);
        out - into
    }

    /// Tension on a side of a hold without its own way, and its change by that way.
    fn side(
        &self,
        span: Option<usize>,
        hold: usize,
        tangents: &[Tangent],
        moved: &[f64],
    ) -> (f64, f64) {
        match span {
            Some(span) => {
                let stiffness = tangents[span].by_exchange;
                let by_way = if self.before(hold) == Some(span) { stiffness } else { -stiffness };
                (self.pull(span, tangents, moved) - by_way * moved[hold], by_way)
            }
            None => (self.motor.map_or(0.0, |motor| motor.tension), 0.0),
        }
    }

    /// The way over one hold while all others stay.
    fn settle(&self, hold: usize, tangents: &[Tangent], moved: &[f64]) -> (f64, Grip) {
        let Hold { ratio, way, gain, slid } = self.holds[hold];
        let (alpha, a) = self.side(self.before(hold), hold, tangents, moved);
        let (beta, b) = self.side(self.behind(hold), hold, tangents, moved);
        // s = way + gain (max(β + b s, 0) - max(α + a s, 0)), with a of at least 0 and b at most 0.
        let held = |with_a: f64, with_b: f64| {
            (way + gain * (with_b * beta - with_a * alpha))
                / (1.0 + gain * (with_a * a - with_b * b))
        };
        let mut s = held(1.0, 1.0);
        if alpha + a * s < 0.0 || beta + b * s < 0.0 {
            let fits = |&(with_a, with_b): &(f64, f64)| {
                let s = held(with_a, with_b);
                (alpha + a * s < 0.0) == (with_a == 0.0) && (beta + b * s < 0.0) == (with_b == 0.0)
            };
            let found = [(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)].into_iter().find(fits);
            s = found.map_or(s, |(with_a, with_b)| held(with_a, with_b));
        }
        if ratio == f64::INFINITY {
            return (s, Grip::Held);
        }
        let (before, behind) = (alpha + a * s, beta + b * s);
        if behind > ratio * before {
            ((beta - ratio * alpha) / (ratio * a - b), Grip::SlidesOn)
        } else if before > ratio * behind {
            ((alpha - ratio * beta) / (ratio * b - a), Grip::SlidesBack)
        } else if slid > 0.0 && behind > 0.0 && behind > NEARLY * ratio * before {
            (s, Grip::NearlyOn)
        } else if slid < 0.0 && before > 0.0 && before > NEARLY * ratio * behind {
            (s, Grip::NearlyBack)
        } else {
            (s, Grip::Held)
        }
    }

    /// Finds the ways over all holds together, by Newton's method.
    pub(super) fn solve(&self) -> Found {
        let mut moved = List::from_elem(0.0, self.holds.len());
        let mut grips = List::from_elem(Grip::Held, self.holds.len());
        let scale: f64 = self.spans.iter().map(|span| span.length).sum();
        for _ in 0..if self.holds.is_empty() { 0 } else { MOST_TANGENTS } {
            let known = moved.clone();
            self.sweep(&self.tangents(&known), scale, &mut moved, &mut grips);
            let changes = moved.iter().zip(&known).map(|(now, before)| (now - before).abs());
            if changes.fold(0.0, f64::max) <= 1e-16 * scale {
                break;
            }
        }
        let tension = self.tangents(&moved).iter().map(|one| one.tension.max(0.0)).collect();
        Found { tension, moved, grips }
    }

    /// Finds the ways over all holds for tensions by their tangents.
    fn sweep(&self, tangents: &[Tangent], scale: f64, moved: &mut [f64], grips: &mut [Grip]) {
        for _ in 0..MOST_SWEEPS {
            let mut change = 0.0_f64;
            for hold in 0..self.holds.len() {
                let (s, grip) = self.settle(hold, tangents, moved);
                change = change.max((s - moved[hold]).abs());
                (moved[hold], grips[hold]) = (s, grip);
            }
            if self.holds.len() < 2 || change <= 1e-16 * scale {
                break;
            }
        }
    }

    /// ∂s_i/∂ℓ_j of the ways over holds, row by row, with the holds as they were found.
    pub(super) fn ways(&self, found: &Found) -> Vec<Vec<f64>> {
        let (spans, holds) = (self.spans.len(), self.holds.len());
        let tangents = self.tangents(&found.moved);
        let is_taut: List<bool> = found.tension.iter().map(|tension| *tension > 0.0).collect();
        // Each hold gives one equation in the changes of all ways.
        let mut matrix = vec![vec![0.0; holds + spans]; holds];
        for (hold, row) in matrix.iter_mut().enumerate() {
            let Hold { ratio, gain, .. } = self.holds[hold];
            let (of_before, of_behind) = match found.grips[hold] {
                Grip::Held => (gain, -gain),
                Grip::SlidesOn | Grip::NearlyOn => (-ratio, 1.0),
                Grip::SlidesBack | Grip::NearlyBack => (1.0, -ratio),
            };
            if found.grips[hold] == Grip::Held {
                row[hold] += 1.0;
            }
            let sides = [(self.before(hold), of_before), (self.behind(hold), of_behind)];
            for (span, factor) in sides {
                let Some(span) = span.filter(|&span| is_taut[span]) else { continue };
                row[holds + span] -= tangents[span].by_length * factor;
                let stiffness = tangents[span].by_exchange * factor;
                for (other, value) in row.iter_mut().take(holds).enumerate() {
                    let into = self.behind(other) == Some(span);
                    let out = self.before(other) == Some(span);
                    *value += stiffness * (f64::from(u8::from(out)) - f64::from(u8::from(into)));
                }
            }
        }
        solved(matrix, holds)
    }

    /// ∂T_i/∂ℓ_j, row by row, with the holds as they were found.
    pub(super) fn slopes(&self, found: &Found) -> Vec<Vec<f64>> {
        let (tangents, ways) = (self.tangents(&found.moved), self.ways(found));
        let slope = |i: usize, j: usize| {
            if found.tension[i] == 0.0 {
                return 0.0;
            }
            let mut exchanged = 0.0;
            for (hold, way) in ways.iter().enumerate() {
                if self.before(hold) == Some(i) {
                    exchanged += way[j];
                }
                if self.behind(hold) == Some(i) {
                    exchanged -= way[j];
                }
            }
            let own = if i == j { tangents[i].by_length } else { 0.0 };
            own + tangents[i].by_exchange * exchanged
        };
        let spans = self.spans.len();
        (0..spans).map(|i| (0..spans).map(|j| slope(i, j)).collect()).collect()
    }
}

/// Solves a system whose rows have all right sides behind their `n` coefficients. A row without a
/// pivot, as of a slack rope, changes nothing.
fn solved(mut rows: Vec<Vec<f64>>, n: usize) -> Vec<Vec<f64>> {
    for column in 0..n {
        let best =
            (column..n).max_by(|&i, &j| rows[i][column].abs().total_cmp(&rows[j][column].abs()));
        let Some(best) = best.filter(|&best| rows[best][column] != 0.0) else { continue };
        rows.swap(column, best);
        let pivot = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != column) {
            let share = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).for_each(|(value, above)| *value -= share * above);
        }
    }
    let side = |(i, row): (usize, &Vec<f64>)| {
        let scale = if row[i] == 0.0 { 0.0 } else { 1.0 / row[i] };
        row[n..].iter().map(|value| value * scale).collect()
    };
    rows.iter().enumerate().map(side).collect()
}
