//! Maximum reach of the bodies of a scene.
//!
//! A node stays within the stretched length of the body from its pins, and does not rise far above
//! the start of the body. A body that has no pins, or loses them in events, falls out of any view,
//! so only three lengths of its fall count. A half-space ends the fall.

use super::bounds::{Bounds, MARGIN};
use super::frames::{NodeBoxes, around_solids};
use super::held::Held;
use super::leaders::{add_leaders, moving, pin_places, standing};
use crate::vector::{Vec3, add, dot, norm, scaled, sub};
use catena_scene::{Body, Panel, Scene, ShownRig};
use catena_sim::body::paths::{Neighbours, Path};
use catena_sim::force::applied::Route;
use catena_sim::glam::DVec3;
use catena_sim::{Arrangement, Force, Setup, contact::collider::Solid};

/// Reach of one body, and the objects around it that the view shows.
pub(super) struct Reach {
    /// Box of the initial positions and of the motion of the pins.
    start: Bounds,
    /// Box that contains the body.
    bounds: Bounds,
    /// For each free node, boxes of some pins and the node's maximum distance from each. Empty for
    /// a body without pins.
    tethers: Vec<Vec<(Bounds, f64)>>,
    /// Box of the parts of planes that are below the body.
    below: Bounds,
    /// Ends and radii of balls and capsules.
    capsules: Vec<([Vec3; 2], f64)>,
    /// Boxes of the body's rig at sampled times.
    rig: Vec<Bounds>,
    /// Shapes of the moving colliders at sampled times.
    moving: Vec<Solid>,
}

impl Reach {
    /// Support function: maximum dot product of a unit vector and all reachable points.
    pub(super) fn support(&self, direction: Vec3) -> f64 {
        let place = |(place, d): &(Bounds, f64)| place.support(direction) + d;
        let tether = |node: &Vec<_>| node.iter().map(place).fold(f64::INFINITY, f64::min);
        let farthest = self.tethers.iter().map(tether).reduce(f64::max).unwrap_or(f64::INFINITY);
        let capsule = |(ends, radius): &([Vec3; 2], f64)| {
            dot(ends[0], direction).max(dot(ends[1], direction)) + radius
        };
        let capsules = self.capsules.iter().map(capsule);
        let moving = farthest.min(self.bounds.support(direction));
        let rig = self.rig.iter().map(|place| place.support(direction));
        capsules.chain(rig).fold(
            moving.max(self.start.support(direction)).max(self.below.support(direction)),
            f64::max,
        )
    }
}

/// Box of everything that bodies can reach, including their surroundings.
pub(super) fn bounds(reaches: &[Reach], axes: usize) -> Bounds {
    let mut all = Bounds::EMPTY;
    for reach in reaches {
        all.include(reach.bounds.low, reach.bounds.high);
        all.include(reach.below.low, reach.below.high);
        for place in &reach.rig {
            all.include(place.low, place.high);
        }
        for (ends, radius) in &reach.capsules {
            let around = [*radius, *radius, if axes == 3 { *radius } else { 0.0 }];
            for end in ends {
                all.include(sub(*end, around), add(*end, around));
            }
        }
    }
    all
}

/// Boxes around the pulleys, rings and drums of a body's routes that are not on nodes.
fn route_places(body: &Body) -> impl Iterator<Item = Bounds> + '_ {
    let routes = body.setup.forces.iter().filter_map(|force| Force::route(force.as_ref()));
    let around = |(center, radius): (Vec3, f64)| Bounds {
        low: center.map(|value| value - radius),
        high: center.map(|value| value + radius),
    };
    routes.flat_map(Route::places).map(around)
}

/// Reach of each body.
pub(super) fn reaches(scene: &Scene) -> Vec<Reach> {
    let bodies =
        scene.panels.iter().flat_map(|panel| panel.bodies.iter().map(move |body| (panel, body)));
    bodies.map(|(panel, body)| of_body(scene, panel, body)).collect()
}

