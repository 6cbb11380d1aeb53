//! Growth of rounding errors: how far two programs of one method drift apart.
//!
//! A setup runs twice from the same start, with 53 bits and with 24. The distance between both runs
//! is the growth of the rounding of a `float` in this method and motion. Rounding of a `double` is
//! smaller by a factor of 2²⁹ and grows at the same rate. For a chaotic motion, another run
//! measures the growth: its start is displaced by the rounding of a `double`. A program that adds
//! in another order than catena may drift as far, but not much farther.

use catena_sim::force::Known;
use catena_sim::slip::{self, Slip};
use catena_sim::vector::{Vec3, norm, sub};
use catena_sim::{Setup, Simulation, State};
use std::sync::Arc;

/// Name of the slip that computes with 24 bits.
pub(super) const SINGLE_SLIP: &str = "Float32";

/// Unit in the last place of a number with 24 bits, relative to the number.
pub(super) const SINGLE: f64 = f32::EPSILON as f64;
/// Unit in the last place of 53 bits, relative to the unit in the last place of 24 bits.
const DOUBLE: f64 = 1.0 / 536_870_912.0;

/// Maximum ratio between the distance of two programs and the distance of the two runs.
pub(super) const FACTOR: f64 = 10.0;
/// Share of the rope's extent beyond which rounding has blurred a motion.
const BLURRED: f64 = 0.01;

/// A frame of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownFrame {
    /// Number in the file.
    pub(super) number: u64,
    /// Frame of the run that corresponds to it.
    pub(super) of_run: u64,
    /// Largest coordinate of the frame.
    pub(super) size: f64,
}

/// Growth of the rounding of 24 and 53 bits in the frames of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Noise {
    frames: Vec<FrameNoise>,
}

/// Growth of rounding up to a frame of a file.
#[derive(Clone, Copy, Debug)]
struct FrameNoise {
    frame: ShownFrame,
    /// Maximum distances that rounding to 53 and to 24 bits may cause.
    maximum: [f64; 2],
    /// Distance between the runs with 24 and with 53 bits; 0 if it was not measured.
    drift: f64,
}

impl Noise {
    /// Measures the growth of rounding with further runs of a setup. `other` is the setup with 24
    /// bits, or with 53 if `setup` has 24. Without `other`, errors are assumed to add up like
    /// random ones. `extent` is the extent of the body.
    pub(super) fn of(
        setup: &Arc<Setup>,
        other: Option<Arc<Setup>>,
        shown: &[ShownFrame],
        extent: f64,
    ) -> Self {
        let even = with_even_rounding(setup, shown);
        let shaken = Some(Arc::new(shaken(setup, f64::EPSILON)));
        let [random, even, shaken] = drifts(setup, [other, even, shaken], shown, extent);
        let (mut frames, mut largest) = (Vec::new(), [0.0_f64; 2]);
        for (at, frame) in shown.iter().enumerate() {
            // Representation alone causes an error of half a unit, in the file and in the run.
            let minimum = 2.0 * SINGLE * frame.size;
            let steps = ((frame.number + 1) * setup.substeps) as f64;
            let of_chance = random.get(at).copied().unwrap_or(SINGLE * frame.size * steps.sqrt());
            let even = even.get(at).copied().unwrap_or(0.0);
            let single = FACTOR * of_chance.max(minimum) + even;
            // If 24 bits have already lost the motion, 53 bits may still drift apart at the same
            // rate.
            let double = (DOUBLE * single).max(FACTOR * shaken.get(at).copied().unwrap_or(0.0));
            largest = [largest[0].max(double), largest[1].max(single)];
            let drift = random.get(at).copied().unwrap_or(0.0);
            frames.push(FrameNoise { frame: *frame, maximum: largest, drift });
        }
        Self { frames }
    }

    /// Maximum distance that rounding to 24 or 53 bits may cause up to a frame.
    pub(super) fn allowed(&self, frame: u64, is_single: bool) -> f64 {
        let at = self.frames.partition_point(|shown| shown.frame.number <= frame);
        let found = self.frames.get(at.saturating_sub(1));
        found.map_or(0.0, |found| found.maximum[usize::from(is_single)])
    }

    /// Distance in a frame between the runs with 24 and with 53 bits; 0 if it was not measured. A
    /// program with 24 bits and another order of operations deviates about as much.
    pub(super) fn drift(&self, frame: u64) -> f64 {
        self.frames.iter().find(|it| it.frame.number == frame).map_or(0.0, |it| it.drift)
    }

