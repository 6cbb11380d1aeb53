//! Scenes of the modes about a rest: panels of displaced bodies, and bodies that swing.
//!
//! Both are ordinary scenes, so their pictures, views and films are made in the same way as for any
//! other scene. In a swinging scene every node follows a prescribed curve, and forces have no
//! effect. Ropes of routes are drawn between their nodes. A torsional mode moves no node, so ticks
//! across the rod show how its sections turn.

mod torsion;

use super::BodyRest;
use catena_analysis::statics::{Equilibrium, Mode};
use catena_base::text::number::digits;
use catena_scene::{Arrangement, Body, BodyColors, Color, ColorBy, Fit, Panel, Scene};
use catena_sim::{
    Model, Setup, State,
    body::curve::Curve,
    contact::Contacts,
    drive::{Anchor, track::Extent},
    method::{SemiImplicitEuler, control::Fixed},
    named::{BadOption, Info},
};
use std::{f64::consts::TAU, sync::Arc};

/// Maximum displacement of a node, as a share of the length of its body.
const SHARE: f64 = 0.1;
/// Number of frames in one period of a swing.
const FRAMES: u64 = 48;
/// Simulated time between two frames, in the scene's unit of time.
const FRAME_TIME: f64 = 1.0 / 24.0;
/// Label of a body at rest.
const AT_REST: &str = "at rest";
/// Colour of a body at rest.
const GREY: Color = Color([160, 164, 170]);
/// Sign, colour and label of the displacements to each side, for all panels.
const SIDES: [(f64, Color, &str); 2] =
    [(-1.0, Color([0, 114, 178]), "to one side"), (1.0, Color([213, 94, 0]), "to the other")];

/// Creates a scene with a panel per body and mode: the body at rest in grey, and displaced to both
/// sides. The panels show the first `count` modes and the first `count` torsional modes. `None` if
/// no body has a mode.
pub fn modes_scene(scene: &Scene, rests: &[BodyRest], count: usize) -> Option<Scene> {
    let mut made = scene.clone();
    let shown = |rest: &Equilibrium| 0..rest.modes.len().min(count);
    made.panels = panels(scene, rests, shown, |body, rest, index| {
        let shape = scaled(&body.setup.model, rest, &rest.modes[index]);
        let displaced = |share: f64| {
            let moved = rest.x.iter().zip(&shape);
            let x = moved.map(|(x, displacement)| x + share * displacement).collect();
            Body { setup: still(&body.setup, x, rest.time), ..plain(body) }
        };
        let side = |(share, color, label)| labelled(colored(displaced(share), color), label);
        let at_rest = labelled(colored(displaced(0.0), GREY), AT_REST);
        let bodies = [at_rest].into_iter().chain(SIDES.map(side)).collect();
        Some((name(rest, index), bodies))
    })
    .collect();
    let turned = |rest: &Equilibrium| rest.torsion.len().min(count);
    made.panels = torsion::with_panels(scene, rests, std::mem::take(&mut made.panels), turned);
    let columns = made.panels.len().checked_div(scene_bodies(scene).max(1))?;
    made.arrangement = Arrangement::Flow { columns: (columns > 1).then_some(columns) };
    (made.frames, made.shapes_only, made.fit) = (1, true, Fit::Frames);
    (!made.panels.is_empty()).then_some(made)
}

/// Creates a scene in which every body swings once in a mode, next to its rest in grey. Modes are
/// counted from 0. Swings of all bodies take the same time. `None` if no body has that mode.
pub fn swing_scene(scene: &Scene, rests: &[BodyRest], mode: usize) -> Option<Scene> {
    let mut made = scene.clone();
    let shown = |rest: &Equilibrium| mode..rest.modes.len().min(mode + 1);
    made.panels = panels(scene, rests, shown, |body, rest, index| {
        let shape = scaled(&body.setup.model, rest, &rest.modes[index]);
        let setup = still(&body.setup, rest.x.clone(), rest.time);
        let at_rest = Body { setup, ..plain(body) };
        let setup = swinging(&body.setup, rest, &shape);
        let mut swings = Body { setup, ..plain(body) };
        // Every node is pinned to its curve, so only the body at rest shows marks of pins.
        swings.part_styles.iter_mut().for_each(|style| style.mark_pins = false);
        let bodies = vec![labelled(colored(at_rest, GREY), AT_REST), labelled(swings, "swing")];
        Some((name(rest, index), bodies))
    })
    .collect();
    made.arrangement = Arrangement::Flow { columns: None };
    (made.frames, made.shapes_only, made.fit) = (FRAMES, true, Fit::Frames);
    (!made.panels.is_empty()).then_some(made)
}

fn scene_bodies(scene: &Scene) -> usize {
    scene.panels.iter().map(|panel| panel.bodies.len()).sum()
}

/// Creates a panel per body and shown mode, with the name and the bodies that `draw` returns.
fn panels(
    scene: &Scene,
    rests: &[BodyRest],
    shown: impl Fn(&Equilibrium) -> std::ops::Range<usize>,
    draw: impl Fn(&Body, &Equilibrium, usize) -> Option<(String, Vec<Body>)>,
) -> impl Iterator<Item = Panel> {
    let bodies =
        scene.panels.iter().flat_map(|panel| panel.bodies.iter().map(move |it| (panel, it)));
    let all = bodies.zip(scene.body_labels()).zip(rests);
    all.flat_map(move |(((panel, body), label), rest)| {
        let rest = rest.as_ref().and_then(|rest| rest.as_ref().ok());
        let modes = rest.map_or(0..0, &shown);
        let drawn = modes.filter_map(|index| draw(body, rest?, index));
        let panel = |(name, bodies)| Panel {
            label: format!("{label}: {name}"),
            is_named: true,
            motion: None,
            view_motion: None,
            bodies,
            ..panel.clone()
        };
        drawn.map(panel).collect::<Vec<_>>()
    })
}

