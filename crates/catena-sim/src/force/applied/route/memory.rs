//! Memory of a route between steps, as a list of values.
//!
//! In order: the time of the last update, the rest length between each two neighbouring points, the
//! [marks](Marks) of the whole route, and the values of each point.

use crate::body::vector::Vec3;
use std::borrow::Cow;

/// Number of values in a [`PointMemory`].
const OWN: usize = 9;
/// Number of values per point: a [`PointMemory`], the centre, and the leg after the point.
const PER_POINT: usize = OWN + 3 + KnownLeg::NUMBERS;

/// Memory of a pulley, a ring or a drum.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PointMemory {
    /// 1 for a clockwise turn, -1 for a counterclockwise turn, 0 if the points are in line.
    pub(super) side: f64,
    /// Angle on the circle at which the arc is divided between the two legs.
    pub(super) reference: f64,
    /// Angle of the part of the arc that belongs to the leg before.
    pub(super) enters: f64,
    /// Angle of the whole arc.
    pub(super) turned: f64,
    /// Speed of the rim of a wheel or drum, in the direction of the route.
    pub(super) speed: f64,
    /// Path of the rim since the start, in the direction of the route.
    pub(super) rolled: f64,
    /// Speed of the rope over a hold in the last step, in rest length per time.
    pub(super) passing: f64,
    /// 1 if the rope slid in the direction of the route in the last step, -1 if it slid in the
    /// opposite direction, 0 if it held.
    pub(super) slid: f64,
    /// Minimum rope length of the leg after the point while the leg is at its stop; 0 if it is not
    /// at its stop.
    pub(super) stop: f64,
}

impl PointMemory {
    fn read(own: &[f64]) -> Self {
        Self {
            side: own[0],
            reference: own[1],
            enters: own[2],
            turned: own[3],
            speed: own[4],
            rolled: own[5],
            passing: own[6],
            slid: own[7],
            stop: own[8],
        }
    }

    fn write(&self, own: &mut [f64]) {
        let Self { side, reference, enters, turned, speed, rolled, passing, slid, stop } = *self;
        let all = [side, reference, enters, turned, speed, rolled, passing, slid, stop];
        own[..OWN].copy_from_slice(&all);
    }
}

/// Records of a route since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Marks {
    /// Strain at which a part reached its stop; 0 if no part is at its stop.
    pub(super) held: f64,
    /// Time of the first stop, if there was one.
    pub(super) stopped: Option<f64>,
    /// Time at which the winch first slipped, if it did.
    pub(super) slipped: Option<f64>,
    /// Whether at some time the route had no path between two guides, or its tensions were not
    /// found.
    pub(super) is_lost: bool,
    /// Strain of the rope.
    pub(super) strain: f64,
}

impl Marks {
    /// Number of values that store the marks.
    const COUNT: usize = 7;

    fn read(own: &[f64]) -> Self {
        let time = |at: usize| (own[at] != 0.0).then_some(own[at + 1]);
        let (held, strain) = (own[0], own[6]);
        Self { held, stopped: time(1), slipped: time(3), is_lost: own[5] != 0.0, strain }
    }

    fn write(&self, own: &mut [f64]) {
        let flag = |is_set: bool| f64::from(u8::from(is_set));
        let time = |time: Option<f64>| [flag(time.is_some()), time.unwrap_or(0.0)];
        let ([stops, stopped], [slips, slipped]) = (time(self.stopped), time(self.slipped));
        let all = [self.held, stops, stopped, slips, slipped, flag(self.is_lost), self.strain];
        own.copy_from_slice(&all);
    }
}

/// Memory of a route, as its values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Memory<'m> {
    numbers: Cow<'m, [f64]>,
    points: usize,
}

impl<'m> Memory<'m> {
    /// Number of values for a route through `points` points.
    pub(super) fn count(points: usize) -> usize {
        points + Marks::COUNT + PER_POINT * points
    }

    /// Creates the memory of a route through `points` points that starts at a time, with all other
    /// values 0.
    pub(super) fn empty(points: usize, t: f64) -> Self {
        let mut numbers = vec![0.0; Self::count(points)];
        numbers[0] = t;
        Self { numbers: numbers.into(), points }
    }

