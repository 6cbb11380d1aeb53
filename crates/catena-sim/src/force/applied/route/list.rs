//! Lists with inline capacity for the points of a typical route, so that a step allocates no
//! memory.

/// A list that allocates memory only for more than eight entries.
pub(super) type List<T> = smallvec::SmallVec<[T; 8]>;