impl Reach {
    /// Reach of a body in the simulated frames, from the box of each node. The boxes are clipped to
    /// the reach plus a margin for thrown bodies, and to the box in which the body ends at rest.
    /// There is no margin for a diverging body. If `sound`, the box of the bodies that do not
    /// diverge, exists, a diverging body adds only its initial positions to it.
    pub(super) fn in_frames(
        &self,
        panel: &Panel,
        body: &Body,
        nodes: &NodeBoxes,
        sound: Option<&Bounds>,
    ) -> Self {
        let mut bounds = Bounds::EMPTY;
        let mut tethers = Vec::with_capacity(nodes.boxes.len());
        let widest = match sound {
            Some(sound) if nodes.diverges => {
                let mut widest = *sound;
                widest.include(self.start.low, self.start.high);
                widest
            }
            _ if nodes.diverges => self.bounds,
            _ => {
                let mut widest = self.thrown(body, nodes);
                // Some methods stretch a body beyond the reach computed from its springs.
                if let Some(rest) = &nodes.rest {
                    widest.include(rest.low, rest.high);
                }
                widest
            }
        };
        for node in &nodes.boxes {
            let node = node.within(&widest);
            bounds.include(node.low, node.high);
            tethers.push(vec![(node, 0.0)]);
        }
        for &(centre, half) in &nodes.solids {
            let node = nodes.boxes[centre].within(&widest);
            let solid = Bounds { low: sub(node.low, half), high: add(node.high, half) };
            bounds.include(solid.low, solid.high);
            tethers.push(vec![(solid, 0.0)]);
        }
        let (start, below) = (bounds, Bounds::EMPTY);
        if body.is_rig_alone() {
            return Self::of_rig(self.rig.clone());
        }
        let (rig, moving) = (self.rig.clone(), self.moving.clone());
        let capsules = Vec::new();
        let mut reach = Self { start, bounds, tethers, below, capsules, rig, moving };
        add_surroundings(panel, body, &mut reach);
        // Corners of the box may be far from every node.
        reach.start = Bounds::EMPTY;
        reach
    }
}

/// Share of a view's margin in which nodes beyond the reach are certainly shown. The view is
/// smaller than the box of all nodes if it leaves some out.
const SHOWN: f64 = 0.8;

impl Reach {
    /// Reach of a rig alone.
    fn of_rig(rig: Vec<Bounds>) -> Self {
        let (start, bounds, below) = (Bounds::EMPTY, Bounds::EMPTY, Bounds::EMPTY);
        let (tethers, capsules, moving) = (Vec::new(), Vec::new(), Vec::new());
        Self { start, bounds, tethers, below, capsules, rig, moving }
    }

    /// Box of the shown positions of a body that something throws. The box has a margin along
    /// gravity only if every node is held throughout, and one leaves the reach by more than most of
    /// a view's margin: some methods stretch a body. A body that falls would need an ever larger
    /// view.
    fn thrown(&self, body: &Body, nodes: &NodeBoxes) -> Bounds {
        let (held, mut all) = (Held::throughout(&body.setup), self.bounds);
        let far = self.bounds.longest();
        let mut shown = Bounds::EMPTY;
        nodes.boxes.iter().for_each(|node| shown.include(node.low, node.high));
        let margin = SHOWN * MARGIN * shown.longest();
        let is_held = body.setup.breaks_at.is_none()
            && !self.tethers.is_empty()
            && self.tethers.iter().all(|tether| !tether.is_empty());
        for axis in 0..body.setup.model.axes {
            let (low, high) = (all.low[axis] - margin, all.high[axis] + margin);
            let is_stretched = |sign: &f64| {
                is_held
                    && nodes.boxes.iter().any(|node| match *sign < 0.0 {
                        true => node.low[axis] < low,
                        false => node.high[axis] > high,
                    })
            };
            let sign = held.sign_along(axis).filter(|sign| !is_stretched(sign)).unwrap_or(0.0);
            all.low[axis] -= if sign < 0.0 { 0.0 } else { far };
            all.high[axis] += if sign > 0.0 { 0.0 } else { far };
        }
        all
    }
}

