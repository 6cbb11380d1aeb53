//! Cross-sections of rods, and their stiffness for a material.

use crate::named::BadSetup;
use std::f64::consts::PI;

/// Stiffness of a rod against bending and twist.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Section {
    /// Bending stiffness EI, force · length², of a rod that bends towards its normal and across it.
    pub bending: [f64; 2],
    /// Torsional stiffness GJ, force · length²; 0 for a rod that twists freely.
    pub torsion: f64,
}
crate::identity!(Section { bending, torsion });

impl Section {
    /// Creates a section that resists bending in all directions equally.
    pub fn round(bending: f64, torsion: f64) -> Self {
        Self { bending: [bending; 2], torsion }
    }

    /// Whether the section resists bending in all directions equally.
    pub fn is_round(&self) -> bool {
        self.bending[0] == self.bending[1]
    }

    /// Returns an error for a number that is negative or not finite.
    pub(super) fn check(&self) -> Result<(), BadSetup> {
        let numbers =
            [("bending", self.bending[0]), ("bending", self.bending[1]), ("torsion", self.torsion)];
        for (field, value) in numbers {
            let message = format!("expected a finite number of at least 0, found {value}");
            BadSetup::unless(value >= 0.0 && value.is_finite(), field, message)?;
        }
        Ok(())
    }
}

/// Cross-section of a rod.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Profile {
    /// A solid circle.
    Circle {
        /// Radius, length.
        radius: f64,
    },
    /// A hollow circle.
    Tube {
        /// Outer radius, length.
        radius: f64,
        /// Inner radius, length, below the outer one.
        inner: f64,
    },
    /// A rectangle. In a scene in the plane, its height is in the plane.
    Rectangle {
        /// Size across the normal, length.
        width: f64,
        /// Size along the normal, length.
        height: f64,
    },
}

impl Profile {
    /// Area, length².
    pub fn area(&self) -> f64 {
        match *self {
            Self::Circle { radius } => PI * radius * radius,
            Self::Tube { radius, inner } => PI * (radius * radius - inner * inner),
            Self::Rectangle { width, height } => width * height,
        }
    }

    /// Second moments of area, length⁴, for bending towards the normal and across it.
    pub fn second_moments(&self) -> [f64; 2] {
        let fourth = |radius: f64| radius * radius * radius * radius;
        match *self {
            Self::Circle { radius } => [0.25 * PI * fourth(radius); 2],
            Self::Tube { radius, inner } => [0.25 * PI * (fourth(radius) - fourth(inner)); 2],
            Self::Rectangle { width: w, height: h } => [w * h * h * h / 12.0, h * w * w * w / 12.0],
        }
    }

    /// Torsion constant J, length⁴. For a rectangle this is Saint-Venant's series (Timoshenko and
    /// Goodier, "Theory of Elasticity", 109).
    pub fn torsion_constant(&self) -> f64 {
        match *self {
            Self::Circle { .. } | Self::Tube { .. } => 2.0 * self.second_moments()[0],
            Self::Rectangle { width, height } => {
                let (long, short) = (width.max(height), width.min(height));
                let term = |k: u32| {
                    let n = f64::from(2 * k + 1);
                    libm::tanh(0.5 * n * PI * long / short) / (n * n * n * n * n)
                };
                let series: f64 = (0..40).rev().map(term).sum();
                let edge = 64.0 / (PI * PI * PI * PI * PI) * (short / long) * series;
                long * short * short * short * (1.0 / 3.0 - edge)
            }
        }
    }

    /// Stiffness of the section in a material with Young's modulus E and shear modulus G, both
    /// force/length².
    pub fn of(&self, young: f64, shear: f64) -> Section {
        Section {
            bending: self.second_moments().map(|moment| young * moment),
            torsion: shear * self.torsion_constant(),
        }
    }
}
