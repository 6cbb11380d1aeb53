//! Cases of bodies that touch colliders or themselves: at rest, sliding, rolling and colliding.

use crate::bodies;
use crate::cases::{Case, SMOOTH, case, plain};
use catena_sim::Components;
use catena_sim::body::shape::Topology;
use catena_sim::contact::collider::{Plane, Sphere, Surface};
use catena_sim::contact::{DrawnContact, PartContact, SelfContact};
use catena_sim::run::SetupBuilder;

const ROUGH: Surface = Surface { restitution: 0.0, friction: 0.3 };

/// A surface on which bodies keep bouncing.
const ELASTIC: Surface = Surface { restitution: 1.0, friction: 0.0 };

/// Thickness of the ropes of a pile and above a floor.
const THIN: f64 = 0.0001;

/// Contact of drawn segments with a surface.
fn drawn(thickness: f64, surface: Surface) -> DrawnContact {
    DrawnContact { parts: vec![PartContact { thickness, surface }] }
}

/// The floor y = 0.
fn floor(Surface { restitution, friction }: Surface) -> Plane {
    let (point, normal) = (Components::from([0.0, 0.0]), Components::from([0.0, 1.0]));
    Plane { point, normal, restitution, friction }
}

/// Gravity along a floor, steeper than the angle of friction of [`ROUGH`], so that bodies slide.
const SLOPE: [f64; 2] = [5.0, -9.81];

/// Cases whose contacts last or return. Their references are the same bodies without contact.
pub fn all() -> Vec<Case> {
    [on_a_drum(), on_a_floor(), balls(), piles()].into_iter().flatten().collect()
}

fn on_a_drum() -> Vec<Case> {
    let drum = |surface: Surface| {
        move |setup: SetupBuilder| {
            let Surface { restitution, friction } = surface;
            let center = Components::from([0.0, 0.0]);
            let ball = Sphere { center, radius: 0.2, restitution, friction };
            setup.collider(ball).drawn_contact(drawn(0.02, surface)).spring_damping(2.0)
        }
    };
    let on_a_drum = |name, surface| {
        let shape = bodies::around_a_drum();
        let reference = plain(&shape).frames(1.0 / 60.0, 1024).spring_damping(2.0).check();
        let with = |setup: SetupBuilder| drum(surface)(setup.frames(1.0 / 60.0, 1024));
        Case { reference: reference.unwrap(), ..case("drum", name, &shape, None, with) }
    };
    vec![
        on_a_drum("segments that rest without friction", SMOOTH),
        on_a_drum("segments that rest with friction", ROUGH),
    ]
}

/// A rope above a floor, with each contact of nodes and of drawn segments.
fn on_a_floor() -> Vec<Case> {
    let rope = bodies::level_rope(200, THIN);
    let kinds: [(&str, Surface, Option<[f64; 2]>); 4] = [
        ("that rest without friction", SMOOTH, None),
        ("that rest with friction", ROUGH, None),
        ("that slide", ROUGH, Some(SLOPE)),
        ("that collide", ELASTIC, None),
    ];
    let cases = kinds.iter().flat_map(|&(name, surface, gravity)| {
        ["nodes", "segments"].map(|touching| {
            case("rope on floor", format!("{touching} {name}"), &rope, None, |setup| {
                let setup = match gravity {
                    Some(gravity) => setup.gravity(gravity).drag(0.01),
                    None => setup,
                };
                let setup = setup.collider(floor(surface));
                if touching == "nodes" { setup } else { setup.drawn_contact(drawn(THIN, surface)) }
            })
        })
    });
    cases.collect()
}

/// A rigid ball on a floor.
fn balls() -> Vec<Case> {
    let ball = |name: &str, shape: &dyn Topology, surface| {
        case("ball", name, shape, None, |setup: SetupBuilder| setup.collider(floor(surface)))
    };
    let (still, rolling) = (bodies::ball(0.0, false), bodies::ball(0.0, true));
    let falling = bodies::ball(0.001, false);
    vec![
        ball("that rests", &still, ROUGH),
        ball("that rolls", &rolling, ROUGH),
        ball("that slides", &rolling, SMOOTH),
        ball("that collides", &falling, ELASTIC),
    ]
}

/// A rope that lies on itself in rows, with each contact of a body with itself.
fn piles() -> Vec<Case> {
    let (pile, thickness) = (bodies::pile(10), 0.95 * bodies::PILE_GAP);
    let own = |surface| SelfContact { thickness, surface };
    let kinds = [("rest", ROUGH), ("slide", SMOOTH), ("collide", ELASTIC)];
    let cases = kinds.iter().flat_map(|&(name, surface)| {
        ["nodes", "segments"].map(|touching| {
            case("pile", format!("{touching} that {name}"), &pile, None, |setup| {
                let setup = setup.collider(floor(surface)).drag(0.01);
                if touching == "nodes" {
                    setup.self_contact(own(surface))
                } else {
                    setup.drawn_contact(drawn(thickness, surface))
                }
            })
        })
    });
    cases.collect()
}
