//! Parts of a setup that slips may change, and checks that several slips share.

use super::slipped::{SlippedMethod, SlippedSteps};
use crate::body::{Model, State};
use crate::contact::{ContactFault, Contacts};
use crate::force::law::LAW_NAMES;
use crate::force::{Force, Part, SpringCoefficient, SpringDamping, SpringForce, SpringFriction};
use crate::method::{Method, StepControl};
use std::sync::Arc;

/// Parts of a setup that slips may change.
#[derive(Debug)]
pub struct SlipTarget<'a> {
    /// Masses, springs and pins.
    pub model: &'a mut Model,
    /// Initial state.
    pub initial: &'a mut State,
    /// The forces, in the order of summation.
    pub forces: &'a mut Vec<Arc<dyn Force>>,
    /// The method.
    pub method: &'a mut Arc<dyn Method>,
    /// The step control.
    pub step_control: &'a mut Arc<dyn StepControl>,
    /// Everything that the body can touch.
    pub contacts: &'a mut Contacts,
    /// Simulated time per frame.
    pub frame_time: &'a mut f64,
    /// Number of springs that events create; these are the last springs of the model.
    pub joints: usize,
    /// Name of an earlier slip that changed the method.
    pub(crate) method_slip: Option<&'static str>,
}

impl<'a> SlipTarget<'a> {
    /// Refuses methods that are not in the list. `slip` is the name of the slip.
    ///
    /// # Errors
    /// A message that names the methods of the list.
    pub(super) fn only(&self, slip: &str, methods: &[&str]) -> Result<(), String> {
        let name = self.method.info().name;
        if methods.contains(&name) {
            return Ok(());
        }
        Err(format!("{slip} is a slip of {}, but the method here is {name}", listed(methods)))
    }

    /// Refuses methods that compute no forces of springs.
    pub(super) fn needs_spring_forces(&self, slip: &str) -> Result<(), String> {
        let info = self.method.info();
        if info.order.is_some() && !self.method.holds_lengths() {
            return Ok(());
        }
        Err(format!(
            "{slip} is a slip of spring forces, but {} corrects lengths instead: choose a method \
             with an order, such as SemiImplicitEuler",
            info.name
        ))
    }

    /// Refuses methods that hold lengths or are implicit, because the slip has no Jacobian.
    pub(super) fn needs_explicit_steps(&self, slip: &str) -> Result<(), String> {
        self.needs_spring_forces(slip)?;
        let info = self.method.info();
        if info.limit.is_some_and(f64::is_finite) {
            return Ok(());
        }
        Err(format!(
            "{slip} is a slip of explicit methods, but {} is implicit: choose another method, such \
             as SemiImplicitEuler",
            info.name
        ))
    }

    /// Replaces the forces of linear springs.
    ///
    /// # Errors
    /// The springs have another law, or there are none. `slip` is the name of the slip.
    pub(super) fn replace_linear_springs(
        &mut self,
        slip: &str,
        replacement: impl Fn(Part) -> Arc<dyn Force>,
    ) -> Result<(), String> {
        let mut has_springs = false;
        for force in self.forces.iter_mut() {
            let Some(SpringForce::Elastic { law, part }) = force.spring_force() else { continue };
            let law_name = law.info().name;
            // A law that is not in the table belongs to another slip.
            if !LAW_NAMES.contains(&law_name) {
                continue;
            }
            if !law.is_linear() {
                return Err(format!(
                    "{slip} is a slip of springs with law: Hooke, but the law here is {law_name}: \
                     remove `law`"
                ));
            }
            *force = replacement(part);
            has_springs = true;
        }
        if has_springs {
            return Ok(());
        }
        Err(format!(
            "there are no linear springs for {slip}, or another slip has replaced them: write \
             {slip} first"
        ))
    }

    /// Refuses step controls that restart the method, because a restart clears the memory in which
    /// the slip acts.
    pub(super) fn needs_fixed_steps(&self, slip: &str) -> Result<(), String> {
        if !self.step_control.chooses_steps() {
            return Ok(());
        }
        let control = self.step_control.info().name;
        Err(format!("{slip} needs fixed steps: remove `step_control`, which is {control} here"))
    }

    /// Fixes the friction of every spring, which may depend on a stiffness or mass that changes.
    pub(super) fn keep_friction(&mut self) {
        let model = &*self.model;
        let fixed = |c: &SpringCoefficient| {
            let each = (0..model.springs.len()).map(|j| c.of(model, j));
            SpringCoefficient::of_each(each.collect())
        };
        for force in self.forces.iter_mut() {
            let kept: Arc<dyn Force> = match force.spring_force() {
                Some(SpringForce::Damping(c)) => Arc::new(SpringDamping { coefficient: fixed(c) }),
                Some(SpringForce::Friction(c)) => {
                    Arc::new(SpringFriction { coefficient: fixed(c) })
                }
                _ => continue,
            };
            *force = kept;
        }
    }

    /// Refuses methods whose steps another slip has changed.
    pub(super) fn needs_own_steps(&self, slip: &str) -> Result<(), String> {
        match self.method_slip {
            None => Ok(()),
            Some(other) => Err(format!(
                "{slip} replaces the steps of the method, which {other} changes too: \
                 use one of the two, or write {slip} first if {other} works around any method"
            )),
        }
    }

    /// Replaces the steps of the method. Name and properties stay the same as in the original.
    pub(super) fn replace_steps(
        &mut self,
        slip: &'static str,
        steps: impl SlippedSteps + 'static,
    ) -> Result<(), String> {
        self.needs_own_steps(slip)?;
        self.wrap_steps(slip, steps);
        Ok(())
    }

    /// Sets a fault in the contact of nodes with each other.
    pub(super) fn break_contact(&mut self, fault: ContactFault) -> Result<(), String> {
        if self.contacts.own.is_none() {
            return Err("there is no contact of nodes with each other: set \
                        contact.thickness with contact.of: Nodes, such as contact: (thickness: 10)"
                .into());
        }
        if self.contacts.fault.replace(fault).is_some() {
            return Err("the list has another slip of self-contact: use only one of them".into());
        }
        Ok(())
    }

    /// Replaces the method by `steps`. The method may already have a slip, around which `steps`
    /// then works.
    pub(super) fn wrap_steps(&mut self, slip: &'static str, steps: impl SlippedSteps + 'static) {
        let original = Arc::clone(self.method);
        *self.method = Arc::new(SlippedMethod { original, steps });
        self.method_slip = Some(slip);
    }
}

/// Joins names into one phrase.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).into(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}
