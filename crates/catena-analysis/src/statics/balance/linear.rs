//! Linear system of a step of Newton's method: the matrix over nodes that remains after the changes
//! of tensions and pushes are eliminated.
//!
//! A spring adds T' u uᵀ + λ/|d| (1 - u uᵀ). A held length has a proximal term in place of T'. A
//! contact adds k n nᵀ minus its push times the curvature of the gap. The proximal terms change
//! only the number of steps, not the result.

use super::contact::COORDINATES;
use super::{Balance, Guess, Touch};
use crate::statics::{envelope::Envelope, known::Held};
use catena_sim::Block;
use std::sync::Arc;

/// Proximal stiffness of contacts, as a multiple of the stiffness of their nodes.
const CONTACT: f64 = 1e3;

/// Cost per node of computing the force derivatives, in multiplications.
pub(super) const MAKING_NODE: u64 = 800;

/// A contact that the step closes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closed {
    pub(super) touch: Touch,
    pub(super) stiffness: f64,
}

/// Changes of tensions and pushes that follow from displacements of nodes.
pub(in crate::statics) struct Changes {
    /// Change of the tension of each link.
    pub(in crate::statics) tensions: Vec<f64>,
    /// Contacts, each with the change of its push.
    pushes: Vec<(Touch, f64)>,
}

/// A linear system at a guess.
pub(in crate::statics) struct Linear {
    pub(in crate::statics) matrix: Envelope,
    pub(super) closed: Vec<Closed>,
    /// Pushes that the step ends.
    opened: Vec<Touch>,
    /// Directions in which friction holds contacts, each with the stiffness that holds it.
    pub(super) held: Vec<(Held, f64)>,
}

impl Linear {
    /// Nodes of each contact that the step closes, then of each held direction.
    pub(in crate::statics) fn fixed_nodes(&self) -> impl Iterator<Item = Vec<usize>> {
        let weighs = |(node, weight): (usize, f64)| (weight != 0.0).then_some(node);
        let closed = self.closed.iter();
        let closed = closed.map(move |closed| closed.touch.gap.weighted().filter_map(weighs));
        let held = self.held.iter().map(|(held, _)| held.nodes.iter().map(|(node, _)| *node));
        closed.map(Iterator::collect).chain(held.map(Iterator::collect))
    }
}

