//! Rows of numbers with keys, for the comparison of two files.

use super::columns::{are_names, by_position, of_list, of_names};
use super::guess::{Hint, guess};
use super::samples::{MAX_SAMPLES, Reading, SampleRow, Use, decoded, repeats};
use super::table::{Cell, Table};
use super::{DataError, RecordedError};
use crate::recorded::role::{LIST, Role};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of numbers in a file. They take about 260 MB.
const MAX_NUMBERS: usize = 1 << 25;

/// Advice in place of [`LIST`] for a file that no list of columns describes.
const NAMED: &str = "name the columns in the first line of the file, such as frame,node,x,y";

/// Identity of a row. Rows of two files with equal keys correspond to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowKey {
    /// Frame or step. If the file has only times, the index of the row among the rows of its node.
    pub at: u64,
    /// Panel, if the file names it.
    pub panel: Option<u64>,
    /// Body, if the file names it.
    pub body: Option<u64>,
    /// Node, if the file has several.
    pub node: Option<u32>,
    /// Index among rows whose keys are otherwise equal.
    pub repeat: u32,
}

/// Numbers of a file by row and column.
#[derive(Clone, Debug)]
pub struct NumberRows {
    /// Name of the file.
    pub name: String,
    /// Unit that the keys count: `frame`, `step` or `row`.
    pub unit: &'static str,
    /// List of the columns by position, as `--columns` takes it.
    pub list: String,
    /// Names of the columns. Coordinates and times have the names that they have in a trace.
    pub columns: Vec<String>,
    /// Columns that contain text.
    pub texts: Vec<String>,
    /// Key and line of each row.
    pub keys: Vec<(RowKey, usize)>,
    /// Numbers by row, then column. Missing and infinite ones are NaN.
    values: Vec<f64>,
}

impl NumberRows {
    /// Reads the bytes of a file. The meaning of its columns is determined from their names or
    /// numbers. A row with many nodes becomes a row per node.
    ///
    /// # Errors
    /// Returns an error with line and column when the file cannot be understood.
    pub fn read(bytes: &[u8], name: &str) -> Result<Self, RecordedError> {
        let rows = decoded(bytes).and_then(|text| read(&text, None));
        let rows =
            rows.map_err(|error| RecordedError::new(name, error.in_place_of(LIST, NAMED)))?;
        Ok(Self { name: name.into(), ..rows })
    }

    /// Reads the bytes of a file like [`Self::read`]. If `columns` is given, it sets the meaning of
    /// the columns, as a list such as `frame,node,x,y` or `frame=Bild,x=px,y=py`.
    ///
    /// # Errors
    /// Returns an error with line and column when the file cannot be understood.
    pub fn read_with(
        bytes: &[u8],
        name: &str,
        columns: Option<&str>,
    ) -> Result<Self, RecordedError> {
        let rows = decoded(bytes).and_then(|text| read(&text, columns));
        let rows = rows.map_err(|error| RecordedError::new(name, error))?;
        Ok(Self { name: name.into(), ..rows })
    }

    /// Returns the rows with changed keys and numbers. Rows for which `key` returns `None` are
    /// removed. `change` returns the factor and the summand of a column.
    pub fn changed(
        self,
        key: impl Fn(RowKey) -> Option<RowKey>,
        change: impl Fn(&str) -> [f64; 2],
    ) -> Self {
        let changes: Vec<[f64; 2]> = self.columns.iter().map(|name| change(name)).collect();
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for (index, (old, line)) in self.keys.iter().enumerate() {
            let Some(new) = key(*old) else { continue };
            keys.push((new, *line));
            let row = self.row(index).iter().zip(&changes);
            values.extend(row.map(|(value, [by, and])| value * by + and));
        }
        Self { keys, values, ..self }
    }

    /// Returns the numbers of a row.
    pub fn row(&self, index: usize) -> &[f64] {
        &self.values[index * self.columns.len()..(index + 1) * self.columns.len()]
    }
}

/// Columns that contain numbers.
struct Fields {
    names: Vec<String>,
    /// Columns of each row of the result. A row with many nodes gives several rows.
    of_nodes: Vec<(Option<u32>, Vec<Option<usize>>)>,
}

