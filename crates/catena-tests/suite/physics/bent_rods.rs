//! Rods of scenes: constant linking number, highest frequency, clamps on bones, cuts, parts, and
//! sections with inertia.

use super::bodies::setup;
use catena::analysis::topology::{curves, writhe};
use catena::sim::force::rod::Reading;
use catena::sim::linear::spectrum::largest_frequency;
use catena::sim::vector::{dot, norm, sub};
use catena::sim::{Body, Outcome, Simulation, SpringMemory, System, drive::Anchors};

fn reading(simulation: &Simulation, rod: usize) -> Reading {
    let (setup, springs) = (simulation.setup(), simulation.springs());
    let body = Body { model: &setup.model, springs };
    setup.rods().unwrap().readings(&body, simulation.state()).remove(rod)
}

#[test]
fn twist_and_writhe_of_a_ring_have_a_constant_sum() {
    for section in ["bending: 1, torsion: 1", "bending: 1, bending_across: 0.6, torsion: 1"] {
        let setup = setup(&format!(
            "gravity: (0, 0, 0), drag: 0.02, integrator: ImplicitEuler, frame_time: 0.1, substeps: 20, \
             rope: (start: (-1, 0, 0), end: (1, 0, 0), shape: Ring, nodes: 24, mass: 0.1, pins: [], \
             rod: ({section}, axial: 500, turns: 3)), \
             impulses: [(node: 0, impulse: (0, 0, 0.01)), (node: 12, impulse: (0, 0, 0.01))], \
             contact: (of: Drawn, thickness: 0.06)"
        ));
        let mut simulation = Simulation::new(setup);
        let mut minimum = f64::INFINITY;
        for frame in 0..60 {
            let curve = &curves(&simulation.setup().model, simulation.state())[0].1;
            let (twist, writhe) = (reading(&simulation, 0).turns, writhe(curve).unwrap());
            assert!((twist + writhe - 3.0).abs() < 1e-9, "{section}, {frame}: {twist} + {writhe}");
            minimum = minimum.min(twist);
            simulation.advance_frame();
        }
        assert_eq!(simulation.outcome(), Outcome::Fine);
        assert!(minimum < 2.5, "{section}: nothing writhes: {minimum}");
    }
}

#[test]
fn the_highest_frequency_of_a_rod_grows_with_the_square_of_its_segments() {
    let omega = |nodes: usize| {
        let mass = 1.0 / nodes as f64;
        let setup = setup(&format!(
            "gravity: (0, 0), rope: (start: (0, 0), end: (1, 0), nodes: {nodes}, mass: {mass}, \
             stiffness: 1, rod: (bending: 1, clamps: [(node: First)]))"
        ));
        let (model, memory) = (&setup.model, SpringMemory::default());
        let anchors = Anchors::new(model, &setup.initial, &setup.anchors);
        let system = System::new(model, &memory, &setup.forces, &anchors);
        let length = 1.0 / (nodes - 1) as f64;
        // A uniform rod of masses m has ω² = 16 EI/(m l³) for zigzag bending.
        let exact = (16.0 / (mass * length * length * length)).sqrt();
        (largest_frequency(&system, &setup.initial).omega, exact)
    };
    let ((coarse, exact_coarse), (fine, exact_fine)) = (omega(21), omega(81));
    assert!((coarse / exact_coarse - 1.0).abs() < 0.15, "{coarse} beside {exact_coarse}");
    assert!((fine / exact_fine - 1.0).abs() < 0.15, "{fine} beside {exact_fine}");
    let order = libm::log2(fine / coarse) / 2.0;
    assert!((order - 2.0).abs() < 0.1, "{order}");
}

