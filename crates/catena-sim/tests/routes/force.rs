//! Statements of the route force: derivatives, energy, and the ledger.

use super::{G, after, between, methods, pulley, ring, setup, weights};
use catena_sim::force::ForceEnergy;
use catena_sim::force::applied::{Amount, Guide, Route};
use catena_sim::{Blocks, Body, Force, Simulation, State};

/// Routes of all kinds between two weights.
fn routes() -> Vec<Route> {
    let friction = |mu| Guide::Ring {
        at: Some([1.2, 1.5].into()),
        along: None,
        node: None,
        bone: None,
        offset: None,
        friction: mu,
    };
    let many = |inertia| {
        vec![
            pulley(0.0, 2.0, 0.2, Some(0.1), None),
            pulley(1.0, 0.5, 0.3, None, inertia),
            friction(0.2),
        ]
    };
    vec![
        between(vec![pulley(0.0, 2.0, 0.2, None, None)]),
        Route { damping: 0.0, ..between(vec![pulley(0.0, 2.0, 0.2, None, None), friction(0.0)]) },
        between(many(None)),
        between(many(Some(0.02))),
        between(vec![pulley(0.0, 2.0, 0.2, Some(0.4), Some(0.02)), ring(Some([2.0, 2.5]), None)]),
    ]
}

fn body() -> (catena_sim::Model, State) {
    weights(&[(3.0, -0.3, 0.0), (1.0, 2.2, -1.0)])
}

#[test]
fn derivatives_and_energy_are_those_of_the_force() {
    for (index, route) in routes().into_iter().enumerate() {
        // In motion, with memory, and within a step.
        let run = after(&setup(body(), &methods()[0], route.clone(), 40), 7);
        let setup = run.setup();
        let view = Body { model: &setup.model, springs: run.springs() };
        let own = setup.forces.iter().find_map(|force| force.route()).unwrap();
        // Derivatives by positions omit damping.
        let force = &Route { damping: 0.0, ..own.clone() };
        let mut state = run.state().clone();
        // Half a step ahead, where each part clearly sticks or slides.
        let half = 0.5 * setup.dt();
        state.x.iter_mut().zip(&run.state().v).for_each(|(x, v)| *x += half * v);
        state.v.fill(0.0);
        state.t += half;
        let at = |state: &State| {
            let mut f = vec![0.0; 4];
            force.add_to(&view, state, &mut f);
            f
        };
        let mut analytic = [[0.0; 4]; 4];
        let mut take = |entry: &catena_sim::Entry| {
            for row in 0..2 {
                for column in 0..2 {
                    analytic[row * 2 + entry.i][column * 2 + entry.j] += entry.by_x[row][column];
                }
            }
        };
        force.add_jacobian(&view, &state, &mut Blocks::new(false, &mut take));
        let mut unstored = vec![0.0; 4];
        if let ForceEnergy::Split(_, rest) = force.energy() {
            rest.add_unstored(&view, &state, &mut unstored);
        }
        let whole = at(&state);
        for column in 0..4 {
            let moved = |by: f64| {
                let mut state = state.clone();
                state.x[column] += by;
                state
            };
            let (more, less) = (at(&moved(1e-6)), at(&moved(-1e-6)));
            for row in 0..4 {
                let found = (more[row] - less[row]) / 2e-6;
                let off = (found - analytic[row][column]).abs();
                assert!(
                    off < 1e-4 * (1.0 + found.abs()),
                    "{index}: {row} {column}: {found} {}",
                    analytic[row][column]
                );
            }
            let energy = |by: f64| force.energy().potential(&view, &moved(by));
            let stored = (energy(-1e-6) - energy(1e-6)) / 2e-6;
            let off = (whole[column] - unstored[column] - stored).abs();
            assert!(
                off < 1e-3 * (1.0 + stored.abs()),
                "{index}: {column}: {stored} of {whole:?} {unstored:?}"
            );
        }
    }
}

#[test]
fn the_ledger_closes_and_its_method_gains_shrink_with_the_step() {
    for (index, route) in routes().into_iter().enumerate() {
        for method in methods() {
            let gains = |substeps: u64| {
                let run = after(&setup(body(), &method, route.clone(), substeps), 40);
                let balance = run.ledger().unwrap().run;
                let rounding = 1e-10 * (1.0 + balance.turned_over);
                assert!(balance.residual().abs() < rounding, "{:e}", balance.residual());
                (balance.gains.method.abs(), balance.turned_over)
            };
            let ((coarse, _), (fine, turned_over)) = (gains(40), gains(160));
            let name = method.info().name;
            // Order 1: a quarter of the step leaves a quarter of the error, and terms of order 2 a
            // fifth of that. Without damping the rope vibrates forever, and a method may remove all
            // of that energy, which is (m g)² l/2EA for a suddenly loaded rope.
            let vibration = (3.0 * G) * (3.0 * G) * 6.0 / 2e5;
            let taken = if route.damping == 0.0 { vibration } else { 0.0 };
            assert!(
                fine < 0.3 * coarse + taken + 1e-9 * turned_over,
                "{name} {index}: {coarse} {fine} of {turned_over}"
            );
        }
    }
}

#[test]
fn a_run_with_routes_goes_on_from_a_checkpoint() {
    for route in routes() {
        let setup = setup(body(), &methods()[1], route, 20);
        let mut run = Simulation::new(setup.clone());
        (0..10).for_each(|_| run.advance_frame());
        let checkpoint = run.checkpoint();
        let mut other = Simulation::new(setup);
        other.restore(&checkpoint);
        for run in [&mut run, &mut other] {
            (0..10).for_each(|_| run.advance_frame());
        }
        assert_eq!(run.state(), other.state());
        assert_eq!(run.springs(), other.springs());
    }
}

