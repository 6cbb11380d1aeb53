//! Bill of a run: the count of each operation of the price table.

use super::Item;

/// Picoseconds per nanosecond.
const PICO: u128 = 1000;

/// Count of each operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bill {
    counts: [u128; Item::ALL.len()],
}

impl Default for Bill {
    fn default() -> Self {
        Self { counts: [0; Item::ALL.len()] }
    }
}

impl Bill {
    /// Returns the bill of a number of equal operations.
    pub fn of(item: Item, count: u64) -> Self {
        Self::default().and(item, count)
    }

    /// Returns the bill with a number of further operations.
    #[must_use]
    pub fn and(mut self, item: Item, count: u64) -> Self {
        self.add(item, count);
        self
    }

    /// Adds a number of operations.
    pub fn add(&mut self, item: Item, count: u64) {
        let place = &mut self.counts[item as usize];
        *place = place.saturating_add(count.into());
    }

    /// Adds a number of copies of another bill.
    pub fn add_times(&mut self, other: &Self, factor: u128) {
        for (place, count) in self.counts.iter_mut().zip(&other.counts) {
            // Most operations do not occur, and a comparison takes less than a product.
            if *count > 0 {
                *place = place.saturating_add(count.saturating_mul(factor));
            }
        }
    }

    /// Returns a number of copies of the bill.
    #[must_use]
    pub fn times(&self, factor: u128) -> Self {
        let mut all = Self::default();
        all.add_times(self, factor);
        all
    }

    /// Returns a share of the bill, given in thousandths.
    #[must_use]
    pub fn share(mut self, thousandths: u128) -> Self {
        for count in &mut self.counts {
            *count = count.saturating_mul(thousandths) / 1000;
        }
        self
    }

    /// Divides the counts of some operations among `count` bills.
    #[must_use]
    pub fn divided(mut self, items: &[Item], count: u128) -> Self {
        for item in items {
            self.counts[*item as usize] /= count.max(1);
        }
        self
    }

    /// Extrapolates the bill of `of` frames to `count` frames.
    #[must_use]
    pub fn extended(mut self, count: u64, of: u64) -> Self {
        for place in &mut self.counts {
            *place = place.saturating_mul(count.into()) / u128::from(of.max(1));
        }
        self
    }

    /// Returns the bill, scaled down to `nanoseconds` if its price exceeds them.
    #[must_use]
    pub fn at_most(self, nanoseconds: u128) -> Self {
        let all = self.nanoseconds();
        if all <= nanoseconds {
            return self;
        }
        let share = (1e6 * nanoseconds as f64 / all as f64) as u64;
        self.extended(share, 1_000_000)
    }

    /// Returns the price of all operations in nanoseconds of one core.
    pub fn nanoseconds(&self) -> u128 {
        let all = Item::ALL.iter().zip(&self.counts).filter(|(_, count)| **count > 0);
        let sum = all.fold(0, |sum: u128, (item, count)| {
            sum.saturating_add(count.saturating_mul(item.price().into()))
        });
        sum / PICO
    }

    /// Returns [`Bill::nanoseconds`] as an amount of a budget, at most `u64::MAX`.
    pub fn amount(&self) -> u64 {
        u64::try_from(self.nanoseconds()).unwrap_or(u64::MAX)
    }

    /// Returns the operations since an earlier bill of the same run.
    #[must_use]
    pub fn beyond(mut self, earlier: &Self) -> Self {
        for (place, before) in self.counts.iter_mut().zip(&earlier.counts) {
            *place = place.saturating_sub(*before);
        }
        self
    }

    /// Returns the operations with a count above 0, each with its count, in the order of the table.
    pub fn rows(&self) -> impl Iterator<Item = (Item, u128)> {
        let all = Item::ALL.iter().copied().zip(self.counts);
        all.filter(|(_, count)| *count > 0)
    }
}