impl Fields {
    fn of(table: &Table<'_>, roles: &[Role], used: &Use) -> Self {
        let is_key = |index: usize| {
            let keys = [used.node, used.panel, used.body];
            let counts = used.clock.filter(|(_, role)| !matches!(role, Role::Time(_)));
            keys.contains(&Some(index)) || counts.is_some_and(|(clock, _)| clock == index)
        };
        let axes = ["x", "y", "z"];
        if used.places.iter().any(|(node, _)| node.is_some()) {
            let count = used.axes();
            let of_node = |(node, places): &(Option<u32>, [Option<usize>; 3])| {
                (*node, places[..count].to_vec())
            };
            let names = axes[..count].iter().map(ToString::to_string).collect();
            return Self { names, of_nodes: used.places.iter().map(of_node).collect() };
        }
        let called = |index: usize| {
            let header = table.header.as_ref().map(|header| header.names[index].clone());
            header.unwrap_or_else(|| format!("column {}", index + 1))
        };
        let (mut names, mut columns) = (Vec::new(), Vec::new());
        for (index, role) in roles.iter().enumerate().filter(|(index, _)| !is_key(*index)) {
            let name = match role {
                Role::Coordinate { axis, .. } => axes[*axis].into(),
                Role::Time(_) => "time".into(),
                _ => called(index),
            };
            // The index that pandas writes has no name and no meaning.
            if !name.is_empty() && !name.starts_with("Unnamed:") {
                names.push(name);
                columns.push(Some(index));
            }
        }
        Self { names, of_nodes: vec![(None, columns)] }
    }
}

/// Returns the number of units of a column per unit of the scene, such as 1000 for milliseconds.
/// Division by this integer rounds only once, so 39000 ms are exactly 39.
fn parts_of_unit(roles: &[Role], column: Option<usize>) -> f64 {
    match column.map(|column| roles[column]) {
        Some(Role::Time(factor)) => (1.0 / factor).round(),
        _ => 1.0,
    }
}

fn read(text: &str, columns: Option<&str>) -> Result<NumberRows, DataError> {
    let table = Table::of(text, are_names)?;
    let roles = match (columns, &table.header) {
        (Some(list), header) => of_list(list, table.width, header.as_ref())?,
        (None, Some(header)) => of_names(header)?,
        (None, None) => guess(&table, Hint::default())?,
    };
    let used = Use::of(&roles);
    let fields = Fields::of(&table, &roles, &used);
    let repeats = used.node.is_none() && used.places.len() == 1 && repeats(&table, &used)?;
    let (mut reading, mut cells) = (Reading::default(), Vec::new());
    let (mut keys, mut values, mut texts) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut seen: BTreeMap<RowKey, u32> = BTreeMap::new();
    let is_timed = matches!(used.clock, Some((_, Role::Time(_))));
    for at in table.rows() {
        table.cells(at, &mut cells)?;
        let row = SampleRow { table: &table, roles: &roles, at, cells: &cells };
        let (group, count, node) = reading.numbers(&row, &used, repeats)?;
        let [panel, body] = reading.groups[group as usize];
        let own = (used.node.is_some() || repeats).then_some(node);
        for (wide, columns) in &fields.of_nodes {
            let count = if is_timed { 0 } else { count as u64 };
            let key = RowKey { at: count, panel, body, node: wide.or(own), repeat: 0 };
            let earlier = seen.entry(key).or_insert(0);
            let key = match is_timed {
                true => RowKey { at: u64::from(*earlier), ..key },
                false => RowKey { repeat: *earlier, ..key },
            };
            *earlier += 1;
            if keys.len() >= MAX_SAMPLES {
                let what = format!("more than {MAX_SAMPLES} rows");
                return Err(DataError::new(at.line, what));
            }
            if values.len() >= MAX_NUMBERS {
                let what = format!("more than {MAX_NUMBERS} numbers");
                let wrong = DataError::new(at.line, what);
                return Err(wrong.help("remove some frames, nodes or columns"));
            }
            keys.push((key, at.line));
            for (field, column) in columns.iter().enumerate() {
                let read = |column: usize| Cell::any_number(cells[column]);
                let value = column.map_or(Some(f64::NAN), read).unwrap_or_else(|| {
                    texts.insert(field);
                    f64::NAN
                });
                values.push(value / parts_of_unit(&roles, *column));
            }
        }
    }
    let unit = match used.clock {
        Some((_, Role::Frame)) => "frame",
        Some((_, Role::Step)) => "step",
        _ => "row",
    };
    let texts: Vec<String> = texts.iter().map(|field| fields.names[*field].clone()).collect();
    let list = by_position(&roles);
    Ok(NumberRows { name: String::new(), unit, list, columns: fields.names, texts, keys, values })
}
