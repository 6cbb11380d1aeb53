//! Projected Gauss-Seidel solver for the impulses of contacts.
//!
//! The solver moves the ends of the step until the nearest points of each contact are far enough
//! apart along its normal. The sum of squared displacements, weighted by mass, is minimal. This is
//! a convex quadratic program (Harmon et al. 2008, "Robust Treatment of Simultaneous Collisions").
//! Velocities are treated in the same way: no approach speed remains, and restitution may reverse
//! it. Coulomb friction removes tangential motion, up to μ times the normal impulse (Bridson,
//! Fedkiw, Anderson 2002).

use super::solve::{Contact, Nodes};
use crate::body::vector::{Vec3, along, dot, norm, scaled, sub};
use crate::budget::{Item, Meter};
use crate::instructions::Instructions;
use crate::lane::{WideSimd, WideWork};

/// Maximum number of sweeps over all contacts.
const SWEEPS: usize = 80;

/// Required motion at a contact: a motion along the normal, relative to the motion of the collider.
#[derive(Clone, Copy)]
struct Goal {
    along: f64,
    carry: Vec3,
}

/// A contact without rotations of rigid bodies, reduced to the numbers that sweeps use.
struct Smooth {
    nodes: [usize; 4],
    weights: [f64; 4],
    /// Change of the value of each node per unit of impulse: weight times inverse mass.
    shares: [f64; 4],
    normal: Vec3,
    /// Required motion along the normal, relative to `carry`.
    goal: f64,
    carry: Vec3,
    yielding: f64,
    push: f64,
    /// Index of the contact.
    index: usize,
}

impl Smooth {
    /// Returns the contacts whose nodes can move.
    fn all(
        contacts: &[Contact],
        inverse: &[f64],
        goal: impl Fn(usize, &Contact) -> Goal,
    ) -> impl Iterator<Item = Self> {
        let all = contacts.iter().enumerate().map(move |(index, contact)| {
            let Goal { along, carry } = goal(index, contact);
            let Contact { nodes, weights, normal, push, .. } = *contact;
            let shares = std::array::from_fn(|k| weights[k] * inverse[nodes[k]]);
            let yielding = contact.yielding(inverse);
            Self { nodes, weights, shares, normal, goal: along, carry, yielding, push, index }
        });
        all.filter(|contact| contact.yielding > 0.0)
    }

    /// Changes the impulse along the normal so that no motion is missing. Returns its change.
    #[inline(always)]
    fn press(&mut self, values: &mut [Vec3]) -> f64 {
        let Self { nodes, weights, .. } = *self;
        let mut motion = [0.0; 3];
        for k in 0..4 {
            motion = along(motion, weights[k], values[nodes[k]]);
        }
        let missing = self.goal - dot(self.normal, sub(motion, self.carry));
        let push = (self.push + missing / self.yielding).max(0.0);
        let change = push - self.push;
        self.push = push;
        if change != 0.0 {
            self.apply(scaled(self.normal, change), values);
        }
        change.abs()
    }

    #[inline(always)]
    fn apply(&self, impulse: Vec3, values: &mut [Vec3]) {
        for (&node, share) in self.nodes.iter().zip(self.shares) {
            values[node] = along(values[node], share, impulse);
        }
    }
}

/// A contact with or without friction, and without rotations of rigid bodies, reduced to the
/// numbers that sweeps use.
struct Rough {
    smooth: Smooth,
    friction: f64,
    /// Impulse along the surface.
    drag: Vec3,
    /// -1 divided by the change of the slip per unit of impulse along it.
    yielding: f64,
    /// Values of the nodes that slip is measured from.
    from: [Vec3; 4],
    /// Motion of the collider, subtracted before and after the rotation of segments is added.
    carry: [Vec3; 2],
    /// Rotation of segments; `None` if they do not rotate.
    turn: Option<Turn>,
}

/// Rotation of the segments of a contact.
struct Turn {
    spin: [Vec3; 4],
    /// Inverse masses of the nodes.
    inverse: [f64; 4],
}

