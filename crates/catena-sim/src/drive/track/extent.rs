//! When something changes: never, within a time, or without end.

/// When something changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Extent {
    /// It does not change.
    #[default]
    Still,
    /// It changes from a first time to a last one, at least the first, and rests outside.
    Bounded(f64, f64),
    /// It changes without end; all that it does is seen once, or nearly, between these times.
    Endless(f64, f64),
}

impl Extent {
    /// Two times between which all is seen once; `None` where nothing changes.
    pub fn window(self) -> Option<(f64, f64)> {
        match self {
            Self::Still => None,
            Self::Bounded(from, until) | Self::Endless(from, until) => Some((from, until)),
        }
    }

    /// Whether it changes without end.
    pub fn is_endless(self) -> bool {
        matches!(self, Self::Endless(..))
    }

    /// That of both together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let (Some(a), Some(b)) = (self.window(), other.window()) else {
            return if self == Self::Still { other } else { self };
        };
        let (from, until) = (a.0.min(b.0), a.1.max(b.1));
        if self.is_endless() || other.is_endless() {
            Self::Endless(from, until)
        } else {
            Self::Bounded(from, until)
        }
    }

    /// That of all together.
    pub fn of_all(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter().fold(Self::Still, Self::with)
    }
}
