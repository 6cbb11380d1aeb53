//! catena turns a scene file into pictures of ropes and cloth: frames, panels side by side, and a
//! steady-state comparison.
//!
//! A scene is parsed into a model ([`scene`]). A simulation moves the state of the model ([`sim`]).
//! A view turns the state into shapes, and a canvas turns shapes into pixels ([`render`]). A sink
//! turns pixels into files ([`output`]). [`job`] combines these parts: its functions do what the
//! commands do.
//!
//! ```
//! use catena::{job, scene::Scene};
//!
//! let scene: Scene = r#"Scene(
//!     base: (size: (320, 240), frames: 4, rope: (nodes: 8)),
//!     panels: [(with: (integrator: ConstraintVerlet)), (with: (integrator: Xpbd))],
//! )"#
//! .parse()?;
//! let picture = job::draw(&scene, 3)?;
//! assert_eq!(picture.dimensions(), (320, 240));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! - [`scene`]: scene files; [`gltf`]: figures of glTF files.
//! - [`sim`]: physics; [`rig`]: skeletons with skins.
//! - [`render`]: pixels in memory.
//! - [`output`]: files; [`film`]: films; [`compare`]: comparison of expected and actual pictures.
//! - [`analysis`]: numbers about a simulation; [`figure`]: charts, reports; [`sweep`]: measures and
//!   tables of many variants; [`export`](mod@export): ropes and cloth over time for other programs.
//! - [`job`]: commands as functions; [`shard`]: their parts on many machines; [`cluster`]: jobs for
//!   engines; [`watch`]: a scene that is rendered on each save.
//! - [`lsp`]: language server; [`web`]: scenes in a browser; [`cli`]: command line.
//! - [`read`], [`text`], [`threads`], [`environment`], [`instructions`]: helpers that other parts
//!   share.

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
pub use catena_web as web;
