//! Tensions of a rope whose parts exchange length over pulleys.
//!
//! A part between two pulleys that resist has the length ℓ, the rest length u and the tension T =
//! EA (ℓ - u)/u, or 0 if it is slack. In a time τ, rope of the length s moves over a pulley.
//! Without sliding, s = τ v + τ² (T' - T)/J by the implicit Euler method. J = I/r² is the effective
//! mass of the wheel's rim and v its speed. A bollard does not turn: s = 0. Rope slides if the
//! ratio of tensions would exceed e^{μθ}, until it equals e^{μθ}. Friction does not depend on time,
//! so a rope that does not slide never creeps.

use super::path::List;

/// A part of the rope between two pulleys that resist.
#[derive(Clone, Copy, Debug)]
pub(super) struct RouteSpan {
    /// Length.
    pub(super) length: f64,
    /// Rest length before rope moves over pulleys.
    pub(super) rest: f64,
}

/// Linearisation of the signed tension of a span, for given displacements over the holds.
#[derive(Clone, Copy, Debug)]
struct Tangent {
    /// Tension, below 0 where the span is slack.
    tension: f64,
    /// Rope that the span gives away for these displacements.
    exchanged: f64,
    /// Tension per length of rope given away, EA ℓ/u².
    by_exchange: f64,
    /// Tension per length of the span, EA/u.
    by_length: f64,
}

/// Resistance between two spans, or between a span and a motor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// Maximum ratio of the tensions, e^{μθ}; infinite if the rope cannot slide.
    pub(super) ratio: f64,
    /// Displacement τ v of the rim for equal tensions on both sides.
    pub(super) displacement: f64,
    /// Additional displacement per difference of tensions, τ²/J; 0 for a bollard.
    pub(super) gain: f64,
    /// 1 if the rope slid in the direction of the route in the last step, -1 if it slid in the
    /// opposite direction, 0 if it held.
    pub(super) slid: f64,
}

/// A motor at an end of the rope, which pulls in place of a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motor {
    /// Tension that the torque causes.
    pub(super) tension: f64,
    /// Whether the motor is at the start of the route instead of the end.
    pub(super) is_first: bool,
}

/// The spans in the order of the route, the holds between them, and the motor at an end.
#[derive(Clone, Debug)]
pub(super) struct Rope {
    pub(super) spans: List<RouteSpan>,
    /// Axial stiffness EA.
    pub(super) axial: f64,
    /// Minimum rest length of a span.
    pub(super) minimum: f64,
    /// One hold between each two spans, and one more next to a motor.
    pub(super) holds: List<Hold>,
    pub(super) motor: Option<Motor>,
}

/// State of a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grip {
    Held,
    /// The tension after the hold is larger by the maximum ratio: rope slides in the direction of
    /// the route.
    SlidesOn,
    /// The tension before the hold is larger by the maximum ratio: rope slides in the opposite
    /// direction.
    SlidesBack,
    /// The rope holds near the maximum ratio, and slid in the direction of the route in the last
    /// step.
    NearlyOn,
    /// The rope holds near the maximum ratio, and slid in the opposite direction in the last step.
    NearlyBack,
}

/// Tensions of the spans, and displacements of the rope over the holds.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundTension {
    /// Tension of each span.
    pub(super) tension: List<f64>,
    /// Displacement of the rope over each hold, in the direction of the route.
    pub(super) moved: List<f64>,
    grips: List<Grip>,
    /// Whether the search for the displacements over holds did not converge.
    pub(super) is_open: bool,
}

impl Grip {
    /// Whether the rope does not slide.
    fn is_held(self) -> bool {
        matches!(self, Self::Held | Self::NearlyOn | Self::NearlyBack)
    }
}

impl FoundTension {
    /// 1 if the rope slides over a hold in the direction of the route, -1 if it slides in the
    /// opposite direction, 0 if it holds.
    pub(super) fn slides(&self, hold: usize) -> f64 {
        match self.grips[hold] {
            Grip::SlidesOn => 1.0,
            Grip::SlidesBack => -1.0,
            Grip::Held | Grip::NearlyOn | Grip::NearlyBack => 0.0,
        }
    }
}

