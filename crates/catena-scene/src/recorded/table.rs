//! Rows and columns of a text with numbers: separators, comments, column names and missing values.

use crate::separator::{Separator, content, without_empty_end};
use crate::shape::data_file::DataError;
use catena_base::text::lines;

/// Maximum number of columns.
const MAX_COLUMNS: usize = 100_000;
/// Maximum number of rows from which the meaning of columns without names is determined.
const SAMPLE_ROWS: usize = 4096;
/// Minimum number of frames with a fixed node from which rows are recognized as nodes in order.
const MIN_FRAMES: usize = 3;
/// Maximum number of cells in the rows from which the meaning of columns is determined.
const SAMPLE_CELLS: usize = 1 << 18;

/// Names of the columns.
#[derive(Clone, Debug)]
pub(super) struct Header {
    /// Line of the names.
    pub(super) line: usize,
    pub(super) names: Vec<String>,
}

/// Text with numbers in columns.
pub(super) struct Table<'a> {
    text: &'a str,
    pub(super) separator: Separator,
    pub(super) header: Option<Header>,
    /// Number of columns.
    pub(super) width: usize,
    /// First line of numbers.
    first: usize,
    /// Whether cells have decimal commas.
    pub(super) has_commas: bool,
    /// Number of lines above the names.
    pub(super) titles: Option<u64>,
    /// Whether a line below the names has units.
    pub(super) has_units: bool,
}

/// Content of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell {
    Number(f64),
    /// Empty, not a number, or infinite.
    Missing,
    Text,
}

/// Words for a missing number, in lower case.
const MISSING: [&str; 15] = [
    "",
    "-",
    "na",
    "n/a",
    "null",
    "none",
    "nan",
    "-nan",
    "+nan",
    "-nan(ind)",
    "nan(ind)",
    "1.#ind",
    "-1.#ind",
    "1.#qnan",
    "-1.#qnan",
];

impl Cell {
    /// Whether a cell is a finite number that is too large to be read.
    pub(super) fn is_beyond(cell: &str) -> bool {
        Separator::number(cell).is_some_and(|value| value.is_finite() && value.abs() > 1e100)
    }

    /// Parses a cell as a number of any size, including infinity. Returns NaN for a missing number,
    /// and `None` for text.
    pub(super) fn any_number(cell: &str) -> Option<f64> {
        let word = cell.to_ascii_lowercase();
        match (Separator::number(cell), Self::of(cell)) {
            (Some(value), _) => Some(value),
            (None, Self::Missing) if word.starts_with("1.#inf") => Some(f64::INFINITY),
            (None, Self::Missing) if word.starts_with("-1.#inf") => Some(f64::NEG_INFINITY),
            (None, Self::Missing) => Some(f64::NAN),
            (None, _) => None,
        }
    }

    /// Parses a cell. Quotation marks must have been removed.
    pub(super) fn of(cell: &str) -> Self {
        match Separator::number(cell) {
            Some(value) if value.is_finite() && value.abs() <= 1e100 => Self::Number(value),
            Some(_) => Self::Missing,
            None => {
                let word = cell.to_ascii_lowercase();
                let is_missing = MISSING.contains(&&*word) || word.starts_with("1.#inf");
                if is_missing || word.starts_with("-1.#inf") { Self::Missing } else { Self::Text }
            }
        }
    }
}

/// Returns the text of a comment line; `None` if the line is not a comment.
fn comment(row: &str) -> Option<&str> {
    let row = row.trim_start();
    ["#", "%", "//"].iter().find_map(|mark| row.strip_prefix(mark))
}

/// Row of numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableRow<'a> {
    /// Line number of the row, from 1.
    pub(super) line: usize,
    pub(super) text: &'a str,
}

impl TableRow<'_> {
    /// Returns the position of a cell as `:line:column`, both counted from 1 and the column in
    /// characters.
    pub(super) fn place(self, cell: &str) -> String {
        let Self { line, text } = self;
        let before = (cell.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let before = text.get(..before).map_or(0, |text| text.chars().count());
        format!(":{line}:{}", before + 1)
    }
}

/// Returns the lines that are neither blank nor comments.
fn data_rows(text: &str) -> impl Iterator<Item = (usize, &str)> {
    content(text).filter(|(_, row)| comment(row).is_none())
}

/// Splits a row into cells.
fn split(separator: Separator, row: &str) -> Vec<&str> {
    let mut cells = Vec::new();
    separator.cells(row, MAX_COLUMNS, &mut cells);
    cells
}

/// Returns the separator of a row that contains text, which is the first that splits the row.
fn of_first_row(row: &str) -> Option<Separator> {
    Separator::ALL.into_iter().find(|separator| split(*separator, row).len() > 1)
}

