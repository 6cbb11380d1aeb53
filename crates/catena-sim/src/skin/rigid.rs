//! Conversion of rotation matrices to quaternions.

use glam::{DMat3, DQuat};

/// Returns the unit quaternion of a rotation matrix. The branch with the largest root is used to
/// avoid cancellation. Source: Shepperd 1978, "Quaternion from rotation matrix".
pub(super) fn quaternion(m: &DMat3) -> DQuat {
    let [x, y, z] = [m.x_axis, m.y_axis, m.z_axis];
    let trace = x.x + y.y + z.z;
    let q = if trace > x.x.max(y.y).max(z.z) {
        DQuat::from_xyzw(y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace)
    } else if x.x >= y.y && x.x >= z.z {
        DQuat::from_xyzw(1.0 + x.x - y.y - z.z, y.x + x.y, z.x + x.z, y.z - z.y)
    } else if y.y >= z.z {
        DQuat::from_xyzw(y.x + x.y, 1.0 + y.y - z.z - x.x, z.y + y.z, z.x - x.z)
    } else {
        DQuat::from_xyzw(z.x + x.z, z.y + y.z, 1.0 + z.z - x.x - y.y, x.y - y.x)
    };
    q * (1.0 / q.dot(q).sqrt())
}
