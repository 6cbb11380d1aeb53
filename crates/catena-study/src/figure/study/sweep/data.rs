//! Table of a sweep as columns of numbers, for figures of a million rows.

use crate::figure::chart::Scale;
use crate::sweep::table::Value;

/// Maximum number of distinct values of an axis that is not continuous.
const MAX_LEVELS: usize = 256;

/// Magnitude below which integers are written with all their digits.
const LARGEST_WHOLE: f64 = 1e7;

/// Varied quantity: a field, or the bodies of the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Factor {
    /// Name of the factor.
    pub name: String,
    /// Values per row: numbers, or indices of words.
    pub values: Vec<f64>,
    /// Words in order of first occurrence; empty if values are numbers.
    pub words: Vec<String>,
    /// Distinct values in ascending order; empty if there are too many, or if they were sampled.
    pub levels: Vec<f64>,
    /// Whether the values were sampled.
    pub is_sampled: bool,
    /// Whether numbers are spaced by equal factors; `None` if unknown.
    pub is_log: Option<bool>,
}

impl Factor {
    /// Creates a factor without rows.
    pub fn new(name: impl Into<String>, is_sampled: bool) -> Self {
        Self { name: name.into(), is_sampled, ..Self::default() }
    }

    /// Adds a row.
    pub fn add(&mut self, value: &Value) {
        let number = match value {
            Value::Text(text) => self.add_word(text),
            Value::None => self.add_word(""),
            number => number.number().unwrap_or(f64::NAN),
        };
        self.values.push(number);
    }

    fn add_word(&mut self, text: &str) -> f64 {
        let known = self.words.iter().position(|word| word == text);
        let index = known.unwrap_or_else(|| {
            self.words.push(text.into());
            self.words.len() - 1
        });
        index as f64
    }

    /// Determines the distinct values, after all rows were added.
    fn finish(&mut self) {
        if self.is_sampled {
            return;
        }
        let mut levels: Vec<f64> = Vec::new();
        for value in self.values.iter().filter(|value| value.is_finite()) {
            if let Err(place) = levels.binary_search_by(|level| level.total_cmp(value)) {
                levels.insert(place, *value);
                if levels.len() > MAX_LEVELS {
                    return;
                }
            }
        }
        self.levels = levels;
    }

    /// Whether the values are a few distinct numbers, at least two.
    pub(super) fn is_gridded(&self) -> bool {
        self.words.is_empty() && self.levels.len() > 1
    }

    /// Scale of the axis, if known; otherwise derived from the spacing of its numbers.
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

    /// Whether the values are a continuous range of numbers.
    pub(super) fn is_continuous(&self) -> bool {
        self.words.is_empty() && self.levels.is_empty()
    }

    /// Name of a level.
    pub(super) fn level_name(&self, level: f64) -> String {
        let word = self.words.get(level as usize);
        word.cloned().unwrap_or_else(|| match level.fract() == 0.0 && level.abs() < LARGEST_WHOLE {
            true => format!("{level:.0}"),
            false => catena_base::text::number::short(level),
        })
    }
}

/// Whether ascending numbers are spaced by equal factors rather than by equal differences.
fn is_log(levels: &[f64]) -> bool {
    let [first, .., last] = levels else { return false };
    if *first <= 0.0 || *last < 4.0 * first {
        return false;
    }
    // Ratio of the largest to the smallest distance of neighbours.
    let spread = |distance: &dyn Fn(f64, f64) -> f64| {
        let all = levels.windows(2).map(|pair| distance(pair[0], pair[1]));
        let range = all.fold([f64::INFINITY, 0.0], |[a, b], it| [it.min(a), it.max(b)]);
        range[1] / range[0]
    };
    match levels.len() {
        2 => *last >= 8.0 * first,
        _ => spread(&|a, b| libm::log(b / a)) < spread(&|a, b| b - a),
    }
}

/// Words of the column `status`, starting with success.
pub const STATUSES: [&str; 4] = ["fine", "diverged", "exhausted", "refused"];

/// Table of a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SweepData {
    /// Varied fields, in order, followed by the bodies.
    pub factors: Vec<Factor>,
    /// Index of each row's status.
    pub statuses: Vec<u8>,
    /// Columns of measures, with NaN for missing values.
    pub measures: Vec<(String, Vec<f64>)>,
    /// Variant number of each row.
    pub variants: Vec<u64>,
}

impl SweepData {
    /// Finishes the columns, after all rows were added.
    pub fn finish(&mut self) {
        self.factors.iter_mut().for_each(Factor::finish);
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.variants.len()
    }

    fn column(&self, name: &str) -> Option<&[f64]> {
        self.measures.iter().find(|(known, _)| known == name).map(|(_, values)| &values[..])
    }

    /// Reasons to distrust a finished run, by row: its steps exceed the predicted limit, or a
    /// spring is more than twice as long as at rest. A run counts as diverged only above the strain
    /// limit, which is far above meaningful values.
    pub(super) fn doubts(&self) -> impl Fn(usize) -> [bool; 2] + '_ {
        let columns = ["dt", "stable_step_predicted", "strain_max"].map(|name| self.column(name));
        move |row| {
            let [dt, limit, strain] =
                columns.map(|values| values.map_or(f64::NAN, |values| values[row]));
            [dt > limit, strain > 1.0].map(|is_so| is_so && self.statuses[row] == 0)
        }
    }

    /// Column of a measure, if it has at least two distinct values. Runs to which the measure does
    /// not apply have NaN.
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

/// Column for which figures are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) name: &'static str,
    /// Label in figures.
    pub(super) label: &'static str,
    /// Unit, in the scene's own units; empty for a ratio or a count.
    unit: &'static str,
    /// Runs without a value in this column.
    pub(super) without: Without,
}

/// Runs that have no value in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Without {
    /// Lost runs, and possibly others.
    Lost,
    /// Lost runs, runs whose result is doubtful, and possibly others.
    Wrecks,
    /// All runs that were not lost.
    Survivors,
    /// Some runs, whether they were lost or not.
    Some,
}

impl Measured {
    /// Label with its unit.
    pub(super) fn axis_label(&self) -> String {
        if self.unit.is_empty() {
            self.label.into()
        } else {
            format!("{}, {}", self.label, self.unit)
        }
    }
}

/// Columns for which figures are drawn, in order.
pub(super) const SHOWN: [Measured; 11] = {
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
        of("rest_distance", "distance from the solved rest", "units of length"),
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

/// Rows with one combination of levels of some factors.
pub(super) struct RowGroup {
    /// Description of the combination.
    pub(super) name: String,
    pub(super) rows: Vec<usize>,
}

/// Groups the rows by the levels of factors, in ascending order. Factors with one level are omitted
/// from the names.
pub(super) fn groups(data: &SweepData, factors: &[&Factor]) -> Vec<RowGroup> {
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
    all.into_iter().map(|(key, rows)| RowGroup { name: name(&key), rows }).collect()
}
