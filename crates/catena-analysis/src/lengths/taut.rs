//! Tests whether rods can follow the forces that act on them, to second order in the displacement.
//!
//! J has a row per rod: u·(b_b - b_a) for displacements b of the free nodes. Forces first move
//! nodes along v, the part of their accelerations that lengthens no rod: J v = 0. Along v each rod
//! lengthens by |Δv|²/2 divided by its length. A second displacement b has to undo this: J b =
//! -|Δv|²/l. If no b does, the rods are locked, as in a straight rope between two pins or a
//! stretched net. Their tensions would have to be infinite. Both systems are solved as least
//! squares by conjugate gradients (CGLS; Björck 1996, "Numerical Methods for Least Squares
//! Problems", 7.4).

use catena_sim::{
    Arrangement, Setup, Spring, SpringMemory, System, body::vector::inner, drive::Anchors,
};

/// Relative residual above which a system counts as unsolvable.
const OPEN: f64 = 1e-6;
/// Relative size below which a displacement counts as 0.
const STILL: f64 = 1e-9;
/// Maximum work for one system, in rods times iterations.
const MOST_WORK: usize = 2_000_000;
/// Relative tolerance within which the distance of a chain's ends equals its length, so that the
/// chain counts as straight.
const STRAIGHT: f64 = 1e-9;

/// Whether the rods of a body are locked against its forces or its initial velocities. Returns
/// `false` if this is unknown.
pub(super) fn is_taut(setup: &Setup) -> bool {
    let pins = setup.model.pinned.iter().filter(|is_pinned| **is_pinned).count();
    // A body with a single pin can rotate about it.
    if pins < 2 {
        return false;
    }
    let rods = Rods::new(setup);
    if rods.list.is_empty() || rods.list.iter().any(|(_, length)| *length == 0.0) {
        return false;
    }
    let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
    let memory = SpringMemory::default();
    let system = System::new(&setup.model, &memory, &setup.forces, &anchors);
    let mut pushed = vec![0.0; setup.initial.x.len()];
    system.external_accelerations(&setup.initial, &mut pushed);
    let moved = rods.free(&setup.initial.v);
    let ways = [pushed, moved];
    match setup.model.arrangement {
        Arrangement::Chain => ways.iter().any(|way| is_chain_locked(setup, way)),
        _ => ways.iter().any(|way| rods.are_locked(way)),
    }
}

/// Whether a chain is locked: straight between two pins, and pushed sideways.
fn is_chain_locked(setup: &Setup, way: &[f64]) -> bool {
    let (model, x) = (&setup.model, &setup.initial.x);
    let n = model.nodes();
    let pins: Vec<usize> = (0..n).filter(|&node| model.pinned[node]).collect();
    let at = |of: &[f64], node: usize| -> Vec<f64> {
        (0..model.axes).map(|axis| of[axis * n + node]).collect()
    };
    let is_aside = |from: usize, to: usize| {
        let (first, last) = (at(x, from), at(x, to));
        let line: Vec<f64> = last.iter().zip(&first).map(|(b, a)| b - a).collect();
        let square = inner(&line, &line);
        let length: f64 = model.springs[from..to].iter().map(|it| it.rest_length).sum();
        let is_straight = square.sqrt() >= length * (1.0 - STRAIGHT);
        is_straight
            && (from + 1..to).any(|node| {
                let push = at(way, node);
                let along = inner(&push, &line) / square;
                let aside: Vec<f64> =
                    push.iter().zip(&line).map(|(push, line)| push - along * line).collect();
                inner(&aside, &aside) > STILL * STILL * inner(&push, &push)
            })
    };
    pins.windows(2).any(|pair| is_aside(pair[0], pair[1]))
}

/// Rods of a body that have a free end, in the initial state.
struct Rods<'a> {
    setup: &'a Setup,
    /// Springs that act as rods, each with its initial length.
    list: Vec<(&'a Spring, f64)>,
}

impl<'a> Rods<'a> {
    fn new(setup: &'a Setup) -> Self {
        let model = &setup.model;
        let can_move = |spring: &&Spring| !(model.pinned[spring.a] && model.pinned[spring.b]);
        let length = |spring: &'a Spring| (spring, model.span(&setup.initial.x, spring).1);
        Self { setup, list: model.held().iter().filter(can_move).map(length).collect() }
    }

    /// Copy of a vector over all nodes, with zeros for pinned nodes.
    fn free(&self, of: &[f64]) -> Vec<f64> {
        let pinned = &self.setup.model.pinned;
        let value = |(index, value): (usize, &f64)| {
            if pinned[index % pinned.len()] { 0.0 } else { *value }
        };
        of.iter().enumerate().map(value).collect()
    }

