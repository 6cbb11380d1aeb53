//! Applies slips to a setup that is correct otherwise.

use crate::named::BadSetup;
use crate::run::Setup;
use crate::slip::{Slip, SlipTarget};
use std::sync::Arc;

impl Setup {
    /// Returns this setup with slips, which act in order. The setup must be correct: it has no slip
    /// yet.
    ///
    /// # Errors
    /// The first slip that does not fit the setup, or the first invalid field.
    pub fn with_slips(&self, slips: Vec<Arc<dyn Slip>>) -> Result<Self, BadSetup> {
        let message = "expected a setup without slips";
        BadSetup::unless(self.slips.is_empty(), "slips", message)?;
        self.check()?;
        let mut setup = self.clone();
        setup.apply(slips)?;
        setup.check()?;
        Ok(setup)
    }

    /// Applies slips in order.
    pub(super) fn apply(&mut self, slips: Vec<Arc<dyn Slip>>) -> Result<(), BadSetup> {
        let (axes, nodes, joints) = (self.model.axes, self.model.nodes(), self.joints());
        let mut target = SlipTarget {
            model: &mut self.model,
            initial: &mut self.initial,
            forces: &mut self.forces,
            method: &mut self.method,
            step_control: &mut self.step_control,
            contacts: &mut self.contacts,
            frame_time: &mut self.frame_time,
            joints,
            method_slip: None,
        };
        for (index, slip) in slips.iter().enumerate() {
            let (field, name) = (format!("slips[{index}]"), slip.info().name);
            let fits = slip.check().and_then(|()| slip.fits(axes, nodes));
            fits.map_err(|bad| BadSetup::option(name, &bad))?;
            let is_new = slips[..index].iter().all(|other| other.info().name != name);
            BadSetup::unless(is_new, &field, format!("{name} is in the list twice"))?;
            slip.apply(&mut target).map_err(|message| BadSetup::new(field, message))?;
        }
        self.slips = slips;
        // A slip may have changed the step.
        self.match_step();
        Ok(())
    }
}
