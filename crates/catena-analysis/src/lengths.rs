//! Detects spring lengths that no shape of a body can satisfy. Methods that enforce lengths fail on
//! such a body with any number of iterations and any step.

use catena_base::text::number::short;
use catena_sim::{
    Arrangement, Model, Setup, Spring, SpringMemory, State, System,
    body::{paths::Neighbours, vector::inner},
    drive::Anchors,
};
use std::fmt;

/// Maximum number of frames in which pin distances are checked.
const MAX_FRAMES: u64 = 1024;
/// Maximum number of pins for which all pairs are checked. With more pins, only neighbouring ones
/// are.
const MANY_PINS: usize = 32;
/// Relative excess of a pin distance over the path length above which the path counts as too short.
const SHORT: f64 = 1e-9;
/// Minimum relative deviation of a spring from its initial length for a report.
const OFF: f64 = 1e-3;

/// Reason why springs cannot keep their lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LengthFault {
    /// Two pins are farther apart than the springs between them are long.
    Short {
        /// Indices of the two pinned nodes.
        pins: [usize; 2],
        /// Rest length of the shortest path along springs between the pins.
        length: f64,
        /// Distance between the pins.
        distance: f64,
        /// Simulated time of the first frame in which the pins are too far apart; `None` for the
        /// start.
        time: Option<f64>,
    },
    /// Springs are taut between pins, and forces push nodes in directions that would lengthen them.
    Taut,
}

impl fmt::Display for LengthFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short { pins: [a, b], length, distance, time } => {
                write!(
                    f,
                    "from pin {a} to pin {b} its springs are {} long, but ",
                    digits(*length)
                )?;
                match time {
                    None => write!(f, "the pins are {} apart", digits(*distance)),
                    Some(time) => {
                        write!(
                            f,
                            "at time {} the pins are {} apart",
                            short(*time),
                            digits(*distance)
                        )
                    }
                }
            }
            Self::Taut => f.write_str(
                "its springs are taut between pins, and forces push its nodes in directions that \
                 would stretch the springs",
            ),
        }
    }
}

/// Formats a length with six digits, so that close lengths differ.
fn digits(length: f64) -> String {
    catena_base::text::number::digits(length, 6)
}

/// Finds a reason why the springs of a body cannot all keep their lengths during `frames` frames.
/// Returns `None` if no reason is known, or if the method lets springs stretch.
pub fn length_fault(setup: &Setup, frames: u64) -> Option<LengthFault> {
    if !setup.method.holds_lengths() || setup.breaks_at.is_some() {
        return None;
    }
    // Later events may release pins and cut springs, so only the start is checked.
    let frames = if setup.events.is_empty() { frames } else { 1 };
    too_short(setup, frames).or_else(|| is_taut(setup).then_some(LengthFault::Taut))
}

/// Warning about spring lengths before a run, as one sentence. Returns `None` if the method does
/// not require exact lengths, or nothing prevents them.
pub fn length_warning(setup: &Setup, frames: u64) -> Option<String> {
    let title = setup.method.info().title;
    if let Some(warning) = setup.method.caution(&setup.model) {
        return Some(warning);
    }
    if !is_exact(setup) {
        return None;
    }
    if let Some(fault) = length_fault(setup, frames) {
        return Some(format!(
            "{title} cannot keep all lengths, and more `iterations` or `substeps` do not help: \
             {fault}; give the springs slack (for a rope, with `rope.length` and `shape: \
             Hanging`), or use a method in which springs can stretch, such as VelocityVerlet or \
             XPBD with the springs' own stiffness"
        ));
    }
    let (spring, off) = worst_start(setup)?;
    let it = &setup.model.springs[spring];
    let length = setup.model.span(&setup.initial.x, it).1;
    let speed = (length - it.rest_length).abs() / setup.dt();
    Some(format!(
        "spring {spring}, from node {} to node {}, is {} long at the start, but its rest length is \
         {} ({} % off); {title} corrects this in the first step, which gives its ends a speed of \
         about {}, so the run may diverge; start with springs at their rest lengths (for a rope, \
         with `shape: Hanging` instead of a straight one), or use a method in which springs can \
         stretch, such as ImplicitEuler",
        it.a,
        it.b,
        digits(length),
        digits(it.rest_length),
        short(100.0 * off),
        short(speed),
    ))
}

/// Whether no number of iterations or substeps can make the steps of this body converge.
pub fn is_beyond_help(setup: &Setup, frames: u64) -> bool {
    let has_too_many = setup.method.caution(&setup.model).is_some();
    has_too_many || (is_exact(setup) && length_fault(setup, frames).is_some())
}

