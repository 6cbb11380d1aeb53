//! Records of each run: energy at the last entry, gains in the frame and gains in the run.

use super::LedgerEntry;
use crate::force::Energy;
use crate::lane::CacheLine;
use crate::run::ledger::{Balance, Gains, Ledger};

/// Kinetic, gravitational and elastic energy.
pub(super) type Energies<V> = [V; 3];

/// Gains of a step on the accounts damping, external and method, and the sum of magnitudes of all
/// changes.
pub(super) type Changes<V> = [V; 4];

/// Records of up to eight runs.
pub(super) struct Books {
    pub(super) now: Energies<CacheLine>,
    pub(super) frame: Changes<CacheLine>,
    pub(super) run: Changes<CacheLine>,
}

impl Default for Books {
    fn default() -> Self {
        let zero = CacheLine::all(0.0);
        Self { now: [zero; 3], frame: [zero; 4], run: [zero; 4] }
    }
}

impl Books {
    /// Starts a frame from these entries.
    pub(super) fn begin(&mut self, entries: &[LedgerEntry]) {
        *self = Self::default();
        for (lane, LedgerEntry { ledger, now }) in entries.iter().enumerate() {
            let Balance { gains, turned_over, .. } = ledger.run;
            let energies = [now.kinetic, now.gravitational, now.elastic];
            let changes = [gains.damping, gains.external, gains.method, turned_over];
            self.now.iter_mut().zip(energies).for_each(|(line, number)| line.0[lane] = number);
            self.run.iter_mut().zip(changes).for_each(|(line, number)| line.0[lane] = number);
        }
    }

    /// Updates entries from the start of a frame to its end.
    pub(super) fn end(&self, entries: &mut [LedgerEntry]) {
        for (lane, LedgerEntry { ledger, now }) in entries.iter_mut().enumerate() {
            let [kinetic, gravitational, elastic] = self.now.map(|line| line.0[lane]);
            let end = Energy { kinetic, gravitational, elastic, ..Energy::default() };
            let changed = |balance: Balance, changes: &Changes<CacheLine>| {
                let [damping, external, method, turned_over] = changes.map(|line| line.0[lane]);
                let gains = Gains { damping, external, method, ..balance.gains };
                Balance { end, gains, turned_over, ..balance }
            };
            *ledger = Ledger {
                frame: changed(Balance::at(*now), &self.frame),
                run: changed(ledger.run, &self.run),
            };
            *now = end;
        }
    }
}
