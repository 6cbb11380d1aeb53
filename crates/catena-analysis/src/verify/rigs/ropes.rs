//! Checks of frames along ropes, and of tubes around them.

use super::super::check::CheckList;
use catena_sim::BadSetup;
use catena_sim::glam::DVec3;
use catena_sim::skin::{Frames, Tube, central_tangents, signed_angle, transport, volume};
use std::f64::consts::{PI, TAU};

pub(super) fn add(list: &mut CheckList) {
    list.set_reference(
        "frames by double reflection (Wang, Jüttler, Zheng, Liu 2008) on the helix (1, 1/2)",
    );
    let turn = helix(64).unwrap_or(f64::NAN);
    list.add_printed(
        "frame rotation per turn of the helix, 64 steps, as printed",
        -2.809_925_892_416_290_4,
        1.3e-6,
        turn,
    );
    let exact = -TAU * 0.5 / 1.25_f64.sqrt();
    let errors = [32, 64, 128].map(|steps| (helix(steps).unwrap_or(f64::NAN) - exact).abs());
    for (steps, pair) in ["32 to 64", "64 to 128"].into_iter().zip(errors.windows(2)) {
        let name = format!("helix frame rotation, order, {steps} steps, as printed");
        list.add_printed(name, 4.0, 0.1, libm::log2(pair[0] / pair[1]));
    }
    list.set_reference(
        "parallel transport by minimum rotations along the edges x, y, z, x of a cube",
    );
    let edges = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::X];
    let carried =
        edges.windows(2).fold(DVec3::Y, |normal, pair| transport(normal, pair[0], pair[1]));
    list.add_printed("z of the transported +y, as printed", 1.0, 2e-16, carried.z);
    list.set_reference("a straight tube of n sides is a prism: (n/2π) sin(2π/n) of the cylinder");
    for (sides, printed) in [(8, 0.900_316_316_157_106_1), (16, 0.974_495_358_404_432_7)] {
        let share = prism(sides).unwrap_or(f64::NAN);
        list.add_printed(format!("volume of {sides} sides, as printed"), printed, 1e-14, share);
    }
}

/// Rotation of the frame relative to the principal normal along one turn of the helix (1, ½).
fn helix(steps: usize) -> Result<f64, BadSetup> {
    // One extra node at each end makes all differences central.
    let at = |i: usize| {
        let angle = TAU * (i as f64 - 1.0) / steps as f64;
        let (sine, cosine) = libm::sincos(angle);
        DVec3::new(cosine, sine, 0.5 * angle)
    };
    let nodes: Vec<DVec3> = (0..steps + 3).map(at).collect();
    let mut tangents = Vec::new();
    central_tangents(&nodes, &mut tangents);
    let frames = Frames::along(&nodes[1..steps + 2], &tangents[1..steps + 2], -DVec3::X)?;
    let end = frames.frames()[steps];
    let off = signed_angle(end.tangent, -DVec3::X, end.normal);
    Ok(if off > 0.0 { off - TAU } else { off })
}

fn prism(sides: usize) -> Result<f64, BadSetup> {
    let nodes = [DVec3::ZERO, DVec3::new(1.0, 2.0, 2.0)];
    let mut frames = Frames::default();
    frames.follow(&nodes);
    let tube = Tube::new(sides, 0.3)?;
    let mut points = Vec::new();
    tube.vertices(&nodes, frames.frames(), &mut points);
    let found = volume(&points, &tube.triangles(2)).unwrap_or(f64::NAN);
    Ok(found / (PI * 0.3 * 0.3 * 3.0))
}