fn of_body(scene: &Scene, panel: &Panel, body: &Body) -> Reach {
    let mut rig = body.rig.as_ref().map_or(Vec::new(), |rig| rig_places(scene, body, rig));
    if body.is_rig_alone() {
        return Reach::of_rig(rig);
    }
    rig.extend(route_places(body));
    let (model, initial) = (&body.setup.model, &body.setup.initial);
    let n = model.nodes();
    let mut start = Bounds::EMPTY;
    for i in 0..n {
        let at = initial.position(n, i);
        start.include(at, at);
    }
    // A solid may turn, so the corner of the box around it counts on all sides.
    let solids = around_solids(model, initial);
    let solids: Vec<_> = solids.into_iter().map(|(centre, half)| (centre, norm(half))).collect();
    for &(centre, radius) in &solids {
        let around = [0, 1, 2].map(|axis| if axis < model.axes { radius } else { 0.0 });
        let at = initial.position(n, centre);
        start.include(sub(at, around), add(at, around));
    }
    let held = Held::throughout(&body.setup);
    let mut tethers = Vec::new();
    let mut bounds = start;
    let mut loose = Vec::new();
    let has_pins = model.pinned.contains(&true);
    if has_pins {
        let places = pin_places(scene, body);
        for place in places.iter().flatten() {
            start.include(place.low, place.high);
        }
        bounds = start;
        let mut distances = distance_to_pins(body, &held);
        for i in (0..n).filter(|&i| !held.pinned[i]) {
            let near = std::mem::take(&mut distances[i]).into_iter();
            let beyond = solids.iter().find(|(centre, _)| *centre == i).map_or(0.0, |it| it.1);
            let near = near.map(|(pin, d)| (pin, d + beyond));
            let tether: Vec<_> =
                near.filter_map(|(pin, d)| places[pin].map(|place| (place, d))).collect();
            if tether.is_empty() {
                loose.push(i);
            } else {
                let node = tethered(model.axes, &tether);
                bounds.include(node.low, node.high);
            }
            tethers.push(tether);
        }
        add_swing(body, &held, &places, &loose, &mut bounds);
    }
    if !has_pins || !loose.is_empty() {
        add_fall(&held, &mut bounds);
    }
    cut_headroom(&held, &start, &mut bounds);
    let moving = moving(scene, body);
    add_leaders(scene, body, &moving, &mut bounds);
    let (below, capsules) = (Bounds::EMPTY, Vec::new());
    let mut reach = Reach { start, bounds, tethers, below, capsules, rig, moving };
    add_surroundings(panel, body, &mut reach);
    reach
}

/// Adds the positions of released nodes before they fall. Any pin may be the last one to be
/// released.
fn add_swing(
    body: &Body,
    held: &Held<'_>,
    places: &[Option<Bounds>],
    loose: &[usize],
    all: &mut Bounds,
) {
    if loose.is_empty() {
        return;
    }
    let model = &body.setup.model;
    let pins: Vec<usize> = (0..model.nodes()).filter(|&i| model.pinned[i]).collect();
    for pin in evenly_spaced(&pins) {
        let Some(place) = places[pin] else { continue };
        let distances = distance_to_pins(body, &held.by_one(pin));
        let of_loose = loose.iter().flat_map(|&i| &distances[i]);
        let farthest = of_loose.map(|&(_, d)| d).fold(0.0, f64::max);
        let swing = tethered(model.axes, &[(place, farthest)]);
        all.include(swing.low, swing.high);
    }
}

