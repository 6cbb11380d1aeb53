//! Description of passages: the two parts, the time, and advice.

use catena_analysis::topology::{Element, Passage};
use catena_sim::{Form, Simulation};
use std::fmt;

/// A segment or facet that passed through another, which is a fault of the simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Passed {
    /// Label of the body in messages.
    pub label: String,
    /// Elements that passed through each other, and the place.
    pub passage: Passage,
    /// Names of the two elements: `segment 12 of ring "a"`.
    pub names: [String; 2],
    /// Frame at the end of the interval with the step.
    pub frame: u64,
    /// Number of the step since the start, from 1.
    pub step: u64,
    /// Simulated time of the passage.
    pub time: f64,
    /// Whether contact of the body with itself was enabled.
    pub has_contact: bool,
}

impl Passed {
    pub(super) fn new(label: &str, simulation: &Simulation, frame: u64, passage: &Passage) -> Self {
        let (setup, step) = (simulation.setup(), simulation.steps());
        let parts = setup.model.part_list();
        let name = |element: Element| {
            let Some(part) = parts.get(element.part) else { return String::new() };
            let form = form(&part.form);
            let of =
                if part.name.is_empty() { String::new() } else { format!(" \"{}\"", part.name) };
            format!("{} {} of {form}{of}", element.kind, element.index)
        };
        Self {
            label: label.to_owned(),
            passage: *passage,
            names: [name(passage.a), name(passage.b)],
            frame,
            step,
            time: ((step - 1) as f64 + passage.share) * setup.dt(),
            has_contact: setup.contacts.drawn.is_some(),
        }
    }
}

fn form(form: &Form) -> &'static str {
    match form {
        Form::Rope { closed: true } => "ring",
        Form::Rope { closed: false } => "rope",
        Form::Sheet { .. } => "cloth",
        Form::Mesh { .. } => "mesh",
        Form::Graph => "net",
    }
}

impl fmt::Display for Passed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { label, names: [a, b], frame, step, time, has_contact, .. } = self;
        let fault = if *has_contact {
            "contact did not hold them apart; take a shorter step or a greater thickness"
        } else {
            "nothing holds them apart; contact: (of: Drawn, thickness: …) does"
        };
        write!(
            f,
            "\"{label}\": {a} passed through {b} in frame {frame}, step {step}, at time {time:.6}: \
             the simulation is at fault, {fault}"
        )
    }
}