#[test]
fn a_clamp_on_a_bone_turns_with_it() {
    let setup = setup(
        "gravity: (0, 0, 0), integrator: ImplicitEuler, frame_time: 0.05, substeps: 20, drag: 0.5, \
         rig: (bones: [(name: \"hand\", turn: About(axis: (1, 0, 0), angle: [(0, 0), (2, 720)]))]), \
         rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: 9, mass: 0.1, pins: [Last], \
         rod: (bending: 5, torsion: 0.1, axial: 200, clamps: [(node: First), (node: Last)])), \
         anchors: [(node: First, bone: \"hand\", offset: (0, 0, 0))]",
    );
    let mut simulation = Simulation::new(setup);
    (0..50).for_each(|_| simulation.advance_frame());
    let turns = reading(&simulation, 0).turns;
    assert!((turns.abs() - 2.0).abs() < 1e-6, "{turns}");
}

/// Directions to three nodes from a fourth one at the end of a run, which show the rotation of a
/// bone.
fn axes_of(simulation: &Simulation) -> [[f64; 3]; 3] {
    let (n, state) = (simulation.setup().model.nodes(), simulation.state());
    [1, 2, 3].map(|node| sub(state.position(n, node), state.position(n, 0)))
}

#[test]
fn a_clamp_on_a_bone_of_a_walking_figure_turns_with_it() {
    let base = "gravity: (0, -9.81, 0), integrator: ImplicitEuler, frame_time: 0.03333333333333333, \
         substeps: 64, drag: 0.02, \
         rig: (file: \"scenes/figure.glb\", layers: [(clip: \"Walk\")]),";
    for bone in ["left_hand", "right_upper_arm", "head"] {
        let rod = setup(&format!(
            "{base} rope: (start: (0.4, 1.2, 0), end: (0.9, 1.2, 0), nodes: 21, mass: 1e-4, \
             rod: (bending: 50, bending_across: 40, torsion: 30, axial: 1e5, \
             clamps: [(node: First)])), anchors: [(node: First, bone: \"{bone}\")]"
        ));
        let pin = |node: usize, offset: &str| {
            format!("(node: {node}, bone: \"{bone}\", offset: {offset})")
        };
        let pins = [(0, "(0, 0, 0)"), (1, "(1, 0, 0)"), (2, "(0, 1, 0)"), (3, "(0, 0, 1)")];
        let pins = pins.map(|(node, offset)| pin(node, offset)).join(", ");
        let own = setup(&format!(
            "{base} graph: (nodes: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], springs: [], \
             pins: [0, 1, 2, 3]), anchors: [{pins}]"
        ));
        let (mut rod, mut own) = (Simulation::new(rod), Simulation::new(own));
        let (first, start) = (reading(&rod, 0).frames[0], axes_of(&own));
        let mut farthest = 0.0_f64;
        for frame in 0..40 {
            rod.advance_frame();
            own.advance_frame();
            let (now, axes) = (reading(&rod, 0).frames[0], axes_of(&own));
            // The axes are perpendicular, so the components along the first ones stay.
            let turned = |v: [f64; 3]| {
                let part = |k: usize| dot(v, start[k]) / dot(start[k], start[k]);
                [0, 1, 2].map(|i| (0..3).map(|k| part(k) * axes[k][i]).sum::<f64>())
            };
            for (now, before) in [(now.tangent, first.tangent), (now.normal, first.normal)] {
                let apart = norm(sub(now, turned(before)));
                assert!(apart < 0.01, "{bone}, {frame}: {now:?} {:?}", turned(before));
                farthest = farthest.max(norm(sub(now, before)));
            }
        }
        assert!(farthest > 0.05, "{bone}: it hardly turns: {farthest}");
    }
}

