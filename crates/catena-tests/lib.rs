//! Tests of catena as a whole are in `suite/`. This library is empty: a package needs a target.
