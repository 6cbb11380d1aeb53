//! Rotations as unit quaternions, alone and with their time derivatives.
//!
//! Interpolation along a great circle is (sin((1-s)φ) a + sin(sφ) b)/sin φ. The angle φ = 2
//! atan2(|a-b|, |a+b|) has no cancellation and is valid for equal a and b. The sign of b is chosen
//! for the shorter arc. Sources: Shoemake 1985, "Animating rotation with quaternion curves"; Kahan,
//! "How futile are mindless assessments of roundoff", 12, for the angle.

use glam::{DQuat, DVec3};

/// Maximum deviation of a squared length from 1 that counts as a unit quaternion.
const UNIT: f64 = 4.0 * f64::EPSILON;

/// Angle below which the derivatives of a slerp's weights come from their series.
const SMALL: f64 = 1e-2;

/// A rotation and its time derivative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingRotation {
    /// Rotation as a unit quaternion.
    pub turn: DQuat,
    /// Time derivative of the quaternion's components.
    pub rate: DQuat,
}

/// Normalises a quaternion. Returns `None` for one that has no length or is not finite. A
/// quaternion of unit length up to rounding is returned unchanged.
pub fn normalised(q: DQuat) -> Option<DQuat> {
    let square = q.dot(q);
    if (square - 1.0).abs() <= UNIT {
        return Some(q);
    }
    let greatest = q.x.abs().max(q.y.abs()).max(q.z.abs()).max(q.w.abs());
    if !(greatest > 0.0 && q.is_finite()) {
        return None;
    }
    let scaled = DQuat::from_xyzw(q.x / greatest, q.y / greatest, q.z / greatest, q.w / greatest);
    Some(scaled * (1.0 / scaled.dot(scaled).sqrt()))
}

/// Returns the angle between two unit quaternions as vectors, 0 to π. The angle between the
/// rotations is twice as large.
pub fn angle_between(a: DQuat, b: DQuat) -> f64 {
    let [apart, together] = [a - b, a + b].map(|q| q.dot(q).sqrt());
    2.0 * libm::atan2(apart, together)
}

/// Returns `b` or -`b`, whichever is closer to `a`.
pub(crate) fn toward(a: DQuat, b: DQuat) -> DQuat {
    if a.dot(b) < 0.0 { -b } else { b }
}

/// Interpolates on the shorter arc from `a` to `b` by the fraction `s`, at a constant angular
/// velocity.
pub fn slerp(a: DQuat, b: DQuat, s: f64) -> DQuat {
    let b = toward(a, b);
    let angle = angle_between(a, b);
    let sin_angle = libm::sin(angle);
    if sin_angle == 0.0 {
        return a;
    }
    a * (libm::sin((1.0 - s) * angle) / sin_angle) + b * (libm::sin(s * angle) / sin_angle)
}

/// Interpolates linearly from `a` to `b` and normalises the result. Its angular velocity is not
/// constant.
pub fn nlerp(a: DQuat, b: DQuat, s: f64) -> DQuat {
    let mixed = a * (1.0 - s) + toward(a, b) * s;
    normalised(mixed).unwrap_or(a)
}

/// A number and its derivatives with respect to the fraction s and the angle φ.
type Partial = [f64; 3];

/// Returns the weights of a slerp. The weight of its end is g = sin(sφ)/sin φ. The weight of its
/// start is cos(sφ) - g cos φ, which equals sin((1-s)φ)/sin φ.
fn weights(s: f64, angle: f64) -> [Partial; 2] {
    let ((sin_angle, cosine), (sine, along)) = (libm::sincos(angle), libm::sincos(s * angle));
    let end = if angle < SMALL {
        let (square, rest) = (angle * angle, 1.0 - s * s);
        let quartic = rest * (7.0 - 3.0 * s * s) / 360.0;
        let by_share = (7.0 - s * s * (30.0 - 15.0 * s * s)) / 360.0;
        [
            s * (1.0 + square * (rest / 6.0 + square * quartic)),
            1.0 + square * ((1.0 - 3.0 * s * s) / 6.0 + square * by_share),
            s * angle * (rest / 3.0 + square * 4.0 * quartic),
        ]
    } else {
        let value = sine / sin_angle;
        [value, angle * along / sin_angle, (s * along - value * cosine) / sin_angle]
    };
    let [value, by_share, by_angle] = end;
    let begin = [
        along - value * cosine,
        -angle * sine - by_share * cosine,
        value * sin_angle - s * sine - by_angle * cosine,
    ];
    [begin, end]
}

