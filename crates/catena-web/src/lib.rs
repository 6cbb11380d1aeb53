//! Scenes in a browser: a player whose pictures are bit-identical to pictures of the command line,
//! and the page around it.
//!
//! - [`player`] simulates and draws a scene frame by frame.
//! - [`protocol`] answers the page's requests in JSON.
//! - [`page`] writes a page that needs no server.
//! - [`module`] reads the build identifier of a WebAssembly module.
//!
//! This code runs natively and as WebAssembly. A native build only omits the exports of the module.
//!
//! ```
//! use catena_web::player::{OpenScene, Player};
//!
//! let open = OpenScene {
//!     name: "rope".into(),
//!     text: "Scene(base: (size: (320, 240), frames: 4))".into(),
//!     ..OpenScene::default()
//! };
//! let mut player = Player::open(&open).map_err(|faults| faults[0].message.clone())?;
//! while player.steps_to(3) > 0 {
//!     player.advance();
//! }
//! assert_eq!(&player.png(3)?[1..4], b"PNG");
//! # Ok::<(), String>(())
//! ```

#[cfg(target_family = "wasm")]
mod exports;
mod fault;
mod gif;
pub mod module;
#[cfg(not(target_family = "wasm"))]
pub mod page;
pub mod player;
pub mod protocol;
mod readings;
mod stability;

pub use fault::Fault;
pub use gif::GifRecorder;
pub use readings::{BodyReading, FrameReadings};
pub use stability::BodyStability;

/// Version of catena and fingerprint of its sources. A page and its module have the same build.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), "+", env!("CATENA_WEB_BUILD"));

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
