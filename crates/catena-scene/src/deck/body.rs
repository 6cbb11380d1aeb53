//! Bodies of the scene. Each is a line, or several lines joined at free points.

use super::groups::Group;
use super::line_types::{LineType, Stretching};
use super::lines::DeckLine;
use super::motion::MotionColumns;
use super::points::{DeckPoint, Holder};
use crate::deck::parts::{Parts, axes, comment, digits, is_free, number, vector};
use crate::deck::rows::in_words;
use catena_base::text::number::counted;

/// Writer of the bodies of a scene.
pub(super) struct Writer<'a> {
    pub parts: &'a Parts<'a>,
    pub lines: &'a [DeckLine],
    pub motion: Option<&'a MotionColumns>,
    pub is_planar: bool,
}

/// Names of the ends A and B of a line in scenes.
const ENDS: [&str; 2] = ["First", "Last"];

impl Writer<'_> {
    fn kind(&self, line: &DeckLine) -> &LineType {
        &self.parts.types[line.kind]
    }

    fn point(&self, line: &DeckLine, end: usize) -> &DeckPoint {
        &self.parts.points[line.ends[end]]
    }

    fn members<'g>(&'g self, group: &'g Group) -> impl Iterator<Item = &'g DeckLine> {
        group.iter().map(|line| &self.lines[*line])
    }

    /// Returns the label of a group: the numbers of its lines, or number and type of a single line.
    pub fn label(&self, group: &Group) -> String {
        let numbers: Vec<usize> = self.members(group).map(|line| line.number).collect();
        match self.members(group).next() {
            Some(line) if numbers.len() == 1 => {
                format!("{}: {}", line.name(), self.kind(line).name)
            }
            _ => format!("lines {}", in_words(&numbers)),
        }
    }

    /// Whether a point of the group is above still water.
    fn is_in_air(&self, group: &Group) -> bool {
        let mut ends = self.members(group).flat_map(|line| [0, 1].map(|end| self.point(line, end)));
        ends.any(|point| point.place[2] > 0.0)
    }

    /// Whether the group has a free point.
    fn has_free(&self, group: &Group) -> bool {
        self.members(group).any(|line| [0, 1].iter().any(|end| is_free(self.point(line, *end))))
    }

    fn starts_at_rest(&self, group: &Group) -> bool {
        let options = self.parts.options;
        !self.creeps(group) && (options.starts_at_rest || !self.has_free(group))
    }

    fn creeps(&self, group: &Group) -> bool {
        self.members(group).any(|line| self.kind(line).creeps())
    }

    /// Returns the added mass of a line across it as a fraction of the displaced water's mass; 0 if
    /// a point of the group is above still water.
    fn added(&self, line: &DeckLine, group: &Group) -> f64 {
        if self.is_in_air(group) { 0.0 } else { self.kind(line).added[0] }
    }

    /// Returns notes about the differences between a group and its simulation by MoorDyn.
    pub fn notes(&self, group: &Group) -> Vec<String> {
        let mut notes = Vec::new();
        let has_added = |line: &DeckLine| self.kind(line).added.iter().any(|share| *share > 0.0);
        let is_wet = self.parts.options.water > 0.0;
        let label = self.label(group);
        if is_wet && self.members(group).any(has_added) {
            notes.push(match self.is_in_air(group) {
                true => format!(
                    "{label}: a point is above the water, so added mass is ignored, and drag acts \
                     above the water too"
                ),
                false => {
                    "added mass is equal in all directions: the coefficient across the line is used"
                        .into()
                }
            });
        } else if is_wet && self.is_in_air(group) {
            notes.push(format!("{label}: a point is above the water, and drag acts there too"));
        }
        if self.creeps(group) {
            notes.push(format!(
                "EA_s|EA_d: the equilibrium of {label} depends on its motion, so it starts straight between its points"
            ));
        } else if !self.parts.options.starts_at_rest {
            notes.push(match self.has_free(group) {
                true => format!("TmaxIC 0: {label} starts straight between its points"),
                false => "TmaxIC 0: lines between fixed points still start at rest".into(),
            });
        }
        notes
    }

    /// Returns the fields of a body, indented by `level` levels.
    pub fn body(&self, group: &Group, level: usize) -> Vec<String> {
        let indent = "    ".repeat(level);
        let mut all = Vec::new();
        match group.as_slice() {
            [line] => all.extend(self.rope(&self.lines[*line], group, level)),
            _ => {
                all.push(format!("{indent}parts: ["));
                for line in self.members(group) {
                    all.push(format!("{indent}    (name: {:?}, with: (", line.name()));
                    all.extend(self.rope(line, group, level + 2));
                    all.push(format!("{indent}    )),"));
                }
                all.push(format!("{indent}],"));
                all.extend(list(&indent, "joins", self.joins(group)));
            }
        }
        if self.starts_at_rest(group) {
            all.push(format!("{indent}starts_at_rest: true,"));
        }
        all.extend(list(&indent, "anchors", self.anchors(group)));
        all.extend(list(&indent, "forces", self.forces(group)));
        all
    }

    /// Returns the text at the end of the fields of every group if it is equal in all groups, as
    /// lines without indentation. This text has the forces, after `starts_at_rest` if it is set.
    pub fn shared(&self, groups: &[Group]) -> Vec<String> {
        let tail = |group: &Group| {
            let forces = list("", "forces", self.forces(group));
            match self.starts_at_rest(group) && self.anchors(group).is_empty() {
                true => [vec!["starts_at_rest: true,".to_owned()], forces].concat(),
                false => forces,
            }
        };
        let first = groups.first().map(tail).unwrap_or_default();
        if groups.iter().all(|group| tail(group) == first) { first } else { Vec::new() }
    }

    /// Returns the name of the node at an end of a line.
    fn node(&self, group: &Group, line: &DeckLine, end: usize) -> String {
        match group.len() {
            1 => ENDS[end].into(),
            _ => format!("({:?}, {})", line.name(), ENDS[end]),
        }
    }

    /// Returns the free points of the group in the order of the deck. Each has the line ends at the
    /// point, as the line and its end: 0 for A, 1 for B.
    fn free_ends<'g>(
        &'g self,
        group: &'g Group,
    ) -> Vec<(&'g DeckPoint, Vec<(&'g DeckLine, usize)>)> {
        let points = self.parts.points.iter().enumerate().filter(|(_, point)| is_free(point));
        let ends = points.map(|(index, point)| {
            let ends = self.members(group).flat_map(|line| [(line, 0), (line, 1)]);
            (point, ends.filter(|(line, end)| line.ends[*end] == index).collect::<Vec<_>>())
        });
        ends.filter(|(_, ends)| !ends.is_empty()).collect()
    }

    fn joins(&self, group: &Group) -> Vec<String> {
        let mut joins = Vec::new();
        for (_, ends) in self.free_ends(group) {
            let names: Vec<String> =
                ends.iter().map(|(line, end)| self.node(group, line, *end)).collect();
            joins.extend(
                names.iter().skip(1).map(|other| format!("(from: {}, to: {other})", names[0])),
            );
        }
        joins
    }

    /// Returns the mass of a free point plus its added mass.
    fn point_mass(&self, point: &DeckPoint) -> f64 {
        point.mass + point.added * self.parts.options.water * point.volume
    }

    fn rope(&self, line: &DeckLine, group: &Group, level: usize) -> Vec<String> {
        let (kind, indent) = (self.kind(line), "    ".repeat(level));
        let options = self.parts.options;
        let segment = line.length / line.segments as f64;
        let water = self.added(line, group) * options.water * kind.area();
        let mut all = vec![format!("{indent}rope: (")];
        let mut about = format!(
            "{}: {} of {} m. {} kg/m",
            kind.name,
            counted(line.segments as u64, "segment"),
            digits(segment),
            number(kind.mass)
        );
        if water > 0.0 {
            about += &format!(" and {} kg/m of added water", digits(water));
        }
        about += &format!("; {}.", stretching_words(kind));
        all.extend(comment(&about, level + 1));
        let [a, b] = [0, 1].map(|end| vector(self.is_planar, self.point(line, end).place));
        all.push(format!(
            "{indent}    start: {a}, end: {b}, length: {}, nodes: {},",
            number(line.length),
            line.segments + 1
        ));
        let held = (0..2).filter(|end| !is_free(self.point(line, *end)));
        let pins: Vec<&str> = held.map(|end| ENDS[end]).collect();
        all.push(format!("{indent}    pins: [{}],", pins.join(", ")));
        all.push(format!(
            "{indent}    material: Elastic(young: {}, density: {}), area: 1,",
            number(kind.stiffness()),
            number(kind.mass + water)
        ));
        all.extend(self.weights(line, group).map(|weights| format!("{indent}    {weights}")));
        all.push(format!("{indent}    {}", law(kind, segment)));
        if kind.bending > 0.0 {
            all.push(format!("{indent}    rod: (bending: {}),", number(kind.bending)));
        }
        all.push(format!("{indent}),"));
        all
    }

    /// Returns the weights of the free points whose first line is this one; `None` if there are
    /// none.
    fn weights(&self, line: &DeckLine, group: &Group) -> Option<String> {
        let ends = self.free_ends(group);
        let own = ends.iter().filter_map(|(point, ends)| {
            let (first, end) = ends.first()?;
            let mass = self.point_mass(point);
            let is_it = first.number == line.number && mass > 0.0;
            is_it.then(|| format!("(node: {}, mass: {})", ENDS[*end], number(mass)))
        });
        let own: Vec<String> = own.collect();
        (!own.is_empty()).then(|| format!("weights: [{}],", own.join(", ")))
    }

    /// Returns the anchors that move the coupled points.
    fn anchors(&self, group: &Group) -> Vec<String> {
        let Some(motion) = self.motion else { return Vec::new() };
        let coupled = self.parts.points.iter().filter(|point| point.holder == Holder::Coupled);
        let moved: Vec<(usize, &[usize; 3])> =
            coupled.map(|point| point.number).zip(&motion.columns).collect();
        let ends = self.members(group).flat_map(|line| [(line, 0), (line, 1)]);
        let anchor = |(line, end): (&DeckLine, usize)| {
            let point = self.point(line, end);
            let (_, columns) = moved.iter().find(|(number, _)| *number == point.number)?;
            let columns: Vec<String> =
                axes(self.is_planar).iter().map(|axis| format!("\"{}\"", columns[*axis])).collect();
            let shift = match motion.is_displacement {
                true => format!(", shift: {}", vector(self.is_planar, point.place)),
                false => String::new(),
            };
            Some(format!(
                "(node: {}, curve: Series(file: {:?}, time: \"1\", columns: [{}]{shift}, smooth: true))",
                self.node(group, line, end),
                motion.file,
                columns.join(", ")
            ))
        };
        ends.filter_map(anchor).collect()
    }

    /// Returns the drag and buoyancy of lines, and the forces on free points.
    fn forces(&self, group: &Group) -> Vec<String> {
        let options = self.parts.options;
        let mut forces: Vec<String> = Vec::new();
        for line in self.members(group).filter(|_| options.water > 0.0) {
            let part = match group.len() {
                1 => String::new(),
                _ => format!(", part: {:?}", line.name()),
            };
            forces.extend(self.water_on(line, group, &part));
        }
        for (point, ends) in self.free_ends(group) {
            if let Some((line, end)) = ends.first() {
                forces.extend(self.on_point(point, &self.node(group, line, *end)));
            }
        }
        forces
    }

    fn water_on(&self, line: &DeckLine, group: &Group, part: &str) -> Vec<String> {
        let (kind, options) = (self.kind(line), self.parts.options);
        let (density, diameter) = (number(options.water), number(kind.diameter));
        let mut forces = Vec::new();
        if kind.across > 0.0 || kind.along > 0.0 {
            forces.push(format!(
                "LineDrag(density: {density}, diameter: {diameter}, across: {}, along: {}{part})",
                number(kind.across),
                number(kind.along)
            ));
        }
        if options.gravity > 0.0 {
            // Added mass has inertia but no weight.
            let carried = options.water * (1.0 + self.added(line, group));
            forces.push(format!(
                "Buoyancy(density: {}, diameter: {diameter}, gravity: {}, surface: 0{part})",
                number(carried),
                number(options.gravity)
            ));
        }
        forces
    }

    fn on_point(&self, point: &DeckPoint, node: &str) -> Vec<String> {
        let options = self.parts.options;
        let mut forces = Vec::new();
        let lift = options.water * options.gravity * point.volume * (1.0 + point.added);
        let [x, y, z] = point.force;
        if [x, y, z + lift].iter().any(|force| *force != 0.0) {
            let force = vector(self.is_planar, [x, y, z + lift]);
            forces.push(format!("PointForce(node: {node}, force: {force})"));
        }
        if point.drag > 0.0 && options.water > 0.0 {
            forces.push(format!(
                "PointDrag(node: {node}, density: {}, area: {})",
                number(options.water),
                number(point.drag)
            ));
        }
        forces
    }
}

