//! Terrain: heights at the points of a regular grid, or along a line in a planar scene.
//!
//! Each cell consists of two triangles. Below the lowest height the solid ends in a flat bottom. In
//! the plane, the solid is a prism along z that is much longer than the terrain.

use super::facets::Facets;
use super::file::{BadContent, FileContent, FileKind, WantedFile};
use super::mesh::PLACE;
use super::plane::{FRICTION, RESTITUTION, check_surface};
use super::{Collider, Shape, Solid, Surface};
use crate::body::vector::Vec3;
use crate::named::Components;
use crate::named::{BadOption, Info, OptionInfo, OptionKind};
use serde::Deserialize;
use std::sync::Arc;

/// Terrain with its surface properties.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Written")]
pub struct HeightField {
    /// Name of the file with the heights; `None` if they are written out.
    pub file: Option<String>,
    /// Rows of heights. Heights of a row follow each other along x, and rows along z.
    pub heights: Vec<Vec<f64>>,
    /// Distance between neighbouring heights, above zero.
    pub spacing: f64,
    /// Position of the first height, to which heights are added; `None` for the origin.
    pub place: Option<Components>,
    /// Factor by which heights are multiplied.
    pub scale: f64,
    /// Thickness of the solid below the lowest height; `None` for the longest side of the terrain.
    pub depth: Option<f64>,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Coefficient of Coulomb friction, at least 0.
    pub friction: f64,
    /// The solid; `None` until it is built.
    pub solid: Option<Arc<Facets>>,
}
crate::identity!(HeightField {
    file,
    heights,
    spacing,
    place,
    scale,
    depth,
    restitution,
    friction,
    solid,
});

/// Fields as written in a scene.
#[derive(Deserialize)]
#[serde(rename = "HeightField", deny_unknown_fields)]
struct Written {
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    heights: Vec<Vec<f64>>,
    spacing: f64,
    #[serde(default)]
    place: Option<Components>,
    #[serde(default = "one")]
    scale: f64,
    #[serde(default)]
    depth: Option<f64>,
    #[serde(default)]
    restitution: f64,
    #[serde(default)]
    friction: f64,
}

fn one() -> f64 {
    1.0
}

const FILE: OptionInfo = OptionInfo {
    name: "file",
    summary: "CSV file with one row of heights per line, without a header",
    default: OptionInfo::LEFT_OUT,
    range: "the name of a file in quotes, instead of `heights`",
    kind: OptionKind::File(&["csv", "txt"]),
    ..OptionInfo::PLAIN
};

const HEIGHTS: OptionInfo = OptionInfo {
    name: "heights",
    summary: "rows of heights: along x within a row, rows along z; one row in a planar scene",
    default: OptionInfo::LEFT_OUT,
    range: "finite numbers in rows of equal length, at least 2 per row; at least 2 rows in space, 1 row in the plane; or a file instead",
    unit: "length",
    ..OptionInfo::PLAIN
};

const SPACING: OptionInfo = OptionInfo {
    name: "spacing",
    summary: "distance between neighbouring heights",
    default: OptionInfo::NEEDED,
    range: "a number above 0, at most 1e100",
    unit: "length",
    ..OptionInfo::PLAIN
};

const SCALE: OptionInfo = OptionInfo {
    name: "scale",
    summary: "scale factor of the heights",
    default: "1",
    range: "a finite number",
    ..OptionInfo::PLAIN
};

const DEPTH: OptionInfo = OptionInfo {
    name: "depth",
    summary: "thickness of the solid below its lowest height",
    default: "the longest side of the terrain",
    range: "a number above 0, at most 1e100",
    unit: "length",
    ..OptionInfo::PLAIN
};

/// Condition for heights that enclose a solid.
const BOUNDED: &str = "heights, a spacing and a depth of similar size, so that the terrain has \
                       triangles with an area and a bottom below them";

/// Maximum number of heights in a row or column.
const MAX: usize = 4096;

impl HeightField {
    pub(super) const INFO: Info = Info {
        name: "HeightField",
        summary: "terrain: heights on a grid, or along a line in a planar scene",
        options: &[FILE, HEIGHTS, SPACING, PLACE, SCALE, DEPTH, RESTITUTION, FRICTION],
    };

    /// Creates terrain from rows of heights, with its first height at `place`.
    ///
    /// # Errors
    /// The rows do not bound a solid.
    pub fn new(
        heights: Vec<Vec<f64>>,
        spacing: f64,
        place: Components,
        surface: Surface,
    ) -> Result<Self, BadContent> {
        let Surface { restitution, friction } = surface;
        let (file, depth, solid) = Default::default();
        let (place, scale) = (Some(place), 1.0);
        let field =
            Self { file, heights, spacing, place, scale, depth, restitution, friction, solid };
        field.built()
    }

