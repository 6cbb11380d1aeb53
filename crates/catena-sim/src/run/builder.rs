//! Builds a setup from a body, with a default for every option.

mod forces;

use super::{BreakingStrain, ChangingLengths, LengthOverTime, Setup};
use crate::body::shape::Topology;
use crate::body::{Model, Spring, State};
use crate::budget::Budget;
use crate::contact::collider::Collider;
use crate::contact::{Contacts, DrawnContact, SelfContact};
use crate::drive::event::action::Joint;
use crate::drive::track::Animated;
use crate::drive::{Anchor, Curve, Event, Impulse};
use crate::force::law::Hooke;
use crate::force::{Force, SpringLaw};
use crate::method::control::{Fixed, StepControl};
use crate::method::{Method, SemiImplicitEuler};
use crate::named::BadSetup;
use crate::run::events::check_actions;
use crate::slip::Slip;
use std::sync::Arc;

/// A setup under construction. Defaults: no gravity, no drag, Hooke's springs without friction,
/// semi-implicit Euler, 60 frames per unit of time with 64 steps each.
///
/// Any consistent system of units works. With metres, kilograms and seconds, stiffness is in
/// newtons per metre.
#[derive(Clone, Debug)]
#[must_use = "nothing is set up before `check`"]
pub struct SetupBuilder {
    body: Result<(Model, State), BadSetup>,
    law: Arc<dyn SpringLaw>,
    damping: f64,
    damping_each: Option<Arc<[f64]>>,
    friction: f64,
    friction_each: Option<Arc<[f64]>>,
    gravity: Option<Vec<f64>>,
    gravity_curve: Option<Arc<dyn Curve>>,
    drag: f64,
    drag_track: Option<Animated<1>>,
    wind: Option<Vec<f64>>,
    wind_curve: Option<Arc<dyn Curve>>,
    listed: Vec<Arc<dyn Force>>,
    breaks_at: Option<BreakingStrain>,
    lengths: Vec<LengthOverTime>,
    anchors: Vec<Anchor>,
    impulses: Vec<Impulse>,
    events: Vec<Event>,
    contacts: Contacts,
    method: Arc<dyn Method>,
    step_control: Arc<dyn StepControl>,
    frame_time: f64,
    substeps: u64,
    warm_up: u64,
    velocity_factor: f64,
    position_factor: f64,
    velocities: Vec<(usize, Vec<f64>)>,
    slips: Vec<Arc<dyn Slip>>,
    budget: Budget,
}

impl SetupBuilder {
    /// Creates a builder from a body, or from the error of building the body.
    pub(super) fn new(body: Result<(Model, State), BadSetup>) -> Self {
        Self {
            body,
            law: Arc::new(Hooke {}),
            damping: 0.0,
            damping_each: None,
            friction: 0.0,
            friction_each: None,
            gravity: None,
            gravity_curve: None,
            drag: 0.0,
            drag_track: None,
            wind: None,
            wind_curve: None,
            listed: Vec::new(),
            breaks_at: None,
            lengths: Vec::new(),
            anchors: Vec::new(),
            impulses: Vec::new(),
            events: Vec::new(),
            contacts: Contacts::default(),
            method: Arc::new(SemiImplicitEuler {}),
            step_control: Arc::new(Fixed {}),
            frame_time: 1.0 / 60.0,
            substeps: 64,
            warm_up: 0,
            velocity_factor: 1.0,
            position_factor: 1.0,
            velocities: Vec::new(),
            slips: Vec::new(),
            budget: Budget::UNLIMITED,
        }
    }

    /// Sets a constant acceleration of gravity, length/time², one component per axis.
    pub fn gravity(self, acceleration: impl Into<Vec<f64>>) -> Self {
        Self { gravity: Some(acceleration.into()), ..self }
    }

    /// Sets an acceleration of gravity that follows a curve; replaces [`SetupBuilder::gravity`].
    pub fn gravity_along(self, curve: Arc<dyn Curve>) -> Self {
        Self { gravity_curve: Some(curve), ..self }
    }

    /// Sets the coefficient of viscous drag on every node, force per speed, at least 0.
    pub fn drag(self, coefficient: f64) -> Self {
        Self { drag: coefficient, ..self }
    }

    /// Sets a coefficient of viscous drag that changes with time; replaces [`SetupBuilder::drag`].
    /// The track must have known extremes and never fall below 0.
    pub fn drag_over(self, coefficient: Animated<1>) -> Self {
        Self { drag_track: Some(coefficient), ..self }
    }