/// Adds a fall of three lengths along every value of gravity.
fn add_fall(held: &Held<'_>, all: &mut Bounds) {
    let fall = 3.0 * held.model.rest_length();
    let from = *all;
    for gravity in &held.gravities {
        let strength = norm([0, 1, 2].map(|axis| gravity.get(axis).copied().unwrap_or(0.0)));
        let down = |axis: usize| {
            gravity.get(axis).copied().unwrap_or(0.0) / strength.max(f64::MIN_POSITIVE) * fall
        };
        let moved = |from: Vec3| [0, 1, 2].map(|axis| from[axis] + down(axis));
        all.include(moved(from.low), moved(from.high));
    }
}

/// Box in which tethers keep a node.
fn tethered(axes: usize, tethers: &[(Bounds, f64)]) -> Bounds {
    let mut node = Bounds { low: [f64::NEG_INFINITY; 3], high: [f64::INFINITY; 3] };
    for (place, d) in tethers {
        for axis in 0..3 {
            node.low[axis] = node.low[axis].max(place.low[axis] - d);
            node.high[axis] = node.high[axis].min(place.high[axis] + d);
        }
    }
    for axis in axes..3 {
        (node.low[axis], node.high[axis]) = (0.0, 0.0);
    }
    node
}

/// Limits the box on the side against gravity. A body released at rest does not climb as a whole;
/// only a tip can be flung above its start.
fn cut_headroom(held: &Held<'_>, start: &Bounds, all: &mut Bounds) {
    let headroom = 0.1 * held.model.rest_length();
    for axis in 0..held.model.axes {
        match held.sign_along(axis) {
            Some(sign) if sign < 0.0 => {
                all.high[axis] = all.high[axis].min(start.high[axis] + headroom);
            }
            Some(_) => all.low[axis] = all.low[axis].max(start.low[axis] - headroom),
            None => {}
        }
    }
}

/// Adds colliders and the ground. Balls and capsules count as a whole, half-spaces with the part
/// below the body. A half-space perpendicular to an axis also limits the reach.
fn add_surroundings(panel: &Panel, body: &Body, reach: &mut Reach) {
    let mut solids: Vec<Solid> = standing(body).map(|collider| collider.solid()).collect();
    solids.extend(panel.ground.map(|ground| Solid::HalfSpace {
        point: [0.0, ground.height, 0.0],
        normal: [0.0, 1.0, 0.0],
    }));
    let Reach { start, bounds, below, capsules, moving, .. } = reach;
    // A film must show everything that pushes the bodies, including its approach.
    let is_plane = |solid: &&Solid| matches!(solid, Solid::HalfSpace { .. });
    solids.extend(moving.iter().filter(|solid| !is_plane(solid)).cloned());
    for solid in solids {
        let (point, normal) = match solid {
            Solid::Capsule { a, b, radius } => {
                capsules.push(([a, b], radius));
                continue;
            }
            Solid::Box { .. } => {
                let corners = solid.corners();
                capsules.extend((0..4).map(|k| ([corners[k], corners[7 - k]], 0.0)));
                continue;
            }
            Solid::Facets { points, .. } | Solid::Polygon { points } => {
                capsules.extend(points.iter().map(|point| ([*point; 2], 0.0)));
                continue;
            }
            Solid::HalfSpace { point, normal } => (point, normal),
        };
        if -bounds.support(scaled(normal, -1.0)) > dot(point, normal) {
            continue;
        }
        for axis in 0..3 {
            if normal[axis] == 1.0 {
                bounds.low[axis] = bounds.low[axis].max(point[axis].min(start.low[axis]));
            } else if normal[axis] == -1.0 {
                bounds.high[axis] = bounds.high[axis].min(point[axis].max(start.high[axis]));
            }
        }
        for corner in start.corners() {
            let on = sub(corner, scaled(normal, dot(sub(corner, point), normal)));
            below.include(on, on);
        }
    }
}

