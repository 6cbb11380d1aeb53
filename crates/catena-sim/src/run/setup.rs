//! What is run: a body, what acts on it, and how it is moved on.

use super::BreakingStrain;
use crate::body::{Arrangement, Model, Spring, State};
use crate::budget::Budget;
use crate::contact::Contacts;
use crate::drive::{Anchor, Event, Impulse};
use crate::force::{Force, law::SpringLaw};
use crate::method::control::{Fixed, StepControl};
use crate::method::{Method, SemiImplicitEuler};
use std::{borrow::Cow, sync::Arc};

/// Everything that defines a run. Two runs of one setup give the same bits.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Masses, springs and pins.
    pub model: Model,
    /// Where it starts.
    pub initial: State,
    /// The forces, in the order in which they are summed.
    pub forces: Vec<Arc<dyn Force>>,
    /// The law whose plastic flow is committed after each step; `None` where springs do not flow.
    pub flow: Option<Arc<dyn SpringLaw>>,
    /// Strain beyond which a spring breaks; `None` where springs do not break.
    pub breaks_at: Option<BreakingStrain>,
    /// Pinned nodes that move.
    pub anchors: Vec<Anchor>,
    /// The method, with its options.
    pub method: Arc<dyn Method>,
    /// What steps the method takes within one step.
    pub step_control: Arc<dyn StepControl>,
    /// Impulses, in any order.
    pub impulses: Vec<Impulse>,
    /// What happens once, in the order in which events of one step happen. The joints that they
    /// make are the last springs of the model, in order, and count as broken until they are made.
    pub events: Vec<Event>,
    /// What the body can touch.
    pub contacts: Contacts,
    /// Simulated time from one frame to the next, above zero.
    pub frame_time: f64,
    /// Steps a frame, at least 1.
    pub substeps: u64,
    /// Every velocity is multiplied by this after each step; 1 changes nothing.
    pub velocity_factor: f64,
    /// Every free position is multiplied by this after each step, which pulls towards the origin; 1
    /// changes nothing.
    pub position_factor: f64,
    /// A strain beyond this counts as diverged, as does a number that is not finite. It must be far
    /// above what the forces can explain, and small enough that the last frame in order can still
    /// be recognised.
    pub strain_limit: f64,
    /// The time at which a run starts; finite.
    pub start_time: f64,
    /// How many frames a run takes before its start, from the initial state on: what moves on
    /// curves comes from where they are then to where they are at the start. Nothing yields,
    /// breaks or happens in them, and none of them is shown.
    pub warm_up: u64,
    /// What each run of it may take.
    pub budget: Budget,
}

impl Setup {
    /// The time after so many steps from the start. Counted rather than summed, so that long runs
    /// do not drift.
    pub fn time_after(&self, steps: u64) -> f64 {
        self.start_time + steps as f64 * self.dt()
    }

    /// What stands for a setup that cannot be run: a pinned node on which nothing acts.
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
            budget: Budget::UNLIMITED,
        }
    }

    /// The fixed step: frame time over substeps.
    pub fn dt(&self) -> f64 {
        self.frame_time / self.substeps as f64
    }

    /// Whether the method or its control may take other steps than the scene's.
    pub fn chooses_its_step(&self) -> bool {
        self.step_control.chooses_steps() || self.method.chooses_steps()
    }

    /// The same body with its held springs as stiff as the method takes them: XPBD has a compliance
    /// of its own.
    pub fn as_taken(&self) -> Self {
        let mut taken = self.clone();
        if let Cow::Owned(model) = self.model_as_taken() {
            taken.model = model;
        }
        taken
    }

    /// The model of [`Setup::as_taken`]; its own where the method takes springs as they are.
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

    /// Whether a step is its method alone, but for pins that move.
    pub(crate) fn is_method_alone(&self) -> bool {
        self.contacts.is_empty() && self.is_method_beside_contacts()
    }

    /// The same, but for contacts.
    fn is_method_beside_contacts(&self) -> bool {
        let is_lasting = self.flow.is_none() && self.breaks_at.is_none();
        let is_alone = self.impulses.is_empty() && self.events.is_empty();
        is_lasting && is_alone && self.velocity_factor == 1.0 && self.position_factor == 1.0
    }

    /// Whether a step is its method alone, without contacts, impulses, events, flow, breaks,
    /// factors or moving pins.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_method_alone() && self.anchors.is_empty()
    }

    /// The same, as long as contacts do nothing.
    pub(crate) fn is_plain_beside_contacts(&self) -> bool {
        self.is_method_beside_contacts() && self.anchors.is_empty()
    }
}
