//! Straight lines through the points of a file.
//!
//! The simulation reads no files: the caller reads the file and supplies the points.

use super::points::{CLOSED, through};
use super::{Line, RopeShape};
use crate::body::vector::Vec3;
use crate::named::{BadOption, Info, OptionInfo, OptionKind};
use serde::Deserialize;

/// Shape of a rope along straight segments between the points of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Path of the file.
    pub file: String,
    /// Whether the line is a ring.
    #[serde(default)]
    pub closed: bool,
    /// Points of the file; empty before it is read.
    #[serde(skip)]
    pub points: Vec<Vec3>,
}

pub(super) const FILE: OptionInfo = OptionInfo {
    name: "file",
    summary: "file of points: rows of numbers, as CSV or JSON",
    default: OptionInfo::NEEDED,
    range: "the name of a .csv or .json file, relative to the scene",
    kind: OptionKind::File(&["csv", "json"]),
    unit: "length",
    common: &[],
};

impl File {
    pub(super) const INFO: Info = Info {
        name: "File",
        summary: "straight lines through the points of a CSV or JSON file",
        options: &[FILE, CLOSED],
    };
}

impl RopeShape for File {
    fn info(&self) -> Info {
        Self::INFO
    }

    fn check(&self) -> Result<(), BadOption> {
        FILE.check(!self.file.is_empty())
    }

    fn fits(&self, _axes: usize, nodes: usize) -> Result<(), BadOption> {
        CLOSED.check(!self.closed || nodes >= 3)
    }

    fn line(&self, _ends: [Vec3; 2]) -> Result<Line, String> {
        let minimum = if self.closed { 3 } else { 2 };
        match self.points.len() {
            found if found < minimum => {
                Err(format!("expected at least {minimum} points, found {found}"))
            }
            _ => Ok(through(self.points.clone(), self.closed)),
        }
    }

    fn has_own_ends(&self) -> bool {
        true
    }

    fn file(&self) -> Option<&str> {
        Some(&self.file)
    }

    fn take_points(&mut self, points: Vec<Vec3>) {
        self.points = points;
    }
}
