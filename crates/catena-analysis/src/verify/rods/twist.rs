//! Checks of twist: uniform torsion, turns transmitted by a clamp, and the linking number of a
//! ring.

use super::balance::{clamp, line};
use super::buckling::polygon;
use crate::topology::{curves, writhe};
use crate::verify::{
    Tolerance::{Absolute, AtMost, Relative},
    check::{CheckList, CheckSetups},
};
use catena_sim::drive::track::{Animated, KeyTrack};
use catena_sim::force::rod::{Clamp, Reading, Rod, Section};
use catena_sim::method::ImplicitEuler;
use catena_sim::{Body, Setup, Simulation};
use std::f64::consts::TAU;
use std::sync::Arc;

/// Number of segments of the straight rod whose clamp turns; four times as many for waves.
const SEGMENTS: usize = 20;
/// Number of turns of a clamp.
const COMMANDED: f64 = 9.0;
/// Linking number Lk of the writhing ring, in turns.
const LINK: f64 = 2.5;
/// Speed √(GJ/I) of torsional waves.
const WAVE: f64 = 2.0;

pub(super) fn add(list: &mut CheckList) {
    list.set_reference("torsion alone: uniform twist without bending (Coulomb 1784)");
    let rate = TAU * COMMANDED;
    list.add(
        "maximum twist of a rod with 9 turns and uniform twist",
        rate,
        Relative(1e-12),
        |setups| {
            let twist = turned(setups)?.twist;
            Some(twist.into_iter().fold(0.0, f64::max))
        },
    );
    list.add(
        "minimum twist of a rod with 9 turns and uniform twist",
        rate,
        Relative(1e-12),
        |setups| {
            let twist = turned(setups)?.twist;
            Some(twist.into_iter().fold(f64::INFINITY, f64::min))
        },
    );
    list.add("turns of a rod after 9 turns of a clamp", COMMANDED, Relative(1e-12), |setups| {
        Some(turned(setups)?.turns)
    });
    list.set_reference("torsional waves travel at √(G/ρ)");
    list.add("speed of a torsional wave", WAVE, Relative(1e-3), wave);
    list.set_reference("Lk = Tw + Wr (Călugăreanu 1961, White 1969)");
    list.add(
        "Tw + Wr of a writhing ring: maximum deviation from 2.5",
        0.0,
        Absolute(1e-9),
        |setups| writhing(setups).map(|(off, _)| off),
    );
    list.add("final twist of the writhing ring, below Lk - 0.1", LINK - 0.1, AtMost, |setups| {
        writhing(setups).map(|(_, twist)| twist)
    });
}

/// Reading of the only rod of a simulation.
fn reading(simulation: &Simulation) -> Option<Reading> {
    let (setup, springs) = (simulation.setup(), simulation.springs());
    let body = Body { model: &setup.model, springs };
    setup.rods()?.readings(&body, simulation.state()).pop()
}

/// Straight rod after a run in which one of its clamps has turned nine times in 10 frames.
fn turned(setups: &CheckSetups<'_>) -> Option<Reading> {
    let turn = KeyTrack::linear(&[(0.0, [0.0]), (1.0, [COMMANDED])]).ok()?;
    let turn = Clamp { turn: Animated::moving(turn), ..clamp(SEGMENTS, 0.0) };
    let section = Section::round(1.0, 0.1);
    let setup = line(3, SEGMENTS, 1e3)?
        .with_rod(section, |rod| rod.clamp(clamp(0, 0.0)).clamp(turn.clone()))?;
    let mut simulation = setups.start(stepped(setup, 0.1));
    (0..12).for_each(|_| simulation.advance_frame());
    reading(&simulation)
}

/// Speed of torsional waves in a rod of length 1 after a small rotation of its first clamp. The
/// other end is free, so the twist changes its sign after each round trip of a wave.
fn wave(setups: &CheckSetups<'_>) -> Option<f64> {
    let (stiffness, there_and_back) = (0.1, 2.0 / WAVE);
    let turn = KeyTrack::linear(&[(0.0, [0.0]), (there_and_back, [0.05])]).ok()?;
    let turn = Clamp { turn: Animated::moving(turn), ..clamp(0, 0.0) };
    let section = Section::round(1.0, stiffness);
    let setup = line(3, 4 * SEGMENTS, 1e3)?.with_rod(section, |rod| Rod {
        inertia: stiffness / (WAVE * WAVE),
        ..rod.clamp(turn.clone())
    })?;
    let frame_time = 0.02 * there_and_back;
    let method = Arc::new(ImplicitEuler::default());
    let mut simulation = setups.start(Setup { method, ..setup.with_steps(frame_time, 4) });
    let (mut before, mut crossings) = (0.0, Vec::new());
    for frame in 1..=300 {
        simulation.advance_frame();
        let twist = reading(&simulation)?.turns;
        if f64::from(frame) * frame_time > 1.01 * there_and_back && before * twist < 0.0 {
            let share = before / (before - twist);
            crossings.push((f64::from(frame - 1) + share) * frame_time);
        }
        before = twist;
    }
    let (first, last) = (crossings.first()?, crossings.last()?);
    Some(2.0 * (crossings.len() - 1) as f64 / (last - first))
}

fn stepped(setup: Setup, frame_time: f64) -> Setup {
    let method = Arc::new(ImplicitEuler::default());
    Setup { method, ..setup.with_steps(frame_time, 20) }
}

/// Runs a ring with 2.5 turns, pushed out of its plane. Returns the maximum error of Tw + Wr over
/// the frames, and the final twist.
fn writhing(setups: &CheckSetups<'_>) -> Option<(f64, f64)> {
    let section = Section::round(1.0, 1.0);
    let setup = polygon(24).with_rod(section, |rod| Rod { turns: LINK, ..rod })?;
    let mut setup = stepped(setup, 0.1);
    for (node, push) in [(0, 0.002), (12, 0.002), (6, -0.004)] {
        let n = setup.model.nodes();
        setup.initial.v[2 * n + node] = push * setup.model.mass[node].recip();
    }
    let mut simulation = setups.start(setup);
    let (mut off, mut twist) = (0.0_f64, f64::NAN);
    for _ in 0..14 {
        simulation.advance_frame();
        let curves = curves(&simulation.setup().model, simulation.state());
        let writhe = writhe(&curves.first()?.1).ok()?;
        twist = reading(&simulation)?.turns;
        off = off.max((twist + writhe - LINK).abs());
    }
    Some((off, twist))
}