impl Balance<'_> {
    /// The linear system at a guess. If `is_definite` is set, terms that could make the matrix
    /// indefinite are omitted. `contact` multiplies the stiffness of contacts. `None` if a force
    /// couples nodes that it does not list.
    pub(in crate::statics) fn linear(
        &self,
        guess: &Guess,
        is_definite: bool,
        contact: f64,
    ) -> Option<Linear> {
        let first = self.linear_within(guess, is_definite, contact);
        if first.is_some() {
            return first;
        }
        // The twist of a straight rod couples no nodes until it bends.
        let wider = self.layout().with(&self.setup.model.pinned, &self.pairs(guess).0)?;
        self.layout.replace(Arc::new(wider));
        self.linear_within(guess, is_definite, contact)
    }

    /// The linear system in the current layout. `None` if forces couple further nodes.
    fn linear_within(&self, guess: &Guess, is_definite: bool, contact: f64) -> Option<Linear> {
        let touches = self.touches(guess);
        self.couple(&touches);
        let layout = self.layout();
        self.spend(layout.work() + MAKING_NODE * self.setup.model.nodes() as u64);
        let mut matrix = Envelope::zeros(layout);
        let mut fits = self.add_links(guess, is_definite, &mut matrix);
        let (mut first, mut shared) = (0, Vec::new());
        let mut visit = |pair: [usize; 2], block: &Block| {
            fits &= matrix.add(pair, block, -1.0);
        };
        self.each_shared(guess, is_definite, &mut visit, &mut |all| shared.push(all));
        let scale = matrix.scale().max(self.weight / self.size);
        for shared in shared {
            fits &= matrix.add_shared(&shared, first, scale);
            first += shared.diagonal.len();
        }
        matrix.fix_reference();
        let (mut closed, mut opened) = (Vec::new(), Vec::new());
        for touch in touches {
            let stiffness = contact * self.contact_stiffness(&matrix, &touch);
            match self.is_soft() || touch.push > stiffness * touch.gap.gap {
                true => closed.push(Closed { touch, stiffness }),
                false => opened.push(touch),
            }
        }
        for contact in &closed {
            fits &= self.add_contact(guess, contact, is_definite, &mut matrix);
        }
        fits.then_some(Linear { matrix, closed, opened, held: Vec::new() })
    }

    /// Adds held directions to a linear system, for modes. Each is held with `contact` times the
    /// stiffness of a contact. `None` if the layout does not couple the nodes of a direction.
    pub(in crate::statics) fn holding(
        &self,
        mut linear: Linear,
        held: &[Held],
        contact: f64,
    ) -> Option<Linear> {
        for held in held {
            let nodes = held.nodes.iter().map(|(node, _)| *node);
            let own = nodes.map(|node| linear.matrix.along(node, held.direction).abs());
            let stiffness = contact * CONTACT * own.fold(self.weight / self.size, f64::max);
            linear.held.push((held.clone(), stiffness));
        }
        let mut fits = true;
        for (held, stiffness) in &linear.held {
            for (i, a) in &held.nodes {
                for (j, b) in &held.nodes {
                    let along = held.direction.map(|along| a * b * stiffness * along);
                    let block = along.map(|part| held.direction.map(|along| part * along));
                    fits &= linear.matrix.add([*i, *j], &block, 1.0);
                }
            }
        }
        fits.then_some(linear)
    }

    /// Extends the layout so that it couples the nodes of contacts of the body with itself.
    fn couple(&self, touches: &[Touch]) {
        let own = touches.iter().filter(|touch| touch.gap.collider.is_none());
        let pairs: Vec<(usize, usize)> = own
            .flat_map(|touch| {
                let nodes = touch.gap.nodes.into_iter().take(touch.gap.count);
                let first = nodes.clone();
                first.flat_map(move |a| nodes.clone().map(move |b| (a, b)))
            })
            .collect();
        if pairs.is_empty() {
            return;
        }
        let wider = self.layout().with(&self.setup.model.pinned, &pairs);
        if let Some(wider) = wider {
            self.layout.replace(Arc::new(wider));
        }
    }

    /// Stiffness of a contact: [`CONTACT`] times the stiffness of its nodes, or `firm` for a
    /// softened body.
    fn contact_stiffness(&self, matrix: &Envelope, touch: &Touch) -> f64 {
        if self.is_soft() {
            return self.firm;
        }
        let nodes = touch.gap.weighted().filter(|(_, weight)| *weight != 0.0);
        let own = nodes.map(|(node, _)| matrix.along(node, touch.gap.normal).abs());
        CONTACT * own.fold(self.weight / self.size, f64::max)
    }

    fn add_links(&self, guess: &Guess, is_definite: bool, matrix: &mut Envelope) -> bool {
        let (mut fits, axes) = (true, self.setup.model.axes);
        for index in 0..self.links.len() {
            let at = self.stretch(guess, index);
            let spring = &self.setup.model.springs[self.links[index].spring];
            let (mut along, mut across) = (at.slope, guess.tension[index] / at.length);
            if is_definite {
                (along, across) = (along.max(0.0), across.max(0.0));
            }
            let mut block = [[0.0; 3]; 3];
            for (p, line) in block.iter_mut().enumerate().take(axes) {
                for (q, value) in line.iter_mut().enumerate().take(axes) {
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
        fits
    }

    fn add_contact(
        &self,
        guess: &Guess,
        contact: &Closed,
        is_definite: bool,
        matrix: &mut Envelope,
    ) -> bool {
        let Closed { touch, stiffness } = contact;
        let gradient = Self::gradient(&touch.gap);
        let curvature = match is_definite {
            true => [[0.0; COORDINATES]; COORDINATES],
            false => self.curvature(&touch.gap, &guess.x),
        };
        let mut fits = true;
        for (k, i) in touch.gap.nodes.into_iter().enumerate().take(touch.gap.count) {
            for (l, j) in touch.gap.nodes.into_iter().enumerate().take(touch.gap.count) {
                let mut block: Block = [[0.0; 3]; 3];
                for (p, line) in block.iter_mut().enumerate() {
                    for (q, value) in line.iter_mut().enumerate() {
                        let (row, column) = (3 * k + p, 3 * l + q);
                        *value = stiffness * gradient[row] * gradient[column]
                            - touch.push * curvature[row][column];
                    }
                }
                fits &= matrix.add([i, j], &block, 1.0);
            }
        }
        fits
    }

    /// Right-hand side of a step: the forces, plus the tensions that correct lengths and the pushes
    /// that close gaps.
    pub(in crate::statics) fn right(&self, guess: &Guess, linear: &Linear) -> Vec<f64> {
        let mut force = self.force(guess);
        self.add_pulls(guess, &self.excesses(guess), &mut force);
        self.add_contact_pushes(linear, &mut force);
        force
    }

    /// Right-hand side of a step without the tensions that correct lengths.
    pub(in crate::statics) fn right_of_others(&self, guess: &Guess, linear: &Linear) -> Vec<f64> {
        let mut force = self.force(guess);
        self.add_contact_pushes(linear, &mut force);
        force
    }

    /// Excess of each link.
    pub(in crate::statics) fn excesses(&self, guess: &Guess) -> Vec<f64> {
        (0..self.links.len()).map(|index| self.stretch(guess, index).excess).collect()
    }

    /// Adds the pull of each link, whose tensions are `pulls`.
    pub(in crate::statics) fn add_pulls(&self, guess: &Guess, pulls: &[f64], force: &mut [f64]) {
        pulls.iter().enumerate().for_each(|(index, pull)| self.pull(guess, index, *pull, force));
    }

    fn add_contact_pushes(&self, linear: &Linear, force: &mut [f64]) {
        for Closed { touch, stiffness } in &linear.closed {
            self.push(touch, -stiffness * touch.gap.gap, force);
        }
        linear.opened.iter().for_each(|touch| self.push(touch, -touch.push, force));
    }

    /// Changes of tensions and pushes that follow from displacements.
    pub(in crate::statics) fn changes(
        &self,
        guess: &Guess,
        linear: &Linear,
        displacement: &[f64],
    ) -> Changes {
        let model = &self.setup.model;
        let change = |index: usize| {
            let at = self.stretch(guess, index);
            let spring = &model.springs[self.links[index].spring];
            let parted = model.span(displacement, spring).0;
            let along: f64 =
                parted.iter().zip(&at.u).map(|(displacement, u)| displacement * u).sum();
            at.excess + at.slope * along
        };
        let n = model.nodes();
        let opens = |touch: &Touch| -> f64 {
            let along = |(node, weight): (usize, f64)| {
                let axes = 0..model.axes;
                weight
                    * axes
                        .map(|axis| touch.gap.normal[axis] * displacement[axis * n + node])
                        .sum::<f64>()
            };
            touch.gap.weighted().map(along).sum()
        };
        let closed = linear.closed.iter().map(|Closed { touch, stiffness }| {
            (*touch, -stiffness * (touch.gap.gap + opens(touch)))
        });
        let opened = linear.opened.iter().map(|touch| (*touch, -touch.push));
        let tensions = (0..self.links.len()).map(change).collect();
        Changes { tensions, pushes: closed.chain(opened).collect() }
    }

    /// Guess after a fraction of a step.
    pub(in crate::statics) fn stepped(
        &self,
        guess: &Guess,
        step: &[f64],
        changes: &Changes,
        share: f64,
    ) -> Guess {
        let moved = |from: &[f64], step: &[f64]| -> Vec<f64> {
            from.iter().zip(step).map(|(from, step)| from + share * step).collect()
        };
        let push = |(touch, change): &(Touch, f64)| (touch.gap.key, touch.push + share * change);
        let mut pushes: Vec<_> = changes.pushes.iter().map(push).collect();
        pushes.retain(|(_, push)| *push != 0.0);
        pushes.sort_by_key(|(key, _)| *key);
        Guess {
            x: moved(&guess.x, step),
            tension: moved(&guess.tension, &changes.tensions),
            pushes,
            rods: guess.rods.clone(),
            passages: guess.passages,
        }
    }
}
