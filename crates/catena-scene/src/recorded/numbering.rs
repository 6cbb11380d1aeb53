//! Numbers of nodes and direction of y in a file, decided by the initial state of the body.

use super::placed::Placement;
use super::samples::{Recorded, Sample};
use super::start::{Start, Verdict, first};
use crate::shape::data_file::DataError;
use crate::words::YAxis;
use catena_base::text::number::counted;
use catena_sim::Setup;
use catena_sim::vector::Vec3;

/// Numbers of nodes in a file, and those of the body that they may mean.
pub(super) struct Numbers {
    /// Node of a file of one point.
    pub(super) point: Option<usize>,
    pub(super) is_point_chosen: bool,
    least: u32,
    /// Possible differences between numbers of the body and of the file.
    shifts: Vec<i64>,
    is_given: bool,
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
            let point = Some(in_body(placement.node.unwrap_or(count - 1), "node")?);
            return Ok(Self { point, is_point_chosen, least: 0, shifts: vec![0], is_given: true });
        }
        if is_point_chosen {
            let wrong = DataError::at(String::new(), "node: the file names its nodes itself");
            return Err(wrong.help("`node` is for a file of one point; leave it out"));
        }
        let least = samples.iter().map(|sample| sample.node).min().unwrap_or(0);
        let most = samples.iter().max_by_key(|sample| sample.node);
        let most = most.map_or((0, 0), |sample| (sample.node, sample.line));
        let is_given = placement.first_node.is_some();
        let shifts: Vec<i64> = match placement.first_node {
            Some(first) => vec![in_body(first, "first_node")? as i64 - i64::from(least)],
            None if least == 1 => vec![0, -1],
            None => vec![0],
        };
        let fits = |shift: &i64| i64::from(most.0) + shift < count as i64;
        let shifts: Vec<i64> = shifts.into_iter().filter(fits).collect();
        if shifts.is_empty() {
            let what = format!(
                "node {}, but the body has {}, 0 to {}",
                most.0,
                counted(count as u64, "node"),
                count - 1
            );
            let wrong = DataError::new(most.1 as usize, what);
            return Err(wrong.help("set the number of nodes in the scene, or leave rows out"));
        }
        Ok(Self { point: None, is_point_chosen, least, shifts, is_given })
    }

    pub(super) fn node(&self, number: u32, shift: i64) -> usize {
        self.point.unwrap_or_else(|| usize::try_from(i64::from(number) + shift).unwrap_or(0))
    }
}

/// Decided reading of numbers and directions.
pub(super) struct Reading {
    pub(super) shift: i64,
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
        start: &Start,
        placement: &Placement,
        is_start: bool,
    ) -> Self {
        let (scale, translate) = (placement.scale, placement.translate);
        let of = |shift: i64, y: YAxis| {
            let reading =
                Self { shift, y, verdict: Verdict::Neither, distance: 0.0, scale, translate };
            let places = first(samples)
                .iter()
                .map(|sample| (numbers.node(sample.node, shift), reading.place(sample.place, 3)));
            let distance = start.distance(places);
            Self { distance, ..reading }
        };
        let ways = |y: YAxis| {
            // Numbers of the file count, unless shifted ones are clearly nearer to the start state.
            let mut best = of(numbers.shifts[0], y);
            for shift in &numbers.shifts[1..] {
                let other = of(*shift, y);
                if is_start && other.distance < 0.25 * best.distance {
                    best = other;
                }
            }
            best
        };
        match placement.y {
            Some(y) => ways(y),
            None => {
                let [up, down] = [ways(YAxis::Up), ways(YAxis::Down)];
                let verdict = start.judge(up.distance, down.distance);
                let verdict = if is_start { verdict } else { Verdict::Neither };
                let chosen = if verdict == Verdict::Second { down } else { up };
                Self { verdict, ..chosen }
            }
        }
    }

    /// Whether y of the file is taken as pointing down.
    pub(super) fn points_down(&self) -> bool {
        self.y == YAxis::Down
    }

    /// Position of the scene for one of the file.
    pub(super) fn place(&self, [x, y, z]: Vec3, axes: usize) -> Vec3 {
        let y = if self.y == YAxis::Down { -y } else { y };
        let z = if axes == 3 { z } else { 0.0 };
        let mut place = [x, y, z];
        for (value, origin) in place.iter_mut().zip(self.translate) {
            *value = self.scale * *value + origin;
        }
        place
    }

    /// Describes the decisions. `falls_up` tells whether the data move against gravity.
    pub(super) fn tell(
        &self,
        numbers: &Numbers,
        placement: &Placement,
        is_start: bool,
        falls_up: bool,
        words: &mut Vec<String>,
    ) {
        let least = numbers.least;
        match (numbers.is_given, self.shift) {
            (true, _) if placement.first_node.is_some() => {
                words.push(format!(
                    "its node {least} is node {}, as given",
                    i64::from(least) + self.shift
                ));
            }
            (false, -1) => words.push("nodes from 1".into()),
            (false, 0) if least > 0 => words.push(format!("nodes as numbered, from {least}")),
            _ => {}
        }
        words.push(match (placement.y, self.verdict, is_start) {
            (Some(YAxis::Up), ..) => "y points up, as given".into(),
            (Some(YAxis::Down), ..) => "y points down, as given".into(),
            (None, Verdict::First, _) => "y points up".into(),
            (None, Verdict::Second, _) => "y points down".into(),
            (None, Verdict::Same, _) if falls_up => {
                "the data look as if y pointed down, since they move against gravity: add \
                 `y: Down`"
                    .into()
            }
            (None, Verdict::Same, _) => {
                "y taken as up: the start fits both ways (`y: Down` turns it)".into()
            }
            (None, Verdict::Neither, true) => {
                "y taken as up: the start fits neither way (`y: Down` turns it)".into()
            }
            (None, Verdict::Neither, false) => {
                "y taken as up: the file does not begin at the start (`y: Down` turns it)".into()
            }
        });
    }
}

/// Describes which node a file of one point is.
pub(super) fn told_point(
    numbers: &Numbers,
    reading: &Reading,
    samples: &[Sample],
    start: &Start,
    exact: bool,
) -> String {
    let node = numbers.point.unwrap_or(0);
    if numbers.is_point_chosen {
        return format!("the point is node {node}, as given");
    }
    let place = reading.place(samples[0].place, 3);
    match start.node_at(place).filter(|_| !exact) {
        Some(other) => format!(
            "the point is taken as node {node}, the last, but starts at node {other} (`node: {other}` says so)"
        ),
        None => format!("the point is node {node}, the last"),
    }
}
