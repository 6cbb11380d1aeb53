//! One linear gravity wave on water of constant depth, after Airy.
//!
//! The wave has the height H, the wave number k of ω² = g k tanh(k h), and the phase θ = k s - ω t.
//! At the height z above still water, the velocity along the direction of travel is (H/2) ω cosh(k
//! (z + h))/sinh(k h) cos θ. The upward velocity is (H/2) ω sinh(k (z + h))/sinh(k h) sin θ. The
//! theory is valid below still water. Above it, the velocity equals its value at still water
//! (vertical stretching). Source: Dean and Dalrymple, "Water Wave Mechanics for Engineers and
//! Scientists", chapters 3 and 4.

use super::Gradient;
use crate::body::vector::{Vec3, norm};

/// One wave.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wave {
    /// Half of the height, length.
    pub amplitude: f64,
    /// ω, 1/time.
    pub frequency: f64,
    /// k, 1/length.
    pub number: f64,
    /// Phase at the origin and time 0, radians.
    pub phase: f64,
    /// Depth of the water; infinite for deep water.
    pub depth: f64,
}

/// Velocity of a wave along its direction and upwards, and its derivatives with respect to s and z.
pub(crate) struct Orbit {
    /// Velocity along the direction, and upwards.
    pub velocity: [f64; 2],
    /// Derivatives with respect to the distance along the direction.
    pub by_distance: [f64; 2],
    /// Derivatives with respect to the height.
    pub by_height: [f64; 2],
}

/// Returns k of ω² = g k tanh(k h), by Newton's method from the explicit form of Eckart 1952.
pub(crate) fn wave_number(frequency: f64, depth: f64, gravity: f64) -> f64 {
    let deep = frequency * frequency / gravity;
    if !(depth * deep).is_finite() || depth * deep > 50.0 {
        return deep;
    }
    let mut k = deep / libm::tanh(deep * depth).sqrt();
    for _ in 0..30 {
        let tanh = libm::tanh(k * depth);
        let slope = tanh + k * depth * (1.0 - tanh * tanh);
        let next = k - (k * tanh - deep) / slope;
        let is_done = (next - k).abs() <= 1e-15 * k;
        k = next;
        if is_done {
            break;
        }
    }
    k
}

impl Wave {
    /// Returns cosh(k (z + h))/sinh(k h) and sinh(k (z + h))/sinh(k h) for z of at most 0.
    fn shares(&self, z: f64) -> (f64, f64) {
        let down = libm::exp(self.number * z);
        if !self.depth.is_finite() {
            return (down, down);
        }
        let twice = libm::exp(-2.0 * self.number * self.depth);
        let up = libm::exp(-self.number * (z + 2.0 * self.depth));
        ((down + up) / (1.0 - twice), (down - up) / (1.0 - twice))
    }

    /// Returns the velocity at a distance along the direction and a height above still water. Below
    /// the bed, the velocity equals its value at the bed.
    pub(crate) fn orbit(&self, distance: f64, height: f64, t: f64) -> Orbit {
        let z = height.min(0.0).max(-self.depth);
        let (cosh, sinh) = self.shares(z);
        let angle = self.number * distance - self.frequency * t + self.phase;
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let speed = self.amplitude * self.frequency;
        let rate = speed * self.number;
        let is_inside = height < 0.0 && height > -self.depth;
        Orbit {
            velocity: [speed * cosh * cos, speed * sinh * sin],
            by_distance: [-rate * cosh * sin, rate * sinh * cos],
            by_height: if is_inside { [rate * sinh * cos, rate * cosh * sin] } else { [0.0; 2] },
        }
    }

    /// Upper bound of the speed.
    pub(crate) fn fastest(&self) -> f64 {
        let (cosh, _) = self.shares(0.0);
        self.amplitude * self.frequency * cosh
    }
}

/// Waves that travel in one direction, with a steady current.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sea {
    /// The waves.
    pub waves: Vec<Wave>,
    /// Horizontal unit vector of their direction.
    pub direction: Vec3,
    /// y of still water.
    pub surface: f64,
    /// Velocity of the current, length/time.
    pub current: Vec3,
}

impl Sea {
    /// Returns the velocity of each wave at a position, along its direction and upwards.
    fn orbits(&self, place: Vec3, t: f64) -> impl Iterator<Item = Orbit> + '_ {
        let distance = place[0] * self.direction[0] + place[2] * self.direction[2];
        self.waves.iter().map(move |wave| wave.orbit(distance, place[1] - self.surface, t))
    }

    /// Velocity of the water at a position, length/time.
    pub(crate) fn at(&self, place: Vec3, t: f64) -> Vec3 {
        let mut sum = self.current;
        for Orbit { velocity: [along, up], .. } in self.orbits(place, t) {
            sum[0] += along * self.direction[0];
            sum[1] += up;
            sum[2] += along * self.direction[2];
        }
        sum
    }

    /// Derivative of the velocity with respect to the position.
    pub(crate) fn gradient(&self, place: Vec3, t: f64) -> Gradient {
        let mut sum = [[0.0; 3]; 3];
        for orbit in self.orbits(place, t) {
            let by = [
                orbit.by_distance.map(|rate| rate * self.direction[0]),
                orbit.by_height,
                orbit.by_distance.map(|rate| rate * self.direction[2]),
            ];
            for (column, [along, up]) in by.into_iter().enumerate() {
                sum[0][column] += along * self.direction[0];
                sum[1][column] += up;
                sum[2][column] += along * self.direction[2];
            }
        }
        sum
    }

    /// Upper bound of the speed, length/time.
    pub(crate) fn fastest(&self) -> f64 {
        self.waves.iter().map(Wave::fastest).sum::<f64>() + norm(self.current)
    }
}