impl Rough {
    /// Adds friction to a reduced contact. `from` returns the value of a node from which slip is
    /// measured.
    fn new(
        smooth: Smooth,
        contact: &Contact,
        inverse: &[f64],
        from: impl Fn(usize) -> Vec3,
        carry: [Vec3; 2],
    ) -> Self {
        let turn = contact
            .turns()
            .then(|| Turn { spin: contact.spin, inverse: contact.nodes.map(|node| inverse[node]) });
        let yielding = match turn {
            Some(_) => contact.yielding_along([0.0; 3], inverse),
            None => smooth.yielding,
        };
        Self {
            friction: contact.friction,
            drag: contact.drag,
            yielding: -1.0 / yielding,
            from: contact.nodes.map(from),
            carry,
            turn,
            smooth,
        }
    }

    /// Reduces the slip to zero, as far as friction allows. Returns the change of the impulse.
    #[inline(always)]
    fn brake(&mut self, values: &mut [Vec3]) -> f64 {
        let (slip, normal) = (self.slip(values), self.smooth.normal);
        let slip = along(slip, -dot(slip, normal), normal);
        let wanted = along(self.drag, self.yielding, slip);
        let (size, limit) = (dot(wanted, wanted).sqrt(), self.friction * self.smooth.push);
        let drag = if size > limit { scaled(wanted, limit / size) } else { wanted };
        let change = sub(drag, self.drag);
        self.drag = drag;
        if change != [0.0; 3] {
            self.rub(change, values);
        }
        dot(change, change).sqrt()
    }

    /// Returns the displacement or the velocity of the touching surfaces relative to each other, as
    /// [`Contact::moved`] and [`Contact::slip`].
    #[inline(always)]
    fn slip(&self, values: &[Vec3]) -> Vec3 {
        let Smooth { nodes, weights, normal, .. } = self.smooth;
        let mut changes = [[0.0; 3]; 4];
        let mut motion = [0.0; 3];
        for k in 0..4 {
            changes[k] = sub(values[nodes[k]], self.from[k]);
            motion = along(motion, weights[k], changes[k]);
        }
        motion = sub(motion, self.carry[0]);
        if let Some(Turn { spin, .. }) = &self.turn {
            for k in 0..4 {
                motion = along(motion, dot(normal, changes[k]), spin[k]);
            }
        }
        sub(motion, self.carry[1])
    }

    /// Applies an impulse along the surface, as [`Contact::rub`].
    #[inline(always)]
    fn rub(&self, impulse: Vec3, values: &mut [Vec3]) {
        self.smooth.apply(impulse, values);
        if let Some(Turn { spin, inverse }) = &self.turn {
            let Smooth { nodes, normal, .. } = self.smooth;
            for k in 0..4 {
                let turned = inverse[k] * dot(spin[k], impulse);
                values[nodes[k]] = along(values[nodes[k]], turned, normal);
            }
        }
    }
}

/// A reduced contact of a sweep.
trait Reduced {
    /// Does one Gauss-Seidel step, as [`relax`]. Returns the change of the relative motion.
    fn relax(&mut self, values: &mut [Vec3]) -> f64;
}

impl Reduced for Smooth {
    #[inline(always)]
    fn relax(&mut self, values: &mut [Vec3]) -> f64 {
        self.press(values) * self.yielding
    }
}

impl Reduced for Rough {
    #[inline(always)]
    fn relax(&mut self, values: &mut [Vec3]) -> f64 {
        let pressed = self.smooth.press(values);
        let maximum = if self.friction > 0.0 { pressed.max(self.brake(values)) } else { pressed };
        maximum * self.smooth.yielding
    }
}

/// Sweeps over contacts until no change exceeds `tolerance`. The result is the number of sweeps.
struct Sweeps<'a, C> {
    contacts: &'a mut [C],
    values: &'a mut [Vec3],
    tolerance: f64,
}

