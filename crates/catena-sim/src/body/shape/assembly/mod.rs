//! A body of several parts, joined into one system. A join merges nodes of two parts or connects
//! them by a spring.
//!
//! Nodes are numbered part by part. Merged nodes keep the lowest of their numbers. The mass of a
//! merged node is the sum of its masses, and its velocity is the mean by mass. A merged node is
//! pinned if any of its nodes is. Springs are ordered: structural springs of all parts, springs of
//! joins, shear springs, bending springs.

use super::Topology;
use crate::body::groups::Groups;
use crate::body::vector::{norm, sub};
use crate::body::{Arrangement, Form, Model, Part, Spring, State};
use crate::named::BadSetup;
use std::collections::BTreeMap;
use std::ops::Range;

/// Maximum distance of nodes that are merged, relative to the shorter of their segments.
const COINCIDE: f64 = 1e-6;

/// Name of the part that contains the springs of joins.
pub const JOINS: &str = "joins";

/// A node of a part: index of the part, and index of the node in it.
pub type PartNode = (usize, usize);

/// A connection of two parts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Join {
    /// Merges two nodes.
    Weld(PartNode, PartNode),
    /// Connects two nodes by a spring. Without a rest length, the distance of the nodes is used.
    Spring { a: PartNode, b: PartNode, stiffness: f64, rest_length: Option<f64> },
}

impl Join {
    fn ends(self) -> [PartNode; 2] {
        match self {
            Self::Weld(a, b) | Self::Spring { a, b, .. } => [a, b],
        }
    }
}

/// A named part, or the error of building it.
#[derive(Clone, Debug)]
struct AssemblyPiece {
    name: String,
    body: Result<(Model, State), BadSetup>,
}

/// Parts and joins under construction.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    parts: Vec<AssemblyPiece>,
    /// Joins, each with the index of its entry in error messages.
    joins: Vec<(usize, Join)>,
    entry: Option<usize>,
    /// Index of the entry that asks to merge all nodes at one point.
    touching: Option<usize>,
}

impl Assembly {
    /// Creates a body without parts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a part; the first part has index 0.
    #[must_use]
    pub fn part(self, name: impl Into<String>, shape: &dyn Topology) -> Self {
        self.part_of(name, shape.build())
    }

    /// Adds a part that is already built.
    #[must_use]
    pub fn part_of(
        mut self,
        name: impl Into<String>,
        body: Result<(Model, State), BadSetup>,
    ) -> Self {
        self.parts.push(AssemblyPiece { name: name.into(), body });
        self
    }

    /// Assigns the following joins to one entry of a list, `joins[entry]` in errors. Without this
    /// call, each join is its own entry.
    #[must_use]
    pub fn entry(self, entry: usize) -> Self {
        Self { entry: Some(entry), ..self }
    }

    /// Merges two nodes at one point.
    #[must_use]
    pub fn weld(self, a: PartNode, b: PartNode) -> Self {
        self.join(Join::Weld(a, b))
    }

    /// Merges all nodes of different parts at one point.
    #[must_use]
    pub fn weld_touching(self) -> Self {
        let entry = self.entry.unwrap_or(self.joins.len());
        Self { touching: Some(entry), ..self }
    }

    fn join(mut self, join: Join) -> Self {
        self.joins.push((self.entry.unwrap_or(self.joins.len()), join));
        self
    }

    /// Joins two nodes by a spring of this stiffness, force/length, above 0. Its rest length is
    /// `rest_length`, above 0, or by default the distance of the nodes.
    #[must_use]
    pub fn spring(
        self,
        a: PartNode,
        b: PartNode,
        stiffness: f64,
        rest_length: impl Into<Option<f64>>,
    ) -> Self {
        self.join(Join::Spring { a, b, stiffness, rest_length: rest_length.into() })
    }

