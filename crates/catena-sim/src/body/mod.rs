//! What is moved: masses and springs, positions and velocities, shapes to build them from, and materials.

pub mod material;
pub mod measure;
mod memory;
mod model;
pub mod shape;
mod state;
mod view;

pub use memory::SpringMemory;
pub use model::{Arrangement, Model, Spring};
pub use state::State;
pub use view::Body;
