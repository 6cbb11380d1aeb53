//! Memory of a route between steps, as a list of numbers.

use super::list::List;

/// Numbers per point.
const PER_POINT: usize = 8;

/// Memory of a pulley, a ring or a drum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PointMemory {
    /// 1 for a clockwise turn, -1 for the other.
    pub(super) side: f64,
    /// Angle of the place on the circle that divides the arc between the two legs.
    pub(super) reference: f64,
    /// Angle of the arc on the side of the leg before.
    pub(super) enters: f64,
    /// Angle of the whole arc.
    pub(super) turned: f64,
    /// Speed of the rim of a wheel, in the direction of the route; of a drum, that of its rope.
    pub(super) speed: f64,
    /// Way of the rim so far.
    pub(super) rolled: f64,
    /// Speed of the rope over a hold in the last step, as length at rest.
    pub(super) passing: f64,
    /// 1 if the rope slid in the direction of the route in the last step, -1 if in the other one, 0
    /// if it held.
    pub(super) slid: f64,
}

/// Memory of a route.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Memory {
    /// Time of the last update.
    pub(super) t: f64,
    /// Length at rest of the rope between each two points.
    pub(super) rest: List<f64>,
    /// Memory of each point.
    pub(super) points: List<PointMemory>,
}

impl Memory {
    /// Count of numbers for a route through `points` points.
    pub(super) fn count(points: usize) -> usize {
        points + PER_POINT * points
    }

    /// Reads the numbers of a route.
    pub(super) fn read(numbers: &[f64], points: usize) -> Self {
        let (head, tail) = numbers.split_at(points);
        let point = |own: &[f64]| PointMemory {
            side: own[0],
            reference: own[1],
            enters: own[2],
            turned: own[3],
            speed: own[4],
            rolled: own[5],
            passing: own[6],
            slid: own[7],
        };
        Self {
            t: head[0],
            rest: head[1..].iter().copied().collect(),
            points: tail.chunks_exact(PER_POINT).map(point).collect(),
        }
    }

    /// The numbers, in the order of [`Memory::read`].
    pub(super) fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        let of = |own: &PointMemory| {
            let PointMemory { side, reference, enters, turned, speed, rolled, passing, slid } = own;
            [side, reference, enters, turned, speed, rolled, passing, slid].map(|number| *number)
        };
        let points = self.points.iter().flat_map(of);
        std::iter::once(self.t).chain(self.rest.iter().copied()).chain(points)
    }
}