/// Share of the maximum ratio above which a rope that slid in the last step gets the derivatives of
/// a sliding rope. At the end of a step, such a rope is at the maximum ratio, except for the change
/// of its arc.
const NEARLY: f64 = 0.999;

/// Maximum change of the displacements in the last step after convergence, as a share of the route:
/// a few rounding errors.
const EXACT: f64 = 1e-15;

/// Maximum change in the last step if rounding errors keep Newton's method from improving, as a
/// share of the route.
const ROUNDED: f64 = 1e-12;

/// Maximum change in the last step for the search to count as converged after all steps, as a share
/// of the route.
const GOOD: f64 = 1e-7;

/// Maximum number of steps of Newton's method.
const MAX_STEPS: usize = 60;

/// Maximum number of sweeps over the holds before each solution for all displacements together.
/// Sweeps find the holds at which the rope slides.
const SWEEPS: usize = 12;

/// Maximum number of sweeps in later steps, if the holds have not settled.
const LONG_SWEEPS: usize = 100;

impl Rope {
    /// Index of the span before a hold; `None` for a motor at the start.
    fn before(&self, hold: usize) -> Option<usize> {
        match self.motor {
            Some(Motor { is_first: true, .. }) => hold.checked_sub(1),
            _ => Some(hold),
        }
    }

    /// Index of the span after a hold; `None` for a motor at the end.
    fn after(&self, hold: usize) -> Option<usize> {
        let span = self.before(hold).map_or(0, |before| before + 1);
        (span < self.spans.len()).then_some(span)
    }

    /// Indices of the spans before and after a hold; `None` for the motor.
    pub(super) fn spans_around(&self, hold: usize) -> [Option<usize>; 2] {
        [self.before(hold), self.after(hold)]
    }

    /// Rest length of a span after the rope has moved.
    pub(super) fn rest_after(&self, span: usize, found: &FoundTension) -> f64 {
        self.rest_with(span, &found.moved)
    }

    fn rest_with(&self, span: usize, moved: &[f64]) -> f64 {
        (self.spans[span].rest - self.exchanged(span, moved)).max(self.minimum)
    }

    /// Tangents of all spans at these displacements.
    fn tangents(&self, moved: &[f64]) -> List<Tangent> {
        (0..self.spans.len()).map(|span| self.tangent(span, moved)).collect()
    }

    fn tangent(&self, span: usize, moved: &[f64]) -> Tangent {
        let (length, rest) = (self.spans[span].length, self.rest_with(span, moved));
        let by_length = self.axial / rest;
        Tangent {
            tension: by_length * (length - rest),
            exchanged: self.exchanged(span, moved),
            by_exchange: by_length * length / rest,
            by_length,
        }
    }

    /// Signed tension of a span by its tangent.
    fn pull(&self, span: usize, tangents: &[Tangent], moved: &[f64]) -> f64 {
        let Tangent { tension, exchanged, by_exchange, .. } = tangents[span];
        tension + by_exchange * (self.exchanged(span, moved) - exchanged)
    }

    /// Index of the hold over which a span gives rope away, and of the hold over which it takes
    /// rope.
    fn holds_of(&self, span: usize) -> [Option<usize>; 2] {
        let shift = usize::from(self.motor.is_some_and(|motor| motor.is_first));
        let out = Some(span + shift).filter(|hold| *hold < self.holds.len());
        [out, (span + shift).checked_sub(1)]
    }

    /// Rope that a span gives to its neighbours.
    fn exchanged(&self, span: usize, moved: &[f64]) -> f64 {
        let [out, into] = self.holds_of(span).map(|hold| hold.map_or(0.0, |hold| moved[hold]));
        out - into
    }

