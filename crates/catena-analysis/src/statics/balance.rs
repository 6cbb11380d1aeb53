//! Balance of static forces on the free nodes of a body, with spring tensions as unknowns.
//!
//! A stiff spring makes Newton's method in positions alone crawl: any step across a taut rope
//! stretches it. So each spring has a tension λ of its own, and two sets of equations hold at rest:
//!
//! - forces: Σ λ u + all other forces = 0 on every free node, u the direction of the spring
//! - lengths: T(|d|) - λ = 0 for a spring of law T, and |d| = l for one whose length is held
//!
//! Elimination of the change of λ leaves a matrix over nodes with T' u uᵀ + λ/|d| (1 - u uᵀ) for
//! each spring. A held length has a proximal term in place of T', which changes only the number of
//! steps, not the result.

use super::envelope::{Envelope, Layout};
use catena_sim::{
    Block, Blocks, Body, Entry, Force, Setup, SpringLaw, SpringMemory, State,
    force::{Part, SpringForce},
};
use std::sync::Arc;

/// Proximal stiffness of held lengths, in weights of the body per length of the body.
const HELD_STIFFNESS: f64 = 1e6;

/// Answer of a spring to its length.
#[derive(Clone, Copy, Debug)]
enum Answer<'a> {
    /// The tension follows a law.
    Law(&'a dyn SpringLaw),
    /// The length is held, with this proximal stiffness.
    Held(f64),
}

/// A spring of the model with its answer.
#[derive(Clone, Copy, Debug)]
struct Link<'a> {
    spring: usize,
    answer: Answer<'a>,
}

/// Positions, and the tensions of all links in the order of the links.
#[derive(Clone, Debug)]
pub(super) struct Guess {
    pub(super) x: Vec<f64>,
    pub(super) tension: Vec<f64>,
}

/// A link at a guess: direction, length, excess of tension or of length, and slope of the tension.
struct Stretch {
    u: [f64; 3],
    length: f64,
    /// T(|d|) - λ, or the proximal stiffness times |d| - l.
    excess: f64,
    slope: f64,
}

/// The equations of a body.
pub(super) struct Balance<'a> {
    body: Body<'a>,
    links: Vec<Link<'a>>,
    /// All forces except those of links.
    others: Vec<&'a Arc<dyn Force>>,
    time: f64,
    /// Reference force: the total weight, or else the greatest tension at the start.
    pub(super) weight: f64,
    /// Reference length.
    pub(super) size: f64,
    /// Maximum displacement of a coordinate in one step: the size, and the stretch of all springs
    /// in a row under the weight.
    pub(super) reach: f64,
    /// Maximum stiffness of links, for softened copies of the body.
    softest: f64,
}

impl<'a> Balance<'a> {
    /// Creates the equations of a setup, whose model has the stiffness that the method uses.
    pub(super) fn new(setup: &'a Setup, memory: &'a SpringMemory, start: &State) -> Self {
        let model = &setup.model;
        let body = Body { model, springs: memory };
        let mut balance = Self {
            body,
            links: Vec::new(),
            others: Vec::new(),
            time: start.t,
            weight: 0.0,
            size: size(setup),
            reach: 0.0,
            softest: f64::INFINITY,
        };
        let holds = setup.method.holds_lengths();
        for force in &setup.forces {
            match force.spring_force() {
                Some(SpringForce::Elastic { .. }) if holds && force.is_elastic() => {}
                Some(SpringForce::Elastic { law, part }) => {
                    let range = match part {
                        Part::Held => 0..model.held,
                        Part::Bending => model.held..model.springs.len(),
                    };
                    let link = |spring| Link { spring, answer: Answer::Law(law) };
                    balance.links.extend(range.map(link));
                }
                _ => balance.others.push(force),
            }
        }
        balance.weight = balance.load(&start.x);
        if holds {
            let stiffness = HELD_STIFFNESS * balance.weight.max(f64::MIN_POSITIVE) / balance.size;
            let link = |spring| Link { spring, answer: Answer::Held(stiffness) };
            balance.links.extend((0..model.held).map(link));
        }
        balance.links.retain(|link| !memory.is_broken(link.spring));
        if balance.weight == 0.0 {
            let tensions = balance.start(&start.x).tension;
            balance.weight = tensions.iter().fold(0.0, |most, tension| tension.abs().max(most));
        }
        let soft: f64 = model.springs.iter().map(|spring| 1.0 / spring.stiffness).sum();
        balance.reach = balance.size + balance.weight * soft;
        if balance.weight == 0.0 {
            // Nothing acts on the body, so any unit of force will do.
            balance.weight = 1.0;
        }
        balance
    }

