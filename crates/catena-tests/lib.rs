//! Helpers of all tests of catena. The tests are in `suite/`.

mod random;

pub use random::Random;
