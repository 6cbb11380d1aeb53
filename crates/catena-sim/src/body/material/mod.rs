//! Materials: stiffness, mass and damping of a rope with a given cross-section, and of a sheet with
//! a given thickness.
//!
//! A segment of length l and area A has the stiffness E A/l and the mass ρ A l. A sheet of
//! thickness t in square cells has threads of stiffness E t. Shear springs across its cells have
//! the stiffness G t, with the shear modulus G = E/(2 (1 + ν)).
//!
//! The loss factor η is the energy lost per radian of an oscillation, as a share of the energy
//! stored. Springs with viscous damping c lose c ω/k at the angular frequency ω. [`damping`]
//! returns the c that gives the lowest longitudinal mode of a rope the loss factor of its material,
//! at any number of nodes.
//!
//! The `table!` call below lists the materials. To add one, add a row in solids.rs and a line
//! there.

mod elastic;
mod solids;

use crate::named::{BadOption, Info, table};
pub use elastic::Elastic;
pub use solids::{Cotton, Rubber, Steel};
use std::f64::consts::FRAC_PI_2;
use std::fmt::Debug;

/// Material of a rope.
pub trait Material: Debug + Send + Sync {
    /// Name and options of the material.
    fn info(&self) -> Info;

    /// Young's modulus E, force per area; above 0.
    fn young(&self) -> f64;

    /// Density ρ, mass per volume; above 0.
    fn density(&self) -> f64;

    /// Poisson's ratio ν: contraction across the load as a share of the strain along it; above -1,
    /// at most 0.5.
    fn poisson(&self) -> f64;

    /// Loss factor η of damped oscillations, at least 0.
    fn loss_factor(&self) -> f64;

    /// Refuses options that are out of range.
    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    /// Refuses options that do not fit the body's number of axes or nodes.
    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }
}

/// Returns the damping of a spring of stiffness `k` in a rope of this material and rest length,
/// force per speed: c = η k/ω with ω = π/2 √(E/ρ)/L, the lowest longitudinal mode of a rope that is
/// held at one end.
pub fn damping(material: &dyn Material, k: f64, length: f64) -> f64 {
    let speed_of_sound = (material.young() / material.density()).sqrt();
    let omega = FRAC_PI_2 * speed_of_sound / length;
    material.loss_factor() * k / omega
}

table! {
    /// All materials, in the order of lists.
    MATERIALS: Info,
    /// Names of all materials, as scenes write them.
    MATERIAL_NAMES,
    Material:
    Steel,
    Rubber,
    Cotton,
    Elastic,
}
