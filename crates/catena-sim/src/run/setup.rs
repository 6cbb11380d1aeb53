//! Setup of a run: a body, the forces and contacts on it, and the integration method. The files
//! next to this one add methods to `Setup`, one subject each: checks, costs, events, ledgers and
//! loads.

use super::{BreakingStrain, ChangingLengths};
use crate::body::{Arrangement, Model, Spring, State, rigid};
use crate::budget::Budget;
use crate::contact::Contacts;
use crate::drive::{Anchor, Event, Impulse};
use crate::force::{Force, law::SpringLaw, rod::Rods};
use crate::method::control::{Fixed, StepControl};
use crate::method::{Method, SemiImplicitEuler};
use crate::named::BadSetup;
use crate::slip::{Slip, SlipTarget};
use std::{borrow::Cow, sync::Arc};

/// Complete definition of a run. Two runs of one setup are bit-identical.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Masses, springs and pins.
    pub model: Model,
    /// Initial state.
    pub initial: State,
    /// The forces, in the order in which they are summed.
    pub forces: Vec<Arc<dyn Force>>,
    /// The law whose plastic flow is committed after each step; `None` if springs do not flow.
    pub flow: Option<Arc<dyn SpringLaw>>,
    /// Strain beyond which a spring breaks; `None` if springs do not break.
    pub breaks_at: Option<BreakingStrain>,
    /// Rest lengths that change with time. The model has the lengths at time 0.
    pub lengths: ChangingLengths,
    /// Pinned nodes that move.
    pub anchors: Vec<Anchor>,
    /// The integration method, with its options.
    pub method: Arc<dyn Method>,
    /// Control of the steps that the method takes within one step.
    pub step_control: Arc<dyn StepControl>,
    /// Impulses, in any order.
    pub impulses: Vec<Impulse>,
    /// Events, which happen once. Events of the same step happen in the order of the list. The
    /// joints that events create are the last springs of the model, in order. A joint counts as
    /// broken until it is created.
    pub events: Vec<Event>,
    /// Everything that the body can touch.
    pub contacts: Contacts,
    /// Simulated time per frame, above zero.
    pub frame_time: f64,
    /// Steps per frame, at least 1.
    pub substeps: u64,
    /// Factor on every velocity after each step; 1 changes nothing.
    pub velocity_factor: f64,
    /// Factor on every free position after each step, which pulls towards the origin; 1 changes
    /// nothing.
    pub position_factor: f64,
    /// Strain above which the run counts as diverged. A run with a non-finite number counts as
    /// diverged as well. The limit must be far above the strain that the forces can cause, and
    /// small enough that the last valid frame is still recognisable.
    pub strain_limit: f64,
    /// Time at which a run starts; finite.
    pub start_time: f64,
    /// Number of hidden frames before the start, from the initial state. During these frames,
    /// moving curves go from their position at that earlier time to their position at the start.
    /// Springs do not yield or break, and no event happens.
    pub warm_up: u64,
    /// Slips that were applied to this setup, in order. The other fields already contain their
    /// effects.
    pub slips: Vec<Arc<dyn Slip>>,
    /// Limits of each run of this setup.
    pub budget: Budget,
}
crate::identity!(Setup {
    model,
    initial,
    forces,
    flow,
    breaks_at,
    lengths,
    anchors,
    method,
    step_control,
    impulses,
    events,
    contacts,
    frame_time,
    substeps,
    velocity_factor,
    position_factor,
    strain_limit,
    start_time,
    warm_up,
    slips,
    budget,
});

impl Setup {
    /// Time after `steps` steps from the start. Computed as a product, not a sum, so that long runs
    /// do not drift.
    pub fn time_after(&self, steps: u64) -> f64 {
        self.start_time + steps as f64 * self.dt()
    }

    /// Placeholder for a setup that cannot run: a pinned node without forces.
    pub(super) fn stand_in() -> Self {
        let model = Model {
            axes: 2,
            mass: vec![1.0],
            pinned: vec![true],
            springs: Vec::new(),
            structural: 0,
            held: 0,
            arrangement: Arrangement::Chain,
            parts: Vec::new(),
        };
        Self {
            model,
            initial: State::at_rest(vec![0.0; 2]),
            forces: Vec::new(),
            flow: None,
            breaks_at: None,
            lengths: ChangingLengths::default(),
            anchors: Vec::new(),
            method: Arc::new(SemiImplicitEuler {}),
            step_control: Arc::new(Fixed {}),
            impulses: Vec::new(),
            events: Vec::new(),
            contacts: Contacts::default(),
            frame_time: 1.0,
            substeps: 1,
            velocity_factor: 1.0,
            position_factor: 1.0,
            strain_limit: f64::INFINITY,
            start_time: 0.0,
            warm_up: 0,
            slips: Vec::new(),
            budget: Budget::UNLIMITED,
        }
    }

    /// The fixed step: frame time divided by substeps.
    pub fn dt(&self) -> f64 {
        self.frame_time / self.substeps as f64
    }

    /// Returns the setup with another frame time and number of steps per frame. Forces and anchors
    /// that depend on the step change with it.
    #[must_use]
    pub fn with_steps(mut self, frame_time: f64, substeps: u64) -> Self {
        (self.frame_time, self.substeps) = (frame_time, substeps);
        self.match_step();
        self
    }

    /// Adapts forces and anchors to the step.
    pub(super) fn match_step(&mut self) {
        let dt = self.dt();
        for force in &mut self.forces {
            if let Some(other) = force.with_step(dt) {
                *force = other;
            }
        }
        for anchor in &mut self.anchors {
            if let Some(other) = anchor.curve.with_step(dt) {
                anchor.curve = other;
            }
        }
    }