    fn built(&self) -> Result<Vec<&(Model, State)>, BadSetup> {
        let parts = self.parts.iter().enumerate();
        let built = parts.map(|(index, piece)| {
            piece.body.as_ref().map_err(|bad| {
                BadSetup::new(format!("parts[{index}].{}", bad.field), bad.message.clone())
            })
        });
        built.collect()
    }
}

/// Node numbers of the parts in the body.
struct PartNumbers {
    /// Number of the first node of each part before the merge.
    first: Vec<usize>,
    /// Number of each node in the body.
    of: Vec<usize>,
    /// Number of nodes in the body.
    count: usize,
}

impl PartNumbers {
    fn of_node(&self, (part, node): PartNode) -> usize {
        self.of[self.first[part] + node]
    }
}

/// Minimum rest length of the structural springs at each node of a part; infinite for a node
/// without any.
fn shortest_segments(model: &Model) -> Vec<f64> {
    let mut shortest = vec![f64::INFINITY; model.nodes()];
    for spring in model.structural() {
        for node in [spring.a, spring.b] {
            shortest[node] = shortest[node].min(spring.rest_length);
        }
    }
    shortest
}

/// Maximum distance of nodes that count as one point, for segments of this length. Without segments
/// there is no scale, so the positions must be equal.
fn tolerance(segment: f64) -> f64 {
    if segment.is_finite() { COINCIDE * segment } else { 0.0 }
}

impl Assembly {
    /// Refuses joins of missing nodes, and welds of nodes that are apart.
    fn check_joins(&self, parts: &[&(Model, State)]) -> Result<(), BadSetup> {
        let shortest: Vec<Vec<f64>> =
            parts.iter().map(|(model, _)| shortest_segments(model)).collect();
        let place = |(part, node): PartNode| parts[part].1.position(parts[part].0.nodes(), node);
        for (entry, join) in &self.joins {
            let field = format!("joins[{entry}]");
            for (part, node) in join.ends() {
                let Some((model, _)) = parts.get(part) else {
                    let message =
                        format!("there is no part {part}; number of parts: {}", parts.len());
                    return Err(BadSetup::new(field, message));
                };
                let last = model.nodes() - 1;
                let name = &self.parts[part].name;
                let message = format!(
                    "part {name:?} has no node {node}: its nodes are numbered from 0 to {last}"
                );
                BadSetup::unless(node <= last, &*field, message)?;
            }
            let [a, b] = join.ends();
            BadSetup::unless(a != b, &*field, "it joins a node to itself")?;
            let apart = norm(sub(place(a), place(b)));
            let segment = shortest[a.0][a.1].min(shortest[b.0][b.1]);
            let is_one_point = apart <= tolerance(segment);
            match join {
                Join::Weld(..) => {
                    let message = format!(
                        "the nodes are {apart} apart, so they cannot become one: move them to the same position, or set `stiffness`"
                    );
                    BadSetup::unless(is_one_point, field, message)?;
                }
                Join::Spring { rest_length: None, .. } => {
                    let message = "the nodes have the same position, so a spring between them has no length: omit `stiffness` to merge them into one node";
                    BadSetup::unless(!is_one_point, field, message)?;
                }
                Join::Spring { .. } => {}
            }
        }
        Ok(())
    }

    fn numbers(&self, parts: &[&(Model, State)]) -> PartNumbers {
        let mut first = Vec::with_capacity(parts.len());
        let mut total = 0;
        for (model, _) in parts {
            first.push(total);
            total += model.nodes();
        }
        let mut groups = Groups::new(total);
        for (_, join) in &self.joins {
            if let Join::Weld(a, b) = *join {
                groups.join(first[a.0] + a.1, first[b.0] + b.1);
            }
        }
        if self.touching.is_some() {
            join_touching(parts, &first, &mut groups);
        }
        groups.flatten();
        let (mut of, mut count) = (vec![0; total], 0);
        for node in 0..total {
            match groups.of(node) {
                lowest if lowest == node => {
                    of[node] = count;
                    count += 1;
                }
                lowest => of[node] = of[lowest],
            }
        }
        PartNumbers { first, of, count }
    }
}