impl<C: Reduced> WideWork for Sweeps<'_, C> {
    type Output = usize;

    #[inline(always)]
    fn run<S: WideSimd>(self, _: S) -> usize {
        for sweep in 1..=SWEEPS {
            let mut maximum: f64 = 0.0;
            for contact in &mut *self.contacts {
                maximum = maximum.max(contact.relax(self.values));
            }
            if maximum <= self.tolerance {
                return sweep;
            }
        }
        SWEEPS
    }
}

/// Sweeps over contacts without friction. Returns the number of sweeps.
fn sweep_smooth(
    mut smooth: Vec<Smooth>,
    contacts: &mut [Contact],
    values: &mut [Vec3],
    tolerance: f64,
) -> usize {
    let sweeps = Sweeps { contacts: &mut smooth, values, tolerance };
    let sweeps = Instructions::best().run_with(sweeps);
    for contact in smooth {
        contacts[contact.index].push = contact.push;
    }
    sweeps
}

/// Sweeps over contacts with friction. Returns the number of sweeps.
fn sweep_rough(
    mut rough: Vec<Rough>,
    contacts: &mut [Contact],
    values: &mut [Vec3],
    tolerance: f64,
) -> usize {
    let sweeps = Sweeps { contacts: &mut rough, values, tolerance };
    let sweeps = Instructions::best().run_with(sweeps);
    for Rough { smooth, drag, .. } in rough {
        let contact = &mut contacts[smooth.index];
        (contact.push, contact.drag) = (smooth.push, drag);
    }
    sweeps
}

/// Whether no contact has friction or rotations of rigid bodies; `None` if one has such rotations.
fn are_smooth(contacts: &[Contact]) -> Option<bool> {
    let have_levers = contacts.iter().any(|contact| contact.levers.is_some());
    (!have_levers).then(|| contacts.iter().all(|contact| contact.friction <= 0.0))
}

/// Counts the contacts of some sweeps. Returns whether the run may continue.
fn counted(meter: &Meter, contacts: &[Contact], sweeps: usize) -> bool {
    let item = if are_smooth(contacts) == Some(true) { Item::DrawnSweep } else { Item::DrawnRub };
    meter.count(item, (sweeps * contacts.len()) as u64)
}

/// Moves the ends of the step until all contacts are satisfied within `tolerance`, in at most
/// [`SWEEPS`] sweeps. Returns whether the meter lets the run continue.
pub(super) fn project(
    contacts: &mut [Contact],
    nodes: &mut Nodes,
    tolerance: f64,
    meter: &Meter,
) -> bool {
    let Nodes { inverse, from, to, .. } = nodes;
    let goal = |_, contact: &Contact| Goal { along: contact.minimum, carry: [0.0; 3] };
    let sweeps = match are_smooth(contacts) {
        Some(true) => {
            let smooth = Smooth::all(contacts, inverse, goal).collect();
            sweep_smooth(smooth, contacts, to, tolerance)
        }
        Some(false) => {
            let rough = |smooth: Smooth| {
                let contact = &contacts[smooth.index];
                let carry = [[0.0; 3], contact.carry.displacement];
                Rough::new(smooth, contact, inverse, |node| from[node], carry)
            };
            let rough = Smooth::all(contacts, inverse, goal).map(rough).collect();
            sweep_rough(rough, contacts, to, tolerance)
        }
        None => sweep(contacts, inverse, to, tolerance, |_, contact, to| {
            (-contact.gap(to), |contact: &Contact, to: &[Vec3]| contact.moved(from, to))
        }),
    };
    counted(meter, contacts, sweeps)
}

