//! Panels of torsional modes: ticks across a rod along the normals of its sections, at rest in grey
//! and turned to both sides.

use super::{AT_REST, BodyRest, GREY, SIDES, colored, labelled, panels, plain, still};
use catena_analysis::statics::{Equilibrium, TorsionalMode};
use catena_base::text::number::digits;
use catena_scene::{Body, ColorBy, Panel, Scene};
use catena_sim::body::shape::Topology;
use catena_sim::body::shape::graph::{Graph, Link};
use catena_sim::force::rod::{Reading, Rods};
use catena_sim::vector::{Vec3, add, along, cross, scaled};
use catena_sim::{Body as Bent, Setup, SpringMemory, State};
use std::sync::Arc;

/// Length of a tick, as a share of the length of the rod.
const TICK: f64 = 0.06;
/// Maximum angle of a section in radians.
const ANGLE: f64 = 0.7;
/// Maximum number of ticks of a rod.
const TICKS: usize = 48;

/// Adds a panel for each of the first `count` torsional modes of a body, after the panels of its
/// other modes.
pub(super) fn with_panels(
    scene: &Scene,
    rests: &[BodyRest],
    mut others: Vec<Panel>,
    count: impl Fn(&Equilibrium) -> usize,
) -> Vec<Panel> {
    let shown = |rest: &Equilibrium| 0..count(rest);
    others.extend(panels(scene, rests, shown, |body, rest, index| {
        let mode = &rest.torsion[index];
        let omega = digits(mode.omega_squared.sqrt(), 4);
        Some((format!("torsion {}, ω = {omega}", index + 1), drawn(body, rest, mode)?))
    }));
    others
}

/// Returns the rod at rest, and its ticks at rest and turned to both sides.
fn drawn(body: &Body, rest: &Equilibrium, mode: &TorsionalMode) -> Option<Vec<Body>> {
    let setup = still(&body.setup, rest.x.clone(), rest.time);
    let at_rest = labelled(colored(Body { setup, ..plain(body) }, GREY), AT_REST);
    let maximum = mode.turns.iter().fold(0.0_f64, |maximum, turn| maximum.max(turn.abs()));
    let side = |share: f64| ticks(body, rest, mode, share * ANGLE / maximum);
    let mut all = vec![at_rest, colored(labelled(side(0.0)?, "sections at rest"), GREY)];
    for (share, color, label) in SIDES {
        all.push(colored(labelled(side(share)?, label), color));
    }
    Some(all)
}

/// Returns a body of ticks across a rod whose sections are turned by a multiple of a mode.
fn ticks(body: &Body, rest: &Equilibrium, mode: &TorsionalMode, share: f64) -> Option<Body> {
    let setup = &body.setup;
    let (rods, model) = (setup.rods()?, &setup.model);
    let memory = SpringMemory::default();
    let bent = Bent { model, springs: &memory };
    let state = State { t: rest.time, ..State::at_rest(rest.x.clone()) };
    let reading: Reading = rods.readings(&bent, &state).into_iter().nth(mode.rod)?;
    let rod = Rods::rods(rods).nth(mode.rod)?;
    let own: f64 = rod.springs.iter().map(|&spring| model.springs[spring].rest_length).sum();
    let mut graph = Graph { positions: Vec::new(), links: Vec::new(), mass: 1.0, pins: Vec::new() };
    let every = rod.springs.len().div_ceil(TICKS);
    for (segment, turn) in mode.turns.iter().enumerate().step_by(every) {
        let spring = &model.springs[rod.springs[segment]];
        let [a, b] = [spring.a, spring.b].map(|node| state.position(model.nodes(), node));
        let foot = scaled(add(a, b), 0.5);
        let frame = reading.frames.get(segment)?;
        let (angle, across) = (share * turn, cross(frame.tangent, frame.normal));
        let up = scaled(frame.normal, libm::cos(angle));
        let tip: Vec3 = along(foot, TICK * own, along(up, libm::sin(angle), across));
        let first = graph.positions.len();
        graph.positions.extend([foot.to_vec(), tip.to_vec()]);
        graph.links.push(Link { a: first, b: first + 1, stiffness: 1.0, length: None });
    }
    let (model, state) = graph.build().ok()?;
    let at_rest = still(setup, Vec::new(), rest.time);
    let initial = State { t: rest.time, ..state };
    let setup = Setup { model, initial, forces: Vec::new(), ..at_rest.as_ref().clone() };
    let mut styles = body.part_styles[..1].to_vec();
    for style in &mut styles {
        (style.thickness, style.strands, style.color_by) = (None, None, ColorBy::None);
        (style.node_size, style.mark_pins) = (0.0, false);
    }
    let listed_forces = 0;
    Some(Body { setup: Arc::new(setup), part_styles: styles, listed_forces, ..plain(body) })
}
