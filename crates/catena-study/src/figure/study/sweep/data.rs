//! The table of a sweep as columns of numbers, for figures of a million rows.

use crate::figure::chart::Scale;
use crate::sweep::table::Value;

/// More different values than these make an axis continuous.
const MOST_LEVELS: usize = 256;

/// What varies: a field, or the bodies of the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Factor {
    /// Its name.
    pub name: String,
    /// For each row its number, or the index of its word.
    pub values: Vec<f64>,
    /// Its words, in the order in which they come; none where its values are numbers.
    pub words: Vec<String>,
    /// Its different values in ascending order; none where there are too many, or a sample has
    /// chosen them.
    pub levels: Vec<f64>,
    /// Whether a sample has chosen its values.
    pub is_sampled: bool,
    /// Whether its numbers lie by equal factors, where that is known.
    pub is_log: Option<bool>,
}

impl Factor {
    /// A factor without rows.
    pub fn new(name: impl Into<String>, is_sampled: bool) -> Self {
        Self { name: name.into(), is_sampled, ..Self::default() }
    }

    /// Adds a row.
    pub fn add(&mut self, value: &Value) {
        let number = match value {
            Value::Text(text) => self.word(text),
            Value::None => self.word(""),
            number => number.number().unwrap_or(f64::NAN),
        };
        self.values.push(number);
    }

    fn word(&mut self, text: &str) -> f64 {
        let known = self.words.iter().position(|word| word == text);
        let index = known.unwrap_or_else(|| {
            self.words.push(text.into());
            self.words.len() - 1
        });
        index as f64
    }

    /// Finds the different values, once all rows are there.
    fn finish(&mut self) {
        if self.is_sampled {
            return;
        }
        let mut levels: Vec<f64> = Vec::new();
        for value in self.values.iter().filter(|value| value.is_finite()) {
            if let Err(place) = levels.binary_search_by(|level| level.total_cmp(value)) {
                levels.insert(place, *value);
                if levels.len() > MOST_LEVELS {
                    return;
                }
            }
        }
        self.levels = levels;
    }

    /// Whether it has numbers, of which there are few and more than one.
    pub(super) fn is_gridded(&self) -> bool {
        self.words.is_empty() && self.levels.len() > 1
    }

    /// The scale of its axis: that of its numbers, or the one that lists of them suggest.
    pub(super) fn scale(&self) -> Scale {
        let all = || self.values.iter().copied().filter(|value| value.is_finite());
        let is_log = self.is_log.unwrap_or_else(|| match self.levels.is_empty() {
            true => is_log(&[
                all().fold(f64::INFINITY, f64::min),
                all().fold(f64::NEG_INFINITY, f64::max),
            ]),
            false => is_log(&self.levels),
        });
        if is_log { Scale::Log } else { Scale::Linear }
    }

    /// Whether it has any number of numbers.
    pub(super) fn is_continuous(&self) -> bool {
        self.words.is_empty() && self.levels.is_empty()
    }

    /// What a level is called.
    pub(super) fn level_name(&self, level: f64) -> String {
        let word = self.words.get(level as usize);
        word.cloned().unwrap_or_else(|| catena_base::text::number::short(level))
    }
}

/// Whether numbers of an axis, which ascend, lie by about equal factors rather than differences.
fn is_log(levels: &[f64]) -> bool {
    let [first, .., last] = levels else { return false };
    if *first <= 0.0 || *last < 4.0 * first {
        return false;
    }
    // How unequal the distances from one to the next are.
    let spread = |distance: &dyn Fn(f64, f64) -> f64| {
        let all = levels.windows(2).map(|pair| distance(pair[0], pair[1]));
        let ends = all.fold([f64::INFINITY, 0.0], |[a, b], it| [it.min(a), it.max(b)]);
        ends[1] / ends[0]
    };
    match levels.len() {
        2 => *last >= 8.0 * first,
        _ => spread(&|a, b| libm::log(b / a)) < spread(&|a, b| b - a),
    }
}

/// The words of the column `status`, the good one first.
pub const STATUSES: [&str; 4] = ["fine", "diverged", "exhausted", "refused"];

/// The table of a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepData {
    /// The fields that vary, in order, and the bodies last.
    pub factors: Vec<Factor>,
    /// For each row the index of its status.
    pub statuses: Vec<u8>,
    /// The columns of measures; NaN stands for no value.
    pub measures: Vec<(String, Vec<f64>)>,
    /// The number of each row's variant.
    pub variants: Vec<u64>,
}

impl SweepData {
    /// Finishes the columns, once all rows are there.
    pub fn finish(&mut self) {
        self.factors.iter_mut().for_each(Factor::finish);
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.variants.len()
    }

    fn column(&self, name: &str) -> Option<&[f64]> {
        self.measures.iter().find(|(known, _)| known == name).map(|(_, values)| &values[..])
    }

