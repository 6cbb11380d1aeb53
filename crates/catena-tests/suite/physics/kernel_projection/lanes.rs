//! Chains side by side, one per lane.

use super::{Case, assert_same, assert_wave_as_plain, case, memory, push_factor};
use catena::sim::{
    Force, SpringMemory, System,
    force::{Drag, Gravity, Term},
    instructions::Instructions,
    kernel::chain_lanes::{ChainLane, LANES, LaneChains, LaneMotions, Push},
    method::{ConstraintVerlet, LengthCorrection},
};
use catena_tests::Random;
use std::sync::Arc;

/// Ropes of one shape in some of the lanes, straight along an axis in half of the rounds.
#[test]
fn lanes_of_variants_give_the_bits_of_the_plain_loop() {
    let mut random = Random::new(0x1234_5678_9abc_def1);
    for round in 0..60 {
        let (axes, nodes) = (2 + round % 2, 2 + random.below(20));
        let mut cases: Vec<Case> =
            (0..1 + random.below(LANES)).map(|_| case(&mut random, axes, nodes)).collect();
        let pinned = cases[0].model.pinned.clone();
        for case in &mut cases {
            case.model.pinned.clone_from(&pinned);
            if round % 4 < 2 {
                (0..nodes).for_each(|i| case.initial.x[i] = 0.0);
                case.initial.v[..nodes].fill(0.0);
            }
            if round % 3 == 0 {
                let mut vector = || (0..axes).map(|_| random.signed()).collect();
                let gravity = Gravity { acceleration: vector() };
                let drag = Drag { wind: vector(), coefficient: random.signed().abs() };
                let (gravity, drag) = (Arc::new(gravity) as Arc<dyn Force>, Arc::new(drag) as _);
                case.forces = if round % 2 == 0 { vec![gravity, drag] } else { vec![drag] };
            }
        }
        let count = 1 + random.below(40) as u64;
        for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
            assert_lanes_as_alone(&cases, set, count, &format!("round {round}, {}", set.name()));
        }
    }
}

fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// Runs all cases in lanes, and compares each with its own run, step by step.
fn assert_lanes_as_alone(cases: &[Case], set: Instructions, count: u64, what: &str) {
    let (mut chains, mut motions) = (LaneChains::default(), LaneMotions::default());
    let pinned = &cases[0].model.pinned;
    let is_reversed = !pinned[0] && pinned[pinned.len() - 1];
    for (lane, case) in cases.iter().enumerate() {
        let (springs, anchors) = (SpringMemory::default(), case.anchors());
        let mut accelerations = vec![0.0; case.initial.x.len()];
        System::new(&case.model, &springs, &case.forces, &anchors)
            .external_accelerations(&case.initial, &mut accelerations);
        let last = memory(&*case.start().integrator);
        let damping = case.method.damping;
        let terms: Vec<Term<'_>> = case.forces.iter().filter_map(|force| force.term()).collect();
        let drags = terms.iter().any(|term| matches!(term, Term::Drag { .. }));
        let push = if drags { Push::Terms(terms) } else { Push::Constant(&accelerations) };
        let (push_factor, factors) = (push_factor(&case.method), case.method.correction.factors());
        let method = ChainLane { last: &last, push, damping, push_factor, factors, is_reversed };
        chains.put(lane, &case.model, case.dt, &method);
        motions.put(&chains, lane, &case.initial, &last);
    }
    chains.advance(set, &mut motions, count);
    for (lane, case) in cases.iter().enumerate() {
        let mut plain = case.start();
        case.step(&mut plain, count);
        let what = format!("{what}, lane {lane}");
        let (state, last) = motions.state_of_lane(&chains, lane);
        assert_same(&state.x, &plain.state.x, &what);
        let is_free = |index: usize| !pinned[index % pinned.len()];
        for index in (0..state.v.len()).filter(|&index| is_free(index)) {
            assert_same(&state.v[index..][..1], &plain.state.v[index..][..1], &what);
        }
        assert_same(last, &memory(&*plain.integrator), &what);
    }
}

/// Springs along an axis, with lengths that are hard divisors: just below a power of two, or
/// arbitrary. The excess is almost their whole length, so the last bits of a quotient determine the
/// result along the other axis.
#[test]
fn quotients_are_rounded_as_by_a_division() {
    let mut random = Random::new(0x0dd0_5eed_0dd0_5eed);
    for round in 0..400 {
        let mut cases: Vec<Case> = (0..LANES).map(|_| case(&mut random, 2, 2)).collect();
        for (lane, case) in cases.iter_mut().enumerate() {
            let below = match round % 2 {
                0 => (lane + LANES * round / 2) as u64,
                _ => random.bits() >> 12,
            };
            let length = f64::from_bits(2.0_f64.to_bits() - 1 - below);
            let scale = power_of_two(-30 - random.below(200) as i64);
            let aside = if round % 4 == 0 { scale } else { scale * random.signed() };
            (case.initial.x, case.initial.v) = (vec![0.0, length, 0.0, aside], vec![0.0; 4]);
            case.model.pinned = vec![true, false];
            case.model.springs[0].rest_length = length * power_of_two(-60);
            case.method = ConstraintVerlet { damping: 1.0, ..ConstraintVerlet::default() };
            case.forces.clear();
        }
        for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
            assert_lanes_as_alone(&cases, set, 1, &format!("round {round}, {}", set.name()));
        }
    }
}

/// One over the length of a spring is the hardest case to round: between two free nodes in lanes,
/// and far along a rope that is at rest up to there, where a wave is in progress in all lanes.
#[test]
fn the_hardest_reciprocal_is_rounded_as_by_a_division() {
    let mut random = Random::new(7);
    let aside = f64::from_bits(0x3ffb_b67a_e858_4caa);
    for (nodes, hardest, is_alone) in [(160, 100, true), (2, 0, false)] {
        let mut case = case(&mut random, 2, nodes);
        let (x, y): (Vec<f64>, Vec<f64>) = (0..nodes)
            .map(|node| (node as f64 - hardest as f64, if node > hardest { aside } else { 0.0 }))
            .unzip();
        (case.initial.x, case.initial.v) = ([x, y].concat(), vec![0.0; 2 * nodes]);
        case.model.pinned.fill(false);
        case.model.springs.iter_mut().for_each(|spring| spring.rest_length = 1.0);
        case.model.springs[hardest].rest_length = 0.1;
        case.forces.clear();
        case.method.correction = LengthCorrection::Full;
        assert_eq!((1.0 + aside * aside).sqrt().to_bits(), 2.0_f64.to_bits() - 1);
        for set in Instructions::ALL.into_iter().filter(|set| set.is_available()) {
            if is_alone {
                assert_wave_as_plain(&case, set, 40);
            } else {
                let cases: Vec<Case> = vec![case.clone(); LANES];
                assert_lanes_as_alone(&cases, set, 3, set.name());
            }
        }
    }
}
