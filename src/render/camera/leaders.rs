//! Where that goes which takes bodies along: moving pins, targets of soft pins, moving colliders.

use super::bounds::Bounds;
use crate::render::vector::{add, sub};
use crate::scene::{Body, Scene};
use crate::sim::contact::collider::{Collider, Solid};
use std::sync::Arc;

/// How many points of a moving pin's curve are sampled.
const SAMPLES: u32 = 256;

/// The box in which each pin moves during the scene's frames; `None` for free nodes.
pub(super) fn pin_places(scene: &Scene, body: &Body) -> Vec<Option<Bounds>> {
    let (setup, n) = (&body.setup, body.setup.model.nodes());
    let mut places = vec![None; n];
    for i in (0..n).filter(|&i| setup.model.pinned[i]) {
        let at = setup.initial.position(n, i);
        places[i] = Some(Bounds { low: at, high: at });
    }
    let last = setup.frame_time * scene.frames as f64;
    for anchor in &setup.anchors {
        let mut place = Bounds::EMPTY;
        for sample in 0..=SAMPLES {
            let (at, _) = anchor.curve.at(last * f64::from(sample) / f64::from(SAMPLES));
            place.include(at, at);
        }
        places[anchor.node] = Some(place);
    }
    places
}

/// Adds where moving colliders and the targets of soft pins go, which take the body along.
pub(super) fn add_leaders(scene: &Scene, body: &Body, all: &mut Bounds) {
    let last = body.setup.frame_time * scene.frames as f64;
    let times = || (0..=SAMPLES).map(|sample| last * f64::from(sample) / f64::from(SAMPLES));
    for pin in &body.soft_pins {
        times().map(|t| pin.target.at(t).0).for_each(|at| all.include(at, at));
    }
    let contacts = &body.setup.contacts;
    for collider in contacts.colliders.iter().filter(|collider| collider.motion().is_some()) {
        for solid in times().map(|t| collider.solid_at(t)) {
            let (points, size) = match solid {
                Solid::Capsule { a, b, radius } => (vec![a, b], radius),
                Solid::Box { .. } => (solid.corners(), 0.0),
                Solid::HalfSpace { .. } => continue,
            };
            let around = [0, 1, 2].map(|axis| {
                if axis < body.setup.model.axes { size + contacts.radius } else { 0.0 }
            });
            points.iter().for_each(|at| all.include(sub(*at, around), add(*at, around)));
        }
    }
}

/// The colliders of a body that stand still.
pub(super) fn standing(body: &Body) -> impl Iterator<Item = &Arc<dyn Collider>> {
    body.setup.contacts.colliders.iter().filter(|collider| collider.motion().is_none())
}