/// Changes velocities until each contact separates at least at its speed in `leaving`, which is 0
/// for a contact without rebound. Replaces the impulses on positions that contacts hold by impulses
/// on velocities. Counts the sweeps.
pub(super) fn stop(contacts: &mut [Contact], leaving: &[f64], nodes: &mut Nodes, meter: &Meter) {
    let Nodes { inverse, v, .. } = nodes;
    let before: f64 = contacts.iter().map(|contact| norm(contact.velocity(v))).fold(0.0, f64::max);
    let goal =
        |index: usize, contact: &Contact| Goal { along: leaving[index], carry: contact.carry.v };
    let tolerance = 1e-9 * before;
    let sweeps = match are_smooth(contacts) {
        Some(true) => {
            let smooth = Smooth::all(contacts, inverse, goal).collect();
            sweep_smooth(smooth, contacts, v, tolerance)
        }
        Some(false) => {
            let rough = |smooth: Smooth| {
                let contact = &contacts[smooth.index];
                let carry = [contact.carry.v, [0.0; 3]];
                Rough::new(smooth, contact, inverse, |_| [0.0; 3], carry)
            };
            let rough = Smooth::all(contacts, inverse, goal).map(rough).collect();
            sweep_rough(rough, contacts, v, tolerance)
        }
        None => sweep(contacts, inverse, v, tolerance, |index, contact, v| {
            let missing = leaving[index] - dot(contact.normal, contact.velocity(v));
            (missing, |contact: &Contact, v: &[Vec3]| contact.slip(v))
        }),
    };
    counted(meter, contacts, sweeps);
}

/// Sweeps over contacts with rotations of rigid bodies. `asked` returns the motion along the normal
/// that a contact needs, and a function for its slip. Returns the number of sweeps.
fn sweep<S: Fn(&Contact, &[Vec3]) -> Vec3>(
    contacts: &mut [Contact],
    inverse: &[f64],
    values: &mut [Vec3],
    tolerance: f64,
    asked: impl Fn(usize, &Contact, &[Vec3]) -> (f64, S),
) -> usize {
    let yielding: Vec<f64> = contacts.iter().map(|contact| contact.yielding(inverse)).collect();
    for sweep in 1..=SWEEPS {
        let mut maximum: f64 = 0.0;
        for (index, contact) in contacts.iter_mut().enumerate() {
            if yielding[index] > 0.0 {
                let (missing, slip) = asked(index, contact, values);
                let asked = Asked { missing, yielding: yielding[index], slip };
                maximum = maximum.max(relax(contact, inverse, asked, values));
            }
        }
        if maximum <= tolerance {
            return sweep;
        }
    }
    SWEEPS
}

/// Required change of a Gauss-Seidel step at a contact.
struct Asked<S> {
    /// Missing motion along the normal.
    missing: f64,
    /// Change of that motion per unit of impulse, above 0.
    yielding: f64,
    /// Returns the slip.
    slip: S,
}

/// Does one Gauss-Seidel step: adds the missing motion along the normal and reduces the slip to
/// zero, as far as friction allows. Returns the maximum change of the relative motion.
fn relax(
    contact: &mut Contact,
    inverse: &[f64],
    Asked { missing, yielding, slip }: Asked<impl Fn(&Contact, &[Vec3]) -> Vec3>,
    values: &mut [Vec3],
) -> f64 {
    let push = (contact.push + missing / yielding).max(0.0);
    let change = push - contact.push;
    contact.push = push;
    if change != 0.0 {
        contact.apply(scaled(contact.normal, change), inverse, values);
    }
    let mut maximum = change.abs();
    if contact.friction > 0.0 {
        let slip = slip(contact, values);
        let slip = along(slip, -dot(slip, contact.normal), contact.normal);
        let turns = contact.turns() || contact.levers.is_some();
        let yielding = if turns { contact.yielding_along(slip, inverse) } else { yielding };
        let wanted = along(contact.drag, -1.0 / yielding, slip);
        let (size, limit) = (norm(wanted), contact.friction * contact.push);
        let drag = if size > limit { scaled(wanted, limit / size) } else { wanted };
        let change = sub(drag, contact.drag);
        contact.drag = drag;
        if change != [0.0; 3] {
            contact.rub(change, inverse, values);
        }
        maximum = maximum.max(norm(change));
    }
    maximum * yielding
}
