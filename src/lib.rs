//! catena turns a scene file into pictures of ropes: frames, panels side by side, and a
//! steady-state comparison.
//!
//! - A scene is parsed into a model ([`scene`]), and a simulation advances its state ([`sim`]).
//! - A view turns the state into shapes and pixels ([`render`]), which are written to files
//!   ([`output`]).
//! - Frames become a film in [`film`], and are compared with others in [`compare`].
//! - [`export`] writes ropes and cloth over time for other programs.
//! - [`shard`] divides renders and sweeps among machines and merges the results, and [`cluster`]
//!   writes job files for cluster engines.
//! - [`analysis`] computes numbers about a simulation, and [`figure`] draws them.
//! - [`job`] has the commands as functions for programs, and [`cli`] the command line itself.
//! - [`lsp`] serves editors.
//! - [`instructions`] compiles fast code for several processors, [`read`] limits the size of input
//!   files, [`environment`] checks environment variables, and [`text`] formats numbers and text.

pub mod cli;

pub use catena_analysis as analysis;
pub use catena_base::{read, text, threads};
pub use catena_draw as render;
pub use catena_jobs::{cluster, environment, job, shard, watch};
pub use catena_lsp as lsp;
pub use catena_output::{self as output, compare, film};
pub use catena_scene::{self as scene, gltf};
pub use catena_sim::{self as sim, instructions, rig};
pub use catena_study::{export, figure, sweep};