/// Whether the method counts a step as converged only when every length is exact.
fn is_exact(setup: &Setup) -> bool {
    let is_rigid =
        || setup.model.held().iter().all(|it| setup.method.stiffness_of(it).is_infinite());
    match setup.method.info().name {
        "Shake" => true,
        "Xpbd" => setup.method.holds_lengths() && is_rigid(),
        _ => false,
    }
}

/// Index and relative deviation of the spring that is farthest from its length at the start.
/// Returns `None` if the deviation is small, or the method corrects lengths gradually.
fn worst_start(setup: &Setup) -> Option<(usize, f64)> {
    if setup.method.info().name != "Shake" {
        return None;
    }
    let model = &setup.model;
    let off = model
        .held()
        .iter()
        .map(|spring| (model.span(&setup.initial.x, spring).1 / spring.rest_length - 1.0).abs());
    let worst = off.enumerate().fold((0, 0.0), |worst, it| if it.1 > worst.1 { it } else { worst });
    (worst.1 > OFF).then_some(worst)
}

/// Finds the first pair of pins that is too far apart.
fn too_short(setup: &Setup, frames: u64) -> Option<LengthFault> {
    let model = &setup.model;
    let pins: Vec<usize> = (0..model.nodes()).filter(|&node| model.pinned[node]).collect();
    if pins.len() < 2 {
        return None;
    }
    let mut paths = paths_between_pins(model, &pins);
    let anchors = Anchors::new(model, &setup.initial, &setup.anchors);
    let is_still = setup.anchors.is_empty() && setup.lengths.is_empty();
    let samples = if is_still { 1 } else { frames.clamp(1, MAX_FRAMES) };
    let mut changed = model.clone();
    let mut state = setup.initial.clone();
    for sample in 0..samples {
        let frame = (sample * frames.saturating_sub(1)).checked_div(samples - 1).unwrap_or(0);
        state.t = setup.start_time + frame as f64 * setup.frame_time;
        anchors.apply(&mut state);
        if !setup.lengths.is_empty() {
            setup.lengths.apply(model, state.t, &mut changed);
            paths = paths_between_pins(&changed, &pins);
        }
        let found = paths.iter().find_map(|path| path.fault(model, &state, sample > 0));
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Shortest path along springs between two pins.
struct PinPath {
    pins: [usize; 2],
    length: f64,
}

impl PinPath {
    fn fault(&self, model: &Model, state: &State, is_later: bool) -> Option<LengthFault> {
        let Self { pins, length } = *self;
        let n = model.nodes();
        let square = |axis: usize| {
            let d = state.x[axis * n + pins[1]] - state.x[axis * n + pins[0]];
            d * d
        };
        let distance = (0..model.axes).map(square).sum::<f64>().sqrt();
        let time = is_later.then_some(state.t);
        let is_short = distance > length * (1.0 + SHORT);
        is_short.then_some(LengthFault::Short { pins, length, distance, time })
    }
}

/// Finds the shortest paths along springs between pins.
fn paths_between_pins(model: &Model, pins: &[usize]) -> Vec<PinPath> {
    let neighbours = Neighbours::new(model, |_| false);
    let lengths: Vec<f64> = model.structural().iter().map(|spring| spring.rest_length).collect();
    if pins.len() > MANY_PINS {
        let mut of = vec![None; model.nodes()];
        for path in neighbours.shortest_paths(&lengths, pins) {
            of[path.node] = Some((path.source, path.length));
        }
        // A spring between two nodes nearest to different pins completes a path between these pins.
        let between = |(spring, length): (&Spring, &f64)| {
            let ((from, one), (to, other)) = (of[spring.a]?, of[spring.b]?);
            (from != to).then_some(PinPath { pins: [from, to], length: one + length + other })
        };
        return model.structural().iter().zip(&lengths).filter_map(between).collect();
    }
    let from = |&source: &usize| {
        let paths = neighbours.shortest_paths(&lengths, &[source]);
        let others = paths.into_iter().filter(move |path| model.pinned[path.node]);
        others
            .filter(move |path| path.node > source)
            .map(move |path| PinPath { pins: [source, path.node], length: path.length })
    };
    pins.iter().flat_map(from).collect()
}

/// Relative residual above which a system counts as unsolvable.
const OPEN: f64 = 1e-6;
/// Relative size below which a displacement counts as 0.
const STILL: f64 = 1e-9;
/// Maximum work for one system, in rods times iterations.
const MAX_WORK: usize = 2_000_000;
/// Relative tolerance within which the distance of a chain's ends equals its length, so that the
/// chain counts as straight.
const STRAIGHT: f64 = 1e-9;

/// Whether the rods of a body are locked against its forces or its initial velocities. Returns
/// `false` if this is unknown.
///
/// J has a row per rod: u·(b_b - b_a) for displacements b of the free nodes. Forces first move
/// nodes along v, the part of their accelerations that lengthens no rod: J v = 0. Along v each rod
/// lengthens by |Δv|²/2 divided by its length. A second displacement b has to undo this: J b =
/// -|Δv|²/l.
///
/// If no such b exists, the rods are locked, as in a straight rope between two pins or a stretched
/// net. Their tensions would have to be infinite. Both systems are solved as least squares by
/// conjugate gradients (CGLS; Björck 1996, "Numerical Methods for Least Squares Problems", 7.4).
fn is_taut(setup: &Setup) -> bool {
    let pins = setup.model.pinned.iter().filter(|is_pinned| **is_pinned).count();
    // A body with a single pin can rotate about it.
    if pins < 2 {
        return false;
    }
    let rods = FreeRods::new(setup);
    if rods.list.is_empty() || rods.list.iter().any(|(_, length)| *length == 0.0) {
        return false;
    }
    let anchors = Anchors::new(&setup.model, &setup.initial, &setup.anchors);
    let memory = SpringMemory::default();
    let system = System::new(&setup.model, &memory, &setup.forces, &anchors);
    let mut pushed = vec![0.0; setup.initial.x.len()];
    system.external_accelerations(&setup.initial, &mut pushed);
    let moved = rods.free(&setup.initial.v);
    let displacements = [pushed, moved];
    match setup.model.arrangement {
        Arrangement::Chain => {
            displacements.iter().any(|displacement| is_chain_locked(setup, displacement))
        }
        _ => displacements.iter().any(|displacement| rods.are_locked(displacement)),
    }
}

/// Whether a chain is locked: straight between two pins, and pushed sideways.
fn is_chain_locked(setup: &Setup, displacement: &[f64]) -> bool {
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
                let push = at(displacement, node);
                let along = inner(&push, &line) / square;
                let aside: Vec<f64> =
                    push.iter().zip(&line).map(|(push, line)| push - along * line).collect();
                inner(&aside, &aside) > STILL * STILL * inner(&push, &push)
            })
    };
    pins.windows(2).any(|pair| is_aside(pair[0], pair[1]))
}