    /// Sets a velocity of the medium that follows a curve; replaces [`SetupBuilder::wind`].
    pub fn wind_along(self, curve: Arc<dyn Curve>) -> Self {
        Self { wind_curve: Some(curve), ..self }
    }

    /// Sets the velocity of the medium that causes the drag, length/time, one component per axis.
    pub fn wind(self, velocity: impl Into<Vec<f64>>) -> Self {
        Self { wind: Some(velocity.into()), ..self }
    }

    /// Sets the law of all springs.
    pub fn law(self, law: impl SpringLaw + 'static) -> Self {
        self.law_of(Arc::new(law))
    }

    /// Sets the law of all springs, as a shared object.
    pub fn law_of(self, law: Arc<dyn SpringLaw>) -> Self {
        Self { law, ..self }
    }

    /// Sets the damping of springs along their direction, force per rate of stretching, at least 0.
    pub fn spring_damping(self, coefficient: f64) -> Self {
        Self { damping: coefficient, ..self }
    }

    /// Sets the damping along the spring's direction, one coefficient per spring of the model.
    pub fn spring_damping_each(self, coefficients: impl Into<Arc<[f64]>>) -> Self {
        Self { damping_each: Some(coefficients.into()), ..self }
    }

    /// Sets the friction in springs that acts on the whole relative velocity of their ends, force
    /// per speed, at least 0.
    pub fn spring_friction(self, coefficient: f64) -> Self {
        Self { friction: coefficient, ..self }
    }

    /// Sets the friction on the whole relative velocity, one coefficient per spring of the model.
    pub fn spring_friction_each(self, coefficients: impl Into<Arc<[f64]>>) -> Self {
        Self { friction_each: Some(coefficients.into()), ..self }
    }

    /// Sets the strain above which a spring breaks, above 0; `None` for springs that never break.
    pub fn breaks_at(self, strain: impl Into<Option<f64>>) -> Self {
        Self { breaks_at: strain.into().map(BreakingStrain::All), ..self }
    }

    /// Sets the breaking strain: one value for all springs or one per spring; `None` for springs
    /// that never break.
    pub fn breaking_at(self, strain: Option<BreakingStrain>) -> Self {
        Self { breaks_at: strain, ..self }
    }

    /// Sets rest lengths that change with time. The springs of the body must have the lengths at
    /// time 0.
    pub fn lengths_over(self, lengths: impl IntoIterator<Item = LengthOverTime>) -> Self {
        Self { lengths: lengths.into_iter().collect(), ..self }
    }

    /// Adds a force. Forces are summed in this order: springs, bending springs, friction in
    /// springs, gravity, drag, and then the forces added by this call.
    pub fn force(self, force: impl Force + 'static) -> Self {
        self.force_of(Arc::new(force))
    }

    /// Adds a force, as a shared object.
    pub fn force_of(mut self, force: Arc<dyn Force>) -> Self {
        self.listed.push(force);
        self
    }

    /// Moves a pinned node along a curve.
    pub fn anchor(mut self, node: usize, curve: impl Curve + 'static) -> Self {
        self.anchors.push(Anchor { node, curve: Arc::new(curve) });
        self
    }

    /// Adds several anchors.
    pub fn anchors(mut self, anchors: impl IntoIterator<Item = Anchor>) -> Self {
        self.anchors.extend(anchors);
        self
    }

    /// Changes the momentum of a node at a time. The unit is mass · length/time; unused components
    /// are 0. An impulse at time 0 or before acts at the start. An impulse on a pinned node has no
    /// effect.
    pub fn impulse(self, node: usize, at: f64, impulse: [f64; 3]) -> Self {
        self.impulses([Impulse { node, at, impulse }])
    }

    /// Adds several impulses.
    pub fn impulses(mut self, impulses: impl IntoIterator<Item = Impulse>) -> Self {
        self.impulses.extend(impulses);
        self
    }

    /// Adds an event, which happens once. Events of the same step happen in the order in which they
    /// were added.
    pub fn event(mut self, event: Event) -> Self {
        self.events.push(event);
        self
    }

    /// Adds several events.
    pub fn events(mut self, events: impl IntoIterator<Item = Event>) -> Self {
        self.events.extend(events);
        self
    }

