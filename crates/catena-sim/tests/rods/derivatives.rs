//! The force is minus the gradient of the energy, and its derivative is exact.

use crate::bodies::{clamp, clamp_along, disturbed, line, memory_of, ring};
use catena_sim::force::rod::{Rod, Rods, Section};
use catena_sim::{Blocks, Body, Force, Model, SpringMemory, State};

struct Case {
    name: &'static str,
    model: Model,
    force: Rods,
    state: State,
    memory: SpringMemory,
}

fn case(
    name: &'static str,
    made: (Model, State),
    pins: &[usize],
    rod: impl Fn(Rod) -> Rod,
) -> Case {
    let (mut model, start) = made;
    pins.iter().for_each(|&pin| model.pinned[pin] = true);
    let rod = rod(crate::bodies::rod(&model, 0.7, 0.5));
    let force = Rods::new(&model, &start, vec![rod]).unwrap();
    let memory = memory_of(&force, &model, &start);
    let state = disturbed(&start, 0.12, 77);
    Case { name, model, force, state, memory }
}

fn cases() -> Vec<Case> {
    let line3 = || line(3, 1.8, 6, 1.0, 10.0);
    vec![
        case("plane", line(2, 1.8, 6, 1.0, 10.0), &[0], |rod| rod.clamp(clamp(0, 0.0))),
        case("plane, curved", line(2, 1.8, 6, 1.0, 10.0), &[0, 3], |rod| {
            let rod = rod.curved([0.8, 0.0]);
            rod.clamp(clamp_along(0, [1.0, 0.4, 0.0], 0.0)).clamp(clamp(3, 0.0))
        }),
        case("free", line3(), &[], |rod| rod),
        case("one clamp", line3(), &[0], |rod| rod.clamp(clamp_along(0, [2.0, 0.5, 0.3], 0.0))),
        case("twisted", line3(), &[0, 6], |rod| {
            rod.clamp(clamp(0, 0.0)).clamp(clamp_along(6, [1.0, 0.0, 0.2], 1.3))
        }),
        case("clamped inside", line3(), &[0, 3, 6], |rod| {
            let rod = Rod { rest_twist: vec![0.3; 7], ..rod };
            rod.clamp(clamp(6, 2.0)).clamp(clamp(0, 0.5)).clamp(clamp(3, -0.7))
        }),
        case("strip", line3(), &[0, 6], |rod| {
            let section = Section { bending: [0.7, 0.3], torsion: 0.5 };
            let rod = Rod { section, ..rod };
            rod.clamp(clamp(0, 0.0)).clamp(clamp_along(6, [1.0, 0.0, 0.2], 0.6))
        }),
        case("curved", line3(), &[0, 3], |rod| {
            rod.curved([0.5, -0.9]).clamp(clamp(0, 0.0)).clamp(clamp(3, 0.2))
        }),
        case("curved and free", line3(), &[], |rod| rod.curved([0.5, -0.9])),
        case("curved ring", ring(0.6, 12, 1.0, 10.0), &[], |rod| {
            let section = Section { bending: [0.7, 0.3], torsion: 0.5 };
            Rod { turns: 1.0, section, ..rod }.curved([1.4, 0.3])
        }),
        case("ring", ring(0.6, 12, 1.0, 10.0), &[], |rod| Rod { turns: 0.8, ..rod }),
        case("ring, clamped", ring(0.6, 12, 1.0, 10.0), &[4], |rod| {
            Rod { turns: 0.8, ..rod }.clamp(clamp(4, 0.0))
        }),
    ]
}

#[test]
fn the_force_is_minus_the_gradient_of_the_energy() {
    for Case { name, model, force, state, memory } in cases() {
        let body = Body { model: &model, springs: &memory };
        let energy =
            |x: &[f64]| force.energy().potential(&body, &State { x: x.to_vec(), ..state.clone() });
        let mut f = vec![0.0; state.x.len()];
        force.add_to(&body, &state, &mut f);
        let h = 1e-5;
        for i in 0..f.len() {
            let mut x = state.x.clone();
            x[i] += h;
            let above = energy(&x);
            x[i] -= 2.0 * h;
            let below = energy(&x);
            let slope = (above - below) / (2.0 * h);
            assert!((slope + f[i]).abs() < 1e-7, "{name}: {i}: {slope} beside {}", -f[i]);
        }
        assert!(f.iter().any(|f| f.abs() > 0.1), "{name}: no force");
    }
}

fn dense(case: &Case, is_definite: bool) -> Vec<Vec<f64>> {
    let Case { model, force, state, memory, .. } = case;
    let n = model.nodes();
    let size = state.x.len();
    let mut matrix = vec![vec![0.0; size]; size];
    let body = Body { model, springs: memory };
    let mut take = |entry: &catena_sim::Entry| {
        for p in 0..3 {
            for q in 0..3 {
                if p < model.axes && q < model.axes {
                    matrix[p * n + entry.i][q * n + entry.j] += entry.by_x[p][q];
                } else {
                    assert_eq!(entry.by_x[p][q], 0.0);
                }
            }
        }
    };
    force.add_jacobian(&body, state, &mut Blocks::new(is_definite, &mut take));
    matrix
}

#[test]
fn the_derivative_is_that_of_the_force() {
    for case in cases() {
        let matrix = dense(&case, false);
        let Case { name, model, force, state, memory } = &case;
        let body = Body { model, springs: memory };
        let at = |x: &[f64]| {
            let mut f = vec![0.0; x.len()];
            force.add_to(&body, &State { x: x.to_vec(), ..state.clone() }, &mut f);
            f
        };
        let h = 1e-5;
        for j in 0..state.x.len() {
            let mut x = state.x.clone();
            x[j] += h;
            let above = at(&x);
            x[j] -= 2.0 * h;
            let below = at(&x);
            for i in 0..x.len() {
                let slope = (above[i] - below[i]) / (2.0 * h);
                let analytic = matrix[i][j];
                let bound = 1e-6 * (1.0 + slope.abs());
                assert!((slope - analytic).abs() < bound, "{name}: {i}, {j}: {slope}, {analytic}");
                assert!((analytic - matrix[j][i]).abs() < 1e-9, "{name}: {i}, {j} not symmetric");
            }
        }
    }
}

#[test]
fn the_definite_derivative_never_pushes_away() {
    for case in cases() {
        let matrix = dense(&case, true);
        let mut numbers = crate::bodies::Numbers(5);
        for _ in 0..200 {
            let u: Vec<f64> = (0..matrix.len()).map(|_| numbers.next()).collect();
            let work: f64 = matrix
                .iter()
                .zip(&u)
                .map(|(row, u_i)| u_i * row.iter().zip(&u).map(|(a, b)| a * b).sum::<f64>())
                .sum();
            assert!(work <= 1e-9, "{}: {work}", case.name);
        }
    }
}