/// Rods of a body that have a free end, in the initial state.
struct FreeRods<'a> {
    setup: &'a Setup,
    /// Springs that act as rods, each with its initial length.
    list: Vec<(&'a Spring, f64)>,
}

impl<'a> FreeRods<'a> {
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
            let offset = model.span(b, spring).0;
            inner(&r, &offset) / length
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
    fn are_locked(&self, displacement: &[f64]) -> bool {
        let size = inner(displacement, displacement).sqrt();
        if size == 0.0 || !size.is_finite() {
            return false;
        }
        let Some(kept) = self.without_lengthening(displacement) else { return false };
        if inner(&kept, &kept).sqrt() <= STILL * size {
            return false;
        }
        let model = &self.setup.model;
        let longer = |&(spring, length): &(&Spring, f64)| {
            let d = model.span(&kept, spring).0;
            inner(&d, &d) / length
        };
        let needed: Vec<f64> = self.list.iter().map(longer).collect();
        let total = inner(&needed, &needed).sqrt();
        let rest = least_squares(&needed, self.work(), |b| self.along(b), |y| self.spread(y));
        rest.is_some_and(|(_, rest)| inner(&rest, &rest).sqrt() > OPEN * total)
    }

    /// Component v of a displacement u that lengthens no rod (J v = 0): v = u - M⁻¹ Jᵀ λ.
    /// In the coordinates √m x this is a least squares problem.
    fn without_lengthening(&self, displacement: &[f64]) -> Option<Vec<f64>> {
        let root = self.scaled(displacement, 1.0);
        let (spread, along) = (
            |y: &[f64]| self.scaled(&self.spread(y), -1.0),
            |b: &[f64]| self.along(&self.scaled(b, -1.0)),
        );
        let solved = least_squares(&root, self.work(), spread, along)?;
        Some(self.scaled(&solved.1, -1.0))
    }

    /// Multiplies a vector over all nodes by √m if `sign` is positive; otherwise divides it by √m.
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
        if wanted.saturating_mul(self.list.len()) > MAX_WORK { 0 } else { wanted }
    }
}

/// Finds the y that minimizes |c - A y|, and returns y and c - A y. Returns `None` if that takes
/// more than `maximum` iterations.
fn least_squares(
    c: &[f64],
    maximum: usize,
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
    for _ in 0..maximum {
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
    (maximum > 0 && is_done(square, scale, &rest, 1e-16)).then_some((y, rest))
}
