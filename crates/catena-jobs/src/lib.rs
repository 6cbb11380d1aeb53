//! Jobs: what the command line does, as functions that a program can call ([`job`]).
//!
//! [`shard`] divides renders and sweeps among machines and merges their parts, [`cluster`] writes
//! jobs for engines that distribute them, [`watch`] renders a scene on each save, and
//! [`environment`] checks the environment variables that choose how catena works.
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