/// Describes the axial stiffness of a line type.
fn stretching_words(kind: &LineType) -> String {
    match &kind.stretching {
        Stretching::Linear(axial) => format!("EA {} N", number(*axial)),
        Stretching::TwoStiffnesses { slow, fast } => {
            format!("EA {} N for slow and {} N for fast loads", number(*slow), number(*fast))
        }
        Stretching::Curve { file, .. } => {
            format!("a curve of tensions from {file}, maximum EA {} N", number(kind.stiffness()))
        }
    }
}

/// Returns the fields `law` and `damping` of a line whose segments have this length.
fn law(kind: &LineType, segment: f64) -> String {
    let slow = kind.segment_damping(segment);
    let (law, damping) = match &kind.stretching {
        Stretching::Linear(_) => ("TensionOnly".to_owned(), slow),
        Stretching::TwoStiffnesses { slow: soft, fast } => {
            let time = slow * segment * (fast - soft) / (fast * soft);
            let creep = fast / soft - 1.0;
            let law = format!("Viscoelastic(creep: {}, time: {})", number(creep), number(time));
            (law, kind.direct_damping(segment))
        }
        Stretching::Curve { points, .. } => {
            let scale = kind.stiffness();
            let pulled = points.iter().skip(1);
            let pairs = pulled.map(|(strain, tension)| {
                format!("({}, {})", number(*strain), number(tension / scale))
            });
            let pairs: Vec<String> = std::iter::once("(-1, 0)".into()).chain(pairs).collect();
            (format!("PiecewiseLinear(points: [{}])", pairs.join(", ")), slow)
        }
    };
    match damping {
        damping if damping > 0.0 => format!("law: {law}, damping: {},", number(damping)),
        _ => format!("law: {law},"),
    }
}

/// Returns a field with a list of entries, one per line; no lines if there are no entries.
fn list(indent: &str, name: &str, entries: Vec<String>) -> Vec<String> {
    if entries.is_empty() {
        return Vec::new();
    }
    let own = entries.into_iter().map(|entry| format!("{indent}    {entry},"));
    let lines = std::iter::once(format!("{indent}{name}: [")).chain(own);
    lines.chain([format!("{indent}],")]).collect()
}
