//! Bodies: masses and springs, positions and velocities, and the shapes and materials that define
//! them.

pub mod curve;
pub(crate) mod groups;
pub mod hanging;
pub mod material;
pub mod measure;
mod memory;
mod model;
pub mod motion;
mod part;
pub mod paths;
pub(crate) mod random;
pub mod rigid;
pub mod shape;
mod state;
pub mod vector;

pub use memory::{Body, SpringMemory};
pub use model::{Model, Spring};
pub use part::{Arrangement, Form, Part, SolidForm, SolidKind};
pub use state::State;
