//! Jobs: the commands of the command line as functions for programs ([`job`]).
//!
//! - [`shard`] divides renders and sweeps among machines and merges the results.
//! - [`cluster`] writes job files for cluster engines.
//! - [`watch`] renders a scene each time it is saved.
//! - [`environment`] checks the environment variables that control catena.
//!
//! ```
//! use catena_jobs::job::{self, RenderOptions};
//! use catena_scene::Scene;
//!
//! let scene: Scene = "Scene(base: (size: (320, 240), frames: 4))".parse()?;
//! let folder = tempfile::tempdir()?;
//! let options = RenderOptions { steady: false, ..RenderOptions::default() };
//! job::render(&scene, folder.path(), &options, &(), &())?;
//! assert!(folder.path().join("frame_00003.png").exists());
//! assert!(folder.path().join("manifest.json").exists());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cluster;
pub mod environment;
pub mod job;
pub mod shard;
pub mod watch;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