#[test]
fn routes_without_a_path_are_refused_with_the_guide() {
    let drum = |radius| Guide::Drum {
        at: Some([0.0, 2.0].into()),
        along: None,
        node: None,
        bone: None,
        offset: None,
        radius,
        turn: None,
        torque: None,
        inertia: None,
    };
    for (route, expected) in [
        (
            between(vec![pulley(-0.3, 0.1, 0.2, None, None)]),
            "so that the rope between them is straight",
        ),
        (between(vec![pulley(0.95, -0.5, 0.1, None, None)]), "Clockwise"),
        (between(vec![drum(0.2)]), "end of the route"),
        (
            Route { from: None, ..between(vec![pulley(0.0, 2.0, 0.2, None, None)]) },
            "Ring or a Drum",
        ),
        (Route { axial: 0.0, ..between(Vec::new()) }, "above 0"),
        (Route { length: Some(Amount::constant(-1.0)), ..between(Vec::new()) }, "above 0"),
        (Route { from: Some(7), ..between(Vec::new()) }, "node of the body"),
    ] {
        let (model, initial) = body();
        let checked =
            catena_sim::Setup::of_body(model, initial).frames(0.01, 10).force(route).check();
        let message = checked.unwrap_err().to_string();
        assert!(message.contains(expected), "{message}, not {expected}");
    }
}

/// Returns a pseudo-random number from 0 to 1.
fn random(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns a route over three fixed and two hanging pulleys with random friction and inertia, and
/// its body.
fn random_route(seed: &mut u64) -> ((catena_sim::Model, State), Route) {
    let mut near = |x: f64| x + 0.4 * (random(seed) - 0.5);
    let place = [0.5, 2.5, 4.5].map(|x| [near(x), near(2.0)]);
    let list = [0.0, 5.0, 1.5, 3.5].map(|x| (near(2.0).max(0.1), near(x), near(-0.5)));
    let mut resistance = || match (3.0 * random(seed)) as u32 {
        0 => (None, None),
        1 => (Some(random(seed)), None),
        _ => (Some(random(seed)), Some(0.1 * random(seed))),
    };
    let mut over = |place: [f64; 2], hung: Option<usize>| {
        let (held, inertia) = resistance();
        match pulley(place[0], place[1], 0.1, held, inertia) {
            Guide::Pulley { at, along, bone, offset, radius, turn, friction, inertia, .. } => {
                let at = if hung.is_some() { None } else { at };
                Guide::Pulley {
                    at,
                    along,
                    node: hung,
                    bone,
                    offset,
                    radius,
                    turn,
                    friction,
                    inertia,
                }
            }
            other => other,
        }
    };
    let via = vec![
        over(place[0], None),
        over([0.0; 2], Some(2)),
        over(place[1], None),
        over([0.0; 2], Some(3)),
        over(place[2], None),
    ];
    (weights(&list), between(via))
}

#[test]
fn definite_derivatives_of_random_routes_have_no_negative_eigenvalue() {
    let (mut seed, mut asymmetric) = (7, 0);
    for case in 0..200 {
        let (body, route) = random_route(&mut seed);
        let run = after(&setup(body, &methods()[0], route, 40), 1 + case % 7);
        let view = Body { model: &run.setup().model, springs: run.springs() };
        let mut state = run.state().clone();
        let half = 0.5 * run.setup().dt();
        state.x.iter_mut().zip(&run.state().v).for_each(|(x, v)| *x += half * v);
        state.t += half;
        let own = run.setup().forces.iter().find_map(|force| force.route()).unwrap();
        let stiffness = |is_definite: bool| {
            let mut all = [[0.0; 8]; 8];
            let mut take = |entry: &catena_sim::Entry| {
                for row in 0..2 {
                    for column in 0..2 {
                        all[row * 4 + entry.i][column * 4 + entry.j] -= entry.by_x[row][column];
                    }
                }
            };
            own.add_jacobian(&view, &state, &mut Blocks::new(is_definite, &mut take));
            all
        };
        let size = |all: &[[f64; 8]; 8]| (0..8).map(|i| all[i][i]).fold(0.0, f64::max);
        let skew = |all: &[[f64; 8]; 8]| {
            let pairs = (0..8).flat_map(|i| (0..8).map(move |j| (i, j)));
            pairs.map(|(i, j)| (all[i][j] - all[j][i]).abs()).fold(0.0, f64::max)
        };
        let (exact, definite) = (stiffness(false), stiffness(true));
        let most = size(&definite);
        asymmetric += u32::from(skew(&exact) > 1e-6 * most);
        assert!(most > 0.0 && skew(&definite) <= 1e-12 * most, "{case}: {definite:?}");
        // All pivots are above 0 if every eigenvalue is above -1e-10 of the largest entry.
        let mut rest = definite;
        (0..8).for_each(|i| rest[i][i] += 1e-10 * most);
        for k in 0..8 {
            let pivot = rest[k][k];
            assert!(pivot > 0.0, "{case}: pivot {k} is {pivot:e} of {most:e}");
            for i in k + 1..8 {
                let factor = rest[i][k] / pivot;
                (k..8).for_each(|j| rest[i][j] -= factor * rest[k][j]);
            }
        }
    }
    assert!(asymmetric > 20, "{asymmetric} routes had friction that slid");
}
