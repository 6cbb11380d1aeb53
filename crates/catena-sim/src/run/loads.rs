//! What a setup knows of the loads on its body: gravity, the shape in which a chain hangs, and the
//! strain beyond which a run counts as diverged.

use super::Setup;
use crate::body::hanging::{LinkLaw, hanging_chain};
use crate::body::vector::{Vec3, norm, sub};
use crate::body::{Arrangement, Spring};
use crate::contact::collider::Solid;
use crate::drive::motion::{Placement, places};
use crate::drive::{Anchor, Impulse};
use crate::force::law::resisting_stretch;
use crate::force::{AtRest, Part, SpringLaw};

/// What colliders that move do to a body at the most.
#[derive(Clone, Copy, Default)]
struct Pushed {
    way: f64,
    jump: f64,
    speed: f64,
}

/// Points of a solid that go as far as any of it, but for its radius.
fn corners(solid: &Solid) -> Vec<Vec3> {
    match *solid {
        Solid::HalfSpace { point, .. } => vec![point],
        Solid::Capsule { a, b, .. } => vec![a, b],
        Solid::Box { .. } => solid.corners(),
    }
}

impl Setup {
    /// The acceleration of gravity, one number an axis: that of all forces that are weights.
    pub fn gravity(&self) -> Vec<f64> {
        let mut weights = self.forces.iter().filter_map(|force| match force.at_rest() {
            AtRest::Weight(acceleration) => Some(acceleration),
            _ => None,
        });
        let first = weights.next();
        let mut sum = first.map_or_else(|| vec![0.0; self.model.axes], <[f64]>::to_vec);
        for acceleration in weights {
            sum.iter_mut().zip(acceleration).for_each(|(sum, g)| *sum += g);
        }
        sum
    }

    /// |g|.
    pub fn gravity_strength(&self) -> f64 {
        norm(self.gravity())
    }

    /// The law of the structural and shear springs; `None` where no force is one of theirs.
    pub fn spring_law(&self) -> Option<&dyn SpringLaw> {
        self.forces.iter().find_map(|force| match force.at_rest() {
            AtRest::Springs { law, part: Part::Held } => Some(law),
            _ => None,
        })
    }

    /// Whether links of its chain are rigid at rest: its method holds their lengths.
    pub fn link_law(&self) -> LinkLaw {
        if self.method.holds_lengths() { LinkLaw::Rigid } else { LinkLaw::Elastic }
    }

