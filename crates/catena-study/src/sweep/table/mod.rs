//! Table of a sweep: one row per body and variant.

mod csv;
mod parquet;

pub use self::csv::{header, line, read_cells};
pub use self::parquet::ParquetTable;

use serde::{Deserialize, Serialize};

/// Type of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnKind {
    /// Integers from 0 to 2⁶³ - 1.
    Whole,
    /// Floating-point numbers of 64 bits.
    Real,
    /// UTF-8 text.
    Text,
}

/// Column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// Name, unique in a table.
    pub name: String,
    /// Type of its cells.
    pub kind: ColumnKind,
}

impl Column {
    /// Creates a column of integers.
    pub fn whole(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: ColumnKind::Whole }
    }

    /// Creates a column of floating-point numbers.
    pub fn real(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: ColumnKind::Real }
    }

    /// Creates a column of text.
    pub fn text(name: impl Into<String>) -> Self {
        Self { name: name.into(), kind: ColumnKind::Text }
    }
}

/// Content of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Integer.
    Whole(u64),
    /// Floating-point number.
    Real(f64),
    /// Text.
    Text(String),
    /// No value.
    None,
}

impl Value {
    /// Wraps an optional integer.
    pub fn whole(number: Option<u64>) -> Self {
        number.map_or(Self::None, Self::Whole)
    }

    /// Wraps an optional number.
    pub fn real(number: Option<f64>) -> Self {
        number.map_or(Self::None, Self::Real)
    }

    /// Numeric value, if it is a number.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Whole(number) => Some(*number as f64),
            Self::Real(number) => Some(*number),
            Self::Text(_) | Self::None => None,
        }
    }
}

/// Row of the table. Rows are ordered by variant, panel and body.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Number of the variant.
    pub variant: u64,
    /// Index of the body in the scene, counted over its panels.
    pub body: u32,
    /// Cells, one per column.
    pub cells: Vec<Value>,
}
