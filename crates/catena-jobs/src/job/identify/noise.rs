//! Growth of rounding errors: how far two programs of one method drift apart.
//!
//! A candidate runs twice, with 53 bits and with 24, from the same start. The distance between both
//! is the growth of the rounding of a `float` in this method and motion. Rounding of a `double` is
//! smaller by 2²⁹ and grows alike. A program adds in another order than catena, so it may drift as
//! far, but not much farther.

use super::base::Bases;
use super::candidate::Candidate;
use super::data::{Data, SINGLE};
use super::named::Variant;
use super::race::distance;
use catena_sim::slip::Slip;
use catena_sim::{Setup, Simulation};
use std::sync::Arc;

/// Name of the slip that computes with 24 bits.
pub(super) const SINGLE_SLIP: &str = "Float32";

/// Factor between the distance of two programs and that of the two runs.
pub(super) const FACTOR: f64 = 10.0;
/// Share of the rope's extent beyond which rounding has blurred a motion.
const BLURRED: f64 = 0.01;

/// Growth of the rounding of 24 bits in the frames of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Noise {
    /// Distance of the two runs up to each frame, at its largest.
    frames: Vec<(u64, f64)>,
}

impl Noise {
    /// Runs a candidate twice.
    pub(super) fn of(
        candidate: &Candidate,
        bases: &Bases,
        slips: &[Variant<dyn Slip>],
        offset: i64,
    ) -> Self {
        let base = &bases.all[candidate.base];
        let plain = Simulation::new(Arc::clone(&candidate.setup));
        let other = other_width(candidate, bases, slips);
        let mut frames = Vec::new();
        let mut runs = [Some(plain), other.map(Simulation::new)];
        let mut largest: f64 = 0.0;
        for (frame, of_file) in &base.data.frames {
            let Some(target) = frame.checked_add_signed(offset) else { continue };
            for run in runs.iter_mut().flatten() {
                while run.frame() < target {
                    run.advance_frame();
                }
            }
            let [Some(plain), other] = &runs else { continue };
            let nodes = candidate.setup.model.nodes();
            let apart = |other: &Simulation| {
                (0..nodes).fold(0.0, |most: f64, node| {
                    let place = other.state().position(nodes, node);
                    most.max(distance(plain.state(), nodes, node, place))
                })
            };
            // Representation alone moves a node by half a unit, in the file and in the run.
            let least = 2.0 * SINGLE * of_file.size;
            let steps = (target.max(1) * candidate.setup.substeps) as f64;
            let drift = other.as_ref().map_or(SINGLE * of_file.size * steps.sqrt(), apart);
            largest = largest.max(drift).max(least);
            frames.push((*frame, largest));
        }
        Self { frames }
    }

    /// Distance that rounding may cause up to a frame. `unit` is that of the numbers, in units of
    /// 24 bits.
    pub(super) fn allowed(&self, frame: u64, unit: f64) -> f64 {
        let at = self.frames.partition_point(|(number, _)| *number <= frame);
        FACTOR * unit * self.frames.get(at.saturating_sub(1)).map_or(0.0, |(_, largest)| *largest)
    }

    /// Last frame of a file in which rounding has not blurred the motion.
    pub(super) fn horizon(&self, data: &Data, unit: f64) -> u64 {
        let is_sharp = |(frame, _): &&(u64, f64)| {
            let size = data.frames.get(frame).map_or(0.0, |it| it.size);
            self.allowed(*frame, unit) <= BLURRED * data.extent.max(size)
        };
        self.frames.iter().take_while(is_sharp).last().map_or(0, |(frame, _)| *frame)
    }
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
    if candidate.slips.iter().any(|slip| slip.name == SINGLE_SLIP) {
        let others: Vec<&Variant<dyn Slip>> =
            candidate.slips.iter().filter(|slip| slip.name != SINGLE_SLIP).collect();
        return Candidate::new(bases, candidate.base, method, &others, substeps).map(|it| it.setup);
    }
    candidate.with_slip(bases, single).map(|it| it.setup)
}
