//! Time range in which a value changes: none, bounded or endless.

/// Time range in which a value changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Extent {
    /// No change at any time.
    #[default]
    Still,
    /// Changes between a first and a last time, and constant outside. The last time is at least the
    /// first.
    Bounded(f64, f64),
    /// Changes without end. The two times span all of its motion once, at least approximately.
    Endless(f64, f64),
}

impl Extent {
    /// Returns two times that span all changes once; `None` for no change.
    pub fn window(self) -> Option<(f64, f64)> {
        match self {
            Self::Still => None,
            Self::Bounded(from, until) | Self::Endless(from, until) => Some((from, until)),
        }
    }

    /// Whether the changes have no end.
    pub fn is_endless(self) -> bool {
        matches!(self, Self::Endless(..))
    }

    /// Returns the shortest time range that contains both.
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

    /// Returns the shortest time range that contains all of these.
    pub fn of_all(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter().fold(Self::Still, Self::with)
    }
}
