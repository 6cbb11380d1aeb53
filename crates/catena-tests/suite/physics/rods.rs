//! SHAKE along chains, where all rods are corrected at once, compared with sweeps over them; and
//! bodies with more rods than degrees of freedom.

use crate::scene_of;
use catena::job;
use catena::scene::Limits;
use catena::sim::{
    Integrator, Method, Model, Simulation, Spring, SpringMemory, State, System, drive::Anchors,
    method::Shake,
};
use catena_tests::Random;
use std::sync::Arc;

/// A chain whose rods have their correct lengths, with velocities.
pub(super) struct Case {
    pub(super) model: Model,
    pub(super) initial: State,
    pub(super) memory: SpringMemory,
}

pub(super) const DT: f64 = 0.01;

/// A chain with random pins, masses of all magnitudes, and rods that are missing or broken.
fn case(random: &mut Random, axes: usize, nodes: usize) -> Case {
    let mut x = vec![0.0; axes * nodes];
    for i in 1..nodes {
        for axis in 0..axes {
            x[axis * nodes + i] = x[axis * nodes + i - 1] + 0.5 * random.signed();
        }
        // No rod is short compared with the displacement of its ends.
        x[i] += 0.7;
    }
    let pinned = (0..nodes).map(|_| random.below(6) == 0).collect();
    let mut mass = vec![1.0; nodes];
    for mass in &mut mass {
        *mass = [1.0, 1.0, 0.3 + random.signed().abs(), 50.0][random.below(4)];
    }
    let mut model = Model { axes, mass, pinned, ..Model::default() };
    for b in 1..nodes {
        if random.below(10) > 0 {
            let spring = Spring { a: b - 1, b, stiffness: 1.0, rest_length: 1.0 };
            let rest_length = model.span(&x, &spring).1;
            model.springs.push(Spring { rest_length, ..spring });
        }
    }
    (model.structural, model.held) = (model.springs.len(), model.springs.len());
    let mut initial = State::at_rest(x);
    initial.v.iter_mut().for_each(|v| *v = 4.0 * random.signed());
    for (index, v) in initial.v.iter_mut().enumerate() {
        *v = if model.pinned[index % nodes] { 0.0 } else { *v };
    }
    let mut memory = SpringMemory::default();
    if random.below(2) == 0 {
        memory.broken = model.springs.iter().map(|_| random.below(8) == 0).collect();
    }
    Case { model, initial, memory }
}

impl Case {
    /// Takes one step of SHAKE. Returns the new state, and the number of steps that did not
    /// converge.
    pub(super) fn step(&self, method: &Shake) -> (State, u64) {
        let anchors = Anchors::new(&self.model, &self.initial, &[]);
        let system = System::new(&self.model, &self.memory, &[], &anchors);
        let mut run: Box<dyn Integrator> = method.start(&self.model, &self.initial, DT);
        let mut state = self.initial.clone();
        run.step(&system, &mut state, DT);
        (state, run.report().unwrap().unconverged)
    }

    fn rods(&self) -> impl Iterator<Item = &Spring> {
        let is_movable = |rod: &Spring| !(self.model.pinned[rod.a] && self.model.pinned[rod.b]);
        let rods = self.model.springs.iter().enumerate();
        let unbroken = rods.filter(|(j, _)| !self.memory.is_broken(*j));
        unbroken.map(|(_, rod)| rod).filter(move |rod| is_movable(rod))
    }

    /// The result of sweeps as in the paper, with errors down to rounding.
    pub(super) fn swept(&self) -> Vec<f64> {
        let (model, n) = (&self.model, self.model.nodes());
        let weight = |i: usize| if model.pinned[i] { 0.0 } else { 1.0 / model.mass[i] };
        let State { x: start, v, .. } = &self.initial;
        let mut x: Vec<f64> = start.iter().zip(v).map(|(x, v)| x + v * DT).collect();
        for _ in 0..1500 {
            for rod in self.rods() {
                let (s, length) = model.span(&x, rod);
                let r = model.span(start, rod).0;
                let along: f64 = s.iter().zip(&r).map(|(s, r)| s * r).sum();
                let both = weight(rod.a) + weight(rod.b);
                let excess = length * length - rod.rest_length * rod.rest_length;
                let amount = excess / (2.0 * both * along);
                for (axis, r) in r.iter().enumerate().take(model.axes) {
                    x[axis * n + rod.a] += weight(rod.a) * amount * r;
                    x[axis * n + rod.b] -= weight(rod.b) * amount * r;
                }
            }
        }
        x
    }

    /// Maximum relative length error.
    pub(super) fn worst(&self, x: &[f64]) -> f64 {
        let error = |rod: &Spring| (self.model.span(x, rod).1 / rod.rest_length - 1.0).abs();
        self.rods().map(error).fold(0.0, f64::max)
    }
}

#[test]
fn rods_corrected_at_once_end_where_sweeps_end() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let mut held = 0;
    for round in 0..60 {
        let nodes = [1, 2, 3, 4, 5, 9, 16, 25][random.below(8)];
        let case = case(&mut random, 2 + round % 2, nodes);
        let (state, unconverged) = case.step(&Shake::default());
        let swept = case.swept();
        // Rods between two pins may have no room, or almost none.
        let can_hold = case.worst(&swept) < 1e-12;
        if !can_hold {
            continue;
        }
        held += 1;
        assert_eq!(unconverged, 0, "round {round}, {nodes} nodes");
        let worst = case.worst(&state.x);
        assert!(worst <= 1.001e-10, "round {round}, {nodes} nodes: {worst:e}");
        for (found, expected) in state.x.iter().zip(&swept) {
            let off = (found - expected).abs();
            assert!(off < 1e-8, "round {round}, {nodes} nodes: {found} beside {expected}");
        }
        // Pins stay, and velocities match the displacements.
        for (index, v) in state.v.iter().enumerate() {
            let displacement = state.x[index] - case.initial.x[index];
            assert!((displacement / DT - v).abs() < 1e-12 * (1.0 + v.abs()));
            assert!(!case.model.pinned[index % nodes] || displacement == 0.0);
        }
    }
    assert!(held > 40, "{held}");
}

