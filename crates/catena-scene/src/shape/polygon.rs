//! Triangles of faces with more than three corners.
//!
//! Convex faces become fans from their first corner. Other faces are cut by ear clipping, so that
//! the surface does not depend on the order of corners. The ear with the shortest cut is clipped
//! first. Source: Meisters 1975, "Polygons have ears".

use catena_sim::vector::cross;

/// Maximum number of corners of a face that is not convex. The time grows with the square of the
/// number.
const MAX_CORNERS: usize = 1000;

/// Maximum sum of squared corner counts over all faces of a file that are not convex.
const MAX_PAIRS: usize = 20_000_000;

/// Minimum area of a triangle in a face that is scaled to a unit square.
const FLAT: f64 = 1e-12;

const CROSSED: &str = "the sides of this face cross each other: cut it into triangles";

/// Triangulator for the faces of one file, with a limit on their total cost.
pub(super) struct Cutter {
    /// Unused part of [`MAX_PAIRS`].
    left: usize,
}

impl Default for Cutter {
    fn default() -> Self {
        Self { left: MAX_PAIRS }
    }
}

impl Cutter {
    /// Returns the triangles of a face, by its corner indices.
    ///
    /// # Errors
    /// Returns an error when the sides of the face cross, or it has too many corners.
    pub(super) fn triangles(
        &mut self,
        corners: &[usize],
        positions: &[[f64; 3]],
    ) -> Result<Vec<[usize; 3]>, String> {
        triangulate(corners, positions, &mut self.left)
    }
}

fn triangulate(
    corners: &[usize],
    positions: &[[f64; 3]],
    left: &mut usize,
) -> Result<Vec<[usize; 3]>, String> {
    let fan = || corners[1..].windows(2).map(|pair| [corners[0], pair[0], pair[1]]).collect();
    if corners.len() <= 3 {
        return Ok(fan());
    }
    let Some(face) = Polygon::new(corners, positions) else { return Ok(fan()) };
    if face.is_convex() {
        return Ok(fan());
    }
    let count = corners.len();
    if count > MAX_CORNERS {
        return Err(format!(
            "a face that is not convex may have at most {MAX_CORNERS} corners, but this one has \
             {count}: cut it into triangles"
        ));
    }
    let Some(rest) = left.checked_sub(count * count) else {
        return Err("too many faces are not convex: cut them into triangles".into());
    };
    *left = rest;
    Ears::new(&face).cut().ok_or_else(|| CROSSED.to_owned())
}

/// Corners of a face, projected onto its plane.
struct Polygon {
    corners: Vec<usize>,
    /// Positions in the face's own plane, counterclockwise, scaled to a unit square.
    flat: Vec<[f64; 2]>,
    /// Positions in space with the same scale.
    space: Vec<[f64; 3]>,
}

impl Polygon {
    /// Creates a face, or returns `None` if its corners are collinear. The corner list starts at
    /// the lowest index, so that the result does not depend on the first corner.
    fn new(corners: &[usize], positions: &[[f64; 3]]) -> Option<Self> {
        let first = (0..corners.len()).min_by_key(|k| corners[*k])?;
        let mut corners = corners.to_vec();
        corners.rotate_left(first);
        let origin = positions[corners[0]];
        let offset = |corner: &usize| [0, 1, 2].map(|k| positions[*corner][k] - origin[k]);
        let offsets: Vec<[f64; 3]> = corners.iter().map(offset).collect();
        let size = offsets.iter().flatten().fold(0.0, |maximum: f64, x| maximum.max(x.abs()));
        if size == 0.0 {
            return None;
        }
        let space: Vec<[f64; 3]> = offsets.iter().map(|place| place.map(|x| x / size)).collect();
        let is_thin = |pair: &[[f64; 3]]| cross(pair[0], pair[1]).iter().all(|x| x.abs() <= FLAT);
        if space.windows(2).all(is_thin) {
            return None;
        }
        let normal = normal(&space);
        let axis = (0..3).max_by(|a, b| normal[*a].abs().total_cmp(&normal[*b].abs()))?;
        let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
        let is_front = normal[axis] >= 0.0;
        let flat = |place: &[f64; 3]| {
            if is_front { [place[u], place[v]] } else { [place[v], place[u]] }
        };
        let flat = space.iter().map(flat).collect();
        Some(Self { corners, flat, space })
    }