#[test]
fn cutting_a_rod_frees_its_twist_and_releasing_a_clamp_too() {
    for event in ["Cut(a: 4, b: 5)", "Release(node: Last)"] {
        let setup = setup(&format!(
            "gravity: (0, 0, 0), frame_time: 0.05, substeps: 200, drag: 0.1, \
             rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: 9, mass: 0.1, pins: [], \
             rod: (bending: 1, torsion: 0.3, axial: 100, \
             clamps: [(node: First), (node: Last, turn: 1)])), events: [(at: 0.1, do: {event})]"
        ));
        let mut simulation = Simulation::new(setup);
        simulation.keep_ledger();
        simulation.advance_frame();
        assert!((reading(&simulation, 0).turns - 1.0).abs() < 1e-9);
        (0..3).for_each(|_| simulation.advance_frame());
        assert_eq!(reading(&simulation, 0).turns, 0.0, "{event}");
        let ledger = simulation.ledger().unwrap().run;
        assert_eq!(ledger.end.twist, 0.0);
        assert!(ledger.residual().abs() <= 1e-12 * ledger.turned_over, "{event}: {ledger:?}");
    }
}

#[test]
fn each_part_is_a_rod_of_its_own() {
    let setup = setup(
        "gravity: (0, 0, 0), parts: [\
         (name: \"a\", with: (rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: 6, pins: [], \
         rod: (bending: 1, clamps: [(node: First)])))), \
         (name: \"b\", with: (rope: (start: (0, 1, 0), end: (1, 1, 0), nodes: 6, pins: []))), \
         (name: \"c\", with: (rope: (start: (0, 2, 0), end: (1, 2, 0), nodes: 6, pins: [], \
         rod: (bending: 2, torsion: 1, clamps: [(node: First), (node: Last, turn: 2)]))))]",
    );
    let rods: Vec<_> = setup.rods().unwrap().rods().collect();
    assert_eq!(rods.len(), 2);
    assert_eq!(rods[1].nodes, [12, 13, 14, 15, 16, 17]);
    let simulation = Simulation::new(setup.clone());
    assert!((reading(&simulation, 1).turns - 2.0).abs() < 1e-12);
    assert!(setup.model.pinned[0] && setup.model.pinned[17] && !setup.model.pinned[6]);
}

#[test]
fn sections_without_stiffness_in_one_direction_have_numbers() {
    for section in
        ["bending_across: 5", "bending: 5", "torsion: 3", "bending: 5, bending_across: 4"]
    {
        for nodes in [2, 5] {
            let setup = setup(&format!(
                "gravity: (0, -1, 0), integrator: ImplicitEuler, frame_time: 0.01, substeps: 2, \
                 rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: {nodes}, mass: 0.1, \
                 stiffness: 1000, rod: ({section}))"
            ));
            let mut simulation = Simulation::new(setup);
            for _ in 0..5 {
                simulation.advance_frame();
                let reading = reading(&simulation, 0);
                assert!(reading.turns.is_finite(), "{section}, {nodes} nodes");
                assert!(simulation.state().is_finite(), "{section}, {nodes} nodes");
            }
            assert_eq!(simulation.outcome(), Outcome::Fine, "{section}, {nodes} nodes");
        }
    }
}

/// A rod in a clamp whose section rotates, under gravity.
fn turning(fields: &str, substeps: u32) -> std::sync::Arc<catena::sim::Setup> {
    setup(&format!(
        "gravity: (0, -1, 0), frame_time: 0.02, substeps: {substeps}, \
         rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: 11, mass: 0.01, stiffness: 1000, \
         rod: (bending: 1, {fields}, torsion: 0.5, \
         clamps: [(node: First, turn: [(0, 0), (1, 0.2)])]))"
    ))
}

#[test]
fn sections_with_little_inertia_turn_as_those_without() {
    let after = |fields: &str| {
        let mut simulation = Simulation::new(turning(fields, 200));
        (0..60).for_each(|_| simulation.advance_frame());
        (reading(&simulation, 0).turns, simulation.state().x.clone())
    };
    for across in [0.3, 1.0] {
        let still = after(&format!("bending_across: {across}"));
        let apart = [1e-3, 1e-5].map(|inertia| {
            let spun = after(&format!("bending_across: {across}, inertia: {inertia}"));
            let pairs = spun.1.iter().zip(&still.1);
            let apart = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            apart + (spun.0 - still.0).abs()
        });
        assert!(apart[1] < 1e-3 && apart[1] < 0.3 * apart[0], "{across}: {apart:?}");
    }
}

