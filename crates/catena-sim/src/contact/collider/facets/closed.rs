//! Surfaces of solids as triangles: neighbours across edges, and the outward side of each triangle.
//!
//! A solid needs a closed surface: each edge joins exactly two triangles. Files may list the
//! corners of single triangles in the wrong order, so the order follows from the neighbours. Each
//! connected piece is then turned outwards by the sign of its volume.

use crate::body::vector::{Vec3, cross, dot, sub};
use std::collections::BTreeMap;

/// Reason why triangles do not bound a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unclosed {
    /// There are no triangles.
    Empty,
    /// A corner of a triangle has an index beyond the last point.
    Missing {
        /// Index of the triangle.
        facet: usize,
    },
    /// A triangle has no area, or a point that is not finite.
    Flat {
        /// Index of the triangle.
        facet: usize,
    },
    /// An edge belongs to one triangle only.
    Open {
        /// Index of the triangle.
        facet: usize,
        /// Points at the ends of the edge.
        edge: [usize; 2],
        /// Number of edges with one triangle only.
        count: usize,
    },
    /// An edge belongs to more than two triangles.
    Crowded {
        /// Index of the first triangle.
        facet: usize,
        /// Points at the ends of the edge.
        edge: [usize; 2],
    },
    /// The triangles have no inner and outer side, as on a Möbius strip.
    OneSided {
        /// Index of a triangle whose neighbours disagree.
        facet: usize,
    },
}

/// Triangles with their neighbours.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shell {
    /// Corners of each triangle, anticlockwise as seen from outside.
    pub(super) facets: Vec<[usize; 3]>,
    /// Neighbouring triangle across each edge. Edge k runs from corner k to the next one.
    pub(super) beyond: Vec<[usize; 3]>,
    /// Triangles at each point, concatenated; `first` is the start index of each point.
    around: Vec<usize>,
    first: Vec<usize>,
}

impl Shell {
    /// Creates the shell of a closed surface.
    ///
    /// # Errors
    /// The triangles do not bound a solid.
    pub(super) fn new(points: &[Vec3], facets: &[[usize; 3]]) -> Result<Self, Unclosed> {
        check(points, facets)?;
        let beyond = neighbours(facets)?;
        let mut shell = Self { facets: facets.to_vec(), beyond, around: vec![], first: vec![] };
        shell.turn_outwards(points)?;
        let mut by_point = vec![Vec::new(); points.len()];
        for (facet, corners) in shell.facets.iter().enumerate() {
            corners.iter().for_each(|&corner| by_point[corner].push(facet));
        }
        for facets in by_point {
            shell.first.push(shell.around.len());
            shell.around.extend(facets);
        }
        shell.first.push(shell.around.len());
        Ok(shell)
    }

    /// Returns the triangles at a point.
    pub(super) fn around(&self, point: usize) -> &[usize] {
        &self.around[self.first[point]..self.first[point + 1]]
    }

    /// Gives the triangles of each connected piece one order of corners, anticlockwise as seen from
    /// outside.
    fn turn_outwards(&mut self, points: &[Vec3]) -> Result<(), Unclosed> {
        let mut is_known = vec![false; self.facets.len()];
        for seed in 0..self.facets.len() {
            if is_known[seed] {
                continue;
            }
            let (mut open, mut piece) = (vec![seed], Vec::new());
            is_known[seed] = true;
            while let Some(facet) = open.pop() {
                piece.push(facet);
                for edge in 0..3 {
                    let other = self.beyond[facet][edge];
                    let ends = self.edge(facet, edge);
                    let runs_along = (0..3).any(|k| self.edge(other, k) == ends);
                    if is_known[other] && runs_along {
                        return Err(Unclosed::OneSided { facet });
                    }
                    if !std::mem::replace(&mut is_known[other], true) {
                        if runs_along {
                            self.turn(other);
                        }
                        open.push(other);
                    }
                }
            }
            piece.sort_unstable();
            let origin = points[self.facets[seed][0]];
            let corner = |point: usize| sub(points[point], origin);
            let volumes = piece.iter().map(|&facet| {
                let [a, b, c] = self.facets[facet].map(corner);
                dot(a, cross(b, c))
            });
            if volumes.sum::<f64>() < 0.0 {
                piece.into_iter().for_each(|facet| self.turn(facet));
            }
        }
        Ok(())
    }

    /// Returns the ends of an edge in the order of the triangle.
    fn edge(&self, facet: usize, edge: usize) -> [usize; 2] {
        let corners = self.facets[facet];
        [corners[edge], corners[(edge + 1) % 3]]
    }

    /// Reverses the order of a triangle's corners.
    fn turn(&mut self, facet: usize) {
        self.facets[facet].swap(1, 2);
        self.beyond[facet].swap(0, 2);
    }
}

/// Returns an error for an empty list, or for a triangle with missing points or without area.
fn check(points: &[Vec3], facets: &[[usize; 3]]) -> Result<(), Unclosed> {
    if facets.is_empty() {
        return Err(Unclosed::Empty);
    }
    for (facet, corners) in facets.iter().enumerate() {
        if corners.iter().any(|&corner| corner >= points.len()) {
            return Err(Unclosed::Missing { facet });
        }
        let [a, b, c] = corners.map(|corner| points[corner]);
        let area = cross(sub(b, a), sub(c, a));
        // A subnormal squared area would leave normals with too few digits.
        if !dot(area, area).is_normal() {
            return Err(Unclosed::Flat { facet });
        }
    }
    Ok(())
}

/// Returns the neighbouring triangle across each edge of each triangle.
fn neighbours(facets: &[[usize; 3]]) -> Result<Vec<[usize; 3]>, Unclosed> {
    let mut by_edge: BTreeMap<[usize; 2], Vec<(usize, usize)>> = BTreeMap::new();
    for (facet, corners) in facets.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            by_edge.entry([a.min(b), a.max(b)]).or_default().push((facet, k));
        }
    }
    let mut open: Vec<(usize, [usize; 2])> = Vec::new();
    let mut beyond = vec![[0; 3]; facets.len()];
    for (edge, sides) in &by_edge {
        match sides[..] {
            [(a, i), (b, k)] => (beyond[a][i], beyond[b][k]) = (b, a),
            [(facet, _)] => open.push((facet, *edge)),
            _ => return Err(Unclosed::Crowded { facet: sides[0].0, edge: *edge }),
        }
    }
    match open.iter().min() {
        None => Ok(beyond),
        Some(&(facet, edge)) => Err(Unclosed::Open { facet, edge, count: open.len() }),
    }
}