    /// Tension on a side of a hold for no displacement over that hold, and its derivative with
    /// respect to that displacement.
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
                let slope = if self.before(hold) == Some(span) { stiffness } else { -stiffness };
                (self.pull(span, tangents, moved) - slope * moved[hold], slope)
            }
            None => (self.motor.map_or(0.0, |motor| motor.tension), 0.0),
        }
    }

    /// Returns the displacement over one hold while all other displacements stay constant.
    fn settle(&self, hold: usize, tangents: &[Tangent], moved: &[f64]) -> (f64, Grip) {
        let Hold { ratio, displacement, gain, slid } = self.holds[hold];
        let (alpha, a) = self.side(self.before(hold), hold, tangents, moved);
        let (beta, b) = self.side(self.after(hold), hold, tangents, moved);
        // s = displacement + gain (max(β + b s, 0) - max(α + a s, 0)), with a >= 0 and b <= 0.
        let held = |with_a: f64, with_b: f64| {
            (displacement + gain * (with_b * beta - with_a * alpha))
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
        // A slack part does not pull: rope slides from it to the other part until both are slack,
        // or both are taut.
        let (before, after) = ((alpha + a * s).max(0.0), (beta + b * s).max(0.0));
        if after > ratio * before {
            let both = (beta - ratio * alpha) / (ratio * a - b);
            let until_slack = if b == 0.0 { both } else { -beta / b };
            (if alpha + a * both < 0.0 { until_slack } else { both }, Grip::SlidesOn)
        } else if before > ratio * after {
            let both = (alpha - ratio * beta) / (ratio * b - a);
            let until_slack = if a == 0.0 { both } else { -alpha / a };
            (if beta + b * both < 0.0 { until_slack } else { both }, Grip::SlidesBack)
        } else if slid > 0.0 && after > 0.0 && after > NEARLY * ratio * before {
            (s, Grip::NearlyOn)
        } else if slid < 0.0 && before > 0.0 && before > NEARLY * ratio * after {
            (s, Grip::NearlyBack)
        } else {
            (s, Grip::Held)
        }
    }

    /// Finds the displacements over all holds together, by Newton's method.
    ///
    /// Sweeps find the holds at which rope slides. A tridiagonal system for these holds then gives
    /// all displacements. The time is proportional to the number of holds.
    pub(super) fn solve(&self, found: &mut FoundTension) {
        let holds = self.holds.len();
        found.moved.clear();
        found.moved.resize(holds, 0.0);
        found.grips.clear();
        found.grips.resize(holds, Grip::Held);
        found.is_open = holds > 0 && !self.search(&mut found.moved, &mut found.grips);
        found.tension.clear();
        for span in 0..self.spans.len() {
            found.tension.push(self.tangent(span, &found.moved).tension.max(0.0));
        }
    }

    /// Searches for the displacements over holds. Returns whether the search converged.
    fn search(&self, moved: &mut [f64], grips: &mut [Grip]) -> bool {
        let scale: f64 = self.spans.iter().map(|span| span.length).sum();
        let mut last = f64::INFINITY;
        for step in 0..MAX_STEPS {
            let known: List<f64> = moved.iter().copied().collect();
            let tangents = self.tangents(&known);
            // Holds that alternate between two states in steps for all displacements settle by
            // sweeps.
            let is_bold = step < MAX_STEPS / 2;
            let sweeps = if is_bold { SWEEPS } else { LONG_SWEEPS };
            self.sweep(&tangents, sweeps, scale, moved, grips);
            if self.holds.len() > 1 {
                self.solve_together(&tangents, is_bold, moved, grips);
            }
            let changes = moved.iter().zip(&known).map(|(now, before)| (now - before).abs());
            // NaN does not count as a small change.
            let change =
                changes.fold(0.0, |maximum: f64, one| if one <= maximum { maximum } else { one });
            let is_rounding = change <= ROUNDED * scale && change >= 0.5 * last;
            if change <= EXACT * scale || is_rounding {
                return true;
            }
            // Holds that alternate between two states settle at the mean of both.
            if is_bold && step > 3 && change >= 0.5 * last {
                moved.iter_mut().zip(&known).for_each(|(now, known)| *now = 0.5 * (*now + known));
            }
            last = change;
        }
        last <= GOOD * scale
    }

    /// Settles each hold in turn, for tensions that are linear by their tangents.
    fn sweep(
        &self,
        tangents: &[Tangent],
        maximum: usize,
        scale: f64,
        moved: &mut [f64],
        grips: &mut [Grip],
    ) {
        let holds = self.holds.len();
        for round in 0..maximum {
            let mut change = 0.0_f64;
            for hold in 0..holds {
                // Alternating directions carry a change at one end to the other end.
                let hold = if round % 2 == 0 { hold } else { holds - 1 - hold };
                let (s, grip) = self.settle(hold, tangents, moved);
                change = change.max((s - moved[hold]).abs());
                (moved[hold], grips[hold]) = (s, grip);
            }
            if holds < 2 || change <= EXACT * scale {
                break;
            }
        }
    }

    /// Solves for all displacements, for the given states of the holds and the given slack parts.
    /// Unless `is_bold` is set, a solution that changes these is rejected.
    fn solve_together(
        &self,
        tangents: &[Tangent],
        is_bold: bool,
        moved: &mut [f64],
        grips: &[Grip],
    ) {
        let is_taut = |span: usize, moved: &[f64]| self.pull(span, tangents, moved) > 0.0;
        let mut rows: List<RouteRow> = List::new();
        for (hold, grip) in grips.iter().enumerate() {
            let all = self.spans_around(hold);
            let mut sides = all.map(|span| span.filter(|&span| is_taut(span, moved)));
            // The side towards which rope slides is taut, or becomes slack by sliding.
            match grip {
                Grip::SlidesBack => sides[0] = all[0],
                Grip::SlidesOn => sides[1] = all[1],
                _ => {}
            }
            rows.push(self.row(hold, *grip, sides, tangents));
        }
        factor(&mut rows);
        substitute(&mut rows);
        let all: List<f64> = rows.iter().map(|row| row.right).collect();
        let stays = |hold: usize| {
            let grip = self.settle(hold, tangents, &all).1;
            (grip == grips[hold] || grip.is_held() && grips[hold].is_held())
                && self
                    .spans_around(hold)
                    .into_iter()
                    .flatten()
                    .all(|span| is_taut(span, &all) == is_taut(span, moved))
        };
        if is_bold || (0..self.holds.len()).all(stays) {
            moved.copy_from_slice(&all);
        }
    }

    /// Returns the equation of a hold in the displacements over the hold and its two neighbours.
    /// `sides` are the spans before and after the hold, if they are taut.
    fn row(
        &self,
        hold: usize,
        grip: Grip,
        sides: [Option<usize>; 2],
        tangents: &[Tangent],
    ) -> RouteRow {
        let Hold { ratio, displacement, gain, .. } = self.holds[hold];
        // Σ factor T = right side, with T = T₀ + c (out - in - exchanged).
        let (factors, own, right) = match grip {
            _ if grip.is_held() => ([gain, -gain], 1.0, displacement),
            Grip::SlidesOn => ([ratio, -1.0], 0.0, 0.0),
            _ => ([1.0, -ratio], 0.0, 0.0),
        };
        let mut row = RouteRow { before: 0.0, own, after: 0.0, right };
        let is_motor = |side: usize| self.spans_around(hold)[side].is_none();
        for side in 0..2 {
            let factor = factors[side];
            if let (true, Some(motor)) = (is_motor(side), self.motor) {
                row.right -= factor * motor.tension;
            }
            let Some(span) = sides[side] else { continue };
            let Tangent { tension, exchanged, by_exchange, .. } = tangents[span];
            row.right -= factor * (tension - by_exchange * exchanged);
            let coefficient = factor * by_exchange;
            // The span before a hold gives rope away over it; the span after it takes it.
            if side == 0 {
                (row.own, row.before) = (row.own + coefficient, row.before - coefficient);
            } else {
                (row.own, row.after) = (row.own - coefficient, row.after + coefficient);
            }
        }
        row
    }

    /// Derivatives ∂s_i/∂ℓ_j of the displacements over holds, row by row, for the holds as they
    /// were found.
    pub(super) fn displacement_slopes(&self, found: &FoundTension) -> Vec<Vec<f64>> {
        let (spans, holds) = (self.spans.len(), self.holds.len());
        let tangents = self.tangents(&found.moved);
        let is_taut = |span: &usize| found.tension[*span] > 0.0;
        // Each hold gives one equation in the changes of all displacements.
        let (mut rows, mut by_length) = (List::<RouteRow>::new(), List::<[f64; 2]>::new());
        for hold in 0..holds {
            let sides = self.spans_around(hold).map(|span| span.filter(is_taut));
            let grip = match found.grips[hold] {
                Grip::NearlyOn => Grip::SlidesOn,
                Grip::NearlyBack => Grip::SlidesBack,
                grip => grip,
            };
            let Hold { ratio, gain, .. } = self.holds[hold];
            let factors = match grip {
                Grip::SlidesOn => [ratio, -1.0],
                Grip::SlidesBack => [1.0, -ratio],
                _ => [gain, -gain],
            };
            rows.push(self.row(hold, grip, sides, &tangents));
            let of = |side: usize| {
                sides[side].map_or(0.0, |span| -factors[side] * tangents[span].by_length)
            };
            by_length.push([of(0), of(1)]);
        }
        let mut slopes = vec![vec![0.0; spans]; holds];
        factor(&mut rows);
        for span in 0..spans {
            for (hold, equation) in rows.iter_mut().enumerate() {
                let own = |side: usize| self.spans_around(hold)[side] == Some(span);
                let of = |side: usize| if own(side) { by_length[hold][side] } else { 0.0 };
                equation.right = of(0) + of(1);
            }
            substitute(&mut rows);
            slopes.iter_mut().zip(&rows).for_each(|(row, equation)| row[span] = equation.right);
        }
        slopes
    }

    /// Derivatives ∂T_i/∂ℓ_j of the tensions, row by row, for the holds as they were found.
    pub(super) fn slopes(&self, found: &FoundTension) -> Vec<Vec<f64>> {
        let (tangents, slopes) = (self.tangents(&found.moved), self.displacement_slopes(found));
        let slope = |i: usize, j: usize| {
            if found.tension[i] == 0.0 {
                return 0.0;
            }
            let [out, into] = self.holds_of(i).map(|hold| hold.map_or(0.0, |hold| slopes[hold][j]));
            let exchanged = out - into;
            let own = if i == j { tangents[i].by_length } else { 0.0 };
            own + tangents[i].by_exchange * exchanged
        };
        let spans = self.spans.len();
        (0..spans).map(|i| (0..spans).map(|j| slope(i, j)).collect()).collect()
    }
}

