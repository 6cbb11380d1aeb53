//! Motion of coupled points from a file of rows.
//!
//! The file has the positions of each coupled point, as programs pass them to MoorDyn. If its
//! column names are surge, sway and heave, it has the displacement of a vessel instead.

use super::points::{DeckPoint, Holder};
use crate::deck::row::number_of;
use crate::diagnostic::Fault;

/// Motion file. Each row has a time, followed by positions or displacements.
pub struct DeckMotion<'a> {
    /// Name of the file, relative to the scene.
    pub file: &'a str,
    /// Text of the file.
    pub text: &'a str,
}

/// Columns that move the coupled points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MotionColumns {
    pub file: String,
    /// Whether the columns are displacements, which are added to the positions of the points.
    pub is_displacement: bool,
    /// Column numbers of x, y and z for each coupled point, counted from 1, in the order of the
    /// points.
    pub columns: Vec<[usize; 3]>,
    /// Whether a point leaves the plane y = const of the deck.
    pub leaves_plane: bool,
}

fn cells(line: &str) -> Vec<&str> {
    let is_gap = |c: char| c.is_whitespace() || c == ',' || c == ';';
    line.trim_start_matches('#').split(is_gap).filter(|cell| !cell.is_empty()).collect()
}

impl DeckMotion<'_> {
    /// Returns the columns of the coupled points.
    ///
    /// # Errors
    /// Returns a fault when the rows do not fit the points.
    pub(super) fn columns(&self, points: &[DeckPoint]) -> Result<MotionColumns, Fault> {
        let coupled = points.iter().filter(|point| point.holder == Holder::Coupled).count();
        if coupled == 0 {
            let help = "remove --motion, or make a point Coupled";
            return Err(Fault::new("the deck has no coupled point to move").help(help));
        }
        let rows: Vec<Vec<f64>> = self.numbers();
        let Some(width) = rows.first().map(Vec::len) else {
            let help = "each row needs a time and three numbers per coupled point";
            return Err(Fault::new(format!("{} has no rows of numbers", self.file)).help(help));
        };
        let names = self.text.lines().map(str::to_lowercase).take_while(|line| !is_numbers(line));
        let file = self.file.to_owned();
        if names.into_iter().any(|line| line.contains("surge")) {
            self.check_turns(&rows, width)?;
            let columns = vec![[2, 3, 4]; coupled];
            let leaves_plane = rows.iter().any(|row| row.get(2).is_some_and(|sway| *sway != 0.0));
            return Ok(MotionColumns { file, is_displacement: true, columns, leaves_plane });
        }
        // MoorDyn reads positions; other programs often append velocities to them.
        if ![1 + 3 * coupled, 1 + 6 * coupled].contains(&width) {
            let message = format!(
                "{} has {width} columns, but the deck has {coupled} coupled points",
                self.file
            );
            let help = format!(
                "write {} columns: the time, and x, y, z of each point; for a vessel, add the \
                 column names time surge sway heave",
                1 + 3 * coupled
            );
            return Err(Fault::new(message).help(help));
        }
        let columns = (0..coupled).map(|point| [0, 1, 2].map(|axis| 2 + 3 * point + axis));
        let columns: Vec<[usize; 3]> = columns.collect();
        let moved = points.iter().filter(|point| point.holder == Holder::Coupled).zip(&columns);
        let leaves_plane = moved.into_iter().any(|(point, [_, y, _])| {
            rows.iter().any(|row| row.get(y - 1).is_some_and(|value| *value != point.place[1]))
        });
        Ok(MotionColumns { file, is_displacement: false, columns, leaves_plane })
    }

    /// Returns the rows of numbers, up to the first other line below them.
    fn numbers(&self) -> Vec<Vec<f64>> {
        let lines = self.text.lines().filter(|line| is_numbers(line));
        lines.map(|line| cells(line).into_iter().filter_map(number_of).collect()).collect()
    }

    /// Rejects the motion of a vessel that turns, or that has too few columns.
    fn check_turns(&self, rows: &[Vec<f64>], width: usize) -> Result<(), Fault> {
        if width < 4 {
            let message = format!("{} has only {width} columns for a vessel", self.file);
            return Err(Fault::new(message).help("write time, surge, sway and heave"));
        }
        let turned = rows.iter().find(|row| row.iter().skip(4).any(|angle| *angle != 0.0));
        match turned.and_then(|row| row.first()) {
            None => Ok(()),
            Some(time) => {
                let message = format!(
                    "{}: the vessel rotates at time {time}, but only surge, sway and heave can be \
                     imported",
                    self.file
                );
                let help = "write the positions of each coupled point instead: time x y z x y z …";
                Err(Fault::new(message).help(help))
            }
        }
    }
}

/// Whether a line consists of numbers.
fn is_numbers(line: &str) -> bool {
    let cells = cells(line);
    let numbers = cells.iter().filter(|cell| number_of(cell).is_some()).count();
    !cells.is_empty() && numbers == cells.len() && !line.trim_start().starts_with('#')
}
