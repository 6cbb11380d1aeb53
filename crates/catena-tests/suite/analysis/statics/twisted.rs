//! Rest of twisted rods between clamps: the buckling moment, and the buckled states.

use super::{farthest, solved, waited};
use crate::scene_of;
use catena::analysis::statics::{Equilibrium, NoRest, Stability, equilibrium};
use catena::sim::{
    Rope, Setup,
    drive::track::Animated,
    force::{
        applied::PointForce,
        rod::{Clamp, Rod, Rods, Section, Tangent},
    },
    method::SemiImplicitEuler,
};
use std::sync::Arc;

/// A rod of EI = 1 and GJ = 1 between two clamps, with settings of the scene and of its second
/// clamp.
fn rod(nodes: usize, end: f64, settings: &str, turn: &str) -> Arc<Setup> {
    let scene = scene_of(&format!(
        "Scene(base: (frames: 10, frame_time: 0.1, substeps: 8, integrator: ImplicitEuler, {settings}
          rope: (start: (0, 0, 0), end: ({end}, 0, 0), nodes: {nodes}, mass: 0.05, pins: [First, Last],
            rod: (bending: 1, torsion: 1, axial: 2000, clamps: [
              (node: First, tangent: (1, 0, 0)), (node: Last, tangent: (1, 0, 0), turn: {turn})]))))"
    ));
    Arc::clone(&scene.panels[0].bodies[0].setup)
}

const STILL: &str = "gravity: (0, 0, 0),";
const HEAVY: &str = "gravity: (0, -1, 0),";

#[test]
fn twisted_rods_under_load_rest_where_runs_that_wait_do() {
    // The twist of a straight rod couples no nodes until it bends.
    for (nodes, turn) in [(4, 0.0), (9, 0.0), (9, 0.7)] {
        let setup = rod(nodes, 2.0, HEAVY, &format!("{turn}"));
        let rest = solved(&setup);
        assert_eq!(rest.stability, Stability::Stable, "{nodes} {turn}");
        assert!(rest.residual <= rest.rounding.max(1e-12), "{nodes} {turn}: {}", rest.residual);
        let apart = farthest(&rest.x, &waited(&setup, &rest));
        assert!(apart < 1e-8, "{nodes} {turn}: {apart}");
    }
}

/// Smallest ω² of the straight equilibrium of a rod of length 1.
fn straight(nodes: usize, turns: f64) -> f64 {
    let rest = solved(&rod(nodes, 1.0, STILL, &format!("{turns}")));
    let straight = rest.left.as_deref().unwrap_or(&rest);
    straight.modes[0].omega_squared
}

#[test]
fn a_twisted_rod_leaves_its_straight_balance_at_the_moment_of_greenhill() {
    // Between clamps M L/EI = 8.98682, which is 1.43030 turns with GJ = EI.
    let critical = |nodes: usize| {
        let (mut low, mut high) = (1.2, 1.6);
        let (mut at_low, mut at_high) = (straight(nodes, low), straight(nodes, high));
        assert!(at_low > 0.0 && at_high < 0.0, "{at_low} {at_high}");
        for _ in 0..4 {
            let middle = low + (high - low) * at_low / (at_low - at_high);
            let found = straight(nodes, middle);
            let side =
                if found > 0.0 { (&mut low, &mut at_low) } else { (&mut high, &mut at_high) };
            (*side.0, *side.1) = (middle, found);
        }
        std::f64::consts::TAU * (low + (high - low) * at_low / (at_low - at_high))
    };
    let [coarse, fine] = [9, 17].map(critical);
    let best = (4.0 * fine - coarse) / 3.0;
    assert!((best / 8.986_82 - 1.0).abs() < 5e-3, "{coarse} {fine} {best}");
}

