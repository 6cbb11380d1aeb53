//! The table of a sweep: a row for each body of each variant.

mod csv;
mod parquet;

pub use self::csv::{header, line, read_cells};
pub use self::parquet::ParquetTable;

use serde::{Deserialize, Serialize};

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// Numbers that count, from 0 to 2⁶³ - 1.
    Whole,
    /// Numbers of 64 bits.
    Real,
    /// Text.
    Text,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Its name, of which there is one in a table.
    pub name: String,
    /// What its cells hold.
    pub kind: ColumnKind,
}

impl Column {
    /// A column of whole numbers.
    pub fn whole(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: ColumnKind::Whole }
    }

    /// A column of numbers.
    pub fn real(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: ColumnKind::Real }
    }

    /// A column of text.
    pub fn text(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: ColumnKind::Text }
    }
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number that counts.
    Whole(u64),
    /// A number.
    Real(f64),
    /// Text.
    Text(String),
    /// Nothing: what there is no value of.
    None,
}

impl Value {
    /// A number that counts, or nothing.
    pub fn whole(number: Option<u64>) -> Self {
        number.map_or(Self::None, Self::Whole)
    }

    /// A number, or nothing.
    pub fn real(number: Option<f64>) -> Self {
        number.map_or(Self::None, Self::Real)
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            Self::Text(_) | Self::None => None,
        }
    }
}

/// A row of the table. Rows are in order of variants, and then of panels and bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The number of the variant.
    pub variant: u64,
    /// The number of the body in the scene, counted over its panels.
    pub body: u32,
    /// A cell for each column.
    pub cells: Vec<Value>,
}
