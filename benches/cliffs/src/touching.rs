//! Cases of bodies that rest or slide on colliders, or touch themselves.

use crate::bodies;
use crate::cases::{Case, SMOOTH, case, plain};
use catena_sim::Components;
use catena_sim::contact::collider::{Plane, Sphere, Surface};
use catena_sim::contact::{DrawnContact, PartContact};
use catena_sim::run::SetupBuilder;

const ROUGH: Surface = Surface { restitution: 0.0, friction: 0.3 };

/// Contact of drawn segments with a surface.
fn drawn(thickness: f64, surface: Surface) -> DrawnContact {
    DrawnContact { parts: vec![PartContact { thickness, surface }] }
}

/// Cases whose contacts last. Their references are the same bodies without contact.
pub fn all() -> Vec<Case> {
    let drum = |surface: Surface| {
        move |setup: SetupBuilder| {
            let Surface { restitution, friction } = surface;
            let center = Components::from([0.0, 0.0]);
            let ball = Sphere { center, radius: 0.2, restitution, friction };
            setup.collider(ball).drawn_contact(drawn(0.02, surface)).spring_damping(2.0)
        }
    };
    let floor = |surface: Surface| {
        let Surface { restitution, friction } = surface;
        let point = Components::from([0.0, 0.0]);
        Plane { point, normal: Components::from([0.0, 1.0]), restitution, friction }
    };
    let on_a_drum = |name, surface| {
        let shape = bodies::around_a_drum();
        let reference = plain(&shape).frames(1.0 / 60.0, 1024).spring_damping(2.0).check();
        let with = |setup: SetupBuilder| drum(surface)(setup.frames(1.0 / 60.0, 1024));
        Case { reference: reference.unwrap(), ..case("drum", name, &shape, None, with) }
    };
    let low = bodies::level_rope(200, 0.0001);
    vec![
        on_a_drum("segments that rest without friction", SMOOTH),
        on_a_drum("segments that rest with friction", ROUGH),
        case("rope on floor", "nodes that rest without friction", &low, None, |setup| {
            setup.collider(floor(SMOOTH))
        }),
        case("rope on floor", "nodes that rest with friction", &low, None, |setup| {
            setup.collider(floor(ROUGH))
        }),
        case("rope on floor", "segments that rest with friction", &low, None, |setup| {
            setup.collider(floor(ROUGH)).drawn_contact(drawn(0.0001, ROUGH))
        }),
    ]
}