    /// Whether the terrain is a line, for planar scenes.
    fn is_line(&self) -> bool {
        self.heights.len() == 1
    }

    /// Returns the position of a height.
    fn point(&self, row: usize, column: usize) -> Vec3 {
        let [x, y, z] = self.place.map_or([0.0; 3], |place| place.xyz());
        let along = |number: usize| self.spacing * number as f64;
        [x + along(column), y + self.scale * self.heights[row][column], z + along(row)]
    }

    /// Returns the height of the flat bottom.
    fn bottom(&self) -> f64 {
        let (rows, columns) = (self.heights.len(), self.heights[0].len());
        let side = self.spacing * (rows.max(columns) - 1) as f64;
        let heights = self.heights.iter().flatten().map(|height| self.scale * height);
        let y = self.place.map_or(0.0, |place| place.xyz()[1]);
        y + heights.fold(f64::INFINITY, f64::min) - self.depth.unwrap_or(side)
    }

    /// Outline of a line of heights: from the first height to the last, and back along the bottom.
    fn outline(&self) -> Vec<Vec3> {
        let last = self.heights[0].len() - 1;
        let (bottom, top) = (self.bottom(), (0..=last).map(|column| self.point(0, column)));
        let ends = [last, 0].map(|column| [self.point(0, column)[0], bottom, 0.0]);
        top.map(|[x, y, _]| [x, y, 0.0]).chain(ends).collect()
    }

    /// Builds the solid.
    fn built(self) -> Result<Self, BadContent> {
        if !self.rows_fit() {
            let message = format!("expected {}", HEIGHTS.range);
            return Err(BadContent { entry: self.odd_row(), message, help: None });
        }
        let (points, facets) = if self.is_line() { self.prism() } else { self.block() };
        // The surface is closed by construction, so only the positions of points can cause an
        // error.
        let solid = Facets::new(points, &facets).map_err(|_| BadContent {
            entry: None,
            message: format!("expected {BOUNDED}"),
            help: None,
        })?;
        let solid = if self.is_line() { solid.in_plane() } else { solid };
        Ok(Self { solid: Some(Arc::new(solid)), ..self })
    }

    /// Whether all rows are long enough and of one length, and their numbers in range.
    fn rows_fit(&self) -> bool {
        let columns = self.heights.first().map_or(0, Vec::len);
        (2..=MAX).contains(&columns) && self.heights.len() <= MAX && self.odd_row().is_none()
    }

    /// Index of the first row with a different length or a number out of range.
    fn odd_row(&self) -> Option<usize> {
        let columns = self.heights.first().map_or(0, Vec::len);
        let is_odd = |row: &Vec<f64>| {
            row.len() != columns
                || row.iter().any(|height| (height * self.scale).abs() > 1e100)
                || row.iter().any(|height| !height.is_finite())
        };
        self.heights.iter().position(is_odd)
    }

    /// Prism along z over the outline of a line.
    fn prism(&self) -> (Vec<Vec3>, Vec<[usize; 3]>) {
        let outline = self.outline();
        let count = outline.len();
        let spread = |axis: usize| {
            let values = outline.iter().map(move |point| point[axis]);
            let (low, high) = (values.clone().fold(f64::INFINITY, f64::min), values);
            high.fold(f64::NEG_INFINITY, f64::max) - low
        };
        // All points near the plane are nearer to the sides of the prism than to its ends.
        let far = 4.0 * (spread(0) + spread(1));
        let side = |z: f64| outline.iter().map(move |[x, y, _]| [*x, *y, z]);
        let points = side(-far).chain(side(far)).collect();
        let mut facets = Vec::new();
        for k in 0..count {
            let next = (k + 1) % count;
            facets.extend([[k, next, count + next], [k, count + next, count + k]]);
        }
        // The bottom is below all heights, so strips between top and bottom form a cap.
        let (last, right, left) = (count - 3, count - 2, count - 1);
        for first in [0, count] {
            let slices = (0..last).map(|k| [first + left, first + k, first + k + 1]);
            facets.extend(slices.chain([[first + left, first + last, first + right]]));
        }
        (points, facets)
    }

