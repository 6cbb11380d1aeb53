//! Random tangles of ropes and a cloth: nothing passes through anything.

use super::super::Random;
use super::measure::{of_segments, pierces, volume};
use super::{Body, sub, thick};
use catena::sim::{BadSetup, Part, Setup, Simulation, SpringMemory, method::ImplicitEuler};

const NODES: usize = 8;
const SIDE: usize = 4;
const THICKNESS: f64 = 0.06;
/// Number of moments per step at which the motion is observed.
const MOMENTS: usize = 8;

/// Three ropes and a cloth at random places in a box, thrown at each other, or the reason why this
/// start is invalid.
fn tangle(random: &mut Random, speed: f64) -> Result<Setup, BadSetup> {
    let mut body = Body::new(3);
    let unit = |random: &mut Random| {
        let v = random.many(3, 1.0);
        let size = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        [v[0] / size, v[1] / size, v[2] / size]
    };
    let contact = thick(THICKNESS, 0.3, 0.3);
    for name in ["a", "b", "c"] {
        let (from, direction) = (random.many(3, 0.5), unit(random));
        let at = |i: usize| [0, 1, 2].map(|k| from[k] + 0.14 * direction[k] * (i as f64 - 3.5));
        let points: Vec<_> = (0..NODES).map(at).collect();
        body.rope(name, &points, false, (0.01, 50.0), contact);
    }
    let (from, u) = (random.many(3, 0.5), unit(random));
    let w = unit(random);
    let share = (0..3).map(|k| u[k] * w[k]).sum::<f64>();
    let v = [0, 1, 2].map(|k| w[k] - share * u[k]);
    let at = |i: usize| {
        let (row, column) = ((i / SIDE) as f64 - 1.5, (i % SIDE) as f64 - 1.5);
        [0, 1, 2].map(|k| from[k] + 0.25 * (column * u[k] + row * v[k]))
    };
    let points: Vec<_> = (0..SIDE * SIDE).map(at).collect();
    body.sheet("cloth", &points, (SIDE, SIDE), (0.01, 50.0), contact);
    let nodes = body.model.nodes();
    let builder = body.setup().gravity([0.0, -9.81, 0.0]).method(ImplicitEuler::default());
    let builder = (0..nodes).fold(builder, |b, i| b.velocity(i, random.many(3, speed)));
    builder.frames(1.0 / 60.0, 1).build()
}

/// Bounding box of points.
struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
}

impl Bounds {
    fn of(points: impl Iterator<Item = [f64; 3]>) -> Self {
        let mut bounds = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };
        for point in points {
            for (k, x) in point.into_iter().enumerate() {
                bounds.low[k] = bounds.low[k].min(x);
                bounds.high[k] = bounds.high[k].max(x);
            }
        }
        bounds
    }

    /// Whether the boxes come within a thickness of each other.
    fn is_near(&self, other: &Self) -> bool {
        (0..3).all(|k| {
            self.low[k] <= other.high[k] + THICKNESS && other.low[k] <= self.high[k] + THICKNESS
        })
    }
}

/// Edges and facets as node indices.
struct Shapes {
    edges: Vec<[usize; 2]>,
    facets: Vec<[usize; 3]>,
}

impl Shapes {
    fn of(setup: &Setup) -> Self {
        let facets: Vec<_> = setup.model.parts.iter().flat_map(Part::facets).collect();
        let mut edges: Vec<_> =
            setup.model.structural().iter().map(|spring| [spring.a, spring.b]).collect();
        for [a, b, c] in &facets {
            edges.extend([[*a, *b], [*b, *c], [*c, *a]]);
        }
        edges.iter_mut().for_each(|edge| edge.sort_unstable());
        edges.sort_unstable();
        edges.dedup();
        Self { edges, facets }
    }