/// Part of a spring and its index there; `None` for a spring of a join.
pub type SpringOrigin = Option<(usize, usize)>;

impl Topology for Assembly {
    fn build(&self) -> Result<(Model, State), BadSetup> {
        self.build_with_origins().map(|(model, state, _)| (model, state))
    }
}

impl Assembly {
    /// Builds the body, its initial state, and the origin of each of its springs.
    ///
    /// # Errors
    /// The first part that cannot be built, and the first invalid join.
    pub fn build_with_origins(&self) -> Result<(Model, State, Vec<SpringOrigin>), BadSetup> {
        let parts = self.built()?;
        let axes = parts.first().map_or(0, |(model, _)| model.axes);
        BadSetup::unless(!parts.is_empty(), "parts", "a body must have at least one part")?;
        let is_alike = parts.iter().all(|(model, _)| model.axes == axes);
        BadSetup::unless(is_alike, "parts", "all parts must be in the plane, or all in space")?;
        self.check_joins(&parts)?;
        let numbers = self.numbers(&parts);
        let (mut model, state) = nodes(&parts, axes, &numbers);
        let origins = self.springs(&parts, &numbers, &state, &mut model)?;
        Ok((model, state, origins))
    }
}

/// Builds the nodes of the body, without springs.
fn nodes(parts: &[&(Model, State)], axes: usize, numbers: &PartNumbers) -> (Model, State) {
    let n = numbers.count;
    let mut model = Model {
        axes,
        mass: vec![0.0; n],
        pinned: vec![false; n],
        arrangement: Arrangement::Parts,
        ..Model::default()
    };
    let mut state = State::at_rest(vec![0.0; axes * n]);
    // A merged node takes the position of the first of its nodes.
    let mut is_placed = vec![false; n];
    for (index, (part, start)) in parts.iter().enumerate() {
        let count = part.nodes();
        for node in 0..count {
            let number = numbers.of_node((index, node));
            let (before, mass) = (model.mass[number], part.mass[node]);
            model.mass[number] = before + mass;
            model.pinned[number] |= part.pinned[node];
            let is_first = !std::mem::replace(&mut is_placed[number], true);
            for axis in 0..axes {
                let (from, to) = (axis * count + node, axis * n + number);
                let velocity = start.v.get(from).copied().unwrap_or(0.0);
                if is_first {
                    state.x[to] = start.x[from];
                    state.v[to] = velocity;
                } else {
                    state.v[to] = (before * state.v[to] + mass * velocity) / (before + mass);
                }
            }
        }
    }
    (model, state)
}

impl Assembly {
    /// Adds the springs and the list of parts. Returns the origin of each spring.
    fn springs(
        &self,
        parts: &[&(Model, State)],
        numbers: &PartNumbers,
        state: &State,
        model: &mut Model,
    ) -> Result<Vec<SpringOrigin>, BadSetup> {
        let mut origins: Vec<SpringOrigin> = Vec::new();
        let mut add = |model: &mut Model, index: usize, range: Range<usize>| {
            for j in range {
                let spring = parts[index].0.springs[j];
                let [a, b] = [spring.a, spring.b].map(|node| numbers.of_node((index, node)));
                // A bending spring whose ends were merged resists nothing.
                if a != b || j < parts[index].0.held {
                    model.springs.push(Spring { a, b, ..spring });
                    origins.push(Some((index, j)));
                }
            }
        };
        for (index, (part, _)) in parts.iter().enumerate() {
            let first = model.springs.len();
            add(model, index, 0..part.structural);
            for piece in part.part_list().iter() {
                model.parts.push(Part {
                    name: self.parts[index].name.clone(),
                    form: piece.form.clone(),
                    nodes: piece.nodes.iter().map(|&node| numbers.of_node((index, node))).collect(),
                    springs: piece.springs.iter().map(|&spring| first + spring).collect(),
                });
            }
        }
        let structural = model.springs.len();
        self.join_springs(numbers, state, model);
        let joins = model.springs.len() - structural;
        model.structural = model.springs.len();
        for (index, (part, _)) in parts.iter().enumerate() {
            add(model, index, part.structural..part.held);
        }
        model.held = model.springs.len();
        for (index, (part, _)) in parts.iter().enumerate() {
            add(model, index, part.held..part.springs.len());
        }
        origins.splice(structural..structural, std::iter::repeat_n(None, joins));
        let is_loop = model.springs.iter().any(|spring| spring.a == spring.b);
        let message = "they merge both ends of a segment into one node";
        let field = self.touching.map_or("joins".into(), |entry| format!("joins[{entry}]"));
        BadSetup::unless(!is_loop, field, message)?;
        Ok(origins)
    }

