//! Motions that other programs wrote, as CSV: positions of nodes over time.
//!
//! [`Recorded::read`] reads common layouts: a row per node and frame, a row per frame, or a row per
//! time of one point, with or without column names. [`Recorded::place`] matches the result with the
//! nodes and frames of a body. All conclusions are described in words, so that nothing is assumed
//! silently.
//!
//! ```
//! use catena_scene::Scene;
//! use catena_scene::recorded::{Hint, Placement, Recorded};
//!
//! let scene: Scene = "Scene(base: (rope: (nodes: 2)))".parse()?;
//! let setup = &scene.panels[0].bodies[0].setup;
//! let csv = b"frame,node,x,y\n1,0,0,-200\n1,1,-400,-200\n2,0,0,-200\n2,1,-400,-199.5\n";
//! let recorded = Recorded::read(csv, "mine.csv", None, Hint::of(setup))?;
//! let placed = recorded.place(setup, &Placement::default())?;
//! assert_eq!(
//!     placed.description(),
//!     "mine.csv: read 2 frames x 2 nodes, columns frame,node,x,y; frames from 1; y points down"
//! );
//! assert_eq!(placed.at(1), [(0, [0.0, 200.0, 0.0]), (1, [-400.0, 199.5, 0.0])]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clockwork;
mod columns;
mod field;
mod guess;
mod likely;
mod numbering;
mod options;
mod placed;
mod placement;
mod precision;
mod role;
mod rows;
mod samples;
mod series;
mod start;
mod table;

pub use clockwork::{OtherTimes, with_time_as};
pub use field::Reference;
pub(super) use field::reference;
pub use guess::Hint;
pub use likely::{Similarity, with_swapped};
pub use options::of_fields as options_of_fields;
pub use placed::{Distances, Placed};
pub use placement::Placement;
pub use precision::{Precision, Width};
pub use rows::{NumberRows, RowKey};
pub use samples::Recorded;
pub(super) use series::series;
pub use start::proportion;

use super::diagnostic::Fault;
use super::shape::data_file::DataError;
pub use super::words::{NodeOrder, YAxis};
use catena_base::text::printable::line;
use std::fmt;

/// Error of a file of positions.
#[derive(Debug)]
pub struct RecordedError {
    name: String,
    error: DataError,
}

impl RecordedError {
    fn new(name: &str, error: DataError) -> Self {
        Self { name: name.into(), error }
    }

    /// Converts the error to a fault. `shows_text` tells whether the file may be quoted.
    pub(super) fn fault(self, shows_text: bool) -> Fault {
        self.error.fault(&self.name, shows_text)
    }
}

impl fmt::Display for RecordedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { message, help, .. } = self.error.clone().fault(&self.name, true);
        // A file named on the command line has no fields of a scene, so advice names options.
        let help = help.map(|help| options::of_advice(&help));
        write!(f, "{}", line(&message))?;
        help.map_or(Ok(()), |help| write!(f, "\n  help: {}", line(&help)))
    }
}

impl std::error::Error for RecordedError {}
