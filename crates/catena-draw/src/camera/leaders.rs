//! Motion of everything that carries bodies: moving pins, targets of soft pins and moving
//! colliders.

use super::bounds::Bounds;
use crate::vector::{add, sub};
use catena_scene::{Body, Scene};
use catena_sim::contact::collider::{Collider, Solid};
use std::sync::Arc;

/// Number of samples on the curve of a moving pin.
const SAMPLES: u32 = 256;

/// Box of each pin's motion during the scene's frames. `None` for free nodes.
pub(super) fn pin_places(scene: &Scene, body: &Body) -> Vec<Option<Bounds>> {
    let (setup, n) = (&body.setup, body.setup.model.nodes());
    let mut places = vec![None; n];
    for i in (0..n).filter(|&i| setup.model.pinned[i]) {
        let at = setup.initial.position(n, i);
        places[i] = Some(Bounds { low: at, high: at });
    }
    for anchor in &setup.anchors {
        let mut place = Bounds::EMPTY;
        times(scene, body, SAMPLES)
            .map(|t| anchor.curve.at(t).0)
            .for_each(|at| place.include(at, at));
        places[anchor.node] = Some(place);
    }
    places
}

/// Sample times over the frames of a scene, including the first and the last.
fn times(scene: &Scene, body: &Body, count: u32) -> impl Iterator<Item = f64> + use<> {
    let last = body.setup.frame_time * scene.frames as f64;
    (0..=count).map(move |sample| last * f64::from(sample) / f64::from(count))
}

/// Shapes of the moving colliders, sampled over the frames of a scene.
pub(super) fn moving(scene: &Scene, body: &Body) -> Vec<Solid> {
    const PLACES: u32 = 64;
    let colliders = body.setup.contacts.colliders.iter();
    let moving = colliders.filter(|collider| collider.motion().is_some());
    let places = |collider: &Arc<dyn Collider>| -> Vec<Solid> {
        times(scene, body, PLACES).map(|t| collider.solid_at(t)).collect()
    };
    moving.flat_map(places).collect()
}

/// Adds the positions of moving colliders and of soft pins' targets to a box.
pub(super) fn add_leaders(scene: &Scene, body: &Body, moving: &[Solid], all: &mut Bounds) {
    for pin in &body.soft_pins {
        let targets = times(scene, body, SAMPLES).map(|t| pin.target.at(t).0);
        targets.for_each(|at| all.include(at, at));
    }
    let (axes, radius) = (body.setup.model.axes, body.setup.contacts.radius);
    for solid in moving {
        let (points, size) = match *solid {
            Solid::Capsule { a, b, radius } => (vec![a, b], radius),
            Solid::Box { .. } => (solid.corners(), 0.0),
            Solid::Facets { ref points, .. } | Solid::Polygon { ref points } => {
                (points.to_vec(), 0.0)
            }
            Solid::HalfSpace { .. } => continue,
        };
        let around = [0, 1, 2].map(|axis| if axis < axes { size + radius } else { 0.0 });
        points.iter().for_each(|at| all.include(sub(*at, around), add(*at, around)));
    }
}

/// Colliders of a body that do not move.
pub(super) fn standing(body: &Body) -> impl Iterator<Item = &Arc<dyn Collider>> {
    body.setup.contacts.colliders.iter().filter(|collider| collider.motion().is_none())
}