/// Returns the column names in the last comment before the numbers, if it has any.
fn commented_names(
    text: &str,
    separator: Separator,
    before: usize,
    is_header: impl Fn(&[String]) -> bool,
) -> Option<Header> {
    let comments = lines::numbered(text).take_while(|(line, _)| *line < before);
    let (line, words) = comments.filter_map(|(line, row)| Some((line, comment(row)?))).last()?;
    // The numbers may be separated by spaces and the names by commas, or the reverse.
    let separators = [separator].into_iter().chain(Separator::ALL);
    let names = separators.map(|separator| {
        let mut cells = split(separator, words.trim_start_matches(['#', ' ']));
        without_empty_end(&mut cells);
        cells.into_iter().map(str::to_owned).collect::<Vec<_>>()
    });
    names.into_iter().find(|names| is_header(names)).map(|names| Header { line, names })
}

/// Maximum number of lines above the names of columns.
const MAX_TITLES: usize = 20;

/// Returns the row with the column names, and the number of lines above it, which have neither
/// names nor numbers. Without names, returns the first row and 0.
fn names_row<'a>(
    text: &'a str,
    separator: Separator,
    is_header: &impl Fn(&[String]) -> bool,
) -> Option<(u64, (usize, &'a str))> {
    let owned = |row: &str| -> Vec<String> {
        split(separator, row).into_iter().map(str::to_owned).collect()
    };
    let has_numbers = |row: &str| {
        let cells = split(separator, row);
        cells.len() > 1 && cells.iter().all(|cell| Cell::of(cell) != Cell::Text)
    };
    let above = data_rows(text).take(MAX_TITLES).take_while(|(_, row)| !has_numbers(row));
    let found = above.enumerate().find(|(_, (_, row))| is_header(&owned(row)));
    match found {
        Some((titles, row)) => Some((titles as u64, row)),
        None => Some((0, data_rows(text).next()?)),
    }
}

/// Whether a row below the names has units and no number.
fn is_of_units(separator: Separator, row: &str) -> bool {
    let cells: Vec<Cell> = split(separator, row).iter().map(|cell| Cell::of(cell)).collect();
    cells.contains(&Cell::Text) && !cells.iter().any(|cell| matches!(cell, Cell::Number(_)))
}

impl<'a> Table<'a> {
    /// Determines separator, names and number of columns of a text. `is_header` tells whether words
    /// are column names, which may be in a comment above the numbers.
    ///
    /// # Errors
    /// Returns an error when the text has no numbers, or rows and names do not match.
    pub(super) fn of(
        text: &'a str,
        is_header: impl Fn(&[String]) -> bool,
    ) -> Result<Self, DataError> {
        let nothing = || {
            let wrong = DataError::at(String::new(), "there are no numbers in this file");
            wrong.help(match data_rows(text).next().is_some_and(|(_, row)| row.contains('|')) {
                true => "separate columns by commas, semicolons, tabs or spaces instead of |",
                false => "write a row per node and frame, such as 0,15,-400,200",
            })
        };
        let rows = || data_rows(text).map(|(_, row)| row);
        let is_value = |cell: &str| Cell::of(cell) != Cell::Text;
        let found = Separator::of(rows().take(SAMPLE_ROWS), MAX_COLUMNS, is_value);
        let separator = found.or_else(|| of_first_row(rows().next()?)).ok_or_else(nothing)?;
        let (titles, (line, row)) = names_row(text, separator, &is_header).ok_or_else(nothing)?;
        let names = split(separator, row);
        let cells: Vec<Cell> = names.iter().map(|cell| Cell::of(cell)).collect();
        let has_number = cells.iter().any(|cell| matches!(cell, Cell::Number(_)));
        let is_named = cells.contains(&Cell::Text) && !has_number;
        let header = match is_named {
            true => {
                let names = names.iter().map(|name| (*name).to_owned()).collect();
                Some(Header { line, names })
            }
            false => commented_names(text, separator, line, is_header),
        };
        let mut rest = data_rows(text).filter(|(at, _)| !is_named || *at > line).peekable();
        let has_units = is_named && rest.peek().is_some_and(|(_, row)| is_of_units(separator, row));
        let (first, row) = rest.nth(usize::from(has_units)).ok_or_else(nothing)?;
        let cells = split(separator, row);
        let (width, has_commas, titles) = (cells.len(), false, Some(titles));
        let mut table =
            Self { text, separator, header, width, first, has_commas, titles, has_units };
        table.settle_width(&cells)?;
        table.has_commas = separator != Separator::Comma && rows().any(|row| row.contains(','));
        Ok(table)
    }

    /// Determines the number of columns from the names and the cells of the first row of numbers.
    fn settle_width(&mut self, cells: &[&str]) -> Result<(), DataError> {
        let ends_empty = cells.last().is_some_and(|cell| cell.is_empty());
        let Some(header) = &mut self.header else {
            // A separator after every number leaves an empty cell at the end of a row.
            self.width -= usize::from(ends_empty && self.width > 1);
            return self.check_width();
        };
        while header.names.len() > cells.len() && header.names.last().is_some_and(String::is_empty)
        {
            header.names.pop();
        }
        let named = header.names.len();
        match cells.len() {
            count if count == named => {}
            count if count == named + 1 && ends_empty => self.width = named,
            // A first column with row names has no column name.
            count if count == named + 1 => header.names.insert(0, String::new()),
            count => {
                let line = header.line;
                let what = format!("{count} cells, but line {line} names {named} columns");
                return Err(self.explained(DataError::new(self.first, what), cells, named));
            }
        }
        self.check_width()
    }

    fn check_width(&self) -> Result<(), DataError> {
        if self.width <= MAX_COLUMNS {
            return Ok(());
        }
        Err(DataError::new(self.first, format!("more than {MAX_COLUMNS} columns")))
    }

    /// Iterates over the rows of numbers.
    pub(super) fn rows(&self) -> impl Iterator<Item = TableRow<'a>> + use<'a> {
        let first = self.first;
        let rows = data_rows(self.text).map(|(line, text)| TableRow { line, text });
        rows.filter(move |row| row.line >= first)
    }

    /// Returns the number of rows between empty lines, if it is constant and above 1.
    pub(super) fn block(&self) -> Option<usize> {
        let lines: Vec<usize> = self.rows().map(|row| row.line).collect();
        let mut sizes = lines.chunk_by(|a, b| *b == a + 1).map(<[usize]>::len);
        let first = sizes.next().filter(|size| *size > 1)?;
        let mut others = sizes.peekable();
        (others.peek().is_some() && others.all(|size| size == first)).then_some(first)
    }

    /// Whether the rows list `nodes` nodes, frame after frame without an empty line. This is
    /// assumed if one of these nodes is fixed, like a pin, while others move.
    pub(super) fn lists_nodes(&self, nodes: usize) -> bool {
        let count = self.rows().count();
        if nodes < 2 || count < MIN_FRAMES * nodes || !count.is_multiple_of(nodes) {
            return false;
        }
        let Ok(sample) = self.sample() else { return false };
        if sample.len() < MIN_FRAMES * nodes {
            return false;
        }
        let stands_still = |node: usize| {
            let mut others = sample.iter().skip(node).step_by(nodes);
            others.next().is_some_and(|first| others.all(|row| row == first))
        };
        let still = (0..nodes).filter(|node| stands_still(*node)).count();
        (1..nodes).contains(&still)
    }

    /// Splits a row into as many cells as there are columns.
    ///
    /// # Errors
    /// Returns an error when the row has another number of cells.
    pub(super) fn cells(
        &self,
        row: TableRow<'a>,
        cells: &mut Vec<&'a str>,
    ) -> Result<(), DataError> {
        self.separator.cells(row.text, MAX_COLUMNS, cells);
        let count = cells.len();
        let has_empty_end = || cells[self.width..].iter().all(|cell| cell.is_empty());
        if count == self.width || count > self.width && has_empty_end() {
            return Ok(());
        }
        let source = self.header.as_ref().map_or(self.first, |header| header.line);
        let what = format!("{count} cells, expected {} as in line {source}", self.width);
        Err(self.explained(DataError::new(row.line, what), cells, self.width))
    }

    /// Adds advice to an error about the number of cells, if commas separate columns and decimals.
    fn explained(&self, wrong: DataError, cells: &[&str], expected: usize) -> DataError {
        let is_part = |cell: &&str| {
            !cell.is_empty() && cell.chars().all(|c| c.is_ascii_digit() || "+-eE".contains(c))
        };
        let is_it = self.separator == Separator::Comma
            && (expected + 1..=2 * expected).contains(&cells.len())
            && cells.iter().all(is_part);
        if !is_it {
            return wrong;
        }
        wrong.help(
            "commas seem to separate both columns and decimals: use decimal points, or semicolons \
             between columns",
        )
    }

    /// Returns the numbers of the first rows, to find out what the columns mean.
    ///
    /// # Errors
    /// Returns an error when a row has another number of cells than the first.
    pub(super) fn sample(&self) -> Result<Vec<Vec<Option<f64>>>, DataError> {
        let maximum = SAMPLE_ROWS.min(SAMPLE_CELLS / self.width.max(1)).max(2);
        let mut cells = Vec::new();
        let number = |cell: &&str| match Cell::of(cell) {
            Cell::Number(value) => Some(value),
            Cell::Missing | Cell::Text => None,
        };
        let rows = self.rows().take(maximum).map(|row| {
            self.cells(row, &mut cells)?;
            Ok(cells[..self.width].iter().map(number).collect())
        });
        rows.collect()
    }
}
