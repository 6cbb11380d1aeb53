//! A cloth that is pinned at two corners, falls onto a ball and hangs over it.

#![allow(clippy::print_stdout)]

use catena_sim::body::measure::greatest_speed;
use catena_sim::contact::collider::Sphere;
use catena_sim::method::Xpbd;
use catena_sim::{BadSetup, Cloth, Setup, Simulation};

fn main() -> Result<(), BadSetup> {
    let cloth = Cloth::new([0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], (20, 20))
        .of(0.001, 50.0)
        .pin(0)
        .pin(19);
    let ball =
        Sphere { center: [0.5, 0.5, 0.6].into(), radius: 0.3, restitution: 0.0, friction: 0.4 };
    let setup = Setup::new(&cloth)
        .gravity([0.0, -9.81, 0.0])
        .drag(0.002)
        .collider(ball)
        .radius(0.01)
        .method(Xpbd::default())
        .frames(1.0 / 60.0, 8)
        .check()?;
    let mut simulation = Simulation::new(setup);
    for _ in 0..120 {
        simulation.advance_frame();
    }
    let lowest = simulation.positions().map(|[_, y, _]| y).fold(f64::INFINITY, f64::min);
    let speed = greatest_speed(&simulation.setup().model, simulation.state());
    println!("lowest node at y = {lowest:.3}, greatest speed {speed:.3}");
    Ok(())
}