    /// Sets the initial velocity of a node, length/time. Has no effect on a pinned node.
    pub fn velocity(mut self, node: usize, velocity: impl Into<Vec<f64>>) -> Self {
        self.velocities.push((node, velocity.into()));
        self
    }

    /// Adds a solid that nodes cannot enter.
    pub fn collider(self, collider: impl Collider + 'static) -> Self {
        self.collider_of(Arc::new(collider))
    }

    /// Adds a collider, as a shared object.
    pub fn collider_of(mut self, collider: Arc<dyn Collider>) -> Self {
        self.contacts.colliders.push(collider);
        self
    }

    /// Sets the distance that nodes keep from colliders, at least 0.
    pub fn radius(mut self, radius: f64) -> Self {
        self.contacts.radius = radius;
        self
    }

    /// Enables contact of the body with itself.
    pub fn self_contact(mut self, own: SelfContact) -> Self {
        self.contacts.own = Some(own);
        self
    }

    /// Enables contact of the drawn geometry, with one entry per part. Replaces contact of nodes.
    pub fn drawn_contact(mut self, drawn: DrawnContact) -> Self {
        self.contacts.drawn = Some(drawn);
        self
    }

    /// Replaces all contacts: colliders, radius and contact of the body with itself.
    pub fn contacts(self, contacts: Contacts) -> Self {
        Self { contacts, ..self }
    }

    /// Sets the integration method.
    pub fn method(self, method: impl Method + 'static) -> Self {
        self.method_of(Arc::new(method))
    }

    /// Sets the integration method, as a shared object.
    pub fn method_of(self, method: Arc<dyn Method>) -> Self {
        Self { method, ..self }
    }

    /// Sets the control of the steps that the method takes within one step.
    pub fn step_control(self, control: impl StepControl + 'static) -> Self {
        self.step_control_of(Arc::new(control))
    }

    /// Sets the step control, as a shared object.
    pub fn step_control_of(self, step_control: Arc<dyn StepControl>) -> Self {
        Self { step_control, ..self }
    }

    /// Sets the simulated time per frame, above 0, and the number of steps per frame, at least 1.
    pub fn frames(self, frame_time: f64, substeps: u64) -> Self {
        Self { frame_time, substeps, ..self }
    }

    /// Sets the number of hidden frames before the start. During these frames, moving curves go
    /// from their position at that earlier time to their position at time 0.
    pub fn warming_up(self, frames: u64) -> Self {
        Self { warm_up: frames, ..self }
    }

    /// Sets the factor on every velocity after each step: any finite number, 1 for no change.
    pub fn velocity_factor(self, velocity_factor: f64) -> Self {
        Self { velocity_factor, ..self }
    }

    /// Sets the factor on every free position after each step: any finite number, 1 for no change.
    pub fn position_factor(self, position_factor: f64) -> Self {
        Self { position_factor, ..self }
    }

    /// Adds a slip, a deliberate mistake in the setup. Slips act in the order of these calls.
    pub fn slip(self, slip: impl Slip + 'static) -> Self {
        self.slip_of(Arc::new(slip))
    }

    /// Adds a slip, as a shared object.
    pub fn slip_of(mut self, slip: Arc<dyn Slip>) -> Self {
        self.slips.push(slip);
        self
    }

    /// Sets the limits of each run; no limits by default.
    pub fn budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Builds the setup and checks it. The strain limit is [`Setup::natural_strain_limit`].
    ///
    /// # Errors
    /// The first invalid option. A spring law, a velocity factor or wind that would have no effect
    /// is an error as well.
    pub fn check(self) -> Result<Arc<Setup>, BadSetup> {
        let setup = self.build()?;
        let info = setup.method.info();
        let law = setup.spring_law().filter(|law| info.order.is_none() && !law.is_linear());
        if let Some(law) = law.map(|law| law.info().name) {
            let name = info.name;
            let message = format!("{name} holds lengths, so the law {law} would have no effect");
            return Err(BadSetup::new("law", message));
        }
        let name = info.name;
        let message =
            format!("{name} stores motion as positions, so a velocity factor would have no effect");
        let is_fine = setup.velocity_factor == 1.0 || info.velocity_carries;
        BadSetup::unless(is_fine, "velocity_factor", message)?;
        Ok(Arc::new(setup))
    }

