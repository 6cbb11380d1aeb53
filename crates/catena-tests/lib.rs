//! Tests of catena as a whole are in `suite/`; this library is empty, since a package needs a target.
