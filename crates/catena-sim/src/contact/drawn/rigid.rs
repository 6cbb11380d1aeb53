//! Rigid balls in drawn contact. The centre of a ball stands for the whole ball, with its mass. A
//! further node stands for its rotation: its velocity is the angular velocity times the radius, and
//! its inverse mass R²/I. Friction acts on both, so balls roll.

use super::pieces::RigidBall;
use super::solve::Contact;
use super::step::DrawnSolver;
use crate::body::vector::{Vec3, scaled, sub};
use crate::body::{Model, State, rigid};

impl DrawnSolver {
    /// Makes centres as heavy as their balls, and appends the nodes of rotations.
    pub(super) fn weigh_balls(&mut self, model: &Model, state: &State) {
        let first = self.body_nodes + self.pieces.places.len();
        for (k, ball) in self.pieces.balls.iter().enumerate() {
            let part = &model.parts[ball.part];
            let (mass, inertia, _) = rigid::measures(model, part, state);
            let is_held = part.nodes.iter().any(|&node| model.pinned[node]);
            let inverse = |value: f64| if is_held { 0.0 } else { 1.0 / value };
            self.nodes.inverse[ball.centre] = inverse(mass);
            self.nodes.inverse[first + k] = inverse(inertia / (ball.radius * ball.radius));
        }
    }

    /// Loads the rotations of balls at both ends of a step.
    pub(super) fn spin_balls(&mut self, model: &Model, start: &State, end: &State) {
        let first = self.body_nodes + self.pieces.places.len();
        for (k, ball) in self.pieces.balls.iter().enumerate() {
            let part = &model.parts[ball.part];
            let spin = |state: &State| scaled(rigid::measures(model, part, state).2, ball.radius);
            let (before, after) = (spin(start), spin(end));
            self.nodes.before[first + k] = before;
            self.nodes.v[first + k] = after;
            self.nodes.from[first + k] = [0.0; 3];
            self.nodes.to[first + k] = scaled(after, end.t - start.t);
        }
    }

    /// Returns the nodes of the rotations of both pieces of a contact, for balls.
    pub(super) fn rolls(&self, contact: &Contact) -> [Option<usize>; 2] {
        let first = self.body_nodes + self.pieces.places.len();
        let roll = |piece: usize| {
            let nodes = self.pieces.all.get(piece)?.nodes();
            let is_it = |ball: &RigidBall| self.pieces.is_ball(piece) && nodes[0] == ball.centre;
            self.pieces.balls.iter().position(is_it).map(|ball| first + ball)
        };
        [contact.pair.0, contact.pair.1].map(roll)
    }

    /// Returns the effect of contacts on each ball. `state` is the end of the step without them.
    pub(super) fn pushes(&self, model: &Model, state: &State) -> Vec<BallPush> {
        let n = self.body_nodes;
        let first = n + self.pieces.places.len();
        let push = |(k, ball): (usize, &RigidBall)| {
            let nodes = &self.nodes;
            let (_, _, spin) = rigid::measures(model, &model.parts[ball.part], state);
            let way = sub(nodes.to[ball.centre], state.position(n, ball.centre));
            let speed = sub(nodes.v[ball.centre], state.velocity(n, ball.centre));
            let rolls = |contact: &Contact| contact.rolls.contains(&Some(first + k));
            let is_moved = [way, speed].iter().flatten().any(|value| *value != 0.0)
                || self.contacts.iter().any(rolls);
            let spin = sub(scaled(nodes.v[first + k], 1.0 / ball.radius), spin);
            is_moved.then_some(BallPush { part: ball.part, way, speed, spin })
        };
        self.pieces.balls.iter().enumerate().filter_map(push).collect()
    }
}

/// Effect of contacts on a ball: displacement, and changes of velocity and angular velocity.
pub(super) struct BallPush {
    part: usize,
    way: Vec3,
    speed: Vec3,
    spin: Vec3,
}

impl BallPush {
    /// Moves the other nodes of the ball. Its centre has moved already.
    pub(super) fn carry(&self, model: &Model, state: &mut State, displaced: &mut Vec<usize>) {
        let part = &model.parts[self.part];
        rigid::push(model, part, state, self.way, (self.speed, self.spin), displaced);
    }
}
