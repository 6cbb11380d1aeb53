//! Node numbers and direction of y in a file, determined from the initial state of the body.

use super::placement::Placement;
use super::samples::{Recorded, Sample};
use super::start::{Start, Verdict, first};
use crate::shape::data_file::DataError;
use crate::words::{NodeOrder, YAxis};
use catena_base::text::number::counted;
use catena_sim::Setup;
use catena_sim::vector::Vec3;

/// Node numbers in a file, and their possible meanings in the body.
pub(super) struct Numbers {
    /// Node of the body that a file of one point describes; `None` for other files.
    pub(super) point: Option<usize>,
    pub(super) is_point_chosen: bool,
    minimum: u32,
    /// Possible relations between numbers of the file and nodes of the body.
    countings: Vec<Counting>,
    is_given: bool,
}

/// Relation between the node numbers of the file and the nodes of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Counting {
    /// Node of the body for the number 0 in the file.
    zero: i64,
    is_reversed: bool,
}

impl Counting {
    fn node(self, number: u32) -> i64 {
        let number = i64::from(number);
        self.zero + if self.is_reversed { -number } else { number }
    }
}

/// Rejects `first_node` and `node_order` for a file without node numbers.
fn refuse_numbers(placement: &Placement) -> Result<(), DataError> {
    let given = [
        ("first_node", placement.first_node.is_some()),
        ("node_order", placement.node_order.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((field, _)) => {
            let what = format!("{field}: the file describes one point and has no node numbers");
            let wrong = DataError::at(String::new(), what);
            Err(wrong.help("use `node` to choose the node of the point"))
        }
    }
}

impl Numbers {
    pub(super) fn of(
        recorded: &Recorded,
        samples: &[Sample],
        setup: &Setup,
        placement: &Placement,
    ) -> Result<Self, DataError> {
        let count = setup.model.nodes();
        let in_body = |node: usize, field: &str| {
            let message = format!(
                "{field}: there is no node {node}, since the body has nodes 0 to {}",
                count - 1
            );
            if node < count { Ok(node) } else { Err(DataError::at(String::new(), message)) }
        };
        let is_point_chosen = placement.node.is_some();
        if recorded.is_point {
            refuse_numbers(placement)?;
            let point = Some(in_body(placement.node.unwrap_or(count - 1), "node")?);
            return Ok(Self {
                point,
                is_point_chosen,
                minimum: 0,
                countings: vec![Counting { zero: 0, is_reversed: false }],
                is_given: true,
            });
        }
        if is_point_chosen {
            let wrong = DataError::at(String::new(), "node: the file already names its nodes");
            return Err(wrong.help("remove `node`, which is only for a file of one point"));
        }
        let minimum = samples.iter().map(|sample| sample.node).min().unwrap_or(0);
        let maximum = samples.iter().max_by_key(|sample| sample.node);
        let maximum = maximum.map_or((0, 0), |sample| (sample.node, sample.line));
        let forward = |zero: i64| Counting { zero, is_reversed: false };
        let reversed = |zero: i64| Counting { zero, is_reversed: true };
        let (lowest, end) = (i64::from(minimum), count as i64 - 1);
        let mut countings: Vec<Counting> = match placement.first_node {
            Some(first) => {
                let first = in_body(first, "first_node")? as i64;
                vec![forward(first - lowest), reversed(first + lowest)]
            }
            None if minimum == 1 => vec![forward(0), forward(-1), reversed(end), reversed(end + 1)],
            None => vec![forward(0), reversed(end)],
        };
        let wanted = placement.node_order.map(|order| order == NodeOrder::Reversed);
        countings.retain(|it| wanted.is_none_or(|wanted| it.is_reversed == wanted));
        let is_in = |number: u32, it: &Counting| (0..=end).contains(&it.node(number));
        countings.retain(|it| is_in(minimum, it) && is_in(maximum.0, it));
        if countings.is_empty() {
            let what = format!(
                "node {}, but the body has only {}, numbered from 0 to {end}",
                maximum.0,
                counted(count as u64, "node"),
            );
            let help = "change the number of nodes in the scene, or remove rows";
            return Err(DataError::new(maximum.1 as usize, what).help(help));
        }
        let is_given = placement.first_node.is_some();
        Ok(Self { point: None, is_point_chosen, minimum, countings, is_given })
    }

    pub(super) fn node(&self, number: u32, counting: Counting) -> usize {
        self.point.unwrap_or_else(|| usize::try_from(counting.node(number)).unwrap_or(0))
    }
}

/// Chosen reading of node numbers and of the direction of y.
pub(super) struct Reading {
    pub(super) counting: Counting,
    y: YAxis,
    verdict: Verdict,
    /// Distance of the first positions from the initial state.
    pub(super) distance: f64,
    scale: f64,
    translate: Vec3,
}

impl Reading {
    pub(super) fn decide(
        numbers: &Numbers,
        samples: &[Sample],
        start: &Start<'_>,
        placement: &Placement,
        is_start: bool,
    ) -> Self {
        let (scale, translate) = (placement.scale, placement.translate);
        let of = |counting: Counting, y: YAxis| {
            let reading =
                Self { counting, y, verdict: Verdict::Neither, distance: 0.0, scale, translate };
            let places = first(samples).iter().map(|sample| {
                (numbers.node(sample.node, counting), reading.place(sample.place, 3))
            });
            let distance = start.distance(places);
            Self { distance, ..reading }
        };
        let nearest = |y: YAxis| {
            // The numbers of the file are used unless other numbers are clearly nearer to the
            // initial state. The reverse order also needs clear evidence in the initial state.
            let mut best = of(numbers.countings[0], y);
            for counting in &numbers.countings[1..] {
                let other = of(*counting, y);
                let is_turned = counting.is_reversed != best.counting.is_reversed;
                let is_clear = start.judge(best.distance, other.distance) == Verdict::Second;
                let may_be = !is_turned || is_clear;
                if is_start && may_be && other.distance < 0.25 * best.distance {
                    best = other;
                }
            }
            best
        };
        match placement.y {
            Some(y) => nearest(y),
            None => {
                let [up, down] = [nearest(YAxis::Up), nearest(YAxis::Down)];
                let verdict = start.judge(up.distance, down.distance);
                let verdict = if is_start { verdict } else { Verdict::Neither };
                let chosen = if verdict == Verdict::Second { down } else { up };
                Self { verdict, ..chosen }
            }
        }
    }

    /// Whether y of the file is read as pointing down.
    pub(super) fn points_down(&self) -> bool {
        self.y == YAxis::Down
    }

    /// Returns the position in the scene for a position in the file.
    pub(super) fn place(&self, [x, y, z]: Vec3, axes: usize) -> Vec3 {
        let y = if self.y == YAxis::Down { -y } else { y };
        let z = if axes == 3 { z } else { 0.0 };
        let mut place = [x, y, z];
        for (value, origin) in place.iter_mut().zip(self.translate) {
            *value = self.scale * *value + origin;
        }
        place
    }

    /// Describes the chosen reading. `falls_up` tells whether the data move against gravity.
    pub(super) fn describe(
        &self,
        numbers: &Numbers,
        placement: &Placement,
        is_start: bool,
        falls_up: bool,
        words: &mut Vec<String>,
    ) {
        self.describe_numbers(numbers, placement, words);
        words.push(match (placement.y, self.verdict, is_start) {
            (Some(YAxis::Up), ..) => "y points up, as given".into(),
            (Some(YAxis::Down), ..) => "y points down, as given".into(),
            (None, Verdict::First, _) => "y points up".into(),
            (None, Verdict::Second, _) => "y points down".into(),
            (None, Verdict::Same, _) if falls_up => {
                "y seems to point down in the data, since they move against gravity: add `y: Down`"
                    .into()
            }
            (None, Verdict::Same, _) => {
                "y is assumed to point up: the start fits both directions (`y: Down` reverses it)"
                    .into()
            }
            (None, Verdict::Neither, true) => {
                "y is assumed to point up: the start fits neither direction (`y: Down` reverses it)"
                    .into()
            }
            (None, Verdict::Neither, false) => {
                "y is assumed to point up: the file does not begin at the start (`y: Down` \
                 reverses it)"
                    .into()
            }
        });
    }

    /// Describes the relation between the node numbers of the file and the nodes of the body.
    fn describe_numbers(&self, numbers: &Numbers, placement: &Placement, words: &mut Vec<String>) {
        let minimum = numbers.minimum;
        if numbers.point.is_some() {
            return;
        }
        let Counting { zero, is_reversed } = self.counting;
        let node = self.counting.node(minimum);
        match (numbers.is_given, placement.node_order, is_reversed) {
            (true, ..) => words.push(format!("its node {minimum} is node {node}, as given")),
            (_, Some(_), true) => words.push("nodes in reverse order, as given".into()),
            (_, None, true) => words.push(format!(
                "nodes in reverse order: its node {minimum} is node {node} (`node_order: Forward` \
                 keeps the order of the file)"
            )),
            (_, _, false) if zero == -1 => words.push("nodes from 1".into()),
            (_, _, false) if minimum > 0 => {
                words.push(format!("nodes as numbered, from {minimum}"));
            }
            (_, _, false) => {}
        }
    }
}

/// Describes the node that a file of one point describes.
pub(super) fn point_description(
    numbers: &Numbers,
    reading: &Reading,
    samples: &[Sample],
    start: &Start<'_>,
    exact: bool,
) -> String {
    let node = numbers.point.unwrap_or(0);
    if numbers.is_point_chosen {
        return format!("the point is node {node}, as given");
    }
    let place = reading.place(samples[0].place, 3);
    match start.node_at(place).filter(|_| !exact) {
        Some(other) => format!(
            "the point is assumed to be the last node, {node}, but starts at node {other}: to use that node, set `node: {other}`"
        ),
        None => format!("the point is node {node}, the last"),
    }
}
