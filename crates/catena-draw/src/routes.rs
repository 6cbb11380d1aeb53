//! Routes of a body: the rope as a line, pulleys and drums as circles with a spoke, rings as discs.

use super::panel_run::BodyFrame;
use super::theme::Ink;
use super::vector::{Vec3, add, cross, perpendicular, scaled};
use crate::panel_objects::Trail;
use catena_scene::Body;
use catena_sim::force::applied::{ShownRoute, ShownWheel};
use catena_sim::{Force, State};

/// Chords of a circle.
const CHORDS: u32 = 64;

/// Radius of a ring relative to the width of the rope's line.
const RING: f64 = 1.5;

/// Colours and widths of a body's routes.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoutePen {
    /// Colour of the rope.
    pub(super) rope: Ink,
    /// Colour of pulleys and rings.
    pub(super) wheel: Ink,
    /// Width of the rope in pixels.
    pub(super) width: f64,
    /// Width of thin lines in pixels.
    pub(super) thin: f64,
    /// Length of a pixel.
    pub(super) pixel: f64,
    /// Opacity of the body.
    pub(super) alpha: u8,
}

/// Routes of a body in a frame.
pub(super) fn shown(body: &Body, frame: &BodyFrame) -> Vec<ShownRoute> {
    let setup = &body.setup;
    let state = State { t: frame.t, x: frame.x.clone(), v: vec![0.0; frame.x.len()] };
    let view = catena_sim::Body { model: &setup.model, springs: &frame.springs };
    let routes = setup.forces.iter().filter_map(|force| Force::route(force.as_ref()));
    routes.map(|route| route.shown(&view, &state)).collect()
}

/// Lines and discs of routes, from back to front.
pub(super) fn trails(routes: &[ShownRoute], pen: RoutePen) -> Vec<Trail> {
    let line = |points: Vec<Vec3>, ink: Ink, width: f64| Trail {
        points,
        inks: [ink; 2],
        width,
        alpha: pen.alpha,
    };
    let mut all = Vec::new();
    for route in routes {
        for wheel in &route.wheels {
            all.push(line(circle(wheel), pen.wheel, pen.thin));
            let spoke = wheel.spoke.map(|end| vec![wheel.center, end]);
            all.extend(spoke.map(|spoke| line(spoke, pen.wheel, pen.thin)));
        }
        for &at in &route.rings {
            let small = ShownWheel {
                center: at,
                radius: RING * pen.width * pen.pixel,
                axis: [0.0, 0.0, 1.0],
                spoke: None,
            };
            all.push(line(circle(&small), pen.wheel, pen.thin));
        }
        all.push(line(route.line.clone(), pen.rope, pen.width));
    }
    all
}

/// The rim of a wheel.
fn circle(wheel: &ShownWheel) -> Vec<Vec3> {
    let first = perpendicular(wheel.axis);
    let second = cross(wheel.axis, first);
    let point = |k: u32| {
        let angle = std::f64::consts::TAU * f64::from(k) / f64::from(CHORDS);
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        let direction = add(scaled(first, cos), scaled(second, sin));
        add(wheel.center, scaled(direction, wheel.radius))
    };
    (0..=CHORDS).map(point).collect()
}