    /// Why a run with all frames may be a wreck, by its row: its steps are longer than the
    /// predicted limit, or a spring is more than twice as long as at rest. A run is out of order
    /// from the limit of strain on, which lies far above what numbers that mean something reach.
    pub(super) fn doubts(&self) -> impl Fn(usize) -> [bool; 2] + '_ {
        let columns = ["dt", "stable_step_predicted", "strain_max"].map(|name| self.column(name));
        move |row| {
            let [dt, limit, strain] =
                columns.map(|values| values.map_or(f64::NAN, |values| values[row]));
            [dt > limit, strain > 1.0].map(|is_so| is_so && self.statuses[row] == 0)
        }
    }

    /// The column of a measure, if it has at least two different values. Runs that it is not about
    /// have no value in it.
    pub(super) fn varied(&self, measured: &Measured) -> Option<Vec<f64>> {
        let column = self.column(measured.name)?;
        let doubts = self.doubts();
        let is_shown = |row: usize| match measured.without {
            Without::Lost => self.statuses[row] == 0,
            Without::Wrecks => self.statuses[row] == 0 && doubts(row) == [false; 2],
            Without::Survivors | Without::Some => true,
        };
        let shown = |(row, value): (usize, &f64)| if is_shown(row) { *value } else { f64::NAN };
        let values: Vec<f64> = column.iter().enumerate().map(shown).collect();
        let mut finite = values.iter().filter(|value| value.is_finite());
        let first = *finite.next()?;
        finite.any(|value| *value != first).then_some(values)
    }
}

/// A column that has figures.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) name: &'static str,
    /// What it is called in figures.
    pub(super) label: &'static str,
    /// Its unit; scenes have units of their own. Empty where it is a ratio or a count.
    unit: &'static str,
    /// Which runs have no value in it.
    pub(super) without: Without,
}

/// Which runs have no value in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Without {
    /// Those that were lost, and others.
    Lost,
    /// The same, and those that may be wrecks.
    Wrecks,
    /// Those that were not lost.
    Survivors,
    /// Some, whether lost or not.
    Some,
}

impl Measured {
    /// Its label with its unit.
    pub(super) fn axis_label(&self) -> String {
        if self.unit.is_empty() {
            self.label.into()
        } else {
            format!("{}, {}", self.label, self.unit)
        }
    }
}

/// The columns that have figures, in order.
pub(super) const SHOWN: [Measured; 10] = {
    const fn of(name: &'static str, label: &'static str, unit: &'static str) -> Measured {
        Measured { name, label, unit, without: Without::Wrecks }
    }
    const ENERGY: &str = "units of energy";
    const TIME: &str = "units of time";
    [
        Measured { without: Without::Lost, ..of("strain_max", "greatest strain", "") },
        of("energy_drift", "drift of energy", ENERGY),
        of("tip_y_min", "lowest place of the tip", "units of length"),
        of("tip_speed_max", "greatest speed of the tip", "length per time"),
        of("settled_frame", "frame of rest", ""),
        Measured { without: Without::Survivors, ..of("diverged_frame", "frame of divergence", "") },
        Measured {
            without: Without::Some,
            ..of("stable_step_predicted", "predicted longest step", TIME)
        },
        Measured {
            without: Without::Some,
            ..of("stable_step_measured", "measured longest step", TIME)
        },
        Measured { without: Without::Lost, ..of("steps", "steps", "") },
        of("gain_method", "energy that the method adds", ENERGY),
    ]
};

/// Some rows: those with one combination of levels of some factors.
pub(super) struct Group {
    /// The combination in words.
    pub(super) name: String,
    pub(super) rows: Vec<usize>,
}

/// Divides the rows by the levels of factors, in ascending order; factors of one level have no
/// part in names.
pub(super) fn groups(data: &SweepData, factors: &[&Factor]) -> Vec<Group> {
    let mut all: Vec<(Vec<f64>, Vec<usize>)> = Vec::new();
    for row in 0..data.rows() {
        let key: Vec<f64> = factors.iter().map(|factor| factor.values[row]).collect();
        let order = |known: &(Vec<f64>, Vec<usize>)| {
            let pairs = known.0.iter().zip(&key);
            pairs
                .map(|(a, b)| a.total_cmp(b))
                .find(|it| it.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        };
        match all.binary_search_by(order) {
            Ok(place) => all[place].1.push(row),
            Err(place) => all.insert(place, (key, vec![row])),
        }
    }
    let name = |key: &[f64]| {
        let parts = factors.iter().zip(key).filter(|(factor, _)| factor.levels.len() > 1);
        let part = |(factor, level): (&&Factor, &f64)| match factor.words.is_empty() {
            true => format!("{} {}", factor.name, factor.level_name(*level)),
            false => factor.level_name(*level),
        };
        parts.map(part).collect::<Vec<_>>().join(", ")
    };
    all.into_iter().map(|(key, rows)| Group { name: name(&key), rows }).collect()
}
