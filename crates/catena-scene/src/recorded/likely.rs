//! Other readings of a file under which its first positions match the body's positions: other
//! units, another origin, y downwards, or x and y swapped. A message proposes the text to add; no
//! reading is used silently.

use super::numbering::{Numbers, Reading};
use super::samples::Sample;
use super::start::{Start, first};
use catena_base::text::number::{digits, short};
use catena_base::text::round::{decimal, power};
use catena_sim::force::Known;
use catena_sim::vector::{Vec3, norm, sub};
use catena_sim::{Arrangement, Setup};

/// Maximum distance of the first positions after a change of origin and units, relative to the
/// extent of the body. It is large because pixels are integers.
const NEAR: f64 = 0.01;
/// Maximum distance of the nodes of a straight rope from evenly spaced positions, as a fraction of
/// its length.
const EVEN: f64 = 1e-3;
/// Maximum distance under another reading, as a fraction of the distance under the current one.
const CLEARLY: f64 = 0.2;
/// Numbers of digits to which a factor or an origin is rounded, tried from the fewest.
const DIGITS: std::ops::RangeInclusive<i32> = 2..=9;

/// Factor and origin that map positions of a file to positions of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity {
    /// Factor of the positions.
    pub scale: f64,
    /// Position of the file's origin.
    pub translate: Vec3,
}

impl Similarity {
    /// Returns the least-squares factor and origin of pairs of positions in a file and in a scene.
    /// `None` if the positions of the file coincide.
    pub fn of(pairs: &[(Vec3, Vec3)]) -> Option<Self> {
        let count = pairs.len() as f64;
        let mean = |of: fn(&(Vec3, Vec3)) -> Vec3| {
            let sum = pairs.iter().map(of).fold([0.0; 3], |a, b| [0, 1, 2].map(|k| a[k] + b[k]));
            sum.map(|value| value / count)
        };
        let (file, scene) = (mean(|pair| pair.0), mean(|pair| pair.1));
        let (mut product, mut squares) = (0.0, 0.0);
        for (a, b) in pairs {
            let (a, b) = (sub(*a, file), sub(*b, scene));
            product += (0..3).map(|k| a[k] * b[k]).sum::<f64>();
            squares += (0..3).map(|k| a[k] * a[k]).sum::<f64>();
        }
        let scale = product / squares;
        let translate = [0, 1, 2].map(|k| scene[k] - scale * file[k]);
        let is_fine = scale.is_finite() && scale > 0.0 && translate.iter().all(|it| it.is_finite());
        is_fine.then_some(Self { scale, translate })
    }

    /// Returns the position in the scene for a position in the file.
    pub fn place(&self, place: Vec3) -> Vec3 {
        [0, 1, 2].map(|k| self.scale * place[k] + self.translate[k])
    }

    /// Returns the maximum distance between the mapped position and the scene's position of a pair.
    pub fn distance(&self, pairs: &[(Vec3, Vec3)]) -> f64 {
        let left = pairs.iter().map(|(file, scene)| norm(sub(self.place(*file), *scene)));
        left.fold(0.0, f64::max)
    }

    /// Rounds factor and origin to the fewest digits at which the maximum distance of pairs stays
    /// about the same.
    pub fn rounded(&self, pairs: &[(Vec3, Vec3)]) -> Self {
        let size = pairs.iter().flat_map(|pair| pair.1).fold(0.0, |a: f64, b| a.max(b.abs()));
        let maximum = 1.2 * self.distance(pairs) + 1e-6 * size;
        let digits = |count: i32| {
            let scale = significant(self.scale, self.scale, count);
            let shifted = pairs.iter().map(|(file, scene)| (file.map(|it| it * scale), *scene));
            let shifted: Vec<_> = shifted.collect();
            let means = [0, 1, 2].map(|k| {
                shifted.iter().map(|(file, scene)| scene[k] - file[k]).sum::<f64>()
                    / shifted.len() as f64
            });
            let translate = means.map(|value| significant(value, size.max(value.abs()), count));
            Self { scale, translate }
        };
        let found = DIGITS.map(digits).find(|it| it.distance(pairs) <= maximum);
        found.unwrap_or(*self)
    }
}

/// Rounds `value` to the decimal place where `size` has its significant digit number `digits`.
fn significant(value: f64, size: f64, digits: i32) -> f64 {
    if size == 0.0 || !size.is_finite() {
        return value;
    }
    let exponent = libm::floor(libm::log10(size.abs())) as i32 + 1 - digits;
    let count = (value / power(exponent)).round();
    decimal(count as i64, exponent)
}

