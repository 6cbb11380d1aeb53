//! Tridiagonal systems: each equation contains its own unknown and the unknowns of its two
//! neighbours.

/// An equation in three unknowns: before · x₋ + own · x + behind · x₊ = right.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RouteRow {
    pub(super) before: f64,
    pub(super) own: f64,
    pub(super) behind: f64,
    /// The right side, and the solution after [`substitute`].
    pub(super) right: f64,
}

/// Factors a system by elimination without pivoting, for rows whose own coefficient is at least the
/// sum of the two others. An unknown without a pivot, as for a slack rope, is 0.
///
/// Afterwards `before` is the factor of the row above in the elimination, and `own` the inverse of
/// the pivot. `behind` is unchanged.
pub(super) fn factor(rows: &mut [RouteRow]) {
    for i in 0..rows.len() {
        let above = i.checked_sub(1).map(|above| rows[above]);
        let row = &mut rows[i];
        let before = row.before;
        row.before = above.map_or(0.0, |above| before * above.own);
        let pivot = row.own - above.map_or(0.0, |above| row.before * above.behind);
        row.own = if pivot == 0.0 { 0.0 } else { 1.0 / pivot };
    }
}

/// Replaces the right sides of factored rows by the solution.
pub(super) fn substitute(rows: &mut [RouteRow]) {
    for i in 1..rows.len() {
        rows[i].right -= rows[i].before * rows[i - 1].right;
    }
    for i in (0..rows.len()).rev() {
        let below = rows.get(i + 1).map_or(0.0, |below| below.right);
        rows[i].right = (rows[i].right - rows[i].behind * below) * rows[i].own;
    }
}