    /// Block below a grid of heights.
    fn block(&self) -> (Vec<Vec3>, Vec<[usize; 3]>) {
        let (rows, columns, bottom) = (self.heights.len(), self.heights[0].len(), self.bottom());
        let grid = || (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let mut points: Vec<Vec3> = grid().map(|(row, column)| self.point(row, column)).collect();
        let top = |row: usize, column: usize| row * columns + column;
        let mut facets = Vec::new();
        for (row, column) in grid().filter(|(row, column)| row + 1 < rows && column + 1 < columns) {
            let [a, b] = [top(row, column), top(row, column + 1)];
            let [c, d] = [top(row + 1, column + 1), top(row + 1, column)];
            facets.extend([[a, c, b], [a, d, c]]);
        }
        // Points along the rim, repeated at the bottom and joined there by a fan of triangles.
        let near = (0..columns).map(|column| top(0, column));
        let right = (1..rows).map(|row| top(row, columns - 1));
        let far = (0..columns - 1).rev().map(|column| top(rows - 1, column));
        let left = (1..rows - 1).rev().map(|row| top(row, 0));
        let rim: Vec<usize> = near.chain(right).chain(far).chain(left).collect();
        let first = points.len();
        for &corner in &rim {
            let [x, _, z] = points[corner];
            points.push([x, bottom, z]);
        }
        let [low, high] = [points[0], points[rows * columns - 1]];
        points.push([0.5 * (low[0] + high[0]), bottom, 0.5 * (low[2] + high[2])]);
        let middle = points.len() - 1;
        for k in 0..rim.len() {
            let next = (k + 1) % rim.len();
            let (below, below_next) = (first + k, first + next);
            facets.extend([[rim[k], rim[next], below_next], [rim[k], below_next, below]]);
            facets.push([middle, below, below_next]);
        }
        (points, facets)
    }
}

impl From<Written> for HeightField {
    fn from(written: Written) -> Self {
        let Written { file, heights, spacing, place, scale, depth, restitution, friction } =
            written;
        let solid = None;
        let field =
            Self { file, heights, spacing, place, scale, depth, restitution, friction, solid };
        if field.file.is_some() || field.check_options().is_err() {
            return field;
        }
        // `check` reports an error for terrain without a solid.
        field.clone().built().unwrap_or(field)
    }
}

impl HeightField {
    /// Checks each option by itself.
    fn check_options(&self) -> Result<(), BadOption> {
        let is_named = self.file.is_some() && (self.heights.is_empty() || self.solid.is_some());
        HEIGHTS.check(is_named || self.file.is_none() && self.rows_fit())?;
        SPACING.check(self.spacing > 0.0 && self.spacing <= 1e100)?;
        SCALE.check(self.scale.is_finite())?;
        DEPTH.check(self.depth.is_none_or(|depth| depth > 0.0 && depth <= 1e100))?;
        check_surface(self.surface())
    }
}

impl Collider for HeightField {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        self.check_options()?;
        let expected = BOUNDED.into();
        match self.file.is_some() || self.solid.is_some() {
            true => Ok(()),
            false => Err(BadOption { option: HEIGHTS.name, entry: None, expected }),
        }
    }

    fn fits(&self, axes: usize, _nodes: usize) -> Result<(), BadOption> {
        self.place.map_or(Ok(()), |place| place.check(&PLACE, axes))?;
        HEIGHTS.check(self.heights.is_empty() || self.is_line() == (axes == 2))
    }

    fn surface(&self) -> Surface {
        Surface { restitution: self.restitution, friction: self.friction }
    }

    fn wanted_file(&self) -> Option<WantedFile<'_>> {
        let name = self.file.as_deref().filter(|_| self.solid.is_none())?;
        Some(WantedFile { name, kind: FileKind::Rows })
    }

    fn with_file(&self, content: FileContent) -> Result<Arc<dyn Collider>, BadContent> {
        let FileContent::Rows(heights) = content else {
            return Err(BadContent { entry: None, message: "no heights".into(), help: None });
        };
        Ok(Arc::new(Self { heights, ..self.clone() }.built()?))
    }

    fn solid(&self) -> Solid {
        match &self.solid {
            None => Solid::nothing(),
            Some(_) if self.is_line() => Solid::Polygon { points: self.outline().into() },
            Some(solid) => Solid::of_facets(solid),
        }
    }

    fn distance(&self, point: [f64; 3]) -> (f64, [f64; 3]) {
        self.solid.as_ref().map_or((f64::INFINITY, [0.0, 1.0, 0.0]), |it| it.distance(point))
    }

    fn sweep(&self, from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        self.solid.as_ref()?.sweep(from, to, radius)
    }

    fn shape(&self) -> Option<Shape> {
        self.solid.as_ref().map(|solid| Shape::Facets(Arc::clone(solid), None))
    }
}