#[test]
fn what_no_correction_can_mend_is_said_and_the_rest_is_held() {
    let mut random = Random::new(5);
    let mut case = case(&mut random, 2, 12);
    case.model.pinned.fill(false);
    case.model.pinned[0] = true;
    case.memory.broken.clear();
    // Rod 4 rotates by a half turn, or is not a number.
    let nodes = case.model.nodes();
    let rod = case.model.springs[4];
    let r = case.model.span(&case.initial.x, &rod).0;
    let calm = case.initial.clone();
    let turn = -(2.0 * r[0]) / DT;
    for wrong in [turn, f64::NAN, f64::INFINITY] {
        case.initial = calm.clone();
        for node in rod.b..nodes {
            case.initial.v[node] += wrong;
            case.initial.v[nodes + node] += if wrong == turn { -(2.0 * r[1]) / DT } else { 0.0 };
        }
        let (state, unconverged) = case.step(&Shake::default());
        assert_eq!(unconverged, 1, "{wrong}");
        let before = case.rods().filter(|other| other.b <= rod.a);
        for other in before.copied().collect::<Vec<_>>() {
            let length = case.model.span(&state.x, &other).1;
            assert!((length / other.rest_length - 1.0).abs() < 1.001e-10, "{wrong}, {other:?}");
        }
    }
}

/// Sum of kinetic and potential energy. The velocity is at the middle of a step, and so is the mean
/// of two positions.
fn energy(run: &Simulation, before: &[f64], gravity: f64) -> f64 {
    let (model, state) = (&run.setup().model, run.state());
    let n = model.nodes();
    let of_node = |i: usize| {
        let square: f64 = (0..model.axes).map(|axis| libm::pow(state.v[axis * n + i], 2.0)).sum();
        model.mass[i] * (0.5 * square + gravity * 0.5 * (before[n + i] + state.x[n + i]))
    };
    (0..n).map(of_node).sum()
}

#[test]
fn a_long_chain_holds_and_keeps_its_energy() {
    let scene = scene_of(
        "Scene(base: (integrator: Shake, gravity: (0, -1), frame_time: 1, substeps: 400,
            rope: (start: (0, 0), end: (400, 0), nodes: 400, pins: [0])))",
    );
    let mut run = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
    let case = Case {
        model: run.setup().model.clone(),
        initial: run.state().clone(),
        memory: SpringMemory::default(),
    };
    // Energy at the lowest point, as the scale.
    let scale = 400.0 * 200.0 * case.model.mass[1];
    for frame in 0..12 {
        run.advance_frame();
        assert_eq!(run.report().unconverged, 0, "frame {frame}");
        let before = run.state().x.clone();
        run.step();
        let (worst, off) = (case.worst(&run.state().x), energy(&run, &before, 1.0) / scale);
        assert!(worst <= 1.001e-10, "frame {frame}: {worst:e}");
        assert!(off.abs() < 1e-4, "frame {frame}: {off:e}");
    }
}

const SHEET: &str = "Scene(base: (integrator: Shake, gravity: (0, -1, 0), frame_time: 0.5, substeps: 16,
    cloth: (corner: (0, 0, 0), across: (8, 0, 0), down: (0, 0, 8), rows: 9, columns: 9, pins: TopCorners)))";

#[test]
fn a_sheet_with_more_springs_than_coordinates_is_named_and_does_not_sweep_for_ever() {
    let scene = scene_of(SHEET);
    let mut run = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
    let sweep = run.setup().prices().sweep;
    (0..4).for_each(|_| run.advance_frame());
    assert!(run.report().unconverged > 0);
    let sweeps = run.spent() / sweep;
    assert!(sweeps < 64 * 100, "{sweeps} sweeps in 64 steps");
    let cautions = |scene: &str| {
        let checked = job::check(&scene_of(scene), &Limits::default(), &[]).unwrap();
        let lines: Vec<String> = checked.cautions.iter().map(ToString::to_string).collect();
        lines.join("\n")
    };
    let words = cautions(SHEET);
    assert!(words.contains("SHAKE cannot hold all springs of this body: 272 lengths"), "{words}");
    assert!(words.contains("the 237 coordinates"), "{words}");
    assert!(!cautions("Scene(base: (integrator: Shake))").contains("SHAKE"));
    assert!(!cautions(&SHEET.replace("Shake", "Xpbd")).contains("SHAKE"));
}

#[test]
fn a_plate_that_can_hold_more_springs_than_it_needs_converges() {
    let scene = scene_of(
        "Scene(base: (integrator: Shake, gravity: (0, -1), frame_time: 0.5, substeps: 64,
            cloth: (corner: (0, 0), across: (2, 0), down: (0, -2), rows: 3, columns: 3, pins: [0])))",
    );
    let mut run = Simulation::new(Arc::clone(&scene.panels[0].bodies[0].setup));
    for frame in 0..20 {
        run.advance_frame();
        assert_eq!(run.report().unconverged, 0, "frame {frame}");
    }
}
