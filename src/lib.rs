//! catena turns a scene file into pictures of ropes.
//!
//! A scene is parsed into a model ([`scene`]), a simulation moves its state ([`sim`]).

pub mod scene;
pub mod sim;
