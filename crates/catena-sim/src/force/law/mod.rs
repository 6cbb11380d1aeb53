//! Spring laws, one file each: the tension of a spring as a function of its length.
//!
//! The `table!` call below lists them. To add a law, add a file and a line there.

use crate::body::Spring;
use crate::identity::Identity;
use crate::instructions::Instructions;
use crate::named::table;
use crate::named::{BadOption, Info};
use std::fmt::Debug;

/// A spring law with its options.
pub trait SpringLaw: Debug + Identity + Send + Sync {
    /// Name and options of the law.
    fn info(&self) -> Info;

    /// Refuses options that are out of range.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses options that do not fit the body.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    /// Force with which a spring of this length pulls its ends together.
    fn tension(&self, spring: &Spring, length: f64, plastic: f64) -> f64;

    /// Computes the tensions of several springs, bit-identical to [`SpringLaw::tension`].
    fn tensions(&self, springs: &Tensions<'_>, out: &mut [f64]) {
        Instructions::best().run(
            #[inline(always)]
            || springs.each(out, |spring, length, plastic| self.tension(spring, length, plastic)),
        );
    }

    /// Derivative of the tension with respect to the length.
    fn slope(&self, spring: &Spring, length: f64, plastic: f64) -> f64;

    /// Energy stored in the spring.
    fn energy(&self, spring: &Spring, length: f64, plastic: f64) -> f64;

    /// Tension of a spring that was extended once from its rest length to this length, and the work
    /// done, whether stored or lost.
    fn pulled_out(&self, spring: &Spring, length: f64) -> (f64, f64) {
        (self.tension(spring, length, 0.0), self.energy(spring, length, 0.0))
    }

    /// Whether the tension is stiffness times stretch.
    fn is_linear(&self) -> bool {
        false
    }

    /// Whether [`SpringLaw::flow`] can change the plastic strain.
    fn flows(&self) -> bool {
        false
    }

    /// Plastic strain after a step of `dt` that ended at this length.
    fn flow(&self, _spring: &Spring, _length: f64, plastic: f64, _dt: f64) -> f64 {
        plastic
    }

    /// Whether the flow depends on the lengths before and after a step, not only on the length
    /// after it: see [`SpringLaw::flow_along`].
    fn depends_on_path(&self) -> bool {
        false
    }

    /// Plastic strain after a step of `dt`, for the lengths before and after the step.
    fn flow_along(&self, spring: &Spring, [_, to]: [f64; 2], plastic: f64, dt: f64) -> f64 {
        self.flow(spring, to, plastic, dt)
    }

    /// Computes the plastic strains of several springs after a step of `dt`, bit-identical to
    /// [`SpringLaw::flow`]. `plastic` holds the strains before the step; the plastic strains in
    /// `springs` are ignored.
    fn flows_on(&self, springs: &Tensions<'_>, plastic: &mut [f64], dt: f64) {
        Instructions::best().run(
            #[inline(always)]
            || {
                springs.change(plastic, |spring, length, before| {
                    self.flow(spring, length, before, dt)
                });
            },
        );
    }
}

/// Minimum stretch at which a spring, extended once, has this tension and has absorbed this work.
/// Infinite if the law never reaches them.
pub fn resisting_stretch(law: &dyn SpringLaw, spring: &Spring, tension: f64, work: f64) -> f64 {
    /// Maximum strain of the search.
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
    // The precision of 20 halvings is sufficient for a bound.
    for _ in 0..20 {
        let middle = 0.5 * (low + high);
        if resists(middle) { high = middle } else { low = middle }
    }
    high
}

/// Inputs of the tensions of several springs, with one number per spring in each list.
#[derive(Clone, Copy, Debug)]
pub struct Tensions<'a> {
    /// Stiffness.
    pub stiffness: &'a [f64],
    /// Rest lengths. A negative value marks an absent spring, whose result is meaningless.
    pub rest: &'a [f64],
    /// Lengths.
    pub length: &'a [f64],
    /// Plastic strains.
    pub plastic: &'a [f64],
}

impl Tensions<'_> {
    /// Computes the tension of each spring separately.
    #[inline(always)]
    pub(crate) fn each(&self, out: &mut [f64], tension: impl Fn(&Spring, f64, f64) -> f64) {
        let constants = self.stiffness.iter().zip(self.rest);
        let springs = constants.zip(self.length.iter().zip(self.plastic));
        for (((stiffness, rest), (length, plastic)), out) in springs.zip(out) {
            let spring = Spring { a: 0, b: 0, stiffness: *stiffness, rest_length: *rest };
            *out = tension(&spring, *length, *plastic);
        }
    }

    /// Replaces a number per spring by a function of the spring, its length and that number.
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
    /// All laws, in the order in which lists show them.
    LAWS: Info,
    /// Names of all laws, as scenes write them.
    LAW_NAMES,
    SpringLaw:
    hooke::Hooke,
    exponential::Exponential,
    piecewise_linear::PiecewiseLinear,
    plastic::Plastic,
    strain_exponential::StrainExponential,
    tension_only::TensionOnly,
    viscoelastic::Viscoelastic,
    dahl::Dahl,
}
