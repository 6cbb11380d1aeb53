//! Detects spring lengths that no shape of a body can satisfy. Methods that enforce lengths fail on
//! such a body with any number of iterations and any step.

mod taut;

use catena_base::text::number::short;
use catena_sim::body::paths::Neighbours;
use catena_sim::{Model, Setup, State, drive::Anchors};
use std::fmt;

/// Maximum number of frames in which pin distances are checked.
const MOST_FRAMES: u64 = 1024;
/// Maximum number of pins for which all pairs are checked. With more pins, only neighbouring ones
/// are.
const MANY_PINS: usize = 32;
/// Minimum relative excess of a pin distance over the path length that counts as too short.
const SHORT: f64 = 1e-9;
/// Minimum relative deviation of a spring from its length at the start that is reported.
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
        /// Simulated time of the first such frame; `None` for the start.
        time: Option<f64>,
    },
    /// Springs are taut between pins, and forces push nodes in directions that would lengthen them.
    Taut,
}

impl fmt::Display for LengthFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short { pins: [a, b], length, distance, time } => {
                write!(f, "from pin {a} to pin {b} its springs are {} long, and ", digits(*length))?;
                match time {
                    None => write!(f, "the pins are {} apart", digits(*distance)),
                    Some(time) => {
                        write!(f, "at time {} the pins are {} apart", short(*time), digits(*distance))
                    }
                }
            }
            Self::Taut => f.write_str(
                "its springs are taut between pins, and forces push its nodes where springs would have to be longer",
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
    too_short(setup, frames).or_else(|| taut::is_taut(setup).then_some(LengthFault::Taut))
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
            "{title} cannot keep all lengths, and no number of `iterations` or `substeps` helps: {fault}; give the springs slack, for a rope by `rope.length` with `shape: Hanging`, or take a method that lets springs give, such as VelocityVerlet or XPBD with the springs' own stiffness"
        ));
    }
    let (spring, off) = worst_start(setup)?;
    let it = &setup.model.springs[spring];
    let length = setup.model.span(&setup.initial.x, it).1;
    let speed = (length - it.rest_length).abs() / setup.dt();
    Some(format!(
        "spring {spring}, from node {} to node {}, is {} long at the start and {} at rest, {} % off; {title} puts that right within the first step, which throws its ends at a speed of about {}, and may diverge: begin with springs at their lengths, for a rope with `shape: Hanging` in place of a straight one, or take a method that lets springs give, such as ImplicitEuler",
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
    let ways = ways(model, &pins);
    let anchors = Anchors::new(model, &setup.initial, &setup.anchors);
    let looks = if setup.anchors.is_empty() { 1 } else { frames.clamp(1, MOST_FRAMES) };
    let mut state = setup.initial.clone();
    for look in 0..looks {
        let frame = (look * frames.saturating_sub(1)).checked_div(looks - 1).unwrap_or(0);
        state.t = setup.start_time + frame as f64 * setup.frame_time;
        anchors.apply(&mut state);
        let found = ways.iter().find_map(|way| way.fault(model, &state, look > 0));
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Shortest path along springs between two pins.
struct Way {
    pins: [usize; 2],
    length: f64,
}

impl Way {
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
fn ways(model: &Model, pins: &[usize]) -> Vec<Way> {
    let neighbours = Neighbours::new(model, |_| false);
    let lengths: Vec<f64> = model.structural().iter().map(|spring| spring.rest_length).collect();
    if pins.len() > MANY_PINS {
        let mut of = vec![None; model.nodes()];
        for path in neighbours.shortest_paths(&lengths, pins) {
            of[path.node] = Some((path.source, path.length));
        }
        // A spring between two nodes nearest to different pins completes a path between these pins.
        let between = |(spring, length): (&catena_sim::Spring, &f64)| {
            let ((from, one), (to, other)) = (of[spring.a]?, of[spring.b]?);
            (from != to).then_some(Way { pins: [from, to], length: one + length + other })
        };
        return model.structural().iter().zip(&lengths).filter_map(between).collect();
    }
    let from = |&source: &usize| {
        let paths = neighbours.shortest_paths(&lengths, &[source]);
        let ends = paths.into_iter().filter(move |path| model.pinned[path.node]);
        ends.filter(move |path| path.node > source)
            .map(move |path| Way { pins: [source, path.node], length: path.length })
    };
    pins.iter().flat_map(from).collect()
}
