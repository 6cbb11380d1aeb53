//! Spring laws, one file each: how the tension of a spring follows from its length.
//!
//! The `table!` call below is the table: a new law is a file and a line there.

use crate::body::Spring;
use crate::instructions::Instructions;
use crate::named::table;
use crate::named::{BadOption, Info, Key};
use std::fmt::Debug;

/// A spring law with its options.
pub trait SpringLaw: Debug + Send + Sync {
    /// What it is.
    fn info(&self) -> Info;

    /// Refuses options that are out of range.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses what does not fit the body.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    /// Identity of the law with its options; `None` if it equals no other.
    fn key(&self) -> Option<Key> {
        None
    }

    /// The force with which a spring of this length pulls its ends together.
    fn tension(&self, spring: &Spring, length: f64, plastic: f64) -> f64;

    /// Tensions of many springs, with the bits of [`SpringLaw::tension`].
    fn tensions(&self, springs: &Tensions<'_>, out: &mut [f64]) {
        Instructions::best().run(
            #[inline(always)]
            || springs.each(out, |spring, length, plastic| self.tension(spring, length, plastic)),
        );
    }

    /// The derivative of the tension by the length.
    fn slope(&self, spring: &Spring, length: f64, plastic: f64) -> f64;

    /// The work stored in the spring.
    fn energy(&self, spring: &Spring, length: f64, plastic: f64) -> f64;

    /// Tension of a spring that was pulled out once from its rest length to this length, and the
    /// work that this took, be it stored or lost.
    fn pulled_out(&self, spring: &Spring, length: f64) -> (f64, f64) {
        (self.tension(spring, length, 0.0), self.energy(spring, length, 0.0))
    }

    /// Whether the tension is the stiffness times the stretch.
    fn is_linear(&self) -> bool {
        false
    }

    /// Whether [`SpringLaw::flow`] ever changes the plastic strain.
    fn flows(&self) -> bool {
        false
    }

    /// The plastic strain after a step that ended at this length.
    fn flow(&self, _spring: &Spring, _length: f64, plastic: f64) -> f64 {
        plastic
    }

    /// Plastic strains of many springs after a step, with the bits of [`SpringLaw::flow`]. Their
    /// strains before it are in `plastic`, and not among the numbers of the springs.
    fn flows_on(&self, springs: &Tensions<'_>, plastic: &mut [f64]) {
        Instructions::best().run(
            #[inline(always)]
            || {
                springs.change(plastic, |spring, length, before| self.flow(spring, length, before));
            },
        );
    }
}

/// Stretch from which a spring resists with this tension and has taken up this work, when it is
/// pulled out once. Infinite where the law never gets there.
pub fn resisting_stretch(law: &dyn SpringLaw, spring: &Spring, tension: f64, work: f64) -> f64 {
    /// Strain beyond which nothing is looked for.
    const FARTHEST: f64 = 1e15;
    let resists = |stretch: f64| {
        let (found, taken) = law.pulled_out(spring, spring.rest_length + stretch);
        found >= tension && taken >= work
    };
    let linear = (tension / spring.stiffness).max((2.0 * work / spring.stiffness).sqrt());
    if !(linear > 0.0 && linear.is_finite()) {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, linear);
    while !resists(high) {
        (low, high) = (high, 2.0 * high);
        if high > FARTHEST * spring.rest_length {
            return f64::INFINITY;
        }
    }
    // A bound needs no more digits than these halvings give.
    for _ in 0..20 {
        let middle = 0.5 * (low + high);
        if resists(middle) { high = middle } else { low = middle }
    }
    high
}

/// What the tensions of many springs follow from, one number a spring in each list.
#[derive(Clone, Copy, Debug)]
pub struct Tensions<'a> {
    /// Stiffness.
    pub stiffness: &'a [f64],
    /// Rest lengths; below 0 where there is no spring, and what comes out is of no matter.
    pub rest: &'a [f64],
    /// Lengths.
    pub length: &'a [f64],
    /// Plastic strains.
    pub plastic: &'a [f64],
}

impl Tensions<'_> {
    /// The tension of each spring by itself.
    #[inline(always)]
    pub(crate) fn each(&self, out: &mut [f64], tension: impl Fn(&Spring, f64, f64) -> f64) {
        let constants = self.stiffness.iter().zip(self.rest);
        let springs = constants.zip(self.length.iter().zip(self.plastic));
        for (((stiffness, rest), (length, plastic)), out) in springs.zip(out) {
            let spring = Spring { a: 0, b: 0, stiffness: *stiffness, rest_length: *rest };
            *out = tension(&spring, *length, *plastic);
        }
    }

    /// Replaces a number of each spring, given its length and that number.
    #[inline(always)]
    pub(crate) fn change(&self, numbers: &mut [f64], of: impl Fn(&Spring, f64, f64) -> f64) {
        let constants = self.stiffness.iter().zip(self.rest);
        for (((stiffness, rest), length), number) in constants.zip(self.length).zip(numbers) {
            let spring = Spring { a: 0, b: 0, stiffness: *stiffness, rest_length: *rest };
            *number = of(&spring, *length, *number);
        }
    }
}

#[doc(hidden)]
pub mod exp;

table! {
    /// Every law, in the order in which lists show them.
    LAWS: Info,
    /// Every law's name, as a scene writes it.
    LAW_NAMES,
    SpringLaw:
    hooke::Hooke,
    exponential::Exponential,
    piecewise_linear::PiecewiseLinear,
    plastic::Plastic,
}
