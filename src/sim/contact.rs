//! Contacts: nodes with colliders, and nodes with each other.

use super::collider::Surface;
use super::{Collider, Model, State};

/// Nodes that keep their distance from each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfContact {
    /// Least distance of two nodes that no spring joins, above zero.
    pub thickness: f64,
    /// What a contact does.
    pub surface: Surface,
}

/// All that a body can touch.
#[derive(Debug, Default)]
pub struct Contacts {
    /// Solid things.
    pub colliders: Vec<Box<dyn Collider>>,
    /// Distance that nodes keep from colliders, at least 0.
    pub radius: f64,
    /// The body with itself; `None` where it passes through itself.
    pub own: Option<SelfContact>,
}

impl Contacts {
    /// Whether there is nothing to touch.
    pub fn is_empty(&self) -> bool {
        self.colliders.is_empty() && self.own.is_none()
    }

    /// Corrects the motion from `start` to `state`, the two ends of a step of `dt`, so that no node ends on the wrong side of anything. Nodes
    /// whose position or velocity it changed are added to `displaced`.
    pub fn resolve(
        &self,
        _model: &Model,
        _start: &State,
        _state: &mut State,
        _dt: f64,
        _displaced: &mut Vec<usize>,
    ) {
    }
}