/// Name of a mode, counted from 1, with its frequency.
fn name(rest: &Equilibrium, index: usize) -> String {
    format!("mode {}, {}", index + 1, frequency(&rest.modes[index], rest.zero))
}

/// Angular frequency or growth rate of a mode, as text. A mode whose squared frequency is at most
/// `zero` is neutral.
fn frequency(mode: &Mode, zero: f64) -> String {
    if mode.omega_squared.abs() <= zero {
        return "neutral".into();
    }
    let size = mode.omega_squared.abs().sqrt();
    match mode.omega_squared < 0.0 {
        true => format!("grows at {}", digits(size, 4)),
        false => format!("ω = {}", digits(size, 4)),
    }
}

/// Displacements of a mode, scaled so that the farthest node moves by [`SHARE`] of the body's
/// length. A body without springs uses the length of its longest route.
fn scaled(model: &Model, rest: &Equilibrium, mode: &Mode) -> Vec<f64> {
    let longest = rest.routes.iter().map(|route| route.length).fold(0.0, f64::max);
    let own = model.rest_length();
    let length = if own > 0.0 { own } else { longest };
    let n = model.nodes();
    let square = |node: usize| -> f64 {
        mode.shape
            .iter()
            .skip(node)
            .step_by(n)
            .map(|displacement| displacement * displacement)
            .sum()
    };
    let farthest = (0..n).map(square).fold(0.0, f64::max).sqrt();
    let factor = if farthest > 0.0 { SHARE * length / farthest } else { 0.0 };
    mode.shape.iter().map(|displacement| factor * displacement).collect()
}

/// Returns the body without settings that apply only to its run.
fn plain(body: &Body) -> Body {
    let colors = BodyColors { own: None, parts: vec![None; body.part_styles.len()] };
    Body {
        colors,
        trails: Vec::new(),
        reference: None,
        rig: None,
        // `still` removes all forces except routes.
        listed_forces: body.setup.forces.iter().filter(|force| force.route().is_some()).count(),
        ..body.clone()
    }
}

/// Returns the body with another label.
fn labelled(body: Body, label: &str) -> Body {
    Body { label: label.into(), table_label: label.into(), ..body }
}

/// Returns the body in one colour.
fn colored(mut body: Body, color: Color) -> Body {
    for style in body.part_styles.iter_mut().chain([&mut body.style]) {
        (style.color, style.color_by) = (Some(color), ColorBy::None);
    }
    body
}

/// Returns a setup without forces except routes, whose guides are at their positions at `time`.
fn still(setup: &Setup, x: Vec<f64>, time: f64) -> Arc<Setup> {
    let routes = setup.forces.iter().filter(|force| force.route().is_some());
    Arc::new(Setup {
        initial: State { t: time, ..State::at_rest(x) },
        forces: routes.cloned().collect(),
        flow: None,
        breaks_at: None,
        anchors: Vec::new(),
        method: Arc::new(SemiImplicitEuler {}),
        step_control: Arc::new(Fixed {}),
        impulses: Vec::new(),
        events: Vec::new(),
        contacts: Contacts::default(),
        frame_time: FRAME_TIME,
        substeps: 1,
        velocity_factor: 1.0,
        position_factor: 1.0,
        strain_limit: f64::INFINITY,
        start_time: time,
        warm_up: 0,
        ..setup.clone()
    })
}

/// Returns a setup whose nodes swing about a rest.
fn swinging(setup: &Setup, rest: &Equilibrium, shape: &[f64]) -> Arc<Setup> {
    let x = rest.x.iter().zip(shape).map(|(x, displacement)| x + displacement).collect();
    let mut swinging = Arc::unwrap_or_clone(still(setup, x, rest.time));
    let n = swinging.model.nodes();
    swinging.model.pinned.fill(true);
    let of_node = |flat: &[f64], node: usize| {
        [0, 1, 2].map(|axis| flat.get(axis * n + node).copied().unwrap_or(0.0))
    };
    let anchor = |node| {
        let (place, way) = (of_node(&rest.x, node), of_node(shape, node));
        let curve = Swing { from: rest.time, rest: place, way };
        Anchor { node, curve: Arc::new(curve) }
    };
    swinging.anchors = (0..n).map(anchor).collect();
    Arc::new(swinging)
}

/// Swing of a node about its position at rest.
#[derive(Clone, Debug)]
struct Swing {
    /// Start time, at which the node is at one side.
    from: f64,
    rest: [f64; 3],
    way: [f64; 3],
}

catena_sim::identity!(Swing { from, rest, way });

impl Curve for Swing {
    fn info(&self) -> Info {
        Info { name: "Swing", summary: "swing about a rest", options: &[] }
    }

    fn check(&self) -> Result<(), BadOption> {
        Ok(())
    }

    fn fits(&self, _axes: usize, _nodes: usize) -> Result<(), BadOption> {
        Ok(())
    }

    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let rate = TAU / (FRAMES as f64 * FRAME_TIME);
        let t = t - self.from;
        let (side, speed) = (libm::cos(rate * t), -rate * libm::sin(rate * t));
        let place = |axis: usize| self.rest[axis] + side * self.way[axis];
        ([0, 1, 2].map(place), self.way.map(|way| speed * way))
    }

    fn places(&self) -> Vec<(f64, [f64; 3])> {
        vec![(self.from, self.at(self.from).0)]
    }

    fn extent(&self) -> Extent {
        Extent::Endless(self.from, self.from + FRAMES as f64 * FRAME_TIME)
    }
}
