//! Gaps of drawn pieces. Vertices and edges of the body touch colliders. Facets touch the tips of
//! colliders: centres of balls, ends of capsules and corners of boxes.

use super::{Gap, GapKey, Gaps};
use crate::body::Model;
use crate::body::vector::{Vec3, add, along, cross, dot, scaled, scaled_norm, sub};
use crate::contact::collider::Solid;
use crate::contact::drawn::closest::nearest;
use crate::contact::drawn::pieces::{Piece, Pieces};
use crate::contact::{Contacts, DrawnContact};

/// Barycentric weight in a facet below which the nearest point counts as on an edge.
const INSIDE: f64 = 1e-9;

/// A point of a collider that a facet can touch.
#[derive(Clone, Copy, Debug)]
struct Tip {
    collider: usize,
    place: Vec3,
    radius: f64,
    /// Outward direction at a corner of the solid; `None` for round tips.
    outwards: Option<Vec3>,
}

/// Pieces of a body with contact of the drawn geometry.
#[derive(Debug)]
pub(super) struct DrawnPieces {
    pieces: Pieces,
    tips: Vec<Tip>,
}

impl DrawnPieces {
    pub(super) fn new(drawn: &DrawnContact, contacts: &Contacts, model: &Model, t: f64) -> Self {
        let pieces = Pieces::new(drawn, model, &[]);
        let mut tips = Vec::new();
        for (collider, solid) in contacts.colliders.iter().enumerate() {
            let tip = |place, radius, outwards| Tip { collider, place, radius, outwards };
            match solid.solid_at(t) {
                Solid::HalfSpace { .. } => {}
                Solid::Capsule { a, b, radius } if a == b => tips.push(tip(a, radius, None)),
                Solid::Capsule { a, b, radius } => {
                    tips.extend([a, b].map(|end| tip(end, radius, None)));
                }
                Solid::Facets { points, facets } => {
                    tips.extend(tips_of(collider, &points, &facets));
                }
                Solid::Polygon { .. } => {}
                solid @ Solid::Box { center, .. } => {
                    let corner = |corner| tip(corner, 0.0, Some(sub(corner, center)));
                    tips.extend(solid.corners().into_iter().map(corner));
                }
            }
        }
        Self { pieces, tips }
    }

    /// Gap between a piece and a collider, or between a facet and a tip. Tip indices follow the
    /// indices of colliders.
    pub(super) fn at(&self, gaps: &Gaps<'_>, key: GapKey, x: &[f64]) -> Option<Gap> {
        let piece = &self.pieces.all[key.0];
        let corners = piece.padded().map(|node| gaps.at_node(x, node));
        match piece.count {
            1 => {
                let (distance, normal) = gaps.distance(key.1, corners[0]);
                Some(made(key, key.1, piece, [1.0, 0.0, 0.0], normal, distance - piece.half))
            }
            2 => {
                let ends = [corners[0], corners[1]];
                let point = |point: Vec3| gaps.distance(key.1, point);
                let found = lowest_within(ends, piece.half, point)?;
                let weights = [1.0 - found.share, found.share, 0.0];
                let gap = found.distance - piece.half;
                Some(made(key, key.1, piece, weights, found.normal, gap))
            }
            _ => {
                let tip = &self.tips[key.1 - gaps.contacts.colliders.len()];
                let near = nearest(&corners, &[tip.place]);
                if near.first.iter().any(|share| *share < INSIDE) {
                    return None;
                }
                let out = tip.outwards.map_or(near.normal, |outwards| outwards);
                let side = if dot(out, near.normal) < 0.0 { -1.0 } else { 1.0 };
                let gap = side * near.distance - tip.radius - piece.half;
                let normal = scaled(near.normal, side);
                Some(made(key, tip.collider, piece, near.first, normal, gap))
            }
        }
    }

    /// Gaps smaller than `maximum`.
    pub(super) fn near(&self, gaps: &Gaps<'_>, x: &[f64], maximum: f64) -> Vec<Gap> {
        let mut found = Vec::new();
        let colliders = gaps.contacts.colliders.len();
        for (index, piece) in self.pieces.all.iter().enumerate() {
            if piece.nodes().iter().all(|&node| gaps.model.pinned[node]) {
                continue;
            }
            let corners = piece.padded().map(|node| gaps.at_node(x, node));
            let reach = corners.iter().map(|corner| scaled_norm(sub(*corner, corners[0])));
            let most_apart = maximum + piece.half + reach.fold(0.0, f64::max);
            let others = if piece.count < 3 { 0..colliders } else { 0..self.tips.len() };
            for other in others {
                // The distance is 1-Lipschitz in the position.
                let (far, key) = match piece.count {
                    3 => {
                        let tip = &self.tips[other];
                        let far = scaled_norm(sub(corners[0], tip.place)) - tip.radius;
                        (far, (index, colliders + other))
                    }
                    _ => (gaps.distance(other, corners[0]).0, (index, other)),
                };
                if far < most_apart {
                    found.extend(self.at(gaps, key, x).filter(|gap| gap.gap < maximum));
                }
            }
        }
        found
    }
}

/// Returns the points of a closed surface as tips, each with the direction of the sum of its
/// triangles' normals.
fn tips_of(collider: usize, points: &[Vec3], facets: &[[usize; 3]]) -> Vec<Tip> {
    let mut outwards = vec![[0.0; 3]; points.len()];
    for facet in facets {
        let [a, b, c] = facet.map(|corner| points[corner]);
        let area = cross(sub(b, a), sub(c, a));
        facet.iter().for_each(|&corner| outwards[corner] = add(outwards[corner], area));
    }
    let tip = |(place, outwards): (&Vec3, Vec3)| Tip {
        collider,
        place: *place,
        radius: 0.0,
        outwards: Some(outwards),
    };
    points.iter().zip(outwards).map(tip).collect()
}

fn made(
    key: GapKey,
    collider: usize,
    piece: &Piece,
    weights: [f64; 3],
    normal: Vec3,
    gap: f64,
) -> Gap {
    let ([a, b, c], [u, v, w]) = (piece.padded(), weights);
    let collider = Some(collider);
    let (nodes, weights) = ([a, b, c, 0], [u, v, w, 0.0]);
    Gap { key, collider, nodes, count: piece.count, weights, normal, gap }
}

/// Depth below both ends that an interior minimum must exceed, as a fraction of a length.
const CLEAR: f64 = 1e-9;
/// Maximum number of halvings, enough for full precision.
const HALVINGS: usize = 64;

/// An interior point of a segment.
struct Lowest {
    /// Fraction of the segment, from the first end.
    share: f64,
    /// Signed distance at this point.
    distance: f64,
    /// Outward unit normal at this point.
    normal: Vec3,
}

/// Finds the interior point of a segment with the minimum signed distance, by bisection. The
/// distance from a convex solid is convex along the segment. Returns `None` if an end is as near,
/// up to a small fraction of `length`.
fn lowest_within(
    [a, b]: [Vec3; 2],
    length: f64,
    distance: impl Fn(Vec3) -> (f64, Vec3),
) -> Option<Lowest> {
    let offset = sub(b, a);
    let rises = |point: Vec3| dot(distance(point).1, offset);
    if rises(a) >= 0.0 || rises(b) <= 0.0 {
        return None;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if rises(along(a, middle, offset)) > 0.0 { high = middle } else { low = middle }
    }
    let share = 0.5 * (low + high);
    let (minimum, normal) = distance(along(a, share, offset));
    let ends = distance(a).0.min(distance(b).0);
    (minimum < ends - CLEAR * length).then_some(Lowest { share, distance: minimum, normal })
}
