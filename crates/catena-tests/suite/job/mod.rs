//! Jobs as functions and as processes: renders that are resumed, shared, interrupted or short of
//! resources.

pub mod budget;
mod claim;
mod fit;
mod functions;
mod identify;
mod moments;
#[cfg(target_os = "linux")]
mod neighbours;
mod once;
mod reading;
mod resume;
mod shortage;
pub mod signals;
mod simulate;
mod solids;
