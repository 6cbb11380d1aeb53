//! One chain, with one step per lane.

use super::{assert_same, assert_wave_as_plain, case, memory};
use catena::sim::{SpringMemory, System, force::Drag, instructions::Instructions};
use catena_tests::Random;
use std::sync::Arc;

#[test]
fn a_burst_gives_the_bits_of_the_plain_loop() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let mut bursts = 0;
    for round in 0..300 {
        let axes = 2 + round % 2;
        let nodes = [2, 3, 4, 5, 15, 16, 17, 31, 33, 63, 64, 65, 130, 201, 300];
        let nodes = nodes[random.below(15)];
        let case = case(&mut random, axes, nodes);
        let (mut plain, mut fast) = (case.start(), case.start());
        for _ in 0..3 {
            let count = 1 + random.below(if round % 3 == 0 { 5 } else { 70 }) as u64;
            case.step(&mut plain, count);
            if case.burst(&mut fast, count) {
                bursts += 1;
            } else {
                assert!(count < 8 || nodes < 8, "{count} steps of {nodes} nodes have no kernel");
                case.step(&mut fast, count);
            }
            let what = format!("round {round}, {nodes} nodes, {count} steps");
            assert_same(&fast.state.x, &plain.state.x, &what);
            assert_same(&fast.state.v, &plain.state.v, &what);
            assert_same(&memory(&*fast.integrator), &memory(&*plain.integrator), &what);
        }
    }
    assert!(bursts > 400, "only {bursts} bursts");
}

#[test]
fn all_instructions_give_the_same_bits() {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    for round in 0..120 {
        let nodes = [4, 16, 40, 64, 100, 128, 300][random.below(7)];
        let case = case(&mut random, 2 + round % 2, nodes);
        let count = 3 + random.below(100) as u64;
        for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
            assert_wave_as_plain(&case, set, count);
        }
    }
}

/// Springs that need special handling in every round of a wave, while nodes move: of zero length,
/// or almost along an axis. The values that a block has restored must not be the values with which
/// its repetition begins.
#[test]
fn springs_may_need_care_in_every_round() {
    let mut random = Random::new(9);
    for (spacing, aside) in [(0.0, 0.0), (1.0, 1e-160)] {
        for is_reversed in [false, true] {
            let nodes = 300;
            let mut case = case(&mut random, 2, nodes);
            let along = |step: f64| (0..nodes).map(move |node| step * node as f64);
            case.initial.x = along(spacing).chain(along(aside)).collect();
            case.initial.v = along(0.0).map(|_| 1.0).chain(along(0.0)).collect();
            case.model.pinned.fill(false);
            case.model.pinned[nodes - 1] = is_reversed;
            case.model.springs.iter_mut().for_each(|spring| spring.rest_length = 1.0);
            (case.method.damping, case.dt) = (0.0, 0.01);
            case.forces.clear();
            for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
                assert_wave_as_plain(&case, set, 100);
            }
        }
    }
}

#[test]
fn what_the_kernel_does_not_know_is_left_as_it_was() {
    let mut random = Random::new(7);
    for round in 0..4 {
        let mut case = case(&mut random, 2, 32);
        let (mut springs, anchors) = (SpringMemory::default(), case.anchors());
        match round {
            0 => case.forces.push(Arc::new(Drag { coefficient: 0.1, wind: vec![1.0, 0.0] })),
            1 => case.method.tethers = true,
            2 => case.model.springs.swap(3, 4),
            _ => springs.broken = (0..31).map(|spring| spring == 5).collect(),
        }
        let mut run = case.start();
        let (before, last) = (run.state.clone(), memory(&*run.integrator));
        let system = System::new(&case.model, &springs, &case.forces, &anchors);
        let mut end = before.clone();
        assert!(!run.integrator.burst(&system, &run.state, &mut end, case.dt, 64));
        assert_same(&end.x, &before.x, "positions");
        assert_same(&end.v, &before.v, "velocities");
        assert_same(&memory(&*run.integrator), &last, "memory");
    }
}
