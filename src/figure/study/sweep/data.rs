//! The table of a sweep as columns of numbers, for figures of a million rows.

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

    /// Whether it has any number of numbers.
    pub(super) fn is_continuous(&self) -> bool {
        self.words.is_empty() && self.levels.is_empty()
    }

    /// What a level is called.
    pub(super) fn level_name(&self, level: f64) -> String {
        let word = self.words.get(level as usize);
        word.cloned().unwrap_or_else(|| crate::text::number::short(level))
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

    /// The column of a measure, if it has at least two different values. Runs that were lost have
    /// no value in it, unless it is about them.
    pub(super) fn varied(&self, name: &str) -> Option<Vec<f64>> {
        let (_, values) = self.measures.iter().find(|(known, _)| known == name)?;
        let is_of_all = OF_ALL.contains(&name);
        let shown = |(value, status): (&f64, &u8)| match is_of_all || *status == 0 {
            true => *value,
            false => f64::NAN,
        };
        let values: Vec<f64> = values.iter().zip(&self.statuses).map(shown).collect();
        let mut finite = values.iter().filter(|value| value.is_finite());
        let first = *finite.next()?;
        finite.any(|value| *value != first).then_some(values)
    }
}

/// The columns that have figures, in order, with their names on axes.
pub(super) const SHOWN: [(&str, &str); 10] = [
    ("strain_max", "greatest strain"),
    ("energy_drift", "drift of energy, J"),
    ("tip_y_min", "lowest place of the tip, m"),
    ("tip_speed_max", "greatest speed of the tip, m/s"),
    ("settled_frame", "frame of rest"),
    ("diverged_frame", "frame of divergence"),
    ("stable_step_predicted", "predicted longest step, s"),
    ("stable_step_measured", "measured longest step, s"),
    ("steps", "steps"),
    ("gain_method", "energy that the method adds, J"),
];

/// The columns that say something of runs that were lost as well.
const OF_ALL: [&str; 3] = ["diverged_frame", "stable_step_predicted", "stable_step_measured"];

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
