//! Lists with room for the points of usual routes, so that a step allocates no memory for them.

/// A list that allocates memory for more than eight entries.
pub(super) type List<T> = smallvec::SmallVec<[T; 8]>;
