//! Winding of rope strands over time. Strands do not spin by themselves, and turn with the bones
//! that hold their ends.
//!
//! The normal of node 0 is transported in time by the smallest rotation, and along the rope by
//! double reflection. A twist between two turned ends is distributed evenly (see
//! `catena_sim::skin::Frames`).

use catena_scene::Body;
use catena_sim::glam::{DQuat, DVec3};
use catena_sim::skin::{Frame, Frames};
use catena_sim::{Arrangement, Form, Model, Simulation};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A rope with strands in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WoundRope {
    /// Tangent and normal at its first node, transported in time.
    tangent: [f64; 3],
    normal: [f64; 3],
    /// Angles by which both ends are turned relative to the transported normals.
    angles: [f64; 2],
    /// Normals of both ends at frame 0, in the axes of the bones that hold them.
    held: [Option<[f64; 3]>; 2],
}

/// Arrangement of the strands on a rope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Winding {
    /// Direction perpendicular to the rope at the first node, from which strands are counted.
    pub normal: [f64; 3],
    /// Angle in radians by which the last node is turned relative to the first.
    pub twist: f64,
}

impl WoundRope {
    /// Winding of a body in this frame, given its winding in the previous frame. `None` unless the
    /// body is a rope with strands.
    pub fn of(body: &Body, simulation: &Simulation, before: Option<&Self>) -> Option<Self> {
        let model = &simulation.setup().model;
        let has_strands = body.part_styles.first()?.strands.is_some();
        if !has_strands || model.axes != 3 || !is_one_rope(model) {
            return None;
        }
        let points = points(model, &simulation.state().x)?;
        let mut frames = before.map_or(Frames::default(), |it| Frames::after(it.frame()));
        frames.follow(&points);
        let (first, last) = (frames.frames().first()?, frames.frames().last()?);
        let turns = [0, model.nodes() - 1].map(|node| turn(simulation, node));
        let normals = [first.normal, last.normal];
        let local =
            |end: usize| turns[end].map(|turn| turn.inverse().mul_vec3(normals[end]).to_array());
        let held = before.map_or([local(0), local(1)], |before| before.held);
        let now = |end: usize| {
            let held = DVec3::from_array(held[end]?);
            turns[end].map(|turn| turn.mul_vec3(held))
        };
        let wanted = [now(0), now(1)];
        let earlier = before.map_or([0.0; 2], |before| before.angles);
        let angles = frames.angles_to(
            wanted[0].unwrap_or(first.normal),
            wanted[1].unwrap_or(last.normal),
            earlier,
        );
        // A free end turns with the other end.
        let angles = match wanted {
            [Some(_), None] => [angles[0]; 2],
            [None, Some(_)] => [angles[1]; 2],
            [None, None] => [0.0; 2],
            [Some(_), Some(_)] => angles,
        };
        // The sections of a rod define its twist.
        let angles = match section(simulation) {
            Some((normal, twist)) => {
                let [start, _] = frames.angles_to(normal, last.normal, earlier);
                [start, start + twist]
            }
            None => angles,
        };
        let [tangent, normal] = [first.tangent, first.normal].map(|v| v.to_array());
        Some(Self { tangent, normal, angles, held })
    }

    fn frame(&self) -> Frame {
        let [tangent, normal] = [self.tangent, self.normal].map(DVec3::from_array);
        Frame { tangent, normal }
    }

    /// Arrangement of the strands.
    pub fn winding(&self) -> Winding {
        let normal = self.frame().across(self.angles[0]).to_array();
        Winding { normal, twist: self.angles[1] - self.angles[0] }
    }
}

/// Normal at the start of the rod of a body, and its twist in radians. `None` for ropes, and for
/// rods that twist freely.
fn section(simulation: &Simulation) -> Option<(DVec3, f64)> {
    let setup = simulation.setup();
    let rods = setup.rods()?;
    let body = catena_sim::Body { model: &setup.model, springs: simulation.springs() };
    let reading = rods.readings(&body, simulation.state()).into_iter().next()?;
    let is_twisted = rods.rods().next()?.section.torsion > 0.0;
    let normal = DVec3::from_array(reading.frames.first()?.normal);
    (is_twisted && normal.is_finite()).then_some((normal, TAU * reading.turns))
}

/// Positions of all nodes. `None` if one is not finite.
fn points(model: &Model, x: &[f64]) -> Option<Vec<DVec3>> {
    let n = model.nodes();
    let point = |i: usize| DVec3::new(x[i], x[n + i], x[2 * n + i]);
    let points: Vec<DVec3> = (0..n).map(point).collect();
    points.iter().all(|point| point.is_finite()).then_some(points)
}

/// Rotation of the bone that holds a node.
fn turn(simulation: &Simulation, node: usize) -> Option<DQuat> {
    let anchor = simulation.setup().anchors.iter().find(|anchor| anchor.node == node)?;
    anchor.curve.turn(simulation.state().t)
}

/// Whether a body is a single rope, open or closed, which has a length.
pub fn is_one_rope(model: &Model) -> bool {
    let is_alone = || matches!(&model.parts[..], [part] if matches!(part.form, Form::Rope { .. }));
    model.arrangement == Arrangement::Chain || is_alone()
}
