//! Cleanup of meshes: merging of vertices, and removal of unused vertices and flat triangles.

use catena_base::text::number::counted;
use catena_sim::body::shape::mesh::has_area;
use catena_sim::vector::{Vec3, dot, sub};
use std::collections::HashMap;

/// Mesh after merging.
pub(super) struct Welded {
    pub(super) positions: Vec<Vec3>,
    pub(super) facets: Vec<[usize; 3]>,
    /// Node index of each vertex of the file; `None` for a dropped vertex.
    pub(super) nodes: Vec<Option<usize>>,
    /// File indices of the kept vertices; `kept_facets` holds the file indices of the kept
    /// triangles.
    pub(super) kept_positions: Vec<usize>,
    pub(super) kept_facets: Vec<usize>,
    /// Number of merged vertices; `stray` and `flat` count dropped vertices and triangles.
    merged: usize,
    stray: usize,
    flat: usize,
}

impl Welded {
    /// Merges each vertex into an earlier kept vertex within `distance`.
    pub(super) fn new(positions: &[Vec3], facets: &[[usize; 3]], distance: f64) -> Self {
        let firsts = firsts(positions, distance);
        let merged = (0..positions.len()).filter(|vertex| firsts[*vertex] != *vertex).count();
        let of_firsts = facets.iter().map(|facet| facet.map(|corner| firsts[corner]));
        let is_kept =
            |(_, facet): &(usize, [usize; 3])| has_area(facet.map(|corner| positions[corner]));
        let kept: Vec<(usize, [usize; 3])> = of_firsts.enumerate().filter(is_kept).collect();
        let mut is_used = vec![false; positions.len()];
        kept.iter().flat_map(|(_, facet)| facet).for_each(|corner| is_used[*corner] = true);
        let kept_positions: Vec<usize> = (0..positions.len()).filter(|it| is_used[*it]).collect();
        let mut numbers = vec![None; positions.len()];
        for (number, vertex) in kept_positions.iter().enumerate() {
            numbers[*vertex] = Some(number);
        }
        let nodes = firsts.iter().map(|first| numbers[*first]).collect();
        let number = |corner: usize| numbers[corner].unwrap_or_default();
        Self {
            positions: kept_positions.iter().map(|vertex| positions[*vertex]).collect(),
            facets: kept.iter().map(|(_, facet)| facet.map(number)).collect(),
            nodes,
            merged,
            stray: positions.len() - merged - kept_positions.len(),
            flat: facets.len() - kept.len(),
            kept_facets: kept.into_iter().map(|(index, _)| index).collect(),
            kept_positions,
        }
    }

    /// Describes the merged and dropped parts, or returns `None` if there are none.
    pub(super) fn note(&self) -> Option<String> {
        let part = |count: usize, verb: &str, one: &str, more: &str| {
            let of = counted(count as u64, one).replace("vertexs", "vertices");
            (count > 0).then(|| format!("{verb} {of}{more}"))
        };
        let parts: Vec<String> = [
            part(self.merged, "merged", "duplicate vertex", ""),
            part(self.stray, "dropped", "vertex", " without triangles"),
            part(self.flat, "dropped", "triangle", " without area"),
        ]
        .into_iter()
        .flatten()
        .collect();
        let is_renumbered = self.merged + self.stray > 0;
        let numbers = if is_renumbered { "; nodes are renumbered" } else { "" };
        (!parts.is_empty()).then(|| parts.join(", ") + numbers)
    }
}

/// Returns the replacement of each vertex: the nearest earlier kept vertex within `distance`, or
/// the vertex itself.
fn firsts(positions: &[Vec3], distance: f64) -> Vec<usize> {
    // Cells are as wide as the distance, so near vertices are in the same cell or a neighbouring
    // one. Kept vertices are farther apart than the distance, so a cell contains few of them.
    let cell =
        |place: Vec3| place.map(|x| if distance > 0.0 { libm::floor(x / distance) } else { x });
    let key = |cell: Vec3| cell.map(|x| (x + 0.0).to_bits());
    let steps: &[f64] = if distance > 0.0 { &[-1.0, 0.0, 1.0] } else { &[0.0] };
    let mut cells: HashMap<[u64; 3], Vec<usize>> = HashMap::new();
    let mut firsts = Vec::with_capacity(positions.len());
    for (vertex, place) in positions.iter().enumerate() {
        let own = cell(*place);
        let mut nearest: Option<(f64, usize)> = None;
        for [x, y, z] in neighbours(own, steps) {
            for &other in cells.get(&key([x, y, z])).into_iter().flatten() {
                let offset = sub(*place, positions[other]);
                let found = (dot(offset, offset), other);
                let is_nearer = nearest.is_none_or(|nearest| found < nearest);
                if found.0 <= distance * distance && is_nearer {
                    nearest = Some(found);
                }
            }
        }
        firsts.push(nearest.map_or(vertex, |(_, other)| other));
        if nearest.is_none() {
            cells.entry(key(own)).or_default().push(vertex);
        }
    }
    firsts
}

/// Returns a cell and its neighbours.
fn neighbours([x, y, z]: Vec3, steps: &[f64]) -> impl Iterator<Item = Vec3> {
    let of_x = steps.iter().map(move |step| x + step);
    let of_xy = of_x.flat_map(move |x| steps.iter().map(move |step| [x, y + step]));
    of_xy.flat_map(move |[x, y]| steps.iter().map(move |step| [x, y, z + step]))
}