    /// Whether the method or its control may take steps other than the scene's.
    pub fn chooses_its_step(&self) -> bool {
        self.step_control.chooses_steps() || self.method.chooses_steps()
    }

    /// Whether the stability limit follows from the forces and the method's own limit. With slips
    /// the limit may differ, and only runs can measure it.
    pub fn has_known_limit(&self) -> bool {
        self.slips.iter().all(|slip| slip.keeps_limit())
    }

    /// Returns the setup with the stiffness of held springs as the method uses it. XPBD has its own
    /// compliance.
    pub fn with_method_stiffness(&self) -> Self {
        let mut taken = self.clone();
        if let Cow::Owned(model) = self.model_as_taken() {
            taken.model = model;
        }
        taken
    }

    /// Model of [`Setup::with_method_stiffness`]. Borrows the setup's own model if the method does
    /// not change it.
    pub(crate) fn model_as_taken(&self) -> Cow<'_, Model> {
        let is_other = |spring: &Spring| self.method.stiffness_of(spring) != spring.stiffness;
        if self.method.holds_lengths() || !self.model.held().iter().any(is_other) {
            return Cow::Borrowed(&self.model);
        }
        let mut model = self.model.clone();
        for spring in &mut model.springs[..model.held] {
            spring.stiffness = self.method.stiffness_of(spring);
        }
        Cow::Owned(model)
    }

    /// Whether a step consists of the method alone, apart from moving pins.
    pub(crate) fn is_method_alone(&self) -> bool {
        self.contacts.is_empty() && self.is_method_alone_without_contacts()
    }

    /// Whether a step without its contacts consists of the method alone, apart from moving pins.
    fn is_method_alone_without_contacts(&self) -> bool {
        let is_lasting = self.flow.is_none()
            && self.breaks_at.is_none()
            && self.lengths.is_empty()
            && !self.remembers();
        let is_alone =
            self.impulses.is_empty() && self.events.is_empty() && !rigid::has_solids(&self.model);
        is_lasting && is_alone && self.velocity_factor == 1.0 && self.position_factor == 1.0
    }

    /// Force of the rods, if the body has any.
    pub fn rods(&self) -> Option<&Rods> {
        self.forces.iter().find_map(|force| force.rods())
    }

    /// Whether a force stores numbers between steps.
    fn remembers(&self) -> bool {
        self.forces.iter().any(|force| force.numbers() > 0)
    }

    /// Whether there are routes.
    pub(super) fn has_routes(&self) -> bool {
        self.forces.iter().any(|force| force.route().is_some())
    }

    /// Whether a route can be fed by a winch.
    pub(super) fn has_winch(&self) -> bool {
        self.forces.iter().any(|force| force.fed_at(0.0).is_some())
    }

    /// Whether a step consists of the method alone, without contacts, impulses, events, plastic
    /// flow, breaks, factors or moving pins.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_method_alone() && self.anchors.is_empty()
    }

    /// Whether [`Setup::is_plain`] would hold if contacts had no effect.
    pub(crate) fn is_plain_without_contacts(&self) -> bool {
        self.is_method_alone_without_contacts() && self.anchors.is_empty()
    }
}

impl Setup {
    /// Model in which each spring has its minimum length over all times.
    pub fn shortest_model(&self) -> Model {
        let mut model = self.model.clone();
        self.lengths.apply_extreme(&self.model, &self.reels(), false, &mut model);
        model
    }

    /// Model in which each spring has its maximum length over all times.
    pub fn longest_model(&self) -> Cow<'_, Model> {
        if self.lengths.is_empty() {
            return Cow::Borrowed(&self.model);
        }
        let mut model = self.model.clone();
        self.lengths.apply_extreme(&self.model, &self.reels(), true, &mut model);
        Cow::Owned(model)
    }

    /// Lengths that events may set, as pairs of a rope's index in `lengths` and its length.
    fn reels(&self) -> Vec<(usize, f64)> {
        let reels = self.events.iter().filter_map(|event| event.action.reel());
        reels.filter_map(|reel| Some((self.rope_of(reel.node).ok()?, reel.length))).collect()
    }

    /// Returns the setup with the lengths at a time, which no longer change.
    #[must_use]
    pub fn with_lengths_at(mut self, t: f64) -> Self {
        let lengths = std::mem::take(&mut self.lengths);
        lengths.apply(&self.model.clone(), t, &mut self.model);
        self
    }

    /// Checks lengths over time: springs must exist, must not be created by events, and lengths
    /// must be above 0.
    pub(crate) fn check_lengths(&self) -> Result<(), BadSetup> {
        let follower = self.flow.as_ref().filter(|law| law.depends_on_path());
        if let (Some(law), false) = (follower, self.lengths.is_empty()) {
            let name = law.info().name;
            let message = format!(
                "a changing length is not possible with the law {name}, whose tension depends on \
                 past strain: write one number, or choose another law"
            );
            return Err(BadSetup::new("lengths", message));
        }
        let count = self.model.springs.len() - self.joints();
        let mut is_taken = vec![false; if self.lengths.is_empty() { 0 } else { count }];
        for (index, change) in self.lengths.0.iter().enumerate() {
            let field = |name: &str| format!("lengths[{index}].{name}");
            for &spring in &change.springs {
                let is_free = is_taken.get_mut(spring).map(|it| !std::mem::replace(it, true));
                let message = format!(
                    "spring {spring} is not one of the {count} springs, or is listed twice"
                );
                BadSetup::unless(is_free == Some(true), field("springs"), message)?;
            }
            let (low, high) = change.range().unwrap_or((f64::NAN, f64::NAN));
            let is_fine = low > 0.0 && high.is_finite();
            let message = "expected a curve whose minimum and maximum are known and above 0";
            BadSetup::unless(is_fine, field("length"), message)?;
        }
        Ok(())
    }
}

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
