//! Access to the ledgers of simulations in a group.

use crate::run::ledger::{LedgerEntry, SideBySideLedgers};
use crate::run::{Setup, Simulation};
use std::sync::Arc;

/// Returns the ledgers of a group in which either all runs keep one or none does.
pub(crate) fn ledgers_of(
    numbers: &[usize],
    simulations: &[&mut Simulation],
    setups: &[Arc<Setup>],
) -> Option<SideBySideLedgers> {
    simulations[numbers[0]].ledger_entry()?;
    Some(SideBySideLedgers::new(setups))
}

/// Ledger entries of a group at the start of a frame.
pub(crate) fn entries<'a>(
    numbers: &'a [usize],
    simulations: &'a [&'a mut Simulation],
) -> impl Iterator<Item = LedgerEntry> + 'a {
    numbers.iter().filter_map(|number| simulations[*number].ledger_entry())
}
