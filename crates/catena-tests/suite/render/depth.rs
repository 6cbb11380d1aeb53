//! The depth order in pictures of space, compared with a ray caster that does not use pixels.

use catena::render::Rect;
use catena::render::camera::SpatialCamera;
use catena::render::space::{
    Edges, Facet, Line, Material, Mesh, NOTHING, OFFSETS, RealEdges, Surface, TILE, Tile, Vertex,
    WholeEdges, add_solid, add_tube, facets,
};
use catena::render::vector::{Vec3, add, cross, dot, scaled, sub};
use catena::scene::{Lens, Viewpoint};
use catena::sim::contact::collider::Solid;
use catena_tests::Random;

/// Number of scenes.
const SCENES: usize = 24;

const PICTURE: Rect = Rect { x: 0, y: 0, w: 96, h: 64 };

fn point(random: &mut Random, reach: f64) -> Vec3 {
    [(); 3].map(|()| random.between(-reach, reach))
}

/// A randomly bent sheet of two-sided cells.
fn add_sheet(mesh: &mut Mesh, random: &mut Random) {
    let material = Material::new(Surface::Flat, 0.0);
    let material = mesh.add_material(material);
    let (corner, across, down) = (point(random, 1.0), point(random, 1.5), point(random, 1.5));
    let first = mesh.vertices.len() as u32;
    for row in 0..5 {
        for column in 0..5 {
            let flat =
                add(scaled(across, f64::from(column) / 4.0), scaled(down, f64::from(row) / 4.0));
            let at = add(add(corner, flat), point(random, 0.15));
            mesh.add(Vertex::plain(at, [0.0, 1.0, 0.0], [0.5; 3]));
        }
    }
    for row in 0..4 {
        for column in 0..4 {
            let a = first + 5 * row + column;
            mesh.quadrilateral([a, a + 5, a + 6, a + 1], material);
        }
    }
}

/// A rope through random points, which coils around itself.
fn add_rope(mesh: &mut Mesh, random: &mut Random) {
    let points: Vec<Vec3> = (0..8).map(|_| point(random, 1.0)).collect();
    let n = points.len();
    let line = Line {
        points,
        radii: vec![random.between(0.02, 0.2); n],
        inks: vec![[0.5; 3]; n],
        turns: vec![0.0; n],
        is_closed: false,
        normal: None,
    };
    let material = Material::smooth(Surface::Solid, 0.0);
    add_tube(mesh, &line, 10, material);
}

fn scene(random: &mut Random) -> Mesh {
    let mut mesh = Mesh::default();
    for _ in 0..random.between(0.0, 3.0) as usize {
        add_sheet(&mut mesh, random);
    }
    for _ in 0..random.between(0.0, 3.0) as usize {
        add_rope(&mut mesh, random);
    }
    let at = point(random, 0.8);
    let ball = Solid::Capsule { a: at, b: at, radius: random.between(0.2, 0.6) };
    add_solid(&mut mesh, &ball, [0.5; 3], 0.0, 16);
    let end = add(at, point(random, 1.0));
    add_solid(&mut mesh, &Solid::Capsule { a: at, b: end, radius: 0.1 }, [0.5; 3], 0.0, 12);
    mesh
}

/// Minimum and maximum pixel coordinates of a visible area.
type PixelBox = [[f64; 2]; 2];

/// Area in which each triangle of a mesh may be visible; everywhere, if one of its corners is not
/// visible.
fn boxes(mesh: &Mesh, camera: &SpatialCamera) -> Vec<PixelBox> {
    let of_triangle = |(corners, _): &([u32; 3], u16)| {
        let seen = corners.map(|corner| camera.point(mesh.vertices[corner as usize].at));
        let mut low = [f64::INFINITY; 2];
        let mut high = [f64::NEG_INFINITY; 2];
        for corner in seen {
            let Some(corner) = corner else { return [[f64::NEG_INFINITY; 2], [f64::INFINITY; 2]] };
            for axis in 0..2 {
                low[axis] = low[axis].min(corner.at[axis]);
                high[axis] = high[axis].max(corner.at[axis]);
            }
        }
        [low, high]
    };
    mesh.triangles.iter().map(of_triangle).collect()
}

/// Triangles of a list that may be visible between two corners of the picture.
fn near(list: &[usize], boxes: &[PixelBox], from: [f64; 2], to: [f64; 2]) -> Vec<usize> {
    let is_near = |index: &usize| {
        let [low, high] = boxes[*index];
        (0..2).all(|axis| low[axis] <= to[axis] && from[axis] <= high[axis])
    };
    list.iter().copied().filter(is_near).collect()
}

/// Whether a point of the picture is inside a triangle by more than the rounding of its corners to
/// 1/256 pixel.
fn is_well_inside(corners: [Vec3; 3], camera: &SpatialCamera, at: [f64; 2]) -> bool {
    let Some(seen) = corners.iter().map(|corner| camera.point(*corner)).collect::<Option<Vec<_>>>()
    else {
        return false;
    };
    let aside = |a: [f64; 2], b: [f64; 2]| {
        let edge = [b[0] - a[0], b[1] - a[1]];
        let across = edge[0] * (at[1] - a[1]) - edge[1] * (at[0] - a[0]);
        across / (edge[0] * edge[0] + edge[1] * edge[1]).sqrt()
    };
    let sides = [0, 1, 2].map(|k| aside(seen[k].at, seen[(k + 1) % 3].at));
    sides.iter().all(|side| *side > 0.02) || sides.iter().all(|side| *side < -0.02)
}

