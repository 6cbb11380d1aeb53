//! Table as Apache Parquet, for DuckDB, pyarrow, polars and others. Cells without a value are null.

use super::{Column, ColumnKind, Value};
use parquet::{
    basic::{Compression, ConvertedType, LogicalType, Repetition, Type as Physical},
    data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type},
    errors::ParquetError,
    file::{
        properties::WriterProperties,
        writer::{SerializedColumnWriter, SerializedFileWriter},
    },
    schema::types::Type,
};
use std::{io::Write, sync::Arc};

/// Number of rows per group, which are in memory at once.
const GROUP: usize = 1 << 16;

/// Writer of rows to a file, group by group.
pub struct ParquetTable<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    kinds: Vec<ColumnKind>,
    rows: Vec<Vec<Value>>,
}

impl<W: Write + Send> ParquetTable<W> {
    /// Starts a file with these columns.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn new(out: W, columns: &[Column]) -> Result<Self, ParquetError> {
        let fields = columns.iter().map(field).collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder("sweep").with_fields(fields).build()?;
        // By default the crate writes its own name and version, which would change the bytes with
        // every update.
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(format!("catena {}", env!("CARGO_PKG_VERSION")))
            .build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties))?;
        let kinds = columns.iter().map(|column| column.kind).collect();
        Ok(Self { writer, kinds, rows: Vec::new() })
    }

    /// Adds a row with one cell per column.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn add(&mut self, row: Vec<Value>) -> Result<(), ParquetError> {
        self.rows.push(row);
        if self.rows.len() == GROUP { self.flush() } else { Ok(()) }
    }

    /// Writes the end of the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn finish(mut self) -> Result<W, ParquetError> {
        if !self.rows.is_empty() {
            self.flush()?;
        }
        self.writer.into_inner()
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        let mut group = self.writer.next_row_group()?;
        for (index, kind) in self.kinds.iter().enumerate() {
            let Some(mut column) = group.next_column()? else { break };
            write_column(&mut column, *kind, self.rows.iter().filter_map(|row| row.get(index)))?;
            column.close()?;
        }
        group.close()?;
        self.rows.clear();
        Ok(())
    }
}

fn field(column: &Column) -> Result<Arc<Type>, ParquetError> {
    let builder = |physical| {
        Type::primitive_type_builder(&column.name, physical).with_repetition(Repetition::OPTIONAL)
    };
    let field = match column.kind {
        ColumnKind::Whole => builder(Physical::INT64),
        ColumnKind::Real => builder(Physical::DOUBLE),
        ColumnKind::Text => builder(Physical::BYTE_ARRAY)
            .with_logical_type(Some(LogicalType::String))
            .with_converted_type(ConvertedType::UTF8),
    };
    field.build().map(Arc::new)
}

/// Writes one column of a group: its values, and which rows have one.
fn write_column<'a>(
    column: &mut SerializedColumnWriter<'_>,
    kind: ColumnKind,
    cells: impl Iterator<Item = &'a Value> + Clone,
) -> Result<(), ParquetError> {
    let levels: Vec<i16> =
        cells.clone().map(|cell| i16::from(!matches!(cell, Value::None))).collect();
    match kind {
        ColumnKind::Whole => {
            let whole = |cell: &Value| match cell {
                Value::Whole(number) => i64::try_from(*number).ok(),
                _ => None,
            };
            let values: Vec<i64> = cells.filter_map(whole).collect();
            column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnKind::Real => {
            let values: Vec<f64> = cells.filter_map(Value::number).collect();
            column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
        }
        ColumnKind::Text => {
            let text = |cell: &Value| match cell {
                Value::Text(text) => Some(ByteArray::from(text.as_str())),
                _ => None,
            };
            let values: Vec<ByteArray> = cells.filter_map(text).collect();
            column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
        }
    }
    Ok(())
}