#[test]
fn the_energy_of_rods_with_inertia_closes_and_does_not_drift() {
    let scene = |method: &str| {
        format!(
            "Scene(base: (gravity: (0, -1, 0), integrator: {method}, frame_time: 0.02, \
             substeps: 50, rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: 9, mass: 0.02, \
             stiffness: 1000, rod: (bending: 1, bending_across: 0.4, torsion: 0.5, \
             inertia: 0.002, clamps: [(node: First, turn: [(0, 0), (0.2, 0.1)])]))))"
        )
    };
    for (method, maximum) in [
        ("SemiImplicitEuler", 1e-3),
        ("Rk4", 1e-5),
        ("ImplicitMidpoint", 1e-5),
        ("ImplicitEuler", f64::INFINITY),
    ] {
        let args = ["trace", "-", "--energy", "--frames", "150"];
        let output = crate::catena().args(args).write_stdin(scene(method)).output().unwrap();
        let table = String::from_utf8(output.stdout).unwrap();
        let mut lines = table.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        let rows: Vec<Vec<f64>> =
            lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
        let at = |row: &[f64], name: &str| row[names.iter().position(|one| *one == name).unwrap()];
        let stored = |row: &[f64]| {
            let names = ["kinetic", "gravitational", "elastic", "bending", "twist"];
            names.map(|name| at(row, name)).iter().sum::<f64>()
        };
        assert!(rows.iter().any(|row| at(row, "twist") > 1e-3), "{method}");
        // The clamp is fixed from frame 10 on.
        let first = stored(&rows[11]);
        let drift = rows[11..].iter().map(|row| (stored(row) - first).abs()).fold(0.0, f64::max);
        assert!(drift <= maximum * first.abs().max(0.02), "{method}: {drift} of {first}");
        let open = rows.iter().map(|row| at(row, "residual").abs()).fold(0.0, f64::max);
        assert!(open < 1e-12, "{method}: {open:e}");
    }
}

#[test]
fn sections_between_a_clamp_and_a_free_end_turn_with_the_clamp() {
    let frames = |rod: &str| {
        let setup = setup(&format!(
            "gravity: (0, 0, 0), rope: (start: (0, 0, 0), end: (1, 0, 0), nodes: 11, mass: 0.1, \
             rod: (bending: 1, torsion: 1, {rod}))"
        ));
        reading(&Simulation::new(setup), 0)
    };
    for clamps in [
        "(node: First, turn: 0.25)",
        "(node: Last, turn: 0.25)",
        "(node: 5, turn: 0.25)",
        "(node: 5, turn: [(0, 0.25), (1, 3)])",
        "(node: First, turn: 0.25), (node: 5, turn: 0.25)",
        "(node: 5, turn: 0.25), (node: Last, turn: 0.25)",
    ] {
        let found = frames(&format!("clamps: [{clamps}]"));
        for frame in &found.frames {
            let off = norm(sub(frame.normal, [0.0, 0.0, 1.0]));
            assert!(off < 1e-12, "{clamps}: {:?}", found.frames);
        }
        assert!(found.twist.iter().all(|twist| twist.abs() < 1e-12), "{clamps}: {found:?}");
    }
    // An unloaded rod has its twist at rest: half a turn per length, 18 degrees per segment.
    let twist = std::f64::consts::PI;
    for clamps in ["", "(node: First)", "(node: Last)", "(node: 5, turn: 0.3)"] {
        let found = frames(&format!("twist: 0.5, clamps: [{clamps}]"));
        for pair in found.frames.windows(2) {
            let cosine = dot(pair[0].normal, pair[1].normal);
            assert!((cosine - libm::cos(0.1 * twist)).abs() < 1e-12, "{clamps}: {found:?}");
        }
        let inner = &found.twist[1..9];
        assert!(inner.iter().all(|own| (own - twist).abs() < 1e-12), "{clamps}: {found:?}");
    }
}
