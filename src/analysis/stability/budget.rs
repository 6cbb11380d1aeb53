//! How much a study may run. It is counted in steps of a spring and never in time, so what is said does not depend on the machine.

/// Steps of a spring that may still be taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    whole: f64,
    left: f64,
}

impl Budget {
    /// So many steps of a spring.
    pub const fn new(whole: f64) -> Self {
        Self { whole, left: whole }
    }

    /// What it was at first.
    pub fn whole(&self) -> f64 {
        self.whole
    }

    /// Whether so many steps of so many springs may still be taken.
    pub fn allows(&self, steps: f64, springs: usize) -> bool {
        steps * springs.max(1) as f64 <= self.left
    }

    /// Takes them off, where they may still be taken; whether they may.
    pub fn spend(&mut self, steps: f64, springs: usize) -> bool {
        let is_allowed = self.allows(steps, springs);
        if is_allowed {
            self.left -= steps * springs.max(1) as f64;
        }
        is_allowed
    }
}
