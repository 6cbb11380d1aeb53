//! Loads on the body of a setup: gravity, the shape of a hanging chain, and the strain above which
//! a run counts as diverged.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::{ChangingLengths, Setup};
use crate::body::hanging::{LinkLaw, hanging_chain};
use crate::body::vector::{Vec3, norm, sub};
use crate::body::{Arrangement, Body, Spring, SpringMemory, State};
use crate::contact::collider::Solid;
use crate::contact::deformation::Deformation;
use crate::drive::motion::{Placement, places};
use crate::drive::track::Extent;
use crate::drive::{Anchor, Impulse};
use crate::force::applied::Route;
use crate::force::law::resisting_stretch;
use crate::force::{AtRest, Part, SpringLaw};

/// Number of intervals at which a deforming surface is sampled.
const POSES: u32 = 16;

/// Bounds on the effect of moving colliders on a body.
#[derive(Clone, Copy, Default)]
struct Pushed {
    distance: f64,
    jump: f64,
    speed: f64,
}

/// Points of a solid, without its radius, that bound the displacement of all its points.
fn corners(solid: &Solid) -> Vec<Vec3> {
    match *solid {
        Solid::HalfSpace { point, .. } => vec![point],
        Solid::Capsule { a, b, .. } => vec![a, b],
        Solid::Box { .. } => solid.corners(),
        Solid::Facets { ref points, .. } | Solid::Polygon { ref points } => points.to_vec(),
    }
}

impl Setup {
    /// Acceleration of gravity, one number per axis: the sum over all forces that are weights.
    pub fn gravity(&self) -> Vec<f64> {
        let mut weights = self.forces.iter().filter_map(|force| force.nominal_gravity());
        let first = weights.next();
        let mut sum = first.map_or_else(|| vec![0.0; self.model.axes], <[f64]>::to_vec);
        for acceleration in weights {
            sum.iter_mut().zip(acceleration).for_each(|(sum, g)| *sum += g);
        }
        sum
    }

    /// Magnitude of gravity, |g|.
    pub fn gravity_strength(&self) -> f64 {
        norm(self.gravity())
    }

    /// Law of the structural and shear springs; `None` if there are no such springs.
    pub fn spring_law(&self) -> Option<&dyn SpringLaw> {
        self.forces.iter().find_map(|force| match force.at_rest() {
            AtRest::Springs { law, part: Part::Held } => Some(law),
            _ => None,
        })
    }

    /// Whether the links of the chain are rigid or elastic at rest. They are rigid if the method
    /// holds their lengths.
    pub fn link_law(&self) -> LinkLaw {
        if self.method.holds_lengths() { LinkLaw::Rigid } else { LinkLaw::Elastic }
    }

