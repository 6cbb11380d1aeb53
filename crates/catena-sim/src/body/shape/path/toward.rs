//! Direction in which a shape extends from the line between its ends.

use crate::body::vector::{Vec3, along, dot, norm, scaled, sub, unit};
use crate::named::{BadOption, Components, OptionInfo};

/// Option of shapes that extend to one side.
pub(super) const TOWARD: OptionInfo = OptionInfo {
    name: "toward",
    summary: "direction in which the shape bulges from the line between start and end",
    default: "along y",
    range: Components::EXPECTED,
    ..OptionInfo::PLAIN
};

/// Refuses a direction that does not fit the scene.
pub(super) fn check(toward: Option<&Components>, axes: usize) -> Result<(), BadOption> {
    toward.map_or(Ok(()), |toward| toward.check(&TOWARD, axes))
}

/// Returns the vector from start to end, and the unit vector at right angles to it that is nearest
/// to `toward`.
///
/// # Errors
/// A message if the ends coincide or the direction is parallel to the line.
pub(super) fn frame(
    [start, end]: [Vec3; 2],
    toward: Option<&Components>,
) -> Result<(Vec3, Vec3), String> {
    let offset = sub(end, start);
    if !dot(offset, offset).is_normal() {
        return Err("it starts and ends at the same point".into());
    }
    let wanted = toward.map_or([0.0, 1.0, 0.0], Components::xyz);
    if norm(wanted) == 0.0 {
        return Err("`toward` has length 0 and therefore no direction".into());
    }
    let ahead = unit(offset);
    let across = along(wanted, -dot(wanted, ahead), ahead);
    if norm(across) <= 1e-9 * norm(wanted) {
        let what = if toward.is_some() { "`toward`" } else { "y, the default of `toward`," };
        return Err(format!(
            "{what} is parallel to the line from start to end; choose another `toward`"
        ));
    }
    Ok((offset, scaled(across, 1.0 / norm(across))))
}