    /// Returns twice the signed area of a triangle, which is negative for a clockwise one.
    fn area(&self, [a, b, c]: [usize; 3]) -> f64 {
        let [a, b, c] = [a, b, c].map(|k| self.flat[k]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    }

    /// Whether each corner turns left and the sides wind around once.
    fn is_convex(&self) -> bool {
        let count = self.corners.len();
        let turns = |k: usize| self.area([k, (k + 1) % count, (k + 2) % count]) > FLAT;
        (0..count).all(turns) && (2..count).all(|k| self.area([0, k - 1, k]) > FLAT)
    }
}

/// Returns the normal of a face by Newell's sum.
fn normal(places: &[[f64; 3]]) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (k, a) in places.iter().enumerate() {
        let b = places[(k + 1) % places.len()];
        for (axis, sum) in sum.iter_mut().enumerate() {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
            *sum += (a[u] - b[u]) * (a[v] + b[v]);
        }
    }
    sum
}

/// Ring of corners that are not yet clipped.
struct Ears<'a> {
    face: &'a Polygon,
    before: Vec<usize>,
    after: Vec<usize>,
    left: Vec<usize>,
    is_ear: Vec<bool>,
}

impl<'a> Ears<'a> {
    fn new(face: &'a Polygon) -> Self {
        let count = face.corners.len();
        let before = (0..count).map(|k| (k + count - 1) % count).collect();
        let after = (0..count).map(|k| (k + 1) % count).collect();
        Self { face, before, after, left: (0..count).collect(), is_ear: vec![false; count] }
    }

    /// Returns all triangles, or `None` if no ear is left because sides cross.
    fn cut(mut self) -> Option<Vec<[usize; 3]>> {
        let face = self.face;
        let number = |k: usize| face.corners[k];
        let mut triangles = Vec::with_capacity(self.left.len() - 2);
        self.find_ears(true);
        while self.left.len() > 3 {
            let ear = self.shortest().or_else(|| {
                self.find_ears(true);
                self.shortest()
            });
            // Touching sides, such as sides along a hole, leave ears with corners on their cut.
            let ear = ear.or_else(|| {
                self.find_ears(false);
                self.shortest()
            })?;
            let [a, c] = [self.before[ear], self.after[ear]];
            triangles.push([a, ear, c].map(number));
            (self.after[a], self.before[c]) = (c, a);
            self.left.retain(|corner| *corner != ear);
            for corner in [a, c] {
                self.is_ear[corner] = self.can_cut(corner, true);
            }
        }
        let last = [self.left[0], self.left[1], self.left[2]];
        triangles.push(last.map(number));
        let is_left = face.area([self.before[last[1]], last[1], self.after[last[1]]]) >= -FLAT;
        is_left.then_some(triangles)
    }

    /// Determines all ears.
    fn find_ears(&mut self, is_strict: bool) {
        for index in 0..self.left.len() {
            let corner = self.left[index];
            self.is_ear[corner] = self.can_cut(corner, is_strict);
        }
    }

    /// Whether a corner is an ear: its triangle has an area and contains no other corner. If
    /// `is_strict`, the sides of the triangle must not contain another corner either.
    fn can_cut(&self, corner: usize, is_strict: bool) -> bool {
        let Polygon { flat, .. } = self.face;
        let [a, b, c] = [self.before[corner], corner, self.after[corner]];
        let margin = if is_strict { -FLAT } else { FLAT };
        let is_inside = |k: &usize| {
            let sides = [[a, b, *k], [b, c, *k], [c, a, *k]];
            let is_corner = [a, b, c].iter().any(|own| own == k || flat[*own] == flat[*k]);
            !is_corner && sides.iter().all(|side| self.face.area(*side) >= margin)
        };
        self.face.area([a, b, c]) > FLAT && !self.left.iter().any(is_inside)
    }

    /// Returns the ear with the shortest cut. Among equal cuts, the lowest index wins.
    fn shortest(&self) -> Option<usize> {
        let length = |ear: usize| {
            let [a, c] = [self.before[ear], self.after[ear]].map(|k| self.face.space[k]);
            [0, 1, 2].map(|k| (c[k] - a[k]) * (c[k] - a[k])).iter().sum::<f64>()
        };
        let ears = self.left.iter().copied().filter(|corner| self.is_ear[*corner]);
        ears.min_by(|a, b| {
            let numbers = || self.face.corners[*a].cmp(&self.face.corners[*b]);
            length(*a).total_cmp(&length(*b)).then_with(numbers)
        })
    }
}
