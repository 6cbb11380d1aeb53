//! What leads bodies along over the frames of a scene: colliders that move, and soft pins.

use super::bounds::Bounds;
use crate::render::vector::{add, sub};
use crate::scene::{Body, Scene};
use crate::sim::{Collider, contact::collider::Solid};
use std::sync::Arc;

/// How many places of a target are looked at.
const SAMPLES: u32 = 256;

/// Times over the frames of a scene, the first and the last included.
fn times(scene: &Scene, body: &Body, count: u32) -> impl Iterator<Item = f64> {
    let last = body.setup.frame_time * scene.frames as f64;
    (0..=count).map(move |sample| last * f64::from(sample) / f64::from(count))
}

/// How many places of a moving collider are looked at.
const PLACES: u32 = 64;

/// Where colliders that move are over the frames of a scene.
pub(super) fn moving(scene: &Scene, body: &Body) -> Vec<Solid> {
    let colliders = &body.setup.contacts.colliders;
    let moving = colliders.iter().filter(|collider| collider.motion().is_some());
    let places = |collider: &Arc<dyn Collider>| -> Vec<Solid> {
        times(scene, body, PLACES).map(|t| collider.solid_at(t)).collect()
    };
    moving.flat_map(places).collect()
}

/// Adds where moving colliders and the targets of soft pins go, which take the body along.
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
            Solid::HalfSpace { .. } => continue,
        };
        let around = [0, 1, 2].map(|axis| if axis < axes { size + radius } else { 0.0 });
        points.iter().for_each(|at| all.include(sub(*at, around), add(*at, around)));
    }
}