    /// The body as a balance of less stiff links, in weights per length of the body.
    pub(super) fn softened(&self, stiffness: f64) -> Self {
        Self {
            links: self.links.clone(),
            others: self.others.clone(),
            softest: stiffness * self.weight / self.size,
            ..*self
        }
    }

    /// Sum of the magnitudes of all forces on free nodes except those of links.
    fn load(&self, x: &[f64]) -> f64 {
        let (n, axes) = (self.body.model.nodes(), self.body.model.axes);
        let force = self.others(x);
        let free = (0..n).filter(|&node| !self.body.model.pinned[node]);
        let size = |node: usize| {
            let square = |axis: usize| force[axis * n + node] * force[axis * n + node];
            (0..axes).map(square).sum::<f64>().sqrt()
        };
        free.map(size).sum()
    }

    fn state(&self, x: &[f64]) -> State {
        State { t: self.time, ..State::at_rest(x.to_vec()) }
    }

    /// Forces except those of links, flat by axis.
    pub(super) fn others(&self, x: &[f64]) -> Vec<f64> {
        let state = self.state(x);
        let mut force = vec![0.0; x.len()];
        for other in &self.others {
            other.add_to(&self.body, &state, &mut force);
        }
        force
    }

    /// Pairs of nodes that forces couple at these positions.
    pub(super) fn pairs(&self, x: &[f64]) -> Vec<(usize, usize)> {
        let springs = self.body.model.springs.iter().map(|spring| (spring.a, spring.b));
        let mut pairs: Vec<(usize, usize)> = springs.collect();
        self.each_other(x, false, &mut |[i, j], _| pairs.push((i, j)));
        pairs
    }

    /// Nodes whose other forces depend on their own position alone, such as those of soft pins.
    pub(super) fn tethered(&self, x: &[f64]) -> Vec<usize> {
        let mut own = Vec::new();
        self.each_other(x, false, &mut |[i, j], block| {
            if i == j && block.iter().flatten().any(|value| *value != 0.0) {
                own.push(i);
            }
        });
        own
    }

    fn each_other(&self, x: &[f64], definite: bool, take: &mut dyn FnMut([usize; 2], &Block)) {
        let state = self.state(x);
        let mut each = |entry: &Entry| take([entry.i, entry.j], &entry.by_x);
        let mut blocks = Blocks::new(definite, &mut each);
        for other in &self.others {
            other.add_jacobian(&self.body, &state, &mut blocks);
        }
    }

    /// The guess with the tensions that follow from lengths. Held lengths have none.
    pub(super) fn start(&self, x: &[f64]) -> Guess {
        let mut guess = Guess { x: x.to_vec(), tension: vec![0.0; self.links.len()] };
        let excess: Vec<f64> = (0..self.links.len())
            .map(|link| match self.links[link].answer {
                Answer::Held(_) if self.softest.is_infinite() => 0.0,
                _ => self.stretch(&guess, link).excess,
            })
            .collect();
        guess.tension = excess;
        guess
    }

    /// The link at a guess. A spring of length 0 has no direction and exerts no force.
    fn stretch(&self, guess: &Guess, index: usize) -> Stretch {
        let link = &self.links[index];
        let spring = &self.body.model.springs[link.spring];
        let (d, length) = self.body.model.span(&guess.x, spring);
        let tension = guess.tension[index];
        let plastic = self.body.springs.plastic(link.spring);
        if length == 0.0 {
            return Stretch { u: d, length: 1.0, excess: -tension, slope: 0.0 };
        }
        let u = d.map(|component| component / length);
        let (excess, slope) = match link.answer {
            Answer::Held(stiffness) => {
                let stiffness = stiffness.min(self.softest);
                let kept = if self.softest.is_infinite() { 0.0 } else { tension };
                (stiffness * (length - spring.rest_length) - kept, stiffness)
            }
            Answer::Law(law) => {
                let slope = law.slope(spring, length, plastic);
                let share = (self.softest / slope.abs().max(f64::MIN_POSITIVE)).min(1.0);
                let pull = law.tension(spring, length, plastic);
                (share * pull - tension, share * slope)
            }
        };
        Stretch { u, length, excess, slope }
    }

    /// Total force on every node, flat by axis. Pinned nodes have the force on their pins.
    pub(super) fn force(&self, guess: &Guess) -> Vec<f64> {
        let mut force = self.others(&guess.x);
        for (index, tension) in guess.tension.iter().enumerate() {
            self.pull(guess, index, *tension, &mut force);
        }
        force
    }