    /// Builds the setup as a value that the caller may edit. The strain limit is
    /// [`Setup::natural_strain_limit`].
    ///
    /// # Errors
    /// The first invalid option.
    pub fn build(mut self) -> Result<Setup, BadSetup> {
        self.add_joints()?;
        let (model, _) = self.body.as_ref().map_err(BadSetup::clone)?;
        let forces = self.forces(model)?;
        let (model, mut initial) = self.body?;
        let nodes = model.nodes();
        let has_room = initial.v.len() == model.axes * nodes;
        for (index, (node, velocity)) in self.velocities.iter().enumerate() {
            let is_fine = *node < nodes && velocity.len() == model.axes && has_room;
            let message = format!(
                "expected a node below {nodes} and {} components, found node {node} and {}",
                model.axes,
                velocity.len()
            );
            BadSetup::unless(is_fine, format!("velocity[{index}]"), message)?;
            for (axis, component) in velocity.iter().enumerate() {
                initial.v[axis * nodes + node] = *component;
            }
        }
        let mut setup = Setup {
            forces,
            flow: Some(self.law).filter(|law| law.flows()),
            breaks_at: self.breaks_at,
            lengths: ChangingLengths(self.lengths),
            anchors: self.anchors,
            method: self.method,
            step_control: self.step_control,
            impulses: self.impulses,
            events: self.events,
            contacts: self.contacts,
            frame_time: self.frame_time,
            substeps: self.substeps,
            velocity_factor: self.velocity_factor,
            position_factor: self.position_factor,
            strain_limit: f64::INFINITY,
            start_time: 0.0,
            warm_up: self.warm_up,
            slips: Vec::new(),
            budget: self.budget,
            model,
            initial,
        };
        if !self.slips.is_empty() {
            // A slip may rely on a setup that is correct otherwise.
            setup.check()?;
            setup.apply(self.slips)?;
        }
        // The strain limit is computed from fields that must be valid.
        setup.check()?;
        setup.strain_limit = setup.natural_strain_limit();
        Ok(setup)
    }
}

impl Setup {
    /// Returns a builder for a setup with the body of a shape.
    #[expect(clippy::new_ret_no_self, reason = "a setup begins with its builder")]
    pub fn new(shape: &dyn Topology) -> SetupBuilder {
        SetupBuilder::new(shape.build())
    }

    /// Returns the setup with another initial state, after checking it again.
    ///
    /// # Errors
    /// The state does not fit the setup, for example because a node is inside a collider.
    pub fn starting_at(self, initial: State) -> Result<Self, BadSetup> {
        let mut setup = Self { initial, ..self };
        setup.check()?;
        setup.strain_limit = setup.natural_strain_limit();
        Ok(setup)
    }

    /// Returns a builder for a setup with a body that is already built.
    pub fn of_body(model: Model, initial: State) -> SetupBuilder {
        SetupBuilder::new(Ok((model, initial)))
    }
}

impl SetupBuilder {
    /// Appends the springs that events create to the model and to every list with one entry per
    /// spring.
    fn add_joints(&mut self) -> Result<(), BadSetup> {
        let Ok((model, _)) = &mut self.body else { return Ok(()) };
        // The actions define the new springs, so they must be valid first.
        check_actions(&self.events, model)?;
        let springs = model.springs.len();
        append_joints(model, &self.events);
        // If values are given per spring, joints get no friction and never break.
        let joints = model.springs.len() - springs;
        let with_joints = |each: &[f64], joint: f64| -> Arc<[f64]> {
            each.iter().copied().chain(std::iter::repeat_n(joint, joints)).collect()
        };
        if let Some(BreakingStrain::Each(strains)) = &mut self.breaks_at {
            *strains = with_joints(strains, f64::INFINITY);
        }
        for each in [&mut self.damping_each, &mut self.friction_each].into_iter().flatten() {
            *each = with_joints(each, 0.0);
        }
        Ok(())
    }
}

/// Appends the springs that events create. Their rest length is a placeholder until then.
fn append_joints(model: &mut Model, events: &[Event]) {
    let structural = model.structural().iter().map(|spring| spring.stiffness);
    let stiffest = structural.fold(0.0, f64::max);
    let minimum = Joint::least_length(model);
    for joint in events.iter().filter_map(|event| event.action.joint()) {
        let Joint { a, b, stiffness, length } = joint;
        let stiffness = stiffness.unwrap_or(if stiffest > 0.0 { stiffest } else { 1.0 });
        model.springs.push(Spring { a, b, stiffness, rest_length: length.unwrap_or(minimum) });
    }
}