impl MovingRotation {
    /// Identity rotation at rest.
    pub const IDENTITY: Self = Self::resting(DQuat::IDENTITY);

    /// Creates a constant rotation.
    pub const fn resting(turn: DQuat) -> Self {
        Self { turn, rate: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0) }
    }

    /// Creates a rotation with an angular velocity in parent coordinates, in radians per unit of
    /// time: q' = ω q/2.
    pub fn turning(turn: DQuat, omega: DVec3) -> Self {
        let half = DQuat::from_xyzw(0.5 * omega.x, 0.5 * omega.y, 0.5 * omega.z, 0.0);
        Self { turn, rate: half * turn }
    }

    /// Returns the angular velocity in parent coordinates, in radians per unit of time: ω = 2 q'
    /// q*.
    pub fn angular_velocity(&self) -> DVec3 {
        let spin = self.rate * self.turn.conjugate();
        DVec3::new(2.0 * spin.x, 2.0 * spin.y, 2.0 * spin.z)
    }

    /// Normalises a quaternion of any length together with its derivative. Returns `None` for a
    /// quaternion without length.
    pub fn of(q: DQuat, rate: DQuat) -> Option<Self> {
        let length = q.dot(q).sqrt();
        let turn = normalised(q)?;
        let rate = if length > 0.0 { rate * (1.0 / length) } else { rate };
        Some(Self { turn, rate: rate - turn * turn.dot(rate) })
    }

    /// Returns the negated quaternion, which describes the same rotation and motion.
    pub fn negated(self) -> Self {
        Self { turn: -self.turn, rate: -self.rate }
    }

    /// Returns the quaternion of this rotation in the hemisphere of `pivot`.
    pub fn toward(self, pivot: DQuat) -> Self {
        if pivot.dot(self.turn) < 0.0 { self.negated() } else { self }
    }

    /// Returns the inverse rotation.
    pub fn inverse(self) -> Self {
        Self { turn: self.turn.conjugate(), rate: self.rate.conjugate() }
    }

    /// Returns the rotation that applies `first` and then this one.
    pub fn after(self, first: Self) -> Self {
        let rate = self.rate * first.turn + self.turn * first.rate;
        Self { turn: self.turn * first.turn, rate }
    }

    /// Interpolates from this rotation to another by slerp, with moving ends and a moving fraction.
    /// The derivatives of the weights combine the partial derivatives with respect to fraction and
    /// angle, with φ' = -(a'·b + a·b')/sin φ.
    pub fn slerp(self, other: Self, share: f64, rate: f64) -> Self {
        let other = other.toward(self.turn);
        let angle = angle_between(self.turn, other.turn);
        let sin_angle = libm::sin(angle);
        let closing = self.rate.dot(other.turn) + self.turn.dot(other.rate);
        let turning = if sin_angle > 0.0 { -closing / sin_angle } else { 0.0 };
        let [a, b] = weights(share, angle);
        let [a_rate, b_rate] =
            [a, b].map(|[_, by_share, by_angle]| by_angle * turning + by_share * rate);
        let [a, b] = [a[0], b[0]];
        Self {
            turn: self.turn * a + other.turn * b,
            rate: self.rate * a + other.rate * b + self.turn * a_rate + other.turn * b_rate,
        }
    }

    /// Returns a fraction w of this rotation on the shorter arc from the identity: q^w. `exponent`
    /// holds w and its rate.
    pub fn power(self, exponent: (f64, f64)) -> Self {
        Self::IDENTITY.slerp(self, exponent.0, exponent.1)
    }
}