    fn pull(&self, guess: &Guess, index: usize, tension: f64, force: &mut [f64]) {
        let model = self.body.model;
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

    /// Residuals of a guess: forces on free nodes as a share of the weight, and errors of lengths
    /// as a share of the body's size. Both are Euclidean norms.
    pub(super) fn residual(&self, guess: &Guess) -> Residual {
        let (force, n) = (self.force(guess), self.body.model.nodes());
        let free = force.iter().enumerate().filter(|(i, _)| !self.body.model.pinned[i % n]);
        let force = free.map(|(_, force)| force * force).sum::<f64>().sqrt() / self.weight;
        let mut length = 0.0;
        for index in 0..self.links.len() {
            let at = self.stretch(guess, index);
            // A slack spring has no slope; its excess counts like a force.
            let gap = at.excess / at.slope.max(self.weight / self.size);
            length += gap * gap;
        }
        Residual { force, length: length.sqrt() / self.size }
    }

    /// Stiffness matrix at a guess. The definite one omits terms that could make it indefinite.
    /// `None` if forces couple nodes that the layout does not.
    pub(super) fn stiffness<'l>(
        &self,
        guess: &Guess,
        layout: &'l Layout,
        is_definite: bool,
    ) -> Option<Envelope<'l>> {
        let mut matrix = Envelope::zeros(layout);
        let mut fits = true;
        self.each_other(&guess.x, is_definite, &mut |pair, block| {
            fits &= matrix.add(pair, block, -1.0);
        });
        for index in 0..self.links.len() {
            let at = self.stretch(guess, index);
            let spring = &self.body.model.springs[self.links[index].spring];
            let (mut along, mut across) = (at.slope, guess.tension[index] / at.length);
            if is_definite {
                (along, across) = (along.max(0.0), across.max(0.0));
            }
            let mut block = [[0.0; 3]; 3];
            for (p, line) in block.iter_mut().enumerate().take(layout.axes()) {
                for (q, value) in line.iter_mut().enumerate().take(layout.axes()) {
                    let own = if p == q { across } else { 0.0 };
                    *value = own + (along - across) * at.u[p] * at.u[q];
                }
            }
            for (pair, sign) in [
                ([spring.a, spring.a], 1.0),
                ([spring.b, spring.b], 1.0),
                ([spring.a, spring.b], -1.0),
                ([spring.b, spring.a], -1.0),
            ] {
                fits &= matrix.add(pair, &block, sign);
            }
        }
        fits.then_some(matrix)
    }

    /// Right-hand side of a step: the forces with the tensions that lengths ask for.
    pub(super) fn right(&self, guess: &Guess) -> Vec<f64> {
        let mut force = self.force(guess);
        for index in 0..self.links.len() {
            self.pull(guess, index, self.stretch(guess, index).excess, &mut force);
        }
        force
    }

    /// Changes of the tensions that belong to displacements.
    pub(super) fn tension_change(&self, guess: &Guess, way: &[f64]) -> Vec<f64> {
        let change = |index: usize| {
            let at = self.stretch(guess, index);
            let spring = &self.body.model.springs[self.links[index].spring];
            let parted = self.body.model.span(way, spring).0;
            let along: f64 = parted.iter().zip(&at.u).map(|(way, u)| way * u).sum();
            at.excess + at.slope * along
        };
        (0..self.links.len()).map(change).collect()
    }

    /// Tension of every spring of the model; 0 for springs without force.
    pub(super) fn spring_tensions(&self, guess: &Guess) -> Vec<f64> {
        let mut all = vec![0.0; self.body.model.springs.len()];
        for (link, tension) in self.links.iter().zip(&guess.tension) {
            all[link.spring] += tension;
        }
        all
    }

    /// Rounding errors of the forces, as a share of the weight, and of the lengths, as a share of
    /// the size: a few units in the last place of tensions and positions.
    pub(super) fn rounding(&self, guess: &Guess) -> [f64; 2] {
        let error = |numbers: &[f64], unit: f64| {
            let square: f64 = numbers.iter().map(|number| number * number).sum();
            4.0 * f64::EPSILON * square.sqrt() / unit
        };
        [error(&guess.tension, self.weight), error(&guess.x, self.size)]
    }
}

/// Residual of a guess.
#[derive(Clone, Copy, Debug)]
pub(super) struct Residual {
    pub(super) force: f64,
    pub(super) length: f64,
}

impl Residual {
    /// Both parts as one number.
    pub(super) fn size(self) -> f64 {
        (self.force * self.force + self.length * self.length).sqrt()
    }
}

/// Length of a body: that at rest, or else the extent of its nodes.
fn size(setup: &Setup) -> f64 {
    let length = setup.model.rest_length();
    if length > 0.0 {
        return length;
    }
    let extent = setup.initial.x.iter().map(|x| x.abs()).fold(0.0, f64::max);
    if extent > 0.0 { extent } else { 1.0 }
}