    /// Whether the balance of forces alone defines the hanging shape. This needs a chain without
    /// bending springs, with weight and Hooke's springs, without contacts or motion.
    pub fn hangs_as_chain(&self) -> bool {
        let is_known = |at_rest: AtRest<'_>| match at_rest {
            AtRest::Nothing | AtRest::Weight(_) => true,
            AtRest::Springs { law, .. } => law.is_linear(),
            AtRest::Other => false,
        };
        let is_bare_chain = self.model.arrangement == Arrangement::Chain
            && self.model.springs.len() == self.model.structural;
        is_bare_chain
            && self.forces.iter().all(|force| is_known(force.at_rest()))
            && self.anchors.is_empty()
            && self.lengths.is_empty()
            && self.events.is_empty()
            && self.contacts.is_empty()
            && self.position_factor == 1.0
    }

    /// Positions of the hanging chain at rest, flat by axis, from the balance of forces. Springs
    /// have the stiffness that the method uses. `None` if the balance does not define them: see
    /// [`Setup::hangs_as_chain`] and [`hanging_chain`].
    pub fn hanging_chain(&self, link_law: LinkLaw) -> Option<Vec<f64>> {
        if !self.hangs_as_chain() {
            return None;
        }
        hanging_chain(
            &self.with_method_stiffness().model,
            &self.initial.x,
            &self.gravity(),
            link_law,
        )
    }

    /// Strain above which a body counts as diverged: ten times the natural strain.
    ///
    /// The natural strain adds these bounds:
    /// - one rest length, and the initial stretch
    /// - the displacement of pins, in total and per step
    /// - the stretch of one spring by all loads
    /// - the residue of a projection after one step
    /// - the stretch by the hardest impulse
    ///
    /// Moving colliders count like pins. Their speed counts like the speed of a body that hits
    /// them. Loads of events count from the start. Under a softening law, loads stretch a spring
    /// farther than its stiffness predicts; the limit is infinite if the law can never bear them.
    /// Lengths that change count with their minimum and maximum.
    pub fn natural_strain_limit(&self) -> f64 {
        if !self.lengths.is_empty() {
            let limit = |model| {
                let lengths = ChangingLengths::default();
                Self { model, lengths, ..self.clone() }.natural_strain_limit()
            };
            return limit(self.shortest_model()).max(limit(self.longest_model().into_owned()));
        }
        let model = &self.model;
        let mut load: f64 =
            self.forces.iter().map(|force| force.load_from(model, &self.initial)).sum();
        let uniform: f64 = self.forces.iter().map(|force| force.uniform_acceleration()).sum();
        let mut gravity = self.gravity_strength() + uniform;
        let brought = self.loads_of_events();
        gravity = gravity.max(brought.gravity);
        load += brought.load(model);
        let sag = model.nodes() as f64 * gravity * self.dt() * self.dt();
        let [distance, jump] = self.farthest_distances();
        let pushed = self.pushed_by_colliders();
        let (distance, jump) = (distance.max(pushed.distance), jump.max(pushed.jump));
        let mass: f64 = if pushed.speed > 0.0 { model.mass.iter().sum() } else { 0.0 };
        // m v²/2 = k s²/2 with m v = J.
        let hardest = |stiffness: f64| {
            let stretch = |impulse: &Impulse| {
                norm(impulse.impulse) / (model.mass[impulse.node] * stiffness).sqrt()
            };
            let events = brought.impulses.iter();
            let stretches = events.map(|(node, j)| j / (model.mass[*node] * stiffness).sqrt());
            let struck = self.impulses.iter().map(stretch).chain(stretches).fold(0.0, f64::max);
            // A body that has fallen three lengths and is stopped: M v²/2 = 3 L W = k s²/2.
            let stop = if brought.stops { 6.0 * load * model.rest_length() } else { 0.0 };
            struck + (stop / stiffness).sqrt() + pushed.speed * (mass / stiffness).sqrt()
        };
        // Stiffness and rest length of the previous spring, and its stretch under loads and
        // impulses.
        let mut before = ((f64::NAN, f64::NAN), 0.0);
        let mut natural = |(spring, is_held): (&Spring, bool)| {
            let spring = Spring { stiffness: self.method.stiffness_of(spring), ..*spring };
            let kind = (spring.stiffness, if is_held { spring.rest_length } else { -1.0 });
            // Many springs have the stiffness of the previous one, so the last result is reused.
            if before.0 != kind {
                let struck = hardest(spring.stiffness);
                let linear = load / spring.stiffness + sag + jump + struck;
                let softened = self.softened(&spring, load, struck) + sag + jump;
                before = (kind, if is_held { linear.max(softened) } else { linear });
            }
            before.1 / spring.rest_length
        };
        // A bending spring is never strained more than the two adjacent springs.
        let joints = &model.springs[model.springs.len() - self.joints()..];
        let long = joints.iter().map(|joint| model.rest_length() / joint.rest_length);
        let held = model.held().iter().map(|spring| (spring, true));
        let all = held.chain(joints.iter().map(|joint| (joint, false)));
        let strains = all.map(&mut natural).chain(long);
        let apart = distance / model.rest_length();
        let start = self.strain_of(&self.initial);
        10.0 * strains.fold(1.0_f64, |maximum, strain| maximum.max(1.0 + apart + strain))
            + 10.0 * start
    }

    /// Stretch of a spring by a load, and by an impact that would stretch it by `struck` at its
    /// nominal stiffness. Returns 0 for a linear law and infinity if the law can never bear them.
    fn softened(&self, spring: &Spring, load: f64, struck: f64) -> f64 {
        let Some(law) = self.spring_law().filter(|law| !law.is_linear()) else { return 0.0 };
        let work = 0.5 * spring.stiffness * struck * struck;
        resisting_stretch(law, spring, load, 0.0) + resisting_stretch(law, spring, 0.0, work)
    }

    /// Bounds on the motion of colliders: distance from the start, distance per step, and speed
    /// that they give to nodes on contact.
    fn pushed_by_colliders(&self) -> Pushed {
        let mut maximum = Pushed::default();
        for collider in &self.contacts.colliders {
            let Some(motion) = collider.motion() else { continue };
            if let Some(deformation) = collider.deformation() {
                let bounce = 1.0 + collider.surface().restitution;
                self.push_by_deforming(deformation.as_ref(), bounce, &mut maximum);
                continue;
            }
            let corners = corners(&collider.solid());
            let all = places(motion.as_ref());
            let start = motion.at(0.0);
            let apart = |a: &Placement, b: &Placement| {
                let each =
                    corners.iter().map(|corner| norm(sub(a.point(*corner), b.point(*corner))));
                each.fold(0.0, f64::max)
            };
            for (_, frame) in &all {
                maximum.distance = maximum.distance.max(apart(frame, &start));
                let speed = |corner: &Vec3| norm(frame.velocity_at(frame.point(*corner)));
                let fastest = corners.iter().map(speed).fold(0.0, f64::max);
                maximum.speed = maximum.speed.max((1.0 + collider.surface().restitution) * fastest);
            }
            for pair in all.windows(2) {
                let share = (3.0 * self.dt() / (pair[1].0 - pair[0].0)).min(1.0);
                maximum.jump = maximum.jump.max(share * apart(&pair[0].1, &pair[1].1));
            }
        }
        maximum
    }

    /// Adds the motion of a surface that deforms. `bounce` is the ratio of a node's speed after a
    /// contact to the speed of the surface.
    fn push_by_deforming(&self, surface: &dyn Deformation, bounce: f64, maximum: &mut Pushed) {
        let Some((from, until)) = surface.extent().window() else { return };
        let time = |pose: u32| from + (until - from) * (f64::from(pose) / f64::from(POSES));
        let apart = |a: &[Vec3], b: &[Vec3]| {
            a.iter().zip(b).map(|(a, b)| norm(sub(*a, *b))).fold(0.0, f64::max)
        };
        let start = surface.at(0.0).0;
        let mut before: Option<Vec<Vec3>> = None;
        for pose in 0..=POSES {
            let (points, velocities) = surface.at(time(pose));
            maximum.distance = maximum.distance.max(apart(&points, &start));
            let fastest = velocities.iter().map(norm).fold(0.0, f64::max);
            maximum.speed = maximum.speed.max(bounce * fastest);
            if let Some(before) = &before {
                let share = (3.0 * self.dt() * f64::from(POSES) / (until - from)).min(1.0);
                maximum.jump = maximum.jump.max(share * apart(&points, before));
            }
            before = Some(points);
        }
    }

    /// Maximum of two strains: the strain of springs in a state, and the strain that node speeds
    /// can cause by m v²/2 = k s²/2. Rounding errors of a body at rest count as 0.
    pub(super) fn strain_of(&self, state: &State) -> f64 {
        let model = &self.model;
        let n = model.nodes();
        let fastest = (0..n).map(|i| norm(state.velocity(n, i))).fold(0.0, f64::max);
        let mass: f64 = if fastest > 0.0 { model.mass.iter().sum() } else { 0.0 };
        let strain = |spring: &Spring| {
            let stretched = model.span(&state.x, spring).1 / spring.rest_length - 1.0;
            let speed = fastest * (mass / self.method.stiffness_of(spring)).sqrt();
            stretched.abs() + speed / spring.rest_length
        };
        let greatest = model.held().iter().map(strain).fold(0.0, f64::max);
        if greatest > 1e-9 { greatest } else { 0.0 }
    }

    /// Strain above which a body counts as diverged at a time. Pins that move forever may move the
    /// ends of a body farther apart than [`Setup::strain_limit`] can include in advance.
    pub fn strain_limit_at(&self, t: f64) -> f64 {
        let start = |node: usize| self.initial.position(self.model.nodes(), node);
        let beyond = |anchor: &Anchor| {
            let is_endless = matches!(anchor.curve.extent(), Extent::Endless(..));
            let apart = |place: [f64; 3]| norm(sub(place, start(anchor.node)));
            let counted = || anchor.curve.places().iter().map(|it| apart(it.1)).fold(0.0, f64::max);
            if is_endless { (apart(anchor.curve.at(t).0) - counted()).max(0.0) } else { 0.0 }
        };
        let distance = self.anchors.iter().map(beyond).fold(0.0, f64::max);
        self.strain_limit
            + if distance > 0.0 { 10.0 * distance / self.model.rest_length() } else { 0.0 }
    }

    /// Strain above which a route counts as diverged: ten times the natural strain.
    ///
    /// The natural strain adds these bounds:
    /// - 1, and the strain at the start for the shortest length of the rope
    /// - the stretch by all loads, and by a fall through the whole length
    /// - the stretch by the first speeds and by impulses
    /// - the displacement of pins, colliders and guides
    ///
    /// The limit is infinite if pins or guides move forever.
    pub(super) fn route_limit(&self, route: &Route) -> f64 {
        let is_endless = |extent: Extent| matches!(extent, Extent::Endless(..));
        let pins = self.anchors.iter().any(|anchor| is_endless(anchor.curve.extent()));
        if pins || is_endless(route.extent_of_guides()) {
            return f64::INFINITY;
        }
        let model = &self.model;
        let memory = SpringMemory::default();
        let body = Body { model, springs: &memory };
        let (length, rest, _) = route.stretched(&body, &self.initial);
        let minimum = route.least_length().unwrap_or(rest).min(rest);
        let mut load: f64 =
            self.forces.iter().map(|force| force.load_from(model, &self.initial)).sum();
        let brought = self.loads_of_events();
        load += brought.load(model);
        let pushed = self.pushed_by_colliders();
        let struck = self.impulses.iter().map(|it| (it.node, norm(it.impulse)));
        let struck = struck.chain(brought.impulses.iter().copied());
        let of_impulses = struck.map(|(node, impulse)| impulse / model.mass[node]);
        let n = model.nodes();
        let first = (0..n).map(|i| norm(self.initial.velocity(n, i)));
        let fastest = first.chain(of_impulses).fold(pushed.speed, f64::max);
        let mass: f64 = model.mass.iter().sum();
        let [distance, jump] = self.farthest_distances();
        let displacement =
            distance + jump + pushed.distance + pushed.jump + route.displacement_of_guides();
        let fall = load / route.axial;
        let strain = length / minimum
            + fall
            + (2.0 * fall).sqrt()
            + displacement / minimum
            + fastest * (mass / (route.axial * minimum)).sqrt();
        10.0 * (1.0 + strain)
    }

    /// Returns the maximum distance of curves from the start of their pins, and the maximum motion
    /// of a pin per step.
    fn farthest_distances(&self) -> [f64; 2] {
        let (mut farthest, mut jump) = (0.0_f64, 0.0_f64);
        for Anchor { node, curve } in &self.anchors {
            let apart = |a: [f64; 3], b: [f64; 3]| norm(sub(a, b));
            let start = self.initial.position(self.model.nodes(), *node);
            let places = curve.places();
            farthest =
                places.iter().fold(farthest, |farthest, place| farthest.max(apart(place.1, start)));
            // The pin jumps to the first position of its curve at the start.
            jump = jump.max(apart(start, curve.at(0.0).0));
            for pair in places.windows(2) {
                let (distance, time) = (apart(pair[0].1, pair[1].1), pair[1].0 - pair[0].0);
                // A smooth curve may temporarily be faster than its mean.
                let share = if curve.jumps() { 1.0 } else { (3.0 * self.dt() / time).min(1.0) };
                jump = jump.max(share * distance);
            }
        }
        [farthest, jump]
    }
}
