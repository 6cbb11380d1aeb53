//! Cloth: a surface between nodes, with smooth normals, two sides and a thickness.

use super::mesh::{Material, Mesh, Sides, Surface, Vertex};
use crate::body::{Cell, DrawnPart};
use crate::vector::{Vec3, add, along, cross, dot, norm, scaled, sub, unit};

/// Adds a sheet to a mesh, with the given thickness of its surface and of its edge. A thickness of
/// 0 gives a single layer. `ink` returns the colour of a node of the part.
pub fn add_sheet(
    mesh: &mut Mesh,
    part: &DrawnPart<'_>,
    ink: impl Fn(usize) -> [f32; 3],
    [thickness, rim_thickness]: [f64; 2],
    material: Material,
) {
    let cells = part.cells();
    let normals = normals(part, cells.iter().map(Cell::nodes));
    let creases = creases(part, &cells, &normals);
    let columns = part.columns();
    let layer = |mesh: &mut Mesh, shift: f64, material: Material| {
        let number = mesh.add_material(material);
        let first = mesh.vertices.len() as u32;
        for (i, &normal) in normals.iter().enumerate() {
            let at = along(part.node(i), shift, normal);
            let grain = columns.map_or([0.0; 2], |all| [(i % all) as f64, (i / all) as f64]);
            mesh.add(Vertex { at, normal, ink: ink(i), grain, axis: [0.0; 3], crease: creases[i] });
        }
        for cell in &cells {
            match *cell.nodes() {
                [a, b, c] => {
                    mesh.triangle([a, b, c].map(|i| first + i as u32), number);
                }
                [a, b, c, d] => {
                    mesh.quadrilateral([a, b, c, d].map(|i| first + i as u32), number);
                }
                _ => (),
            }
        }
    };
    if thickness == 0.0 {
        layer(mesh, 0.0, material);
    } else {
        // A thick sheet is closed, so the other side of each layer is hidden, and one layer casts
        // the shadow.
        layer(mesh, 0.5 * thickness, Material { sides: Sides::Front, ..material });
        layer(mesh, -0.5 * thickness, Material { sides: Sides::Back, casts: false, ..material });
    }
    let rim = mesh.add_material(Material {
        surface: Surface::Solid,
        gloss: 0.0,
        is_smooth: false,
        sides: Sides::Front,
        ..material
    });
    for [a, b] in edges(cells.iter().map(Cell::nodes)) {
        let offset = sub(part.node(b), part.node(a));
        let outwards = unit(cross(offset, add(normals[a], normals[b])));
        let mut corner = |i: usize, shift: f64| {
            let at = along(part.node(i), shift, normals[i]);
            mesh.add(Vertex::plain(at, outwards, ink(i)))
        };
        let half = 0.5 * rim_thickness;
        let corners = [corner(a, half), corner(a, -half), corner(b, -half), corner(b, half)];
        mesh.quadrilateral(corners, rim);
    }
}

/// Unit normal at each node: the sum of the normals of its cells, weighted by their areas.
fn normals<'a>(part: &DrawnPart<'_>, cells: impl Iterator<Item = &'a [usize]>) -> Vec<Vec3> {
    let mut sums = vec![[0.0; 3]; part.nodes()];
    for cell in cells {
        let [a, c] = [cell[0], cell[2]].map(|i| part.node(i));
        let [b, d] = [cell[1], *cell.get(3).unwrap_or(&cell[0])].map(|i| part.node(i));
        let normal = cross(sub(c, a), sub(d, b));
        cell.iter().for_each(|&i| sums[i] = add(sums[i], normal));
    }
    let direction = |sum: Vec3| if norm(sum) > 0.0 { unit(sum) } else { scaled(sum, 0.0) };
    sums.into_iter().map(direction).collect()
}

/// Number of smoothing rounds that remove the folds of a surface.
const ROUNDS: usize = 4;

/// Depth of the fold at each node, relative to the distance between nodes: height of a smoothed
/// surface over the node. The sky is hidden in valleys.
fn creases(part: &DrawnPart<'_>, cells: &[Cell], normals: &[Vec3]) -> Vec<f64> {
    let places: Vec<Vec3> = (0..part.nodes()).map(|i| part.node(i)).collect();
    let mut smooth = places.clone();
    let mut sums = vec![([0.0; 3], 0.0); places.len()];
    for _ in 0..ROUNDS {
        sums.fill(([0.0; 3], 0.0));
        for nodes in cells.iter().map(Cell::nodes) {
            let middle = nodes.iter().fold([0.0; 3], |sum, &i| add(sum, smooth[i]));
            let count = nodes.len() as f64;
            for &i in nodes {
                sums[i] = (add(sums[i].0, middle), sums[i].1 + count);
            }
        }
        for (at, (sum, count)) in smooth.iter_mut().zip(&sums) {
            if *count > 0.0 {
                *at = scaled(*sum, 1.0 / count);
            }
        }
    }
    let spacing = part.spacing().max(f64::MIN_POSITIVE);
    let depth = |i: usize| dot(sub(smooth[i], places[i]), normals[i]) / (ROUNDS as f64 * spacing);
    (0..places.len()).map(|i| Some(depth(i)).filter(|it| it.is_finite()).unwrap_or(0.0)).collect()
}

/// Edges that belong to only one cell, in the direction of that cell.
fn edges<'a>(cells: impl Iterator<Item = &'a [usize]>) -> Vec<[usize; 2]> {
    let directed =
        cells.flat_map(|cell| (0..cell.len()).map(move |k| [cell[k], cell[(k + 1) % cell.len()]]));
    let mut all: Vec<[usize; 2]> = directed.collect();
    all.sort_unstable();
    all.dedup();
    let is_alone = |edge: &&[usize; 2]| all.binary_search(&[edge[1], edge[0]]).is_err();
    all.iter().filter(is_alone).copied().collect()
}