    /// Adds the springs of joins as a separate part.
    fn join_springs(&self, numbers: &PartNumbers, state: &State, model: &mut Model) {
        let mut joins =
            Part { name: JOINS.into(), form: Form::Graph, nodes: Vec::new(), springs: Vec::new() };
        for (_, join) in &self.joins {
            let Join::Spring { a, b, stiffness, rest_length } = *join else { continue };
            let [a, b] = [a, b].map(|end| numbers.of_node(end));
            let spring = Spring { a, b, stiffness, rest_length: 0.0 };
            let rest_length = rest_length.unwrap_or_else(|| model.span(&state.x, &spring).1);
            joins.springs.push(model.springs.len());
            joins.nodes.extend([a, b]);
            model.springs.push(Spring { rest_length, ..spring });
        }
        joins.nodes.sort_unstable();
        joins.nodes.dedup();
        if !joins.springs.is_empty() {
            model.parts.push(joins);
        }
    }
}

/// Joins all nodes of different parts at one point. Node i of a part has the index `first[part] +
/// i` in `groups`.
///
/// One node represents all nodes joined at a point. The work therefore depends on the number of
/// nodes, but not on how many of them share a point.
fn join_touching(parts: &[&(Model, State)], first: &[usize], groups: &mut Groups) {
    let shortest = parts.iter().map(|(model, _)| model.shortest_segment());
    let reach = tolerance(shortest.fold(f64::INFINITY, f64::min)).max(f64::MIN_POSITIVE);
    // Cells measure twice the reach, so nodes that touch are in the same cell or in adjacent ones.
    // Beyond the range of i64 cells merge, and adjacent cells stay adjacent.
    let cell =
        |at: [f64; 3]| at.map(|value| (value / (2.0 * reach)).floor().clamp(-1e18, 1e18) as i64);
    let mut cells: BTreeMap<[i64; 3], Vec<(usize, [f64; 3])>> = BTreeMap::new();
    for ((model, state), first) in parts.iter().zip(first) {
        let n = model.nodes();
        // Nodes of one part are not joined to each other, so they are added to the cells together.
        let mut alone = Vec::new();
        for node in 0..n {
            let (number, at) = (first + node, state.position(n, node));
            let home = cell(at);
            let mut is_joined = false;
            let mut stays = |(other, place): &(usize, [f64; 3])| {
                if norm(sub(at, *place)) > reach {
                    return true;
                }
                groups.join(*other, number);
                // If this node joins several others, the first of them represents all.
                !std::mem::replace(&mut is_joined, true)
            };
            for x in (home[0] - 1)..=(home[0] + 1) {
                for y in (home[1] - 1)..=(home[1] + 1) {
                    let near = cells.range_mut([x, y, home[2] - 1]..=[x, y, home[2] + 1]);
                    near.for_each(|(_, nodes)| nodes.retain(&mut stays));
                }
            }
            if !is_joined {
                alone.push((home, (number, at)));
            }
        }
        for (home, node) in alone {
            cells.entry(home).or_default().push(node);
        }
    }
}