fn energy(setup: &Setup, rest: &Equilibrium) -> f64 {
    let mut memory = catena::sim::SpringMemory::default();
    let rods = setup.forces.iter().find(|force| force.rods().is_some()).unwrap();
    let body = catena::sim::Body { model: &setup.model, springs: &memory };
    memory.rods = rods.first_memory(&body, &setup.initial);
    let body = catena::sim::Body { model: &setup.model, springs: &memory };
    let springs = setup.model.springs.iter().map(|spring| {
        let stretch = setup.model.span(&rest.x, spring).1 - spring.rest_length;
        0.5 * spring.stiffness * stretch * stretch
    });
    rods.energy().potential(&body, &rest.state()) + springs.sum::<f64>()
}

#[test]
fn beyond_it_the_rod_coils_and_the_table_says_what_it_left() {
    for turns in [1.6, 2.0] {
        let setup = rod(13, 1.0, STILL, &format!("{turns}"));
        let rest = solved(&setup);
        // A helix may rotate about its axis without energy.
        assert_eq!(rest.stability, Stability::Neutral, "{turns}");
        let left = rest.left.as_ref().unwrap();
        assert_eq!(left.stability, Stability::Unstable);
        assert!(energy(&setup, &rest) < energy(&setup, left), "{turns}");
        let aside = rest.x[13..].iter().fold(0.0_f64, |maximum, x| maximum.max(x.abs()));
        assert!(aside > 0.01, "{turns}: {aside}");
        // A second search gives the same bits, so the direction does not depend on chance.
        assert_eq!(solved(&setup).x, rest.x);
    }
}

#[test]
fn moments_on_clamps_balance_all_forces() {
    let setup = rod(9, 2.0, HEAVY, "0.7");
    let rest = solved(&setup);
    let (n, model) = (setup.model.nodes(), &setup.model);
    let at = |node: usize| [0, 1, 2].map(|axis| rest.x[axis * n + node]);
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    // The sum of weights and of the forces of pins and clamps, which are minus the forces of the
    // body on them.
    let mut total = [0.0; 3];
    for node in 0..n {
        let by_weight = cross(at(node), [0.0, -model.mass[node], 0.0]);
        (0..3).for_each(|axis| total[axis] += by_weight[axis]);
    }
    for pin in &rest.pins {
        let (by_force, own) = (cross(at(pin.node), pin.force), pin.moment.unwrap());
        (0..3).for_each(|axis| total[axis] -= by_force[axis] + own[axis]);
    }
    assert!(total.iter().all(|part| part.abs() < 1e-9), "{total:?}");
    // The clamps exert the torque of the twist about the rod.
    assert!(rest.pins[0].moment.unwrap()[0].abs() > 1.0);
}

#[test]
fn pins_and_clamps_that_come_to_rest_are_followed() {
    // The ends of a straight rod approach by more than a segment, so the rod bows.
    let moving = "gravity: (0, -0.01, 0), drag: 0.05,
        anchors: [(node: Last, curve: Linear(keys: [(0, (2, 0, 0)), (2, (1.5, 0, 0))]))],";
    let setup = rod(13, 2.0, moving, "[(0, 0), (1, 0.5)]");
    let rest = solved(&setup);
    assert_eq!((rest.stability, rest.time), (Stability::Stable, 2.0));
    let sag = -rest.x[13..26].iter().copied().fold(0.0, f64::min);
    assert!(sag > 0.4, "{sag}");
    let (initial, anchors) = (rest.state(), Vec::new());
    let held = Setup { initial, anchors, start_time: 2.0, ..(*setup).clone() };
    let second = equilibrium(&held).unwrap();
    assert!(farthest(&second.x, &rest.x) < 1e-9);
}

