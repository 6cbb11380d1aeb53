//! Rods along consecutive nodes, computed in vectors, give the same bits as the general loops.

use crate::bodies::{Numbers, clamp, disturbed, memory_of};
use catena_sim::body::vector::{add, along, cross, dot, norm, scaled, sub};
use catena_sim::drive::Anchors;
use catena_sim::force::law::Hooke;
use catena_sim::force::rod::{Rod, Rods};
use catena_sim::force::{Account, AtRest, Blocks, ElasticSprings, ForceEnergy, Gravity, Part};
use catena_sim::instructions::Instructions;
use catena_sim::linear::{Kind, Limits, LinearSystem, Motion, Weights};
use catena_sim::{Body, Force, Model, SpringMemory, State, System};
use std::sync::Arc;

/// A force without effect whose derivative the vector code does not support, so that blocks are
/// added one by one.
#[derive(Debug)]
struct Unknown;

catena_sim::identity!(Unknown {});

impl Force for Unknown {
    fn add_to(&self, _body: &Body<'_>, _state: &State, _f: &mut [f64]) {}
    fn add_jacobian(&self, _body: &Body<'_>, _state: &State, _blocks: &mut Blocks<'_>) {}
    fn load(&self, _model: &Model) -> f64 {
        0.0
    }
    fn at_rest(&self) -> AtRest<'_> {
        AtRest::Other
    }
    fn energy(&self) -> ForceEnergy<'_> {
        ForceEnergy::Booked(Account::External)
    }
}

/// Description, body, and pinned nodes of a rod, with its clamps.
struct Case {
    name: String,
    model: Model,
    state: State,
    rod: Rod,
    broken: Option<usize>,
}

/// Rods of many lengths in the plane and in space: without clamps, and with one or two.
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for axes in [2, 3] {
        for segments in [1, 2, 3, 6, 7, 8, 9, 15, 16, 17, 40, 300] {
            for clamps in [vec![], vec![0], vec![segments], vec![0, segments]] {
                for broken in [None, Some(segments / 2)] {
                    let (mut model, state) = crate::bodies::line(axes, 1.0, segments, 1.0, 50.0);
                    let torsion = if axes == 3 { 0.7 } else { 0.0 };
                    let mut rod = crate::bodies::rod(&model, 1.3, torsion);
                    if axes == 2 {
                        rod = rod.curved([0.4, 0.0]);
                    }
                    for &node in &clamps {
                        model.pinned[node] = true;
                        rod = rod.clamp(clamp(node, 0.0));
                    }
                    let state = disturbed(&state, 0.2 / segments as f64, 5 + segments as u64);
                    let name = format!("{axes} axes, {segments}, clamps {clamps:?}, {broken:?}");
                    cases.push(Case { name, model, state, rod, broken });
                }
            }
        }
    }
    cases
}

fn memory(case: &Case, rods: &Rods, start: &State) -> SpringMemory {
    let mut memory = memory_of(rods, &case.model, start);
    memory.broken = vec![false; case.model.springs.len()];
    if let Some(spring) = case.broken {
        memory.broken[spring] = true;
    }
    memory
}

/// The case with its nodes in reverse order. The rod has the same nodes in space.
fn reversed(case: &Case) -> Case {
    let n = case.model.nodes();
    let mut model = case.model.clone();
    model.pinned.reverse();
    model.mass.reverse();
    for spring in &mut model.springs {
        (spring.a, spring.b) = (n - 1 - spring.a, n - 1 - spring.b);
    }
    let turn = |x: &[f64]| x.chunks(n).flat_map(|axis| axis.iter().rev().copied()).collect();
    let state = State { x: turn(&case.state.x), v: turn(&case.state.v), ..case.state.clone() };
    let nodes = case.rod.nodes.iter().map(|node| n - 1 - node).collect();
    let rod = Rod { nodes, ..case.rod.clone() };
    Case { name: case.name.clone(), model, state, rod, broken: case.broken }
}

fn force(case: &Case) -> Vec<f64> {
    let rods = Rods::new(&case.model, &case.state, vec![case.rod.clone()]).unwrap();
    let memory = memory(case, &rods, &case.state);
    let state = disturbed_alike(case);
    let mut f = vec![0.0; state.x.len()];
    rods.add_to(&Body { model: &case.model, springs: &memory }, &state, &mut f);
    f
}

/// The state with every node displaced by a function of its position, which is equal for both
/// orders.
fn disturbed_alike(case: &Case) -> State {
    let mut state = case.state.clone();
    state.x.iter_mut().for_each(|x| *x += 0.1 * *x * *x - 0.05 * *x);
    state
}

#[test]
fn bending_in_one_pass_has_the_bits_of_the_general_loops() {
    let mut pulls = 0;
    for case in cases() {
        let (chain, general) = (force(&case), force(&reversed(&case)));
        let n = case.model.nodes();
        for (k, value) in chain.iter().enumerate() {
            let other = general[k / n * n + (n - 1 - k % n)];
            assert!(*value == other, "{}, {k}: {value} is not {other}", case.name);
            pulls += usize::from(*value != 0.0);
        }
    }
    assert!(pulls > 1000, "{pulls}");
}

