//! Writer of the text of a scene.

use super::groups::Group;
use super::lines::DeckLine;
use super::motion::MotionColumns;
use super::points::DeckPoint;
use super::{ImportedScene, body};
use crate::deck::parts::{LIMIT, Parts, comment, digits, is_free, number, vector};
use crate::deck::rows::in_words;

/// Time between two frames in seconds.
const FRAME_TIME: f64 = 0.1;

impl Parts<'_> {
    /// Whether all lines are in one plane y = const of the deck and stay in it.
    fn is_planar(&self, motion: Option<&MotionColumns>) -> bool {
        let own = self.points.first().map_or(0.0, |point| point.place[1]);
        let is_in = |point: &DeckPoint| point.place[1] == own && point.force[1] == 0.0;
        self.points.iter().all(is_in) && motion.is_none_or(|motion| !motion.leaves_plane)
    }

    /// Returns the depth of the bed. As in MoorDyn, the bed is never above the lowest point.
    fn depth(&self) -> Option<f64> {
        let lowest = self.points.iter().map(|point| -point.place[2]).fold(0.0, f64::max);
        self.options.depth.map(|depth| depth.max(lowest))
    }

    /// Returns the scene of the lines with its notes.
    pub fn scene(
        &self,
        origin: &str,
        lines: &[DeckLine],
        groups: &[Group],
        motion: Option<&MotionColumns>,
        mut notes: Vec<String>,
    ) -> ImportedScene {
        let is_planar = self.is_planar(motion);
        let parts = body::Writer { parts: self, lines, motion, is_planar };
        notes.extend(self.bed_notes(lines));
        notes.extend(groups.iter().flat_map(|group| parts.notes(group)));
        notes.extend(self.output_note(lines));
        notes.dedup();
        let mut base = self.base(lines, is_planar);
        let mut panels = Vec::new();
        match groups {
            [group] => {
                base.extend(parts.body(group, 2));
                panels.push(format!("    panels: [(label: {:?})],", parts.label(group)));
            }
            groups => {
                let shared = parts.shared(groups);
                base.extend(shared.iter().map(|line| format!("        {line}")));
                base.push("        bodies: [".into());
                for group in groups {
                    base.push(format!("            (label: {:?}, with: (", parts.label(group)));
                    let own = parts.body(group, 4);
                    // The fields that all bodies share at their end are already in `base`.
                    base.extend_from_slice(&own[..own.len() - shared.len()]);
                    base.push("            )),".into());
                }
                base.push("        ],".into());
            }
        }
        let mut all = self.head(origin, is_planar, &notes);
        all.push("Scene(".into());
        all.push(format!("    title: {:?},", self.title(origin)));
        all.push("    base: (".into());
        all.extend(base);
        all.push("    ),".into());
        all.extend(panels);
        all.push(")".into());
        ImportedScene { text: all.join("\n") + "\n", notes }
    }

    /// Returns the title of the scene, which is the text at the top of the deck.
    fn title(&self, origin: &str) -> String {
        let title = self.text.title.as_deref().unwrap_or(origin);
        let is_shown = |c: &char| !c.is_control() && *c != '"' && *c != '\\';
        title.chars().filter(is_shown).take(100).collect()
    }

    /// Returns the comments at the top: the origin of the scene, the units, and the notes.
    fn head(&self, origin: &str, is_planar: bool, notes: &[String]) -> Vec<String> {
        let name = origin.rsplit(['/', '\\']).next().unwrap_or(origin);
        let places = if is_planar { "(x, y) is (x, z)" } else { "(x, y, z) is (y, z, x)" };
        let mut lines = comment(&format!("Imported from {name}, a MoorDyn deck."), 0);
        lines.extend(comment(
            &format!(
                "Units: m, kg, s, N. Heights are y, and still water is at 0: {places} of the deck."
            ),
            0,
        ));
        lines.extend(notes.iter().flat_map(|note| comment(&format!("- {note}"), 0)));
        lines
    }

    /// Returns the fields that all bodies share.
    fn base(&self, lines: &[DeckLine], is_planar: bool) -> Vec<String> {
        let (substeps, why) = self.substeps(lines);
        let options = self.options;
        let (theirs, ours) = &options.method;
        let mut base = comment(&format!("{why} tScheme {theirs}."), 2);
        base.push(format!(
            "        frames: 600, frame_time: {}, substeps: {substeps},",
            number(FRAME_TIME)
        ));
        let gravity = vector(is_planar, [0.0, 0.0, -options.gravity]);
        base.push(format!("        gravity: {gravity}, drag: 0,"));
        base.push(format!("        integrator: {ours},"));
        if let Some(depth) = self.depth() {
            let [point, normal] =
                [[0.0, 0.0, -depth], [0.0, 0.0, 1.0]].map(|it| vector(is_planar, it));
            let friction = match options.friction {
                friction if friction > 0.0 => format!(", friction: {}", number(friction)),
                _ => String::new(),
            };
            base.push(format!(
                "        colliders: [Plane(point: {point}, normal: {normal}{friction})], // the bed"
            ));
        }
        base.push("        style: (color_by: Tension, line_width: 3, node_size: 4),".into());
        base
    }

    /// Returns the number of steps per frame, and the reason for it.
    fn substeps(&self, lines: &[DeckLine]) -> (u64, String) {
        let options = self.options;
        // The minimum of √(m/k) over all segments; angular frequencies are at most 2 √(k/m).
        let times = lines.iter().map(|line| {
            let kind = &self.types[line.kind];
            line.length / line.segments as f64 * (kind.mass / kind.stiffness()).sqrt()
        });
        let shortest = times.fold(f64::INFINITY, f64::min);
        let period = 2.0 * std::f64::consts::PI * shortest;
        let by_cfl = options.cfl.map(|cfl| cfl * period);
        let (step, why) = match (options.step, by_cfl) {
            (Some(step), Some(other)) if other < step => (other, "CFL"),
            (Some(step), _) => (step, "dtM"),
            (None, Some(step)) => (step, "CFL"),
            (None, None) => (0.1 * period, "a tenth of the shortest period of a segment"),
        };
        let moving = lines.iter().filter(|line| {
            line.segments > 1 || line.ends.iter().any(|end| is_free(&self.points[*end]))
        });
        let fastest = moving.map(|line| self.fastest_rate(line)).fold(0.0, f64::max);
        let is_explicit = !options.method.1.starts_with("Implicit");
        let limit = LIMIT / fastest;
        let mut reason = format!("Steps of at most {} s: {why}.", digits(step));
        let mut taken = step;
        if is_explicit && step > limit {
            taken = limit;
            reason = format!(
                "Steps of at most {} s: {why} is {} s, and {} is unstable there.",
                digits(limit),
                digits(step),
                options.method.1
            );
        }
        let count = (FRAME_TIME / taken - 1e-9).ceil().clamp(1.0, 1e6);
        (count as u64, reason)
    }

    /// Returns the maximum rate of change of a segment between free nodes: |λ| of its fastest mode.
    fn fastest_rate(&self, line: &DeckLine) -> f64 {
        let kind = &self.types[line.kind];
        let length = line.length / line.segments as f64;
        let highest = 2.0 / length * (kind.stiffness() / kind.mass).sqrt();
        let damping = kind.direct_damping(length);
        let ratio = damping * highest * length / (2.0 * kind.stiffness());
        highest * (ratio + (ratio * ratio - 1.0).max(0.0).sqrt()).max(1.0)
    }

    /// Returns the notes about the sea bed.
    fn bed_notes(&self, lines: &[DeckLine]) -> Vec<String> {
        let options = self.options;
        let Some(depth) = self.depth() else {
            return vec!["the deck has no WtrDpth, so the scene has no sea bed".into()];
        };
        let mut notes = Vec::new();
        if options.depth.is_some_and(|given| given < depth) {
            notes.push(format!(
                "the bed is at {} m, the height of the lowest point",
                digits(-depth)
            ));
        }
        let deepest = lines.iter().map(|line| {
            let kind = &self.types[line.kind];
            let weight = (kind.mass - options.water * kind.area()) * options.gravity;
            weight / (options.bed_stiffness * kind.diameter)
        });
        let yielding = deepest.fold(0.0, f64::max);
        if options.bed_stiffness > 0.0 && yielding > 0.0 {
            notes.push(format!(
                "kBot, cBot: ignored, because the bed is rigid; in MoorDyn a line at rest sinks \
                 into it by {} m",
                digits(yielding)
            ));
        }
        notes
    }

    /// Returns the note about output channels, if the deck has any.
    fn output_note(&self, lines: &[DeckLine]) -> Option<String> {
        let mut all: Vec<String> = self.options.outputs.clone();
        let own: Vec<usize> =
            lines.iter().filter(|line| !line.outputs.is_empty()).map(|line| line.number).collect();
        if !own.is_empty() {
            all.push(format!("LineOutputs of {}", in_words(&own)));
        }
        (!all.is_empty()).then(|| {
            format!(
                "{}: output channels are not imported; `catena statics` prints tensions at rest, and `catena trace` writes tables",
                all.join(", ")
            )
        })
    }
}