/// Approximate stretch of a chain or sheet under its own weight. One pin carries the whole weight;
/// if both ends are pinned, each carries half.
fn hanging_stretch(held: &Held<'_>) -> f64 {
    let (model, g) = (&held.model, held.gravity_strength());
    let maximum = 10.0 * model.rest_length();
    let mut stretch = 0.0_f64;
    if let Arrangement::Sheet { rows, columns } = model.arrangement {
        // Assumes that the upper edge holds the sheet. A spring then carries half of a column's
        // weight on average.
        let weight = model.mass.iter().sum::<f64>() * g;
        let softest = model.structural().iter().map(|s| s.stiffness).fold(f64::INFINITY, f64::min);
        return (0.5 * weight * rows as f64 / columns as f64 / softest).min(maximum);
    }
    let mut below: f64 = model.mass.iter().skip(1).sum();
    for spring in model.structural() {
        stretch += below * g / spring.stiffness;
        below -= model.mass[spring.b];
    }
    if held.pinned.first() == Some(&true) && held.pinned.last() == Some(&true) {
        stretch *= 0.25;
    }
    // A softer rope is shown at ten times its length.
    stretch.min(maximum)
}

/// For each node, some pins and their distances along the stretched body. A rope uses the nearest
/// pin on either side, a sheet some of all pins, other bodies the nearest pin and some of all.
fn distance_to_pins(body: &Body, held: &Held<'_>) -> Vec<Vec<(usize, f64)>> {
    let model = &held.model;
    let strain = || 2.0 * hanging_stretch(held) / model.rest_length();
    match model.arrangement {
        Arrangement::Chain => distance_in_chain(held, strain()),
        Arrangement::Sheet { .. } if !held.cut.contains(&true) => {
            distance_in_sheet(body, held, strain())
        }
        _ => distance_along_springs(&body.setup, held),
    }
}

fn distance_in_chain(held: &Held<'_>, strain: f64) -> Vec<Vec<(usize, f64)>> {
    let model = &held.model;
    let n = model.nodes();
    let mut distances = vec![Vec::new(); n];
    let mut visit = |order: &mut dyn Iterator<Item = usize>| {
        let mut last: Option<(usize, f64)> = None;
        let mut before: Option<usize> = None;
        for i in order {
            let spring = before.map(|j: usize| i.min(j));
            let step = spring.map_or(0.0, |j| model.springs[j].rest_length * (1.0 + strain));
            last = last.filter(|_| spring.is_none_or(|j| !held.cut[j]));
            last = last.map(|(pin, d)| (pin, d + step));
            if held.pinned[i] {
                last = Some((i, 0.0));
            }
            distances[i].extend(last);
            before = Some(i);
        }
    };
    visit(&mut (0..n));
    visit(&mut (0..n).rev());
    distances
}

/// Distances in a sheet. A sheet starts flat, so the straight line is the shortest path within it.
fn distance_in_sheet(body: &Body, held: &Held<'_>, strain: f64) -> Vec<Vec<(usize, f64)>> {
    let initial = &body.setup.initial;
    let n = body.setup.model.nodes();
    let pins: Vec<usize> = (0..n).filter(|&i| held.pinned[i]).collect();
    let chosen: Vec<usize> = evenly_spaced(&pins).collect();
    let distance = |i: usize, pin: usize| {
        let offset = sub(initial.position(n, i), initial.position(n, pin));
        norm(offset) * (1.0 + strain)
    };
    (0..n).map(|i| chosen.iter().map(|&pin| (pin, distance(i, pin))).collect()).collect()
}

/// Number of equal intervals into which the time of the scene's frames is divided. A rig is sampled
/// at both ends of each interval.
const MOMENTS: u32 = 64;
/// Maximum number of vertices of a skin that are sampled at each time. They are spread evenly over
/// the skin's list of vertices.
const VERTICES: usize = 4096;