/// Describes another reading of a file whose first positions do not match the body's positions.
/// `columns` lists the columns of the file.
pub(super) fn describe(
    reading: &Reading,
    numbers: &Numbers,
    samples: &[Sample],
    start: &Start<'_>,
    columns: &str,
) -> Option<String> {
    let raw: Vec<(usize, Vec3)> = first(samples)
        .iter()
        .map(|sample| (numbers.node(sample.node, reading.counting), sample.place))
        .collect();
    let signed = |sign: f64| -> Vec<(usize, Vec3)> {
        raw.iter().map(|(node, [x, y, z])| (*node, [*x, sign * y, *z])).collect()
    };
    other_count(&raw, start)
        .or_else(|| swapped(&raw, reading, start, columns))
        .or_else(|| {
            let scaled = |sign: f64| Some((sign, start.factor(&signed(sign))?));
            let (sign, factor) = scaled(1.0).or_else(|| scaled(-1.0))?;
            let also = if sign < 0.0 { " and `y: Down`" } else { "" };
            let [file, factor] = [1.0 / factor, factor].map(short);
            Some(format!(
                "the data seem to be {file} times as large as the scene: add `scale: \
                 {factor}`{also}"
            ))
        })
        .or_else(|| other_end(&raw, start))
        .or_else(|| moved(&signed, reading, samples, start))
}

/// Describes a straight rope that has only one end in common with the scene's rope.
fn other_end(raw: &[(usize, Vec3)], start: &Start<'_>) -> Option<String> {
    let setup = start.setup;
    let (nodes, axes) = (setup.model.nodes(), setup.model.axes);
    let mut own = raw.to_vec();
    own.sort_by_key(|(node, _)| *node);
    let is_whole = own.iter().enumerate().all(|(index, (node, _))| index == *node);
    let is_rope = setup.model.arrangement == Arrangement::Chain;
    if !is_rope || !is_whole || own.len() != nodes || nodes < 2 {
        return None;
    }
    let places = |sign: f64| own.iter().map(move |(_, [x, y, z])| [*x, sign * y, *z]);
    let maximum = NEAR * start.extent;
    let is_even = |places: &[Vec3]| {
        let (first, last) = (places[0], places[nodes - 1]);
        places.iter().enumerate().all(|(index, place)| {
            let share = index as f64 / (nodes - 1) as f64;
            let even = [0, 1, 2].map(|k| first[k] + share * (last[k] - first[k]));
            norm(sub(even, *place)) <= EVEN * norm(sub(last, first))
        })
    };
    let known: Option<Vec<Vec3>> = (0..nodes).map(|node| start.of_node(node)).collect();
    let is_of_scene = known.is_some_and(|all| is_even(&all));
    let description = |sign: f64| {
        let places: Vec<Vec3> = places(sign).collect();
        let known = [start.of_node(0)?, start.of_node(nodes - 1)?];
        let ends = [places[0], places[nodes - 1]];
        let is_near = [0, 1].map(|end| norm(sub(ends[end], known[end])) <= maximum);
        let (field, end) = match is_near {
            [true, false] => ("rope.end", 1),
            [false, true] => ("rope.start", 0),
            _ => return None,
        };
        let written = |place: Vec3| {
            place[..axes].iter().map(|value| digits(*value, 6)).collect::<Vec<_>>().join(", ")
        };
        is_even(&places).then(|| {
            format!(
                "the rope of the data ends at ({}), but the rope of the scene ends at ({}): add \
                 `--set '{field}=({})'`",
                written(ends[end]),
                written(known[end]),
                written(ends[end])
            )
        })
    };
    is_of_scene.then(|| description(1.0).or_else(|| description(-1.0))).flatten()
}

/// Describes a rope with another number of nodes and the same ends as the scene's rope.
fn other_count(raw: &[(usize, Vec3)], start: &Start<'_>) -> Option<String> {
    let setup = start.setup;
    let nodes = setup.model.nodes();
    let (mut own, count) = (raw.to_vec(), raw.len());
    own.sort_by_key(|(node, _)| *node);
    let is_rope = setup.model.arrangement == Arrangement::Chain;
    let is_whole = own.iter().enumerate().all(|(index, (node, _))| index == *node);
    if !is_rope || !is_whole || count < 2 || count == nodes {
        return None;
    }
    let is_near = |place: Vec3, node: usize, sign: f64| {
        let [x, y, z] = place;
        let known = start.of_node(node);
        known.is_some_and(|known| norm(sub([x, sign * y, z], known)) <= NEAR * start.extent)
    };
    let has_ends =
        |sign: &f64| is_near(own[0].1, 0, *sign) && is_near(own[count - 1].1, nodes - 1, *sign);
    [1.0, -1.0].iter().any(has_ends).then(|| {
        format!(
            "the data have {count} nodes between the ends of the scene's rope of {nodes}: add \
             `--set rope.nodes={count}`"
        )
    })
}

