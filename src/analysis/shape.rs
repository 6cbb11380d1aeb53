//! Tension, strain and length of each segment at rest, beside the discrete chain and the continuous rope.

use super::catenary::{Catenary, Rope};
use super::hanging::{Law, hanging_chain};
use crate::sim::{Model, Setup, SpringMemory, State, body::measure};

/// One segment at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// Its length.
    pub length: f64,
    /// (length - rest length) / rest length.
    pub strain: f64,
    /// Its tension by its law; `None` for methods that hold lengths, and for what has broken.
    pub tension: Option<f64>,
    /// What the discrete chain has.
    pub discrete: Option<Reference>,
    /// What the continuous rope has, at the segment's middle.
    pub continuous: Option<Reference>,
}

/// What a segment should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    /// Its length.
    pub length: f64,
    /// Its tension.
    pub tension: f64,
}

/// A body at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// One a structural spring, in the order of the model.
    pub segments: Vec<Segment>,
    /// Name of the discrete reference; `None` where there is none.
    pub discrete_name: Option<&'static str>,
    /// Name of the continuous reference; `None` where there is none.
    pub continuous_name: Option<&'static str>,
    /// The greatest distance of a node from its place in the discrete reference.
    pub distance: Option<f64>,
    /// Positions of the discrete reference, flat by axis.
    pub reference: Option<Vec<f64>>,
}

/// Compares a state at rest with what the balance of forces gives. `has_reference` says whether it does.
pub fn shape(
    setup: &Setup,
    (rest, springs): (&State, &SpringMemory),
    gravity: &[f64],
    has_reference: bool,
) -> Shape {
    let setup = &setup.as_taken();
    let model = &setup.model;
    let law = if setup.method.holds_lengths() { Law::Rigid } else { Law::Elastic };
    let is_rigid = law == Law::Rigid;
    let x = has_reference.then(|| hanging_chain(model, &setup.initial.x, gravity, law)).flatten();
    let g = gravity.iter().map(|component| component * component).sum::<f64>().sqrt();
    let continuous = x.as_ref().and_then(|x| continuous(model, x, (gravity, g), is_rigid));
    let lengths = measure::segment_lengths(model, &rest.x);
    let expected = x.as_ref().map(|x| measure::segment_lengths(model, x));
    let pull = x.as_ref().map(|x| tensions(model, x, gravity));
    let segment = |(j, &length): (usize, &f64)| {
        let spring = &model.springs[j];
        let discrete = expected.as_ref().zip(pull.as_ref());
        let plastic = springs.plastic(j);
        let tension = (!is_rigid && !springs.is_broken(j))
            .then(|| setup.forces.iter().find_map(|force| force.tension(spring, length, plastic)));
        Segment {
            length,
            strain: (length - spring.rest_length) / spring.rest_length,
            tension: tension.flatten(),
            discrete: discrete
                .filter(|(_, pull)| pull[j].is_finite())
                .map(|(lengths, pull)| Reference { length: lengths[j], tension: pull[j] }),
            continuous: continuous.as_ref().and_then(|rope| rope.reference(model, j)),
        }
    };
    Shape {
        segments: lengths.iter().enumerate().map(segment).collect(),
        discrete_name: x
            .as_ref()
            .map(|_| if is_rigid { "chain of rigid links" } else { "chain of elastic links" }),
        continuous_name: continuous.as_ref().map(|rope| rope.name(is_rigid)),
        distance: x.as_ref().map(|x| farthest(model, &rest.x, x)),
        reference: x,
    }
}

/// Tension of each spring of a chain in equilibrium: below the last pin the weight below, between pins what the directions of neighbours leave. Not a number between neighbouring pins.
fn tensions(model: &Model, x: &[f64], gravity: &[f64]) -> Vec<f64> {
    let n = model.nodes();
    let g = gravity.iter().map(|component| component * component).sum::<f64>().sqrt();
    let pins: Vec<usize> = (0..n).filter(|&i| model.pinned[i]).collect();
    let [first, last] = [pins.first(), pins.last()].map(|pin| pin.copied().unwrap_or(0));
    let mut pull = vec![0.0; n.saturating_sub(1)];
    let mut weight = 0.0;
    for (pull, mass) in pull[last..].iter_mut().zip(&model.mass[last + 1..]).rev() {
        weight += mass * g;
        *pull = weight;
    }
    weight = 0.0;
    for (pull, mass) in pull[..first].iter_mut().zip(&model.mass) {
        weight += mass * g;
        *pull = weight;
    }
    for pair in pins.windows(2) {
        between(model, x, gravity, (pair[0], pair[1]), &mut pull);
    }
    pull
}