    /// Computes J b.
    fn along(&self, b: &[f64]) -> Vec<f64> {
        let model = &self.setup.model;
        let row = |&(spring, length): &(&Spring, f64)| {
            let r = model.span(&self.setup.initial.x, spring).0;
            let way = model.span(b, spring).0;
            inner(&r, &way) / length
        };
        self.list.iter().map(row).collect()
    }

    /// Computes Jᵀ y, with zeros for pinned nodes.
    fn spread(&self, y: &[f64]) -> Vec<f64> {
        let model = &self.setup.model;
        let n = model.nodes();
        let mut out = vec![0.0; model.axes * n];
        for ((spring, length), y) in self.list.iter().zip(y) {
            let r = model.span(&self.setup.initial.x, spring).0;
            for (axis, component) in r.iter().enumerate().take(model.axes) {
                out[axis * n + spring.b] += y * component / length;
                out[axis * n + spring.a] -= y * component / length;
            }
        }
        self.free(&out)
    }

    /// Whether the rods are locked against a displacement of the free nodes.
    fn are_locked(&self, way: &[f64]) -> bool {
        let size = inner(way, way).sqrt();
        if size == 0.0 || !size.is_finite() {
            return false;
        }
        let Some(kept) = self.without_lengthening(way) else { return false };
        if inner(&kept, &kept).sqrt() <= STILL * size {
            return false;
        }
        let model = &self.setup.model;
        let longer = |&(spring, length): &(&Spring, f64)| {
            let d = model.span(&kept, spring).0;
            inner(&d, &d) / length
        };
        let needed: Vec<f64> = self.list.iter().map(longer).collect();
        let whole = inner(&needed, &needed).sqrt();
        let rest = least_squares(&needed, self.work(), |b| self.along(b), |y| self.spread(y));
        rest.is_some_and(|(_, rest)| inner(&rest, &rest).sqrt() > OPEN * whole)
    }

    /// Part v of a displacement that lengthens no rod: v = way - M⁻¹ Jᵀ λ with J v = 0. In the
    /// coordinates √m x this is a least squares problem.
    fn without_lengthening(&self, way: &[f64]) -> Option<Vec<f64>> {
        let root = self.scaled(way, 1.0);
        let (spread, along) = (
            |y: &[f64]| self.scaled(&self.spread(y), -1.0),
            |b: &[f64]| self.along(&self.scaled(b, -1.0)),
        );
        let solved = least_squares(&root, self.work(), spread, along)?;
        Some(self.scaled(&solved.1, -1.0))
    }

    /// Multiplies a vector over all nodes by √m if `sign` is positive, else divides it by √m.
    fn scaled(&self, of: &[f64], sign: f64) -> Vec<f64> {
        let mass = &self.setup.model.mass;
        let root = |index: usize| mass[index % mass.len()].sqrt();
        let value = |(index, value): (usize, &f64)| {
            if sign > 0.0 { value * root(index) } else { value / root(index) }
        };
        of.iter().enumerate().map(value).collect()
    }

    /// Maximum number of iterations for one system; 0 if the body is too large.
    fn work(&self) -> usize {
        let wanted = 4 * self.list.len() + 50;
        if wanted.saturating_mul(self.list.len()) > MOST_WORK { 0 } else { wanted }
    }
}

/// Finds the y that minimizes |c - A y|, and returns y and c - A y. Returns `None` if that takes
/// more than `most` iterations.
fn least_squares(
    c: &[f64],
    most: usize,
    apply: impl Fn(&[f64]) -> Vec<f64>,
    transposed: impl Fn(&[f64]) -> Vec<f64>,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let mut rest = c.to_vec();
    let mut slope = transposed(&rest);
    let mut direction = slope.clone();
    let mut y = vec![0.0; slope.len()];
    let first = inner(&slope, &slope);
    let (mut square, mut scale) = (first, 0.0_f64);
    // If A cannot reduce the residual, its gradient consists of rounding errors, which scale with
    // |A| and the residual.
    let is_done = |square: f64, scale: f64, rest: &[f64], tolerance: f64| {
        square <= tolerance * first.max(scale * inner(rest, rest))
    };
    for _ in 0..most {
        let image = apply(&direction);
        scale = scale.max(inner(&image, &image) / inner(&direction, &direction));
        if is_done(square, scale, &rest, 1e-26) {
            return Some((y, rest));
        }
        let share = square / inner(&image, &image);
        if !share.is_finite() {
            return Some((y, rest));
        }
        y.iter_mut().zip(&direction).for_each(|(y, d)| *y += share * d);
        rest.iter_mut().zip(&image).for_each(|(rest, image)| *rest -= share * image);
        slope = transposed(&rest);
        let next = inner(&slope, &slope);
        direction.iter_mut().zip(&slope).for_each(|(d, slope)| *d = slope + next / square * *d);
        square = next;
    }
    // Rounding limits the accuracy for long chains, so a looser tolerance is accepted at the end.
    (most > 0 && is_done(square, scale, &rest, 1e-16)).then_some((y, rest))
}