#[test]
fn a_rod_that_would_pass_through_itself_is_refused() {
    let coiling = "gravity: (0, -0.02, 0), contact: (of: Drawn, thickness: 0.06),
        anchors: [(node: Last, curve: Linear(keys: [(0, (2, 0, 0)), (3, (2, 0, 0)), (8, (0.2, 0, 0))]))],";
    let setup = rod(25, 2.0, coiling, "[(0, 0), (3, 5)]");
    match equilibrium(&setup) {
        Err(NoRest::PassesItself { time }) => {
            let time = time.unwrap();
            assert!(time > 0.0 && time <= 8.0, "{time}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_bend_of_45_degrees_comes_to_rest_out_of_its_plane() {
    // Bathe and Bolourchi 1979: R 100, section 1 by 1, E 1e7, G 5e6, tip
    // force 600. A square section of side 1 has J = 0.1406.
    let tip = |segments: usize| {
        let n = segments + 1;
        let rope = Rope::new([0.0; 3], [1.0, 0.0, 0.0], n).of(1.0, 1.0).pin(0);
        let setup = Setup::new(&rope).method(SemiImplicitEuler {}).frames(0.1, 8).check().unwrap();
        let mut setup = (*setup).clone();
        for node in 0..n {
            let turn = std::f64::consts::FRAC_PI_4 * node as f64 / segments as f64;
            let place = [100.0 * (libm::cos(turn) - 1.0), 100.0 * libm::sin(turn), 0.0];
            (0..3).for_each(|axis| setup.initial.x[axis * n + node] = place[axis]);
        }
        for index in 0..segments {
            let length = setup.model.span(&setup.initial.x, &setup.model.springs[index]).1;
            setup.model.springs[index].rest_length = length;
            setup.model.springs[index].stiffness = 1e7 / length;
        }
        let own = Section { bending: [1e7 / 12.0; 2], torsion: 5e6 * 0.1406 };
        let rod = Rod::along(&setup.model, 0, own).unwrap();
        let rod = Rod { normal: Some([0.0, 0.0, 1.0]), ..rod };
        let mut rod = rod.at_rest_in(&setup.model, &setup.initial);
        // The first half segment is bent like the others.
        rod.rest_curvature[0] = rod.rest_curvature[1];
        let tangent = Some(Tangent::Constant([0.0, 1.0, 0.0]));
        let rod = rod.clamp(Clamp { node: 0, tangent, turn: Animated::number(0.0) });
        let rods = Rods::new(&setup.model, &setup.initial, vec![rod]).unwrap();
        setup.forces.push(Arc::new(rods));
        let (from, until) = (f64::NEG_INFINITY, f64::INFINITY);
        let force = [0.0, 0.0, 600.0].into();
        setup.forces.push(Arc::new(PointForce { force, node: segments, from, until }));
        let rest = solved(&setup);
        assert_eq!(rest.stability, Stability::Stable);
        [0, 1, 2].map(|axis| rest.x[axis * n + segments] - setup.initial.x[axis * n + segments])
    };
    let all = [16, 32].map(tip);
    // Kirchhoff's equations, solved by Runge and Kutta; Bathe and Bolourchi have 13.4, -23.5, 53.4.
    let best = [0, 1, 2].map(|axis| (4.0 * all[1][axis] - all[0][axis]) / 3.0);
    for (axis, expected) in [13.731_12, -23.817_64, 53.600_98].into_iter().enumerate() {
        assert!((best[axis] - expected).abs() < 5e-3, "{best:?}");
    }
}

#[test]
fn a_twisted_ring_leaves_its_plane_at_the_twist_of_michell() {
    // 2π√3 EI/GJ, which is 1.732 turns with GJ = EI.
    let critical = |nodes: usize| {
        let leaves = |turns: f64| {
            let scene = scene_of(&format!(
                "Scene(base: (frames: 2, gravity: (0, 0, 0), rope: (start: (-1, 0, 0), end: (1, 0, 0),
                  shape: Ring, nodes: {nodes}, mass: 0.1, pins: [],
                  rod: (bending: 1, torsion: 1, axial: 2000, turns: {turns}))))"
            ));
            let rest = solved(&scene.panels[0].bodies[0].setup);
            // Without contact, the ring may pass through itself and become planar again.
            rest.left.is_some()
        };
        let (mut low, mut high) = (1.6, 2.4);
        assert!(!leaves(low) && leaves(high), "{nodes}");
        for _ in 0..9 {
            let middle = 0.5 * (low + high);
            if leaves(middle) { high = middle } else { low = middle }
        }
        0.5 * (low + high)
    };
    let [coarse, fine] = [20, 40].map(critical);
    let best = (4.0 * fine - coarse) / 3.0;
    assert!((best / libm::sqrt(3.0) - 1.0).abs() < 1e-2, "{coarse} {fine} {best}");
}
