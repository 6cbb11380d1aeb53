//! Elements of a body that can pass through each other: segments, facets and nodes.

use super::curve::Curve;
use catena_sim::{Form, Model, SpringMemory};
use std::collections::BTreeMap;
use std::fmt;

/// Kind of an [`Element`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ElementKind {
    /// Segment of a rope or a curve, from point `index` to the next.
    Segment,
    /// Structural spring of a sheet, mesh or graph, by its index in the part.
    Thread,
    /// Triangle of a sheet or mesh.
    Facet,
    /// Node, by its index in the part.
    Node,
}

/// Element of a body that can pass through another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Element {
    /// Index of the part or curve that contains the element.
    pub part: usize,
    /// Kind of the element.
    pub kind: ElementKind,
    /// Index among the elements of this kind in the part.
    pub index: usize,
}

impl fmt::Display for ElementKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Segment => "segment",
            Self::Thread => "thread",
            Self::Facet => "facet",
            Self::Node => "node",
        })
    }
}

/// Line segment between two points.
pub(super) struct Edge {
    pub(super) points: [usize; 2],
    pub(super) element: Element,
    /// Springs along the edge. The edge disappears when one of them breaks.
    springs: Vec<usize>,
}

/// Triangle of three points.
pub(super) struct Face {
    pub(super) points: [usize; 3],
    pub(super) element: Element,
    springs: Vec<usize>,
}

/// All elements of a body.
#[derive(Default)]
pub(super) struct Elements {
    pub(super) edges: Vec<Edge>,
    pub(super) faces: Vec<Face>,
    /// Element of each point.
    pub(super) points: Vec<Element>,
}

fn is_whole(list: &[usize], springs: &SpringMemory) -> bool {
    !list.iter().any(|&spring| springs.is_broken(spring))
}

impl Edge {
    pub(super) fn is_whole(&self, springs: &SpringMemory) -> bool {
        is_whole(&self.springs, springs)
    }
}

impl Face {
    pub(super) fn is_whole(&self, springs: &SpringMemory) -> bool {
        is_whole(&self.springs, springs)
    }
}

impl Elements {
    /// Elements of curves, whose points are numbered consecutively.
    pub(super) fn of_curves(curves: &[Curve]) -> Self {
        let mut all = Self::default();
        for (part, curve) in curves.iter().enumerate() {
            let (first, count) = (all.points.len(), curve.points.len());
            let element = |kind, index| Element { part, kind, index };
            all.points.extend((0..count).map(|index| element(ElementKind::Node, index)));
            all.edges.extend((0..curve.segments()).map(|index| Edge {
                points: [first + index, first + (index + 1) % count],
                element: element(ElementKind::Segment, index),
                springs: Vec::new(),
            }));
        }
        all
    }

    /// Elements of a body. The sides of facets are edges, even without a spring along them.
    pub(super) fn of_body(model: &Model) -> Self {
        let mut all = Self::default();
        let lost = Element { part: 0, kind: ElementKind::Node, index: 0 };
        let mut points = vec![None; model.nodes()];
        for (part, it) in model.part_list().iter().enumerate() {
            let is_rope = matches!(it.form, Form::Rope { .. });
            let kind = if is_rope { ElementKind::Segment } else { ElementKind::Thread };
            for (index, &node) in it.nodes.iter().enumerate() {
                points[node].get_or_insert(Element { part, kind: ElementKind::Node, index });
            }
            let mut sides: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
            for (index, &spring) in it.springs.iter().enumerate() {
                let ends = [model.springs[spring].a, model.springs[spring].b];
                sides.insert(sorted(ends), vec![spring]);
                let element = Element { part, kind, index };
                all.edges.push(Edge { points: ends, element, springs: vec![spring] });
            }
            for (index, facet) in it.facets().into_iter().enumerate() {
                all.add_facet(Element { part, kind: ElementKind::Facet, index }, facet, &mut sides);
            }
        }
        all.points = points.into_iter().map(|point| point.unwrap_or(lost)).collect();
        all
    }

    /// Adds a facet, and its sides that are not yet edges. The facet disappears when a spring along
    /// one of its sides breaks.
    fn add_facet(
        &mut self,
        element: Element,
        points: [usize; 3],
        sides: &mut BTreeMap<[usize; 2], Vec<usize>>,
    ) {
        let [a, b, c] = points;
        let pairs = [[a, b], [b, c], [c, a]].map(sorted);
        let known = pairs.iter().filter_map(|pair| sides.get(pair));
        let springs: Vec<usize> = known.flatten().copied().collect();
        for pair in pairs {
            if let std::collections::btree_map::Entry::Vacant(side) = sides.entry(pair) {
                side.insert(springs.clone());
                self.edges.push(Edge { points: pair, element, springs: springs.clone() });
            }
        }
        self.faces.push(Face { points, element, springs });
    }
}

fn sorted([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}
