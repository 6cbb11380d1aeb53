//! Strain at which springs break: one value for all springs, or one per spring.

use std::sync::Arc;

/// Strain, (length - rest length) / rest length, beyond which a spring breaks.
#[derive(Clone, Debug, PartialEq)]
pub enum BreakingStrain {
    /// One value for all springs, above zero.
    All(f64),
    /// One value per spring of the model, above zero; infinite for a spring that never breaks.
    Each(Arc<[f64]>),
}
crate::identity!(
    enum BreakingStrain {
        All(value),
        Each(value),
    }
);

impl BreakingStrain {
    /// Returns the breaking strain of a spring of the model.
    pub fn of(&self, spring: usize) -> f64 {
        match self {
            Self::All(strain) => *strain,
            Self::Each(strains) => strains[spring],
        }
    }

    /// Whether the value is valid for a model of `springs` springs.
    pub(super) fn is_sound(&self, springs: usize) -> bool {
        match self {
            Self::All(strain) => *strain > 0.0 && strain.is_finite(),
            Self::Each(strains) => {
                strains.len() == springs && strains.iter().all(|strain| *strain > 0.0)
            }
        }
    }
}

impl From<f64> for BreakingStrain {
    fn from(strain: f64) -> Self {
        Self::All(strain)
    }
}