    /// Wraps the values of a route through `points` points.
    pub(super) fn of(numbers: &'m [f64], points: usize) -> Self {
        Self { numbers: numbers.into(), points }
    }

    /// Returns the values.
    pub(super) fn into_numbers(self) -> Vec<f64> {
        self.numbers.into_owned()
    }

    /// Returns a mutable view of the values.
    pub(super) fn edit(&mut self) -> Edit<'_> {
        Edit { numbers: self.numbers.to_mut(), points: self.points }
    }

    /// Time of the last update.
    pub(super) fn t(&self) -> f64 {
        self.numbers[0]
    }

    /// Rest length of the rope between each two neighbouring points.
    pub(super) fn rest(&self) -> &[f64] {
        &self.numbers[1..self.points]
    }

    /// Records of the route.
    pub(super) fn marks(&self) -> Marks {
        Marks::read(&self.numbers[self.points..][..Marks::COUNT])
    }

    fn of_point(&self, i: usize) -> &[f64] {
        &self.numbers[self.points + Marks::COUNT + PER_POINT * i..][..PER_POINT]
    }

    /// Memory of a point.
    pub(super) fn point(&self, i: usize) -> PointMemory {
        PointMemory::read(self.of_point(i))
    }

    /// Returns the leg from a point to the next one, if it is stored for exactly these centres.
    pub(super) fn leg(&self, i: usize, centers: [[f64; 3]; 2]) -> Option<KnownLeg> {
        let [own, next] = [i, i + 1].map(|point| &self.of_point(point)[OWN..]);
        let leg = KnownLeg::read(&own[3..]);
        let is_there = own[..3] == centers[0] && next[..3] == centers[1];
        (leg.straight > 0.0 && is_there).then_some(leg)
    }
}

/// Mutable view of the values in a memory.
pub(super) struct Edit<'m> {
    numbers: &'m mut [f64],
    points: usize,
}

impl<'m> Edit<'m> {
    /// Creates a view that changes these values.
    pub(super) fn of(numbers: &'m mut [f64], points: usize) -> Self {
        Self { numbers, points }
    }

    /// Sets the time of the last update.
    pub(super) fn set_time(&mut self, t: f64) {
        self.numbers[0] = t;
    }

    /// Rest length of the rope between each two neighbouring points.
    pub(super) fn rest(&mut self) -> &mut [f64] {
        &mut self.numbers[1..self.points]
    }

    /// Sets the records of the route.
    pub(super) fn set_marks(&mut self, marks: &Marks) {
        marks.write(&mut self.numbers[self.points..][..Marks::COUNT]);
    }

    fn of_point(&mut self, i: usize) -> &mut [f64] {
        &mut self.numbers[self.points + Marks::COUNT + PER_POINT * i..][..PER_POINT]
    }

    /// Changes the memory of a point.
    pub(super) fn change(&mut self, i: usize, change: impl FnOnce(&mut PointMemory)) {
        let own = self.of_point(i);
        let mut point = PointMemory::read(own);
        change(&mut point);
        point.write(own);
    }

    /// Sets the centre of a point and the leg after it. For a leg that passes the next point,
    /// `leg` is the default.
    pub(super) fn set_leg(&mut self, i: usize, center: [f64; 3], leg: &KnownLeg) {
        let own = &mut self.of_point(i)[OWN..];
        own[..3].copy_from_slice(&center);
        leg.write(&mut own[3..]);
    }
}

/// Cached results for a leg in the plane, which are valid while its ends do not move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct KnownLeg {
    pub(crate) u: Vec3,
    pub(crate) angle: f64,
    /// Length of the straight part; 0 if nothing is cached.
    pub(crate) straight: f64,
}

impl KnownLeg {
    /// Number of values that store a leg.
    pub(crate) const NUMBERS: usize = 5;

    pub(crate) fn read(own: &[f64]) -> Self {
        Self { u: [own[0], own[1], own[2]], angle: own[3], straight: own[4] }
    }

    pub(crate) fn write(&self, own: &mut [f64]) {
        let ([x, y, z], angle, straight) = (self.u, self.angle, self.straight);
        own.copy_from_slice(&[x, y, z, angle, straight]);
    }
}
