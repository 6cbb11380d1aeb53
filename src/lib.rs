//! catena turns a scene file into pictures of ropes: frames, panels side by side, a steady-state
//! comparison.
//!
//! A scene is parsed into a model ([`scene`]), a simulation moves its state ([`sim`]), a view turns
//! the state into shapes and a canvas turns shapes into pixels ([`render`]), and a sink turns
//! pixels into files ([`output`]). Frames become a film in [`film`], and are held beside others in
//! [`compare`]. Other programs get ropes and cloth over time from [`export`].
//! Renders and sweeps that many machines share are divided and put together by [`shard`]; the jobs
//! for engines that hand them out come from [`cluster`].
//! Numbers about a simulation come from [`analysis`] and are drawn by [`figure`]. What
//! the command line does is in [`job`], as functions that a program can call; what is typed and
//! said is in [`cli`]. Editors ask [`lsp`]. What has to be fast is compiled for several processors
//! ([`instructions`]), files are read within limits ([`read`]), variables are checked in
//! [`environment`], and how numbers and texts are written, everywhere alike, says [`text`].

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