    /// Whether the balance of forces alone tells how the body hangs: a chain without bending
    /// springs under weight and Hooke's springs, which nothing touches or moves.
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
            && self.events.is_empty()
            && self.contacts.is_empty()
            && self.position_factor == 1.0
    }

    /// Positions in which the chain hangs at rest, flat by axis, from the balance of forces;
    /// springs are as stiff as the method takes them. `None` where that does not tell them: see
    /// [`Setup::hangs_as_chain`] and [`hanging_chain`].
    pub fn hanging_chain(&self, link_law: LinkLaw) -> Option<Vec<f64>> {
        if !self.hangs_as_chain() {
            return None;
        }
        hanging_chain(&self.as_taken().model, &self.initial.x, &self.gravity(), link_law)
    }

    /// The strain from which a body counts as diverged: ten times what is natural. That is one rest
    /// length, how far springs are stretched at the start, how far pins are led apart, what all
    /// loads together do to one spring, what a projection cannot undo in one step, how far a pin
    /// moves in one step, and what the hardest impulse does to a spring. What colliders do that
    /// move counts as what pins do, and their speed as that of a body that meets them. What events
    /// bring counts as if it were there from the start. A law that softens lets loads stretch a
    /// spring farther than its stiffness does; the limit is infinite if it never bears them.
    pub fn natural_strain_limit(&self) -> f64 {
        let model = &self.model;
        let mut load: f64 =
            self.forces.iter().map(|force| force.load_from(model, &self.initial)).sum();
        let uniform: f64 = self.forces.iter().map(|force| force.uniform_acceleration()).sum();
        let mut gravity = self.gravity_strength() + uniform;
        let brought = self.brought_by_events();
        gravity = gravity.max(brought.gravity);
        load += brought.load(model);
        let sag = model.nodes() as f64 * gravity * self.dt() * self.dt();
        let [way, jump] = self.farthest_ways();
        let pushed = self.pushed_by_colliders();
        let (way, jump) = (way.max(pushed.way), jump.max(pushed.jump));
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
        // Stiffness and rest length of the previous spring, and its stretch under loads and blows.
        let mut before = ((f64::NAN, f64::NAN), 0.0);
        let mut natural = |(spring, is_held): (&Spring, bool)| {
            let spring = Spring { stiffness: self.method.stiffness_of(spring), ..*spring };
            let kind = (spring.stiffness, if is_held { spring.rest_length } else { -1.0 });
            // Many springs are as stiff as the one before.
            if before.0 != kind {
                let struck = hardest(spring.stiffness);
                let linear = load / spring.stiffness + sag + jump + struck;
                let softened = self.softened(&spring, load, struck) + sag + jump;
                before = (kind, if is_held { linear.max(softened) } else { linear });
            }
            before.1 / spring.rest_length
        };
        // A bending spring is never strained more than the two springs beside it.
        let joints = &model.springs[model.springs.len() - self.joints()..];
        let long = joints.iter().map(|joint| model.rest_length() / joint.rest_length);
        let held = model.held().iter().map(|spring| (spring, true));
        let all = held.chain(joints.iter().map(|joint| (joint, false)));
        let strains = all.map(&mut natural).chain(long);
        let apart = way / model.rest_length();
        let start = self.strain_at_start();
        10.0 * strains.fold(1.0_f64, |most, strain| most.max(1.0 + apart + strain)) + 10.0 * start
    }

    /// Stretch of a spring by a load, and by a blow that would stretch it by `struck` at its usual
    /// stiffness; 0 for a linear law. Infinite if the law never bears them.
    fn softened(&self, spring: &Spring, load: f64, struck: f64) -> f64 {
        let Some(law) = self.spring_law().filter(|law| !law.is_linear()) else { return 0.0 };
        let work = 0.5 * spring.stiffness * struck * struck;
        resisting_stretch(law, spring, load, 0.0) + resisting_stretch(law, spring, 0.0, work)
    }

    /// How far colliders go from where they started, how far in one step, and at which speed they
    /// send nodes away that they meet, at the most.
    fn pushed_by_colliders(&self) -> Pushed {
        let mut most = Pushed::default();
        for collider in &self.contacts.colliders {
            let Some(motion) = collider.motion() else { continue };
            let corners = corners(&collider.solid());
            let all = places(motion.as_ref());
            let start = motion.at(0.0);
            let apart = |a: &Placement, b: &Placement| {
                let each =
                    corners.iter().map(|corner| norm(sub(a.point(*corner), b.point(*corner))));
                each.fold(0.0, f64::max)
            };
            for (_, frame) in &all {
                most.way = most.way.max(apart(frame, &start));
                let speed = |corner: &Vec3| norm(frame.velocity_at(frame.point(*corner)));
                let fastest = corners.iter().map(speed).fold(0.0, f64::max);
                most.speed = most.speed.max((1.0 + collider.surface().restitution) * fastest);
            }
            for pair in all.windows(2) {
                let share = (3.0 * self.dt() / (pair[1].0 - pair[0].0)).min(1.0);
                most.jump = most.jump.max(share * apart(&pair[0].1, &pair[1].1));
            }
        }
        most
    }

    /// The greatest strain that springs begin with or that the speeds of nodes can give them by
    /// m v²/2 = k s²/2. What rounding makes of a body at rest is none.
    fn strain_at_start(&self) -> f64 {
        let (model, initial) = (&self.model, &self.initial);
        let n = model.nodes();
        let fastest = (0..n).map(|i| norm(initial.velocity(n, i))).fold(0.0, f64::max);
        let mass: f64 = if fastest > 0.0 { model.mass.iter().sum() } else { 0.0 };
        let strain = |spring: &Spring| {
            let stretched = model.span(&initial.x, spring).1 / spring.rest_length - 1.0;
            let speed = fastest * (mass / self.method.stiffness_of(spring)).sqrt();
            stretched.abs() + speed / spring.rest_length
        };
        let greatest = model.held().iter().map(strain).fold(0.0, f64::max);
        if greatest > 1e-9 { greatest } else { 0.0 }
    }

    /// How far curves lead pins from where they started, and how far a pin moves in one step at the
    /// most.
    fn farthest_ways(&self) -> [f64; 2] {
        let (mut way, mut jump) = (0.0_f64, 0.0_f64);
        for Anchor { node, curve } in &self.anchors {
            let apart = |a: [f64; 3], b: [f64; 3]| norm(sub(a, b));
            let start = self.initial.position(self.model.nodes(), *node);
            let places = curve.places();
            way = places.iter().fold(way, |way, place| way.max(apart(place.1, start)));
            // To where it is at the beginning, it goes at once.
            jump = jump.max(apart(start, curve.at(0.0).0));
            for pair in places.windows(2) {
                let (distance, time) = (apart(pair[0].1, pair[1].1), pair[1].0 - pair[0].0);
                // A smooth curve may for a while be faster than its mean.
                let share = if curve.jumps() { 1.0 } else { (3.0 * self.dt() / time).min(1.0) };
                jump = jump.max(share * distance);
            }
        }
        [way, jump]
    }
}