/// An equation in three unknowns: before · x₋ + own · x + after · x₊ = right.
#[derive(Clone, Copy, Debug, Default)]
struct RouteRow {
    before: f64,
    own: f64,
    after: f64,
    /// The right side, and the solution after [`substitute`].
    right: f64,
}

/// Factors a system by elimination without pivoting, for rows whose own coefficient is at least the
/// sum of the two others. An unknown without a pivot, as for a slack rope, is 0.
///
/// Afterwards `before` is the factor of the row above in the elimination, and `own` the inverse of
/// the pivot. `after` is unchanged.
fn factor(rows: &mut [RouteRow]) {
    for i in 0..rows.len() {
        let above = i.checked_sub(1).map(|above| rows[above]);
        let row = &mut rows[i];
        let before = row.before;
        row.before = above.map_or(0.0, |above| before * above.own);
        let pivot = row.own - above.map_or(0.0, |above| row.before * above.after);
        row.own = if pivot == 0.0 { 0.0 } else { 1.0 / pivot };
    }
}

/// Replaces the right sides of factored rows by the solution.
fn substitute(rows: &mut [RouteRow]) {
    for i in 1..rows.len() {
        rows[i].right -= rows[i].before * rows[i - 1].right;
    }
    for i in (0..rows.len()).rev() {
        let next = rows.get(i + 1).map_or(0.0, |next| next.right);
        rows[i].right = (rows[i].right - rows[i].after * next) * rows[i].own;
    }
}
