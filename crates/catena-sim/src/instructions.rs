//! Selects the vector instructions of kernels at run time, from those that the processor supports.
//!
//! One source is compiled once per instruction set. Additions, products, quotients and square roots
//! round identically in all of them, and no operation is fused or reordered. Results are therefore
//! bit-identical for all sets.

use pulp::NullaryFnOnce;
use std::sync::OnceLock;

/// A set of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Baseline of the architecture: two numbers per vector on x86-64.
    Baseline,
    /// Four numbers per vector.
    Avx2,
    /// Eight numbers per vector.
    Avx512,
}

impl Instructions {
    /// All sets, narrowest first.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// Name of the set, as a value of [`Instructions::VARIABLE`].
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Environment variable that limits the choice, for tests and measurements.
    pub const VARIABLE: &'static str = "CATENA_INSTRUCTIONS";

    /// Whether this processor supports the set.
    pub fn is_available(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => pulp::x86::V3::is_available(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => pulp::x86::V4::is_available(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Widest set that the environment allows. An unset or empty variable allows all sets.
    ///
    /// # Errors
    /// The value of the variable, if it is not the name of a set.
    pub fn allowed() -> Result<Self, String> {
        let Some(wanted) = std::env::var_os(Self::VARIABLE).filter(|wanted| !wanted.is_empty())
        else {
            return Ok(Self::Avx512);
        };
        let found = Self::ALL.into_iter().find(|set| wanted == set.name());
        found.ok_or_else(|| wanted.to_string_lossy().into_owned())
    }

    /// Widest set that the processor supports and the environment allows. A value that
    /// [`Instructions::allowed`] refuses has no effect here.
    pub fn best() -> Self {
        static BEST: OnceLock<Instructions> = OnceLock::new();
        *BEST.get_or_init(|| {
            let maximum = Self::allowed().unwrap_or(Self::Avx512);
            let sets = Self::ALL.into_iter();
            let mut fit = sets.filter(|set| (*set as u8) <= maximum as u8 && set.is_available());
            fit.next_back().unwrap_or(Self::Baseline)
        })
    }

    /// Runs `work` compiled for this set, or for the baseline if the processor does not support the
    /// set. Functions that `work` calls must be inlined into it; otherwise they are compiled for
    /// the baseline.
    pub fn run<R>(self, work: impl NullaryFnOnce<Output = R>) -> R {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if let Some(set) = pulp::x86::V4::try_new() => set.vectorize(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if let Some(set) = pulp::x86::V3::try_new() => set.vectorize(work),
            _ => work.call(),
        }
    }
}
