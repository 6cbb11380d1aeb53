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

pub mod scene;

pub use catena_sim as sim;

pub mod rig;

pub mod render;

pub mod output;

pub mod shard;

pub mod film;

pub mod compare;

pub mod analysis;

pub mod sweep;

pub mod figure;

pub mod export;

pub mod cluster;

pub mod job;

pub mod lsp;

pub mod cli;

pub use catena_sim::instructions;

pub mod environment;
pub mod gltf;
pub mod read;
pub mod text;
pub mod threads;
pub mod watch;