    /// The first edge that passes through another edge, or node that passes through a facet, on
    /// straight paths: a volume changes its sign while the two touch.
    fn passage(&self, from: &[[f64; 3]], to: &[[f64; 3]]) -> Option<String> {
        // Pairs whose boxes stay separate cannot touch; this applies to most pairs.
        let swept = |nodes: &[usize]| Bounds::of(nodes.iter().flat_map(|n| [from[*n], to[*n]]));
        let of_edges: Vec<Bounds> = self.edges.iter().map(|edge| swept(edge)).collect();
        let of_facets: Vec<Bounds> = self.facets.iter().map(|facet| swept(facet)).collect();
        let of_nodes: Vec<Bounds> = (0..from.len()).map(|node| swept(&[node])).collect();
        let at = |s: f64| -> Vec<[f64; 3]> {
            let on = |(a, b): (&[f64; 3], &[f64; 3])| [0, 1, 2].map(|k| a[k] + s * (b[k] - a[k]));
            from.iter().zip(to).map(on).collect()
        };
        let moments: Vec<_> = (0..=MOMENTS).map(|m| at(m as f64 / MOMENTS as f64)).collect();
        for pair in moments.windows(2) {
            let ([before, after], middle) = ([&pair[0], &pair[1]], |nodes: [usize; 4]| {
                let [v, w] = [&pair[0], &pair[1]].map(|points| volume(nodes.map(|n| points[n])));
                let share = v / (v - w);
                let on = |n: usize| {
                    [0, 1, 2].map(|k| pair[0][n][k] + share * (pair[1][n][k] - pair[0][n][k]))
                };
                nodes.map(on)
            });
            let turns = |nodes: [usize; 4]| {
                let [v, w] = [before, after].map(|points| volume(nodes.map(|n| points[n])));
                (v > 0.0) != (w > 0.0)
            };
            for (i, [a, b]) in self.edges.iter().enumerate() {
                for (j, [c, d]) in self.edges.iter().enumerate().skip(i + 1) {
                    let is_apart = [a, b].iter().all(|n| *n != c && *n != d);
                    let is_near = of_edges[i].is_near(&of_edges[j]);
                    if is_near && is_apart && turns([*a, *b, *c, *d]) {
                        let [p, q, r, s] = middle([*a, *b, *c, *d]);
                        if of_segments([p, q], [r, s]) < 0.02 * THICKNESS {
                            return Some(format!("{a}-{b} through {c}-{d}"));
                        }
                    }
                }
            }
            for (facet, bounds) in self.facets.iter().zip(&of_facets) {
                let near = (0..from.len()).filter(|node| bounds.is_near(&of_nodes[*node]));
                for node in near.filter(|node| !facet.contains(node)) {
                    let nodes = [facet[0], facet[1], facet[2], node];
                    if turns(nodes) {
                        let [a, b, c, p] = middle(nodes);
                        let normal = super::cross(sub(b, a), sub(c, a));
                        let up = [0, 1, 2].map(|k| p[k] + 1e-6 * normal[k]);
                        let down = [0, 1, 2].map(|k| p[k] - 1e-6 * normal[k]);
                        if pierces([up, down], [a, b, c]) {
                            return Some(format!("node {node} through {facet:?}"));
                        }
                    }
                }
            }
        }
        None
    }

    /// Number of edges that pierce a facet.
    fn pierced(&self, at: &[[f64; 3]]) -> usize {
        let pairs = self.edges.iter().flat_map(|edge| self.facets.iter().map(move |f| (edge, f)));
        let bounds = |nodes: &[usize]| Bounds::of(nodes.iter().map(|node| at[*node]));
        let near = pairs.filter(|(edge, facet)| bounds(&edge[..]).is_near(&bounds(&facet[..])));
        let apart = near.filter(|(edge, facet)| edge.iter().all(|node| !facet.contains(node)));
        apart.filter(|(edge, facet)| pierces(edge.map(|n| at[n]), facet.map(|n| at[n]))).count()
    }
}

#[test]
fn no_tangle_changes_its_topology() {
    let mut random = Random::new(2024);
    let (mut tried, mut touched) = (0, 0);
    while tried < crate::cases(60) {
        // A tangle that overlaps at the start is refused, and another one is tried.
        let speed = [1.0, 10.0, 60.0][tried % 3];
        let Ok(setup) = tangle(&mut random, speed) else { continue };
        let shapes = Shapes::of(&setup);
        let mut simulation = Simulation::new(setup);
        assert_eq!(simulation.bad_setup(), None);
        let mut before: Vec<_> = simulation.positions().collect();
        assert_eq!(shapes.pierced(&before), 0);
        for frame in 0..12 {
            simulation.advance_frame();
            let now: Vec<_> = simulation.positions().collect();
            touched += usize::from(!simulation.contact_impulses().is_empty());
            let passage = shapes.passage(&before, &now);
            assert_eq!(passage, None, "tangle {tried}, speed {speed}, frame {frame}");
            assert_eq!(shapes.pierced(&now), 0, "tangle {tried}, frame {frame}");
            before = now;
        }
        assert_eq!(simulation.springs(), &SpringMemory::default());
        tried += 1;
    }
    assert!(touched > 5 * tried, "{touched}");
}

#[test]
fn passages_would_be_seen() {
    let mut random = Random::new(2024);
    let mut seen = 0;
    for _ in 0..10 {
        let setup = loop {
            if let Ok(mut setup) = tangle(&mut random, 10.0) {
                setup.contacts.drawn = None;
                break setup;
            }
        };
        let shapes = Shapes::of(&setup);
        let mut simulation = Simulation::new(setup);
        let mut before: Vec<_> = simulation.positions().collect();
        let passed = (0..12).any(|_| {
            simulation.advance_frame();
            let now: Vec<_> = simulation.positions().collect();
            let passage = shapes.passage(&before, &now);
            before = now;
            passage.is_some()
        });
        seen += usize::from(passed);
    }
    assert!(seen >= 8, "{seen}");
}
