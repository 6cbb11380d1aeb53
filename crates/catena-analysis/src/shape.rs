//! Tension, strain and length of each segment at rest, with the discrete chain and the continuous
//! rope as references.
//!
//! Vectors that are flat by axis have all x first, then all y, then all z.

use super::catenary::{Catenary, ContinuousRope};
use catena_sim::body::hanging::LinkLaw;
use catena_sim::{Model, Setup, SpringMemory, State, body::measure};

/// Segment of a body at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestSegment {
    /// Stretched length.
    pub length: f64,
    /// Strain: (length - rest length) / rest length.
    pub strain: f64,
    /// Tension by the spring law; `None` for methods that enforce lengths, and for broken springs.
    pub tension: Option<f64>,
    /// Reference values of the discrete chain.
    pub discrete: Option<SegmentReference>,
    /// Reference values of the continuous rope, with the tension at the segment's middle.
    pub continuous: Option<SegmentReference>,
}

/// Theoretical length and tension of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SegmentReference {
    /// Stretched length.
    pub length: f64,
    /// Tension in the segment.
    pub tension: f64,
}

/// Shape of a body at rest, with its references.
#[derive(Clone, Debug, PartialEq)]
pub struct RestShape {
    /// One segment per structural spring, in the order of the model.
    pub segments: Vec<RestSegment>,
    /// Name of the discrete reference; `None` if there is none.
    pub discrete_name: Option<&'static str>,
    /// Name of the continuous reference; `None` if there is none.
    pub continuous_name: Option<&'static str>,
    /// Maximum distance of a node from its position in the discrete reference.
    pub distance: Option<f64>,
    /// Positions of the discrete reference, flat by axis.
    pub reference: Option<Vec<f64>>,
    /// Maximum distance of a node from the rest state that [`statics`](crate::statics) finds;
    /// `None` if it was not searched or not found.
    pub from_solved: Option<f64>,
}

/// Compares a state at rest with its references.
pub fn shape(setup: &Setup, rest: &State, springs: &SpringMemory) -> RestShape {
    let setup = &setup.with_method_stiffness();
    let model = &setup.model;
    let link_law = setup.link_law();
    let is_rigid = link_law == LinkLaw::Rigid;
    let x = setup.hanging_chain(link_law);
    let continuous = x.as_ref().and_then(|x| continuous(setup, x, is_rigid));
    let lengths = measure::segment_lengths(model, &rest.x);
    let expected = x.as_ref().map(|x| measure::segment_lengths(model, x));
    let pull = x.as_ref().map(|x| chain_tensions(setup, x));
    let segment = |(j, &length): (usize, &f64)| {
        let spring = &model.springs[j];
        let discrete = expected.as_ref().zip(pull.as_ref());
        let plastic = springs.plastic(j);
        let tension = (!is_rigid && !springs.is_broken(j))
            .then(|| setup.spring_law().map(|law| law.tension(spring, length, plastic)));
        RestSegment {
            length,
            strain: (length - spring.rest_length) / spring.rest_length,
            tension: tension.flatten(),
            discrete: discrete
                .filter(|(_, pull)| pull[j].is_finite())
                .map(|(lengths, pull)| SegmentReference { length: lengths[j], tension: pull[j] }),
            continuous: continuous.as_ref().and_then(|rope| rope.reference(model, j)),
        }
    };
    RestShape {
        segments: lengths.iter().enumerate().map(segment).collect(),
        discrete_name: x
            .as_ref()
            .map(|_| if is_rigid { "chain of rigid links" } else { "chain of elastic links" }),
        continuous_name: continuous.as_ref().map(|rope| rope.name(is_rigid)),
        distance: x.as_ref().map(|x| farthest(model, &rest.x, x)),
        reference: x,
        from_solved: None,
    }
}

/// Tension of each spring of a chain in equilibrium. Beyond the outer pins it equals the weight
/// below. Between pins it follows from the directions of the segments, and is NaN between adjacent
/// pins.
pub(super) fn chain_tensions(setup: &Setup, x: &[f64]) -> Vec<f64> {
    let (model, g) = (&setup.model, setup.gravity_strength());
    let n = model.nodes();
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
        fill_between(setup, x, pair[0], pair[1], &mut pull);
    }
    pull
}

/// Fills in the tensions between two pins. The horizontal tension is constant and the vertical one
/// changes by each node's weight, so the first and last directions determine both.
fn fill_between(setup: &Setup, x: &[f64], from: usize, to: usize, pull: &mut [f64]) {
    if to < from + 2 {
        // A single segment between two pins may have any tension.
        pull[from] = f64::NAN;
        return;
    }
    let model = &setup.model;
    let (gravity, g) = (&setup.gravity(), setup.gravity_strength());
    // Components of each segment, down and across.
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

/// Maximum distance between two positions of a node, each flat by axis.
pub fn farthest(model: &Model, a: &[f64], b: &[f64]) -> f64 {
    let n = model.nodes();
    let square =
        |i: usize| (i..a.len()).step_by(n).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>();
    (0..n).map(square).fold(0.0, f64::max).sqrt()
}

/// Continuous rope that corresponds to a section of the chain.
struct Continuous {
    rope: Catenary,
    /// First and last node of the section.
    nodes: (usize, usize),
    /// Whether the first support is the last node.
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

    fn reference(&self, model: &Model, j: usize) -> Option<SegmentReference> {
        let (from, to) = self.nodes;
        let place = j.checked_sub(from).filter(|_| j < to)?;
        let place = if self.is_reversed { to - from - 1 - place } else { place };
        let l = model.springs[j].rest_length;
        let (a, b) = (l * place as f64, l * (place + 1) as f64);
        Some(SegmentReference {
            length: self.rope.stretched(a, b),
            tension: self.rope.tension(0.5 * (a + b)),
        })
    }
}

/// Continuous rope of a uniform chain with a pin at one end or at both.
fn continuous(setup: &Setup, x: &[f64], is_rigid: bool) -> Option<Continuous> {
    let model = &setup.model;
    let (gravity, g) = (&setup.gravity(), setup.gravity_strength());
    let n = model.nodes();
    let pins: Vec<usize> = (0..n).filter(|&i| model.pinned[i]).collect();
    let (first, last_node) = (0, n - 1);
    let nodes = (first, last_node);
    match pins[..] {
        [0] => {
            let rope = ContinuousRope::of_chain(model, first, last_node, g, is_rigid)?.hanging();
            Some(Continuous { rope, nodes, is_reversed: false })
        }
        [last] if last == n - 1 => {
            let rope = ContinuousRope::of_chain(model, first, last_node, g, is_rigid)?.hanging();
            Some(Continuous { rope, nodes, is_reversed: true })
        }
        [0, last] if last == n - 1 => {
            let rope = ContinuousRope::of_chain(model, first, last_node, g, is_rigid)?;
            let place = |i: usize| State::at_rest(x.to_vec()).position(n, i);
            let (a, b) = (place(first), place(last));
            let offset: Vec<f64> = (0..model.axes).map(|axis| b[axis] - a[axis]).collect();
            let down: f64 =
                offset.iter().zip(gravity).map(|(offset, g_axis)| offset * g_axis / g).sum();
            let square: f64 = offset.iter().map(|component| component * component).sum();
            let across = (square - down * down).max(0.0).sqrt();
            let pull = chain_tensions(setup, x);
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
