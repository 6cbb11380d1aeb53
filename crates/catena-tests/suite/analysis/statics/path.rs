//! Paths of balances over a load, past limit points.

use super::rope;
use catena::analysis::statics::{NoRest, Stability, follow};
use catena::sim::Setup;
use std::sync::Arc;

/// Two bars between pins, shallow, with a mass on their joint that the gravity `g` pulls.
fn truss(half: f64, height: f64, g: f64) -> Setup {
    let mut setup = rope([2.0 * half, 0.0], 3, &[0, 2], g);
    setup.initial.x[4] = height;
    let length = (half * half + height * height).sqrt();
    setup.model.springs.iter_mut().for_each(|spring| spring.rest_length = length);
    setup
}

#[test]
fn the_truss_of_von_mises_snaps_through_at_its_limit_load() {
    let (half, height) = (1.0_f64, 0.1_f64);
    let setup = truss(half, height, 0.0);
    let (k, l) = (setup.model.springs[0].stiffness, setup.model.springs[0].rest_length);
    // Force at the height y: 2 k (l/d - 1) y with d² = half² + y², greatest at d³ = half² l.
    let force = |y: f64| 2.0 * k * (l / (half * half + y * y).sqrt() - 1.0) * y;
    let d = libm::cbrt(half * half * l);
    let y = (d * d - half * half).sqrt();
    let (limit, mass) = (force(y), setup.model.mass[1]);
    let range = [0.05 * limit / mass, 1.5 * limit / mass];
    let at = |g: f64| Ok::<_, NoRest>(Arc::new(truss(half, height, g)));
    let path = follow(at, range, 2000).unwrap();
    assert!(path.is_complete);
    for point in &path.points {
        let carried = force(point.x[4]);
        let expected = mass * point.load;
        assert!((carried - expected).abs() < 1e-9 * limit, "{point:?} {carried}");
        assert!(point.x[1].abs() - 1.0 < 1e-12 && (point.x[1] - 1.0).abs() < 1e-9);
        if !point.is_limit && (point.x[4].abs() - y).abs() > 1e-3 {
            let is_stable = point.x[4].abs() > y;
            let expected = if is_stable { Stability::Stable } else { Stability::Unstable };
            assert_eq!(point.stability, expected, "{point:?}");
        }
    }
    // Up to the limit, down the unstable branch to minus the limit, and up again.
    let limits: Vec<f64> = path.limits().map(|point| mass * point.load).collect();
    assert_eq!(limits.len(), 2, "{limits:?}");
    for (found, expected) in limits.iter().zip([limit, -limit]) {
        assert!((found - expected).abs() < 1e-9 * limit, "{found} {expected}");
    }
    assert!(path.points.iter().any(|point| point.x[4].abs() < 0.5 * y));
}

#[test]
fn a_loss_of_stability_without_a_turn_of_the_load_is_said() {
    let run = crate::catena()
        .arg("statics")
        .arg(crate::repository("scenes/arch.ron"))
        .args(["--load", "gravity=(0,0):(0,-1)"])
        .assert()
        .success();
    let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    // The arch leans to a side at about half of its limit load.
    assert_eq!(said.matches("stability is lost from -0.2").count(), 2, "{said}");
}
