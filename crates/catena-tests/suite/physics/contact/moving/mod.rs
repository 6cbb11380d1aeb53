//! Moving colliders: known answers, the ledger, and impenetrability.

mod answers;
mod bones;
mod drawn;
mod drums;
mod frames;
mod random;
mod wedges;

use super::fences::{Met, compare};
use super::{Random, bits};
use catena_sim::contact::collider::Plane;
use catena_sim::drive::curve::Linear;
use catena_sim::drive::motion::Travel;
use catena_sim::drive::rig::RotationTrack;
use catena_sim::drive::track::{Animated, Key, KeyTrack};
use catena_sim::glam::DVec3;
use catena_sim::{Arrangement, Components, Model, Setup, SetupBuilder, State};
use std::sync::Arc;

/// Free nodes without springs, at these positions and with these velocities.
fn nodes(places: &[[f64; 3]], velocities: &[[f64; 3]], axes: usize) -> SetupBuilder {
    let n = places.len();
    let flat = |values: &[[f64; 3]]| -> Vec<f64> {
        (0..axes).flat_map(|axis| values.iter().map(move |value| value[axis])).collect()
    };
    let model = Model {
        axes,
        mass: vec![1.0; n],
        pinned: vec![false; n],
        springs: Vec::new(),
        structural: 0,
        held: 0,
        arrangement: if n == 1 { Arrangement::Chain } else { Arrangement::Parts },
        parts: Vec::new(),
    };
    Setup::of_body(model, State { t: 0.0, x: flat(places), v: flat(velocities) })
}

/// A vector of a scene with this many axes.
fn at(point: [f64; 3], axes: usize) -> Components {
    if axes == 2 { [point[0], point[1]].into() } else { point.into() }
}

/// A uniform motion through a point at time 0, with its velocity and angular velocity.
fn steady(place: [f64; 3], velocity: [f64; 3], axes: usize, spin: [f64; 3]) -> Travel {
    let end = 64.0;
    let [back, there] = [-end, end].map(|t| [0, 1, 2].map(|k| place[k] + t * velocity[k]));
    let along = Linear { keys: vec![(-end, at(back, axes)), (end, at(there, axes))] };
    let rate = DVec3::from_array(spin).length();
    let turn = (rate > 0.0).then(|| {
        let key = |t: f64| Key::new(t, [t * rate]);
        let angle = Animated::moving(KeyTrack::new(vec![key(-end), key(end)]).unwrap());
        RotationTrack::about(DVec3::from_array(spin), angle).unwrap()
    });
    Travel { along: Some(Arc::new(along)), turn }
}

/// A plane through the origin of its frame.
fn plane(normal: [f64; 3], axes: usize, (restitution, friction): (f64, f64)) -> Plane {
    Plane { point: at([0.0; 3], axes), normal: at(normal, axes), restitution, friction }
}