/// Depth at which a ray meets a triangle.
fn meets([a, b, c]: [Vec3; 3], (from, direction): (Vec3, Vec3)) -> Option<f64> {
    let (ab, ac) = (sub(b, a), sub(c, a));
    let p = cross(direction, ac);
    let volume = dot(ab, p);
    let s = sub(from, a);
    let u = dot(s, p) / volume;
    let q = cross(s, ab);
    let (v, depth) = (dot(direction, q) / volume, dot(ac, q) / volume);
    (u > 0.0 && v > 0.0 && u + v < 1.0 && depth > 0.01).then_some(depth)
}

#[test]
fn no_sample_shows_what_is_behind_something_else() {
    let mut random = Random::new(22);
    let (mut covered, mut small) = (0, 0);
    let scenes = crate::cases(SCENES);
    for number in 0..scenes {
        let mesh = scene(&mut random);
        let eye = [0.3 * random.between(-1.0, 1.0), random.between(-1.0, 2.0), 4.5];
        let viewpoint = Viewpoint {
            eye,
            target: [0.0; 3],
            up: [0.0, 1.0, 0.0],
            lens: Lens::Perspective { field_of_view: 40.0 },
            aspect: 1.0,
        };
        let camera = SpatialCamera::new(&viewpoint, PICTURE);
        let mut all = Vec::new();
        facets(&mesh, &camera, PICTURE, &mut all);
        all.iter().for_each(|facet| small += usize::from(check_edges(facet)));
        let boxes = boxes(&mesh, &camera);
        let numbers: Vec<u32> = (0..all.len() as u32).collect();
        let whole: Vec<usize> = (0..boxes.len()).collect();
        for corner in [[0, 0], [32, 0], [64, 0], [0, 32], [32, 32], [64, 32]] {
            let mut tile = Tile::default();
            tile.add(corner, &all, &numbers, 0);
            let [left, top] = corner.map(f64::from);
            for y in 0..TILE {
                let (high, right) = (top + y as f64, left + TILE as f64);
                let row = near(&whole, &boxes, [left, high], [right, high + 1.0]);
                for x in 0..TILE {
                    let at = [left + x as f64, high];
                    let pixel = near(&row, &boxes, at, at.map(|side| side + 1.0));
                    let samples = tile.pixel(x, y);
                    covered += samples.iter().filter(|seen| **seen != NOTHING).count();
                    if pixel.is_empty() {
                        continue;
                    }
                    for (seen, offset) in samples.iter().zip(OFFSETS) {
                        let at = [0, 1].map(|axis| at[axis] + 0.5 + offset[axis]);
                        let triangles = near(&pixel, &boxes, at, at);
                        check((&mesh, &triangles), &camera, all.get(*seen as usize), at, number);
                    }
                }
            }
        }
    }
    assert!(covered > 5_000 * scenes, "only {covered} samples are covered");
    assert!(small > 50 * scenes, "only {small} triangles are small");
}

/// Compares the integer edges of a triangle with the real ones, if it is small enough.
fn check_edges(facet: &Facet) -> bool {
    let Some(whole) = WholeEdges::new(facet) else { return false };
    let real = RealEdges::new(facet);
    let [left, right, top, bottom] = facet.pixels;
    for pixel in (top..=bottom).flat_map(|y| (left..=right).map(move |x| [x, y])) {
        assert_eq!(whole.covered(pixel), real.covered(pixel), "{facet:?} at {pixel:?}");
        let is_inside = whole.is_inside(pixel) || real.is_inside(pixel);
        assert!(!is_inside || !real.covered(pixel).contains(&0), "{facet:?} at {pixel:?}");
    }
    true
}

/// Compares the visible surface in a sample with the first triangle that a ray through it meets.
fn check(
    (mesh, triangles): (&Mesh, &[usize]),
    camera: &SpatialCamera,
    seen: Option<&Facet>,
    at: [f64; 2],
    scene: usize,
) {
    if triangles.is_empty() {
        return;
    }
    let ray = (camera.eye(), camera.direction_through(at));
    let places = |corners: [u32; 3]| corners.map(|corner| mesh.vertices[corner as usize].at);
    let is_solid = |material: u16| mesh.materials[material as usize].surface == Surface::Solid;
    let hits = triangles.iter().filter_map(|&index| {
        let (corners, material) = mesh.triangles[index];
        let [a, b, c] = places(corners);
        // The back of a solid is not drawn: at a sharp bend, a rope is turned inside out.
        let is_back = dot(cross(sub(b, a), sub(c, a)), ray.1) > 0.0;
        let depth = meets([a, b, c], ray).filter(|_| !(is_back && is_solid(material)))?;
        is_well_inside([a, b, c], camera, at).then_some(depth)
    });
    let Some(first) = hits.reduce(f64::min) else { return };
    let seen = seen.unwrap_or_else(|| panic!("scene {scene}, {at:?}: nothing, not {first}"));
    let [x, y, middle] = seen.nearness;
    let nearness = x * (at[0] - seen.origin[0]) + y * (at[1] - seen.origin[1]) + middle;
    // Corners are on a grid of 1/256 pixel, and nearness is stored in single precision.
    let allowed = (x.abs() + y.abs()) / 64.0 + 1e-5;
    assert!(
        nearness >= 1.0 / first - allowed,
        "scene {scene}, {at:?}: seen at {}, but something is at {first}",
        1.0 / nearness
    );
}
