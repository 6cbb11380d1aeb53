//! Springs whose tensions are unknowns of the search.

use super::{Balance, Guess};
use catena_sim::SpringLaw;

/// Relation between the length and the tension of a spring.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer<'a> {
    /// The tension follows a law.
    Law(&'a dyn SpringLaw),
    /// The length is held, with this proximal stiffness.
    Held(f64),
}

/// A spring of the model, with the relation between its length and its tension.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<'a> {
    pub(super) spring: usize,
    pub(super) answer: Answer<'a>,
}

/// A link at a guess: direction, length, excess of tension or of length, and slope of the tension.
pub(super) struct Stretch {
    pub(super) u: [f64; 3],
    pub(super) length: f64,
    /// T(|d|) - λ, or the proximal stiffness times |d| - l.
    pub(super) excess: f64,
    pub(super) slope: f64,
}

impl Balance<'_> {
    /// The link at a guess. A spring of length 0 has no direction and exerts no force.
    pub(super) fn stretch(&self, guess: &Guess, index: usize) -> Stretch {
        let link = &self.links[index];
        let spring = &self.setup.model.springs[link.spring];
        let (d, length) = self.setup.model.span(&guess.x, spring);
        let tension = guess.tension[index];
        let plastic = self.memory.plastic(link.spring);
        if length == 0.0 {
            return Stretch { u: d, length: 1.0, excess: -tension, slope: 0.0 };
        }
        if self.only_pulls && length < spring.rest_length {
            let u = d.map(|component| component / length);
            return Stretch { u, length, excess: -tension, slope: 0.0 };
        }
        let u = d.map(|component| component / length);
        // Springs in series share a stretch, independently of their number.
        let softest = self.softest * self.size / spring.rest_length;
        let (excess, slope) = match link.answer {
            Answer::Held(stiffness) => {
                let stiffness = stiffness.min(softest);
                let kept = if self.is_soft() { tension } else { 0.0 };
                (stiffness * (length - spring.rest_length) - kept, stiffness)
            }
            Answer::Law(law) => {
                let slope = law.slope(spring, length, plastic);
                let share = (softest / slope.abs().max(f64::MIN_POSITIVE)).min(1.0);
                let pull = law.tension(spring, length, plastic);
                (share * pull - tension, share * slope)
            }
        };
        Stretch { u, length, excess, slope }
    }

    /// Adds the pull of a link with the given tension.
    pub(super) fn pull(&self, guess: &Guess, index: usize, tension: f64, force: &mut [f64]) {
        let model = &self.setup.model;
        let spring = &model.springs[self.links[index].spring];
        let (d, length) = model.span(&guess.x, spring);
        if length == 0.0 {
            return;
        }
        let n = model.nodes();
        for (axis, component) in d.iter().enumerate().take(model.axes) {
            let part = tension * (component / length);
            force[axis * n + spring.a] += part;
            force[axis * n + spring.b] -= part;
        }
    }

    /// Tension of every spring of the model; 0 for springs without force.
    pub(in crate::statics) fn spring_tensions(&self, guess: &Guess) -> Vec<f64> {
        let mut all = vec![0.0; self.setup.model.springs.len()];
        for (link, tension) in self.links.iter().zip(&guess.tension) {
            all[link.spring] += tension;
        }
        all
    }
}
