//! Unilateral contact without friction: each contact has a push and a gap, at least one of which is
//! 0.
//!
//! A push p and its gap g count as contact if p - k g is above 0, for any stiffness k above 0.
//! The step then closes the gap. Otherwise the step ends the push. This is a Newton method for a
//! function with kinks. Source: Hintermüller, Ito, Kunisch 2002, "The primal-dual active set
//! strategy as a semismooth Newton method".

use super::stops::route_of;
use super::{Balance, Guess};
use crate::statics::Contact;
use catena_sim::contact::gaps::{Gap, GapKey};

/// Step of the finite differences of normals, as a share of the body's size.
const STEP: f64 = 1e-6;
/// Gap, as a share of the body's size, that counts as closed if the previous search found a push.
const CLOSED: f64 = 1e-9;
/// Maximum number of node coordinates in a contact: four nodes with three axes each.
pub(super) const COORDINATES: usize = 12;

/// A contact with its push.
#[derive(Clone, Copy, Debug)]
pub(in crate::statics) struct Touch {
    pub(in crate::statics) gap: Gap,
    /// Force along the normal.
    pub(in crate::statics) push: f64,
}

impl Touch {
    /// Whether this contact is the stop of a route.
    pub(in crate::statics) fn is_stop(&self) -> bool {
        route_of(self.gap.key).is_some()
    }
}

impl Balance<'_> {
    /// Contacts that push, and pairs that overlap.
    pub(in crate::statics) fn touches(&self, guess: &Guess) -> Vec<Touch> {
        let mut touches = self.touches_of_pieces(guess);
        self.add_stops(guess, &mut touches);
        touches
    }

    /// Contacts that push, and pairs that overlap, without the stops of routes.
    fn touches_of_pieces(&self, guess: &Guess) -> Vec<Touch> {
        if self.is_bare || self.gaps.is_empty() {
            return Vec::new();
        }
        let pieces = guess.pushes.iter().map(|(key, _)| *key);
        let kept: Vec<GapKey> = pieces.filter(|key| route_of(*key).is_none()).collect();
        let with_push = |gap: Gap| {
            let place = guess.pushes.binary_search_by_key(&gap.key, |(key, _)| *key);
            Touch { gap, push: place.map_or(0.0, |place| guess.pushes[place].1) }
        };
        self.gaps.near(&guess.x, 0.0, &kept).into_iter().map(with_push).collect()
    }

    /// Pushes of those contacts of a previous search that are closed at `x`.
    pub(in crate::statics) fn known_pushes(
        &self,
        x: &[f64],
        contacts: &[Contact],
    ) -> Vec<(GapKey, f64)> {
        if contacts.is_empty() {
            return Vec::new();
        }
        let push = |gap: Gap| {
            let nodes =
                || gap.weighted().filter(|(_, weight)| *weight != 0.0).map(|(node, _)| node);
            let is_own = |contact: &&Contact| {
                let known = contact.nodes.iter().map(|(node, _)| *node);
                contact.collider == gap.collider && known.eq(nodes())
            };
            contacts.iter().find(is_own).map(|contact| (gap.key, contact.force))
        };
        self.gaps.near(x, CLOSED * self.size, &[]).into_iter().filter_map(push).collect()
    }

    /// Coefficient of friction of a contact.
    pub(in crate::statics) fn coefficient(&self, touch: &Touch) -> f64 {
        self.gaps.friction(&touch.gap)
    }

    /// Adds a push along the normal of a contact.
    pub(super) fn push(&self, touch: &Touch, push: f64, force: &mut [f64]) {
        let n = self.setup.model.nodes();
        for (node, weight) in touch.gap.weighted() {
            for axis in 0..self.setup.model.axes {
                force[axis * n + node] += push * weight * touch.gap.normal[axis];
            }
        }
    }

    /// Violation of the contact conditions, as a length: the smaller of the gap and the push in
    /// units of weight per size. 0 for a softened body, whose contacts are springs.
    pub(super) fn fault(&self, touch: &Touch) -> f64 {
        if self.is_soft() {
            return 0.0;
        }
        let unit = self.weight / self.size;
        (touch.push / unit).min(touch.gap.gap)
    }

    /// Gradient of a gap with respect to its node coordinates, in blocks of three.
    pub(super) fn gradient(gap: &Gap) -> [f64; COORDINATES] {
        let mut gradient = [0.0; COORDINATES];
        for (k, weight) in gap.weights.iter().enumerate().take(gap.count) {
            for (axis, normal) in gap.normal.iter().enumerate() {
                gradient[3 * k + axis] = weight * normal;
            }
        }
        gradient
    }

    /// Second derivatives of a gap with respect to its node coordinates, from differences of
    /// gradients.
    pub(super) fn curvature(&self, gap: &Gap, x: &[f64]) -> [[f64; COORDINATES]; COORDINATES] {
        let (n, axes) = (self.setup.model.nodes(), self.setup.model.axes);
        let step = STEP * self.size;
        let mut curvature = [[0.0; COORDINATES]; COORDINATES];
        let mut x = x.to_vec();
        for (k, node) in gap.nodes.into_iter().enumerate().take(gap.count) {
            for axis in 0..axes {
                let (index, before) = (axis * n + node, x[axis * n + node]);
                let mut at = |moved: f64| {
                    x[index] = before + moved;
                    let moved = self.gap_at(gap.key, &x);
                    x[index] = before;
                    moved.map(|gap| Self::gradient(&gap))
                };
                let (Some(after), Some(ahead)) = (at(step), at(-step)) else { continue };
                for (entry, (after, ahead)) in
                    curvature[3 * k + axis].iter_mut().zip(after.iter().zip(&ahead))
                {
                    *entry = (after - ahead) / (2.0 * step);
                }
            }
        }
        curvature
    }
}