/// Between two pins the horizontal tension is the same everywhere, and the vertical one changes by a node's weight: two neighbours give both.
fn between(
    model: &Model,
    x: &[f64],
    gravity: &[f64],
    (from, to): (usize, usize),
    pull: &mut [f64],
) {
    if to < from + 2 {
        // What lies between two pins may have any tension.
        pull[from] = f64::NAN;
        return;
    }
    let g = gravity.iter().map(|component| component * component).sum::<f64>().sqrt();
    // Slope of each segment, down over across.
    let slope = |j: usize| {
        let (d, length) = model.span(x, &model.springs[j]);
        let down: f64 = d.iter().zip(gravity).map(|(d, g_axis)| d * g_axis / g).sum();
        (down, (length * length - down * down).max(0.0).sqrt())
    };
    let (first, last) = (slope(from), slope(to - 1));
    let weight: f64 = model.mass[from + 1..to].iter().sum::<f64>() * g;
    let horizontal = weight / (first.0 / first.1 - last.0 / last.1);
    for (j, pull) in pull.iter_mut().enumerate().take(to).skip(from) {
        let (down, across) = slope(j);
        let vertical = horizontal * down / across;
        *pull = (horizontal * horizontal + vertical * vertical).sqrt();
    }
}

fn farthest(model: &Model, a: &[f64], b: &[f64]) -> f64 {
    let n = model.nodes();
    let square =
        |i: usize| (i..a.len()).step_by(n).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>();
    (0..n).map(square).fold(0.0, f64::max).sqrt()
}

/// A continuous rope in place of a part of the chain.
struct Continuous {
    rope: Catenary,
    /// Its nodes, the first one being at the first support.
    nodes: (usize, usize),
    /// Whether the support is the chain's last node.
    is_reversed: bool,
}

impl Continuous {
    fn name(&self, is_rigid: bool) -> &'static str {
        match (self.rope.horizontal == 0.0, is_rigid) {
            (true, true) => "hanging rope, inextensible",
            (true, false) => "hanging rope, elastic",
            (false, true) => "catenary, inextensible",
            (false, false) => "catenary, elastic",
        }
    }

    fn reference(&self, model: &Model, j: usize) -> Option<Reference> {
        let (from, to) = self.nodes;
        let place = j.checked_sub(from).filter(|_| j < to)?;
        let place = if self.is_reversed { to - from - 1 - place } else { place };
        let l = model.springs[j].rest_length;
        let (a, b) = (l * place as f64, l * (place + 1) as f64);
        Some(Reference {
            length: self.rope.stretched(a, b),
            tension: self.rope.tension(0.5 * (a + b)),
        })
    }
}

/// The continuous rope of a uniform chain with one pin at an end or two at its ends.
fn continuous(
    model: &Model,
    x: &[f64],
    (gravity, g): (&[f64], f64),
    is_rigid: bool,
) -> Option<Continuous> {
    let n = model.nodes();
    let pins: Vec<usize> = (0..n).filter(|&i| model.pinned[i]).collect();
    let nodes = (0, n - 1);
    match pins[..] {
        [0] => {
            let rope = Rope::of_chain(model, nodes, g, is_rigid)?.hanging();
            Some(Continuous { rope, nodes, is_reversed: false })
        }
        [last] if last == n - 1 => {
            // Masses of the chain are those of all nodes but the pinned one.
            let rope = Rope::of_chain(model, nodes, g, is_rigid)?.hanging();
            Some(Continuous { rope, nodes, is_reversed: true })
        }
        [0, last] if last == n - 1 => {
            let rope = Rope::of_chain(model, nodes, g, is_rigid)?;
            let place = |i: usize| State::at_rest(x.to_vec()).position(n, i);
            let (a, b) = (place(0), place(last));
            let way: Vec<f64> = (0..model.axes).map(|axis| b[axis] - a[axis]).collect();
            let down: f64 = way.iter().zip(gravity).map(|(way, g_axis)| way * g_axis / g).sum();
            let square: f64 = way.iter().map(|component| component * component).sum();
            let across = (square - down * down).max(0.0).sqrt();
            let pull = tensions(model, x, gravity);
            let (d, length) = model.span(x, &model.springs[0]);
            let first_down: f64 = d.iter().zip(gravity).map(|(d, g_axis)| d * g_axis / g).sum();
            let vertical = pull[0] * first_down / length;
            let horizontal = (pull[0] * pull[0] - vertical * vertical).max(0.0).sqrt();
            let rope = rope.between([across, down], [horizontal, vertical])?;
            Some(Continuous { rope, nodes, is_reversed: false })
        }
        _ => None,
    }
}
