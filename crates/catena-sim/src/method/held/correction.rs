//! Option `correction`: the fraction of a spring's error that one correction removes.

use crate::kernel::ShareFactors;
use crate::named::{OptionInfo, OptionKind};
use serde::Deserialize;

/// Option of methods that correct one spring after another.
pub(super) const CORRECTION: OptionInfo = OptionInfo {
    name: "correction",
    summary: "Full: removes the whole error of a spring, which is correct; HalfBesidePin, as programs print it: the free end beside a pin moves by half, so half of that error stays; HalfShare, as notes print it: ½ times the share by mass, so half of every error stays; WholeAtBothEnds: each end moves by the whole error, so a spring overshoots by as much",
    default: "Full",
    range: "Full, HalfBesidePin, HalfShare or WholeAtBothEnds",
    kind: OptionKind::Words(&["Full", "HalfBesidePin", "HalfShare", "WholeAtBothEnds"]),
    ..OptionInfo::PLAIN
};

/// Fraction of a spring's error that one correction removes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub enum LengthCorrection {
    /// The whole error. At a pin, the free end of a spring moves by the whole error.
    #[default]
    Full,
    /// The whole error between free nodes, but only half of it at a pin: the free end moves by
    /// half, as between equal masses, and the pin does not move. Some programs do this. The correct
    /// form is [`Full`](Self::Full), with which a rope hangs shorter.
    HalfBesidePin,
    /// Half of the error of every spring: the factor ½ multiplies shares by mass, whose sum is
    /// already 1. Some lecture notes do this. The correct form is [`Full`](Self::Full).
    HalfShare,
    /// Twice the error between free nodes, because the factor ½ of each end is missing. A spring
    /// that was too long becomes too short by the same amount. The correct form is
    /// [`Full`](Self::Full).
    WholeAtBothEnds,
}
crate::identity!(
    enum LengthCorrection {
        Full,
        HalfBesidePin,
        HalfShare,
        WholeAtBothEnds,
    }
);

impl LengthCorrection {
    /// Factors on the shares of the whole correction.
    pub fn factors(self) -> ShareFactors {
        match self {
            Self::Full => ShareFactors::FULL,
            Self::HalfBesidePin => ShareFactors { free: 1.0, at_pin: 0.5 },
            Self::HalfShare => ShareFactors { free: 0.5, at_pin: 0.5 },
            Self::WholeAtBothEnds => ShareFactors { free: 2.0, at_pin: 1.0 },
        }
    }
}