    /// Last frame of a file before rounding has blurred the motion of a body with this extent.
    pub(super) fn horizon(&self, extent: f64, is_single: bool) -> u64 {
        let is_sharp = |it: &&FrameNoise| {
            it.maximum[usize::from(is_single)] <= BLURRED * extent.max(it.frame.size)
        };
        self.frames.iter().take_while(is_sharp).last().map_or(0, |it| it.frame.number)
    }
}

/// Distance of a state from a position. Infinite if the state is not finite.
pub(super) fn distance(state: &State, nodes: usize, node: usize, place: Vec3) -> f64 {
    let distance = norm(sub(state.position(nodes, node), place));
    if distance.is_finite() { distance } else { f64::INFINITY }
}

/// Returns a setup without slips with 24 bits. `None` if the setup has slips, or if a part of it
/// cannot be computed with 24 bits.
pub(super) fn with_single(setup: &Setup) -> Option<Arc<Setup>> {
    let is_plain = setup.slips.is_empty();
    let slip: Arc<dyn Slip> =
        slip::read(SINGLE_SLIP, serde_json::Value::Object(Default::default()))?.ok()?.into();
    let made = is_plain.then(|| setup.with_slips(vec![slip]).ok());
    made.flatten().map(Arc::new)
}

/// Returns a setup whose start is displaced by a share of its largest coordinate, such as the
/// rounding of 53 bits.
pub(super) fn shaken(setup: &Setup, share: f64) -> Setup {
    let mut setup = setup.clone();
    let nodes = setup.model.nodes();
    let size = setup.initial.x.iter().fold(0.0, |maximum: f64, x| maximum.max(x.abs()));
    for (index, x) in setup.initial.x.iter_mut().enumerate() {
        if !setup.model.pinned[index % nodes] {
            *x += if index % 2 == 0 { share * size } else { -share * size };
        }
    }
    setup
}

/// Distance of two unrelated runs, as a share of the positions, at which the comparison ends.
const LOST: f64 = 0.5;

/// Returns the distances between a run of a setup and runs of other setups in the frames of a file.
/// Ends at the frame at which the runs are unrelated. Empty if there is no other setup.
fn drifts<const N: usize>(
    setup: &Arc<Setup>,
    others: [Option<Arc<Setup>>; N],
    shown: &[ShownFrame],
    extent: f64,
) -> [Vec<f64>; N] {
    let nodes = setup.model.nodes();
    let mut own = Simulation::new(Arc::clone(setup));
    let mut others = others.map(|setup| setup.map(Simulation::new));
    let mut all = [(); N].map(|()| Vec::new());
    for frame in shown {
        let advance = |run: &mut Simulation| {
            while run.frame() < frame.of_run {
                run.advance_frame();
            }
        };
        if others.iter().all(Option::is_none) {
            break;
        }
        advance(&mut own);
        for (other, all) in others.iter_mut().zip(&mut all) {
            let Some(run) = other else { continue };
            advance(run);
            let drift = (0..nodes).fold(0.0, |maximum: f64, node| {
                maximum.max(distance(own.state(), nodes, node, run.state().position(nodes, node)))
            });
            all.push(drift);
            if drift > LOST * extent.max(frame.size) {
                *other = None;
            }
        }
    }
    all
}

/// Returns a setup whose positions always round in the same direction, for a method that derives
/// velocities from positions. Rounding by half a unit in each step acts like an acceleration, which
/// grows with the square of the number of steps.
fn with_even_rounding(setup: &Arc<Setup>, shown: &[ShownFrame]) -> Option<Arc<Setup>> {
    let info = setup.method.info();
    if info.velocity_carries && info.order.is_some() {
        return None;
    }
    let size = shown.first().map_or(0.0, |frame| frame.size);
    let push = 0.5 * SINGLE * size / (setup.dt() * setup.dt());
    let mut forces = setup.forces.clone();
    let weight = forces.iter_mut().find_map(|force| {
        let Some(Known::Gravity { acceleration }) = force.known() else { return None };
        let mut acceleration = acceleration.to_vec();
        acceleration.iter_mut().for_each(|it| *it += push);
        let other = force.with_gravity(&acceleration)?;
        *force = other;
        Some(())
    });
    weight?;
    Some(Arc::new(Setup { forces, ..(**setup).clone() }))
}