/// Returns a box around a rig's drawn parts for each sampled time. The times are spread evenly from
/// the scene's first frame to its last.
fn rig_places(scene: &Scene, body: &Body, rig: &ShownRig) -> Vec<Bounds> {
    let last = body.setup.frame_time * (scene.frames - 1) as f64;
    let place = |moment: u32| {
        let posed = rig.at(last * f64::from(moment) / f64::from(MOMENTS));
        let mut all = Bounds::EMPTY;
        let mut include = |at: DVec3| {
            if at.is_finite() {
                all.include(at.to_array(), at.to_array());
            }
        };
        if rig.shows_bones() || posed.skins.is_empty() {
            posed.bones().iter().flat_map(|bone| [bone.from, bone.to]).for_each(&mut include);
        }
        for skin in &posed.skins {
            let step = skin.points.len().div_ceil(VERTICES).max(1);
            skin.points.iter().step_by(step).for_each(|at| include(*at));
        }
        all
    };
    (0..=MOMENTS).map(place).collect()
}

/// Maximum number of pins that are considered. Each pin limits every node, so a few suffice.
const SOME: usize = 9;

/// For each node, the nearest pin and some other pins, each with its maximum distance along the
/// structural springs. Empty for a node without a connection to a pin.
///
/// The length of a spring is the longer of its rest length and its initial length, plus its stretch
/// under the weight below it. The shortest paths from all pins form a forest. Each spring is
/// assumed to carry everything farther along its paths.
fn distance_along_springs(setup: &Setup, held: &Held<'_>) -> Vec<Vec<(usize, f64)>> {
    let (model, n) = (&*held.model, setup.model.nodes());
    let mut lengths = lengths(setup, held);
    let neighbours = Neighbours::new(model, |j| held.cut[j]);
    let pins: Vec<usize> = (0..n).filter(|&i| held.pinned[i]).collect();
    let nearest = neighbours.shortest_paths(&lengths, &pins);
    let stretches = stretches(held, &nearest);
    let mut distances = vec![Vec::new(); n];
    let mut strain = 0.0_f64;
    for path in &nearest {
        let stretch = stretches[path.node].min(10.0 * path.length);
        strain = strain.max(stretch / path.length.max(f64::MIN_POSITIVE));
        distances[path.node].push((path.source, path.length + stretch));
    }
    lengths.iter_mut().for_each(|length| *length *= 1.0 + strain);
    if pins.len() > 1 {
        for pin in evenly_spaced(&pins) {
            for path in neighbours.shortest_paths(&lengths, &[pin]) {
                distances[path.node].push((pin, path.length));
            }
        }
    }
    distances
}

/// Maximum of all rest lengths and the initial length of each structural spring.
fn lengths(setup: &Setup, held: &Held<'_>) -> Vec<f64> {
    let length = |spring| setup.model.span(&setup.initial.x, spring).1.max(spring.rest_length);
    held.model.structural().iter().map(length).collect()
}

/// Twice the stretch of the path to each node under the weight that hangs from the path, as in a
/// fall from rest.
fn stretches(held: &Held<'_>, paths: &[Path]) -> Vec<f64> {
    let (model, g) = (&held.model, held.gravity_strength());
    let mut beyond = model.mass.clone();
    for path in paths.iter().rev() {
        if let Some((before, _)) = path.last {
            beyond[before] += beyond[path.node];
        }
    }
    let mut stretches = vec![0.0; model.nodes()];
    for path in paths {
        if let Some((before, spring)) = path.last {
            let stretch = 2.0 * beyond[path.node] * g / model.springs[spring].stiffness;
            stretches[path.node] = stretches[before] + stretch;
        }
    }
    stretches
}

/// A few of these pins, evenly spaced.
pub(crate) fn evenly_spaced(pins: &[usize]) -> impl Iterator<Item = usize> + '_ {
    let count = pins.len().min(SOME);
    (0..count).map(move |k| pins[k * (pins.len() - 1) / (count - 1).max(1)])
}