/// Rotation angle of a frame that is carried by rotations along the edges of a line from direction
/// x to direction x.
fn carried_angle(state: &State, n: usize) -> f64 {
    let unit = |a: [f64; 3]| scaled(a, 1.0 / norm(a));
    let inner = (1..n).map(|k| unit(sub(state.position(n, k), state.position(n, k - 1))));
    let x = [1.0, 0.0, 0.0];
    let (mut before, mut normal) = (x, [0.0, 1.0, 0.0]);
    for next in inner.chain([x]) {
        normal = along(normal, -dot(normal, next) / (1.0 + dot(before, next)), add(before, next));
        before = next;
    }
    // The clamp at the end has the normal y.
    libm::atan2(dot(x, cross(normal, [0.0, 1.0, 0.0])), normal[1])
}

/// Turns of a round rod between two clamps along x, in a state without memory of earlier turns.
fn turns(segments: usize, state: impl Fn(&State) -> State) -> (f64, f64) {
    let (mut model, start) = crate::bodies::line(3, 1.0, segments, 1.0, 50.0);
    let mut rod = crate::bodies::rod(&model, 1.0, 1.0);
    for node in [0, segments] {
        model.pinned[node] = true;
        rod = rod.clamp(clamp(node, 0.0));
    }
    let rods = Rods::new(&model, &start, vec![rod]).unwrap();
    let (state, memory) = (state(&start), SpringMemory::default());
    let body = Body { model: &model, springs: &memory };
    let found = rods.readings(&body, &state)[0].turns;
    (found, carried_angle(&state, segments + 1) / std::f64::consts::TAU)
}

#[test]
fn twist_is_the_angle_of_frames_that_are_carried_by_rotations() {
    let mut maximum: f64 = 0.0;
    for segments in [2, 3, 7, 8, 9, 40, 255, 256, 257, 600] {
        for seed in 1..6 {
            // Edges in all directions.
            let (found, expected) = turns(segments, |start| disturbed(start, 1.0, seed));
            let apart = (found - expected) - (found - expected).round();
            assert!(apart.abs() < 1e-10, "{segments}, {seed}: {found} is not {expected}");
            maximum = maximum.max(found.abs());
        }
        // A rod that bends in a plane has no twist, not even by rounding.
        for axis in [1, 2] {
            let bent = |start: &State| {
                let mut state = disturbed(start, 1.0, 3);
                state.x[(3 - axis) * (segments + 1)..][..segments + 1].fill(0.0);
                state
            };
            assert_eq!(turns(segments, bent).0, 0.0, "{segments}, {axis}");
        }
    }
    assert!(maximum > 0.3, "{maximum}");
}

#[test]
fn matrices_of_rods_in_vectors_have_the_bits_of_single_blocks() {
    let mut numbers = Numbers(17);
    for case in cases() {
        let rods = Rods::new(&case.model, &case.state, vec![case.rod.clone()]).unwrap();
        let memory = memory(&case, &rods, &case.state);
        let g = [0.0, -9.81, 0.0][..case.model.axes].to_vec();
        let springs = ElasticSprings { law: Arc::new(Hooke {}), part: Part::Held };
        let known: Vec<Arc<dyn Force>> =
            vec![Arc::new(springs), Arc::new(Gravity { acceleration: g }), Arc::new(rods)];
        let mut hidden = known.clone();
        hidden.push(Arc::new(Unknown));
        let anchors = Anchors::new(&case.model, &case.state, &[]);
        let state = disturbed_alike(&case);
        let size = state.x.len();
        let mut random = || (0..size).map(|_| numbers.next()).collect::<Vec<f64>>();
        let (right, displacement, change) = (random(), random(), random());
        let weights = Weights { by_v: 0.01, by_x: 1e-4 };
        for kind in [Kind::Definite, Kind::Full] {
            let solved = |forces: &[Arc<dyn Force>], set: Instructions| {
                let system = System::new(&case.model, &memory, forces, &anchors);
                let limits = Limits { tolerance: 1e-12, iterations: 1 };
                let mut linear = LinearSystem::with(&case.model, limits, set);
                let (mut right, mut y) = (right.clone(), vec![0.0; size]);
                let motion =
                    Motion { displacement: &displacement, change: &change, right: &mut right };
                let is_regular = linear.assemble(&system, &state, weights, kind, Some(motion));
                linear.solve(&right, &mut y);
                (is_regular, right, y)
            };
            let expected = solved(&hidden, Instructions::best());
            assert!(expected.0, "{}", case.name);
            for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
                assert_eq!(solved(&known, set), expected, "{}, {kind:?}, {set:?}", case.name);
            }
        }
    }
}