/// Describes swapped coordinates.
fn swapped(
    raw: &[(usize, Vec3)],
    reading: &Reading,
    start: &Start<'_>,
    columns: &str,
) -> Option<String> {
    let distance =
        |sign: f64| start.distance(raw.iter().map(|(node, [x, y, z])| (*node, [*y, sign * x, *z])));
    let [up, down] = [1.0, -1.0].map(distance);
    let is_it = up.min(down) <= NEAR * start.extent && up.min(down) < CLEARLY * reading.distance;
    is_it.then(|| {
        let columns = with_swapped(columns);
        format!("x and y seem to be swapped in the data: add `columns: \"{columns}\"`")
    })
}

/// Returns a list of columns with x and y swapped.
pub fn with_swapped(columns: &str) -> String {
    let swap = |word: &str| match word.as_bytes().first() {
        Some(b'x') => word.replacen('x', "y", 1),
        Some(b'y') => word.replacen('y', "x", 1),
        _ => word.to_owned(),
    };
    columns.split(',').map(swap).collect::<Vec<_>>().join(",")
}

/// Describes another origin, and the unit and the direction of y if these also differ.
fn moved(
    signed: &impl Fn(f64) -> Vec<(usize, Vec3)>,
    reading: &Reading,
    samples: &[Sample],
    start: &Start<'_>,
) -> Option<String> {
    let setup = start.setup;
    let fitted = |sign: f64| {
        let pairs: Option<Vec<(Vec3, Vec3)>> = signed(sign)
            .into_iter()
            .map(|(node, place)| Some((place, start.of_node(node)?)))
            .collect();
        let pairs = pairs?;
        let found = Similarity::of(&pairs)?.rounded(&pairs);
        let distance = found.distance(&pairs);
        let is_near = distance <= NEAR * start.extent && distance < CLEARLY * reading.distance;
        is_near.then_some((distance, sign, found))
    };
    let found = match (fitted(1.0), fitted(-1.0)) {
        (Some(up), Some(down)) => {
            // A straight rope fits both directions of y. Its fall shows the right one.
            let is_same = up.0.max(down.0) <= NEAR * start.extent;
            let falls_up = is_same && moves_against_gravity(samples, setup);
            if falls_up || (!is_same && down.0 < up.0) { down } else { up }
        }
        (up, down) => up.or(down)?,
    };
    let (_, sign, Similarity { scale, translate }) = found;
    let mut add = Vec::new();
    if sign < 0.0 {
        add.push("`y: Down`".to_owned());
    }
    if (scale - 1.0).abs() > 1e-9 {
        add.push(format!("`scale: {scale}`"));
    }
    let origin: Vec<String> =
        translate[..setup.model.axes].iter().map(ToString::to_string).collect();
    add.push(format!("`translate: ({})`", origin.join(", ")));
    let (last, others) = add.split_last()?;
    let add =
        if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) };
    Some(format!("the data seem to have another origin, as pixels do: add {add}"))
}

/// Whether y of the file increases on average although gravity points down, or the reverse.
pub(super) fn moves_against_gravity(samples: &[Sample], setup: &Setup) -> bool {
    let known = setup.forces.iter().find_map(|force| match force.known() {
        Some(Known::Gravity { acceleration }) => acceleration.get(1).copied(),
        _ => None,
    });
    let Some(gravity) = known.filter(|it| *it != 0.0) else { return false };
    let begin = first(samples);
    let beginning = |node: u32| begin.iter().find(|it| it.node == node).map(|it| it.place[1]);
    let moved = samples.iter().filter_map(|it| Some(it.place[1] - beginning(it.node)?));
    let (mut sum, mut size, mut count) = (0.0, 0.0_f64, 0.0);
    for value in moved {
        sum += value;
        size = size.max(value.abs());
        count += 1.0;
    }
    // A swing around the start is not conclusive.
    sum * gravity < 0.0 && (sum / count).abs() > 0.1 * size
}
