//! Growth of rounding errors: how far two programs of one method drift apart.
//!
//! A candidate runs twice, with 53 bits and with 24, from the same start. The distance between both
//! is the growth of the rounding of a `float` in this method and motion. Rounding of a `double` is
//! smaller by 2²⁹ and grows alike. For a chaotic motion, a run from a start that is moved by the
//! rounding of a `double` tells its growth. A program adds in another order than catena, so it may
//! drift as far, but not much farther.

use super::base::Bases;
use super::candidate::{Candidate, SINGLE_SLIP};
use super::data::{Data, SINGLE};
use super::named::Variant;
use super::race::distance;
use catena_sim::force::Known;
use catena_sim::slip::Slip;
use catena_sim::{Setup, Simulation};
use std::sync::Arc;

/// Unit of the last place of 53 bits, in units of 24 bits.
const DOUBLE: f64 = 1.0 / 536_870_912.0;

/// Factor between the distance of two programs and that of the two runs.
pub(in crate::job) const FACTOR: f64 = 10.0;
/// Share of the rope's extent beyond which rounding has blurred a motion.
const BLURRED: f64 = 0.01;

/// Growth of the rounding of 24 bits in the frames of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Noise {
    /// Frame, and the distances that rounding to 53 and to 24 bits may cause up to it.
    frames: Vec<(u64, [f64; 2])>,
}

impl Noise {
    /// Runs a candidate with other rounding.
    pub(super) fn of(
        candidate: &Candidate,
        bases: &Bases,
        slips: &[Variant<dyn Slip>],
        offset: i64,
    ) -> Self {
        let data = &bases.all[candidate.base].data;
        let random = other_width(candidate, bases, slips);
        let even = with_even_rounding(candidate, data);
        let shaken = Some(Arc::new(shaken(&candidate.setup, f64::EPSILON)));
        let [random, even, shaken] = drifts(candidate, [random, even, shaken], data, offset);
        let (mut frames, mut largest) = (Vec::new(), [0.0_f64; 2]);
        for (at, (frame, of_file)) in data.frames.iter().enumerate() {
            // Representation alone moves a node by half a unit, in the file and in the run.
            let least = 2.0 * SINGLE * of_file.size;
            let steps = ((frame + 1) * candidate.setup.substeps) as f64;
            let of_chance = random.get(at).copied().unwrap_or(SINGLE * of_file.size * steps.sqrt());
            let even = even.get(at).copied().unwrap_or(0.0);
            let single = FACTOR * of_chance.max(least) + even;
            // After 24 bits have lost the motion, 53 bits may still drift apart at the same rate.
            let double = (DOUBLE * single).max(FACTOR * shaken.get(at).copied().unwrap_or(0.0));
            largest = [largest[0].max(double), largest[1].max(single)];
            frames.push((*frame, largest));
        }
        Self { frames }
    }

    /// Distance that rounding may cause up to a frame, of numbers with 24 or 53 bits.
    pub(super) fn allowed(&self, frame: u64, is_single: bool) -> f64 {
        let at = self.frames.partition_point(|(number, _)| *number <= frame);
        let found = self.frames.get(at.saturating_sub(1));
        found.map_or(0.0, |(_, largest)| largest[usize::from(is_single)])
    }

    /// Last frame of a file in which rounding has not blurred the motion.
    pub(super) fn horizon(&self, data: &Data, is_single: bool) -> u64 {
        let is_sharp = |(frame, _): &&(u64, [f64; 2])| {
            let size = data.frames.get(frame).map_or(0.0, |it| it.size);
            self.allowed(*frame, is_single) <= BLURRED * data.extent.max(size)
        };
        self.frames.iter().take_while(is_sharp).last().map_or(0, |(frame, _)| *frame)
    }
}

/// Returns a setup whose start is moved by a share of its largest coordinate, such as the rounding
/// of 53 bits.
pub(in crate::job) fn shaken(setup: &Setup, share: f64) -> Setup {
    let mut setup = setup.clone();
    let nodes = setup.model.nodes();
    let size = setup.initial.x.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for (index, x) in setup.initial.x.iter_mut().enumerate() {
        if !setup.model.pinned[index % nodes] {
            *x += if index % 2 == 0 { share * size } else { -share * size };
        }
    }
    setup
}

/// Share of the positions beyond which two runs have nothing in common, and need not go on.
const LOST: f64 = 0.5;

/// Returns the distances of a run of a candidate from runs of other setups in the frames of a file,
/// up to the frame in which they have nothing in common. Empty where there is no other setup.
fn drifts<const N: usize>(
    candidate: &Candidate,
    others: [Option<Arc<Setup>>; N],
    data: &Data,
    offset: i64,
) -> [Vec<f64>; N] {
    let nodes = candidate.setup.model.nodes();
    let mut own = Simulation::new(Arc::clone(&candidate.setup));
    let mut others = others.map(|setup| setup.map(Simulation::new));
    let mut all = [(); N].map(|()| Vec::new());
    for (frame, of_file) in &data.frames {
        let target = frame.saturating_add_signed(offset);
        let advance = |run: &mut Simulation| {
            while run.frame() < target {
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
            let drift = (0..nodes).fold(0.0, |most: f64, node| {
                most.max(distance(own.state(), nodes, node, run.state().position(nodes, node)))
            });
            all.push(drift);
            if drift > LOST * data.extent.max(of_file.size) {
                *other = None;
            }
        }
    }
    all
}

/// Returns the setup of a candidate whose positions round in one direction in each step, for a
/// method that takes velocities from positions. Half a unit of a position per step and step is an
/// acceleration, which grows with the square of the number of steps.
fn with_even_rounding(candidate: &Candidate, data: &Data) -> Option<Arc<Setup>> {
    let setup = &candidate.setup;
    let info = setup.method.info();
    if info.velocity_carries && info.order.is_some() {
        return None;
    }
    let size = data.frames.values().next().map_or(0.0, |frame| frame.size);
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

/// Returns the setup of a candidate with 24 bits, or with 53 where it has 24.
fn other_width(
    candidate: &Candidate,
    bases: &Bases,
    slips: &[Variant<dyn Slip>],
) -> Option<Arc<Setup>> {
    let single = slips.iter().find(|slip| slip.name == SINGLE_SLIP)?;
    let Some(method) = &candidate.method else {
        if !candidate.setup.slips.is_empty() {
            return None;
        }
        return candidate.setup.with_slips(vec![Arc::clone(&single.thing)]).ok().map(Arc::new);
    };
    let substeps = candidate.setup.substeps;
    if candidate.is_single() {
        let others: Vec<&Variant<dyn Slip>> =
            candidate.slips.iter().filter(|slip| slip.name != SINGLE_SLIP).collect();
        return Candidate::new(bases, candidate.base, method, &others, substeps).map(|it| it.setup);
    }
    candidate.with_slip(bases, single).map(|it| it.setup)
}
