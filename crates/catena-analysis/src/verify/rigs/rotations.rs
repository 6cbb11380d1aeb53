//! Checks of rotations between keys, cubic keys, and colours.

use super::super::check::CheckList;
use super::about;
use catena_sim::BadSetup;
use catena_sim::drive::rig::{RotationTrack, angle_between, nlerp, slerp};
use catena_sim::drive::track::{ColorSpace, ColorTrack, Key, KeyTrack, Track};
use catena_sim::glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};

pub(super) fn add(list: &mut CheckList) {
    list.set_reference(
        "slerp along the shorter great circle (Shoemake 1985); cubic keys of glTF 2.0",
    );
    let third = slerp(DQuat::IDENTITY, about(DVec3::Z, FRAC_PI_2), 1.0 / 3.0);
    list.add_printed(
        "slerp of 90° about z at 1/3, z, as printed",
        0.258_819_045_102_520_74,
        2e-16,
        third.z,
    );
    let q = about(DVec3::new(0.6, 0.0, 0.8), 1.1);
    let [short, long] =
        [1.0, -1.0].map(|sign| slerp(q, q * about(DVec3::Z, FRAC_PI_2) * sign, 0.3));
    let apart = 2.0 * angle_between(short, long);
    list.add_printed("slerp to q and to -q, angle between, as printed", 0.0, 4e-16, apart);
    let at = 0.238_638_5;
    let [n, s] = [nlerp, slerp].map(|mix| mix(DQuat::IDENTITY, about(DVec3::Z, PI), at));
    let off = 2.0 * angle_between(n, s);
    list.add_printed(
        "maximum error of nlerp over 180°, as printed",
        0.142_229_275_204_874_94,
        1e-9,
        off,
    );
    list.add_printed(
        "slerp of 170°, second differences of angles, as printed",
        0.0,
        1e-14,
        unevenness().unwrap_or(f64::NAN),
    );
    list.add_printed(
        "cubic keys 0 and 2, rates 1 and 0, middle, as printed",
        0.75,
        0.0,
        cubic().unwrap_or(f64::NAN),
    );
    list.set_reference("red to blue at 1/2 (IEC 61966-2-1; Ottosson 2020)");
    for (name, space, printed) in [
        ("sRGB", ColorSpace::Srgb, 127.5),
        ("linear light", ColorSpace::Linear, 187.516),
        ("Oklab", ColorSpace::Oklab, 140.362),
    ] {
        let red = red(space).unwrap_or(f64::NAN);
        list.add_printed(format!("red by {name}, as printed"), printed, 1e-3, red);
    }
}

/// Maximum second difference of the angle of a slerp over 170°, sampled at hundredths.
fn unevenness() -> Result<f64, BadSetup> {
    let end = about(DVec3::Z, 170.0 * PI / 180.0);
    let track = RotationTrack::slerps(&[(0.0, DQuat::IDENTITY), (100.0, end)])?;
    let angle = |k: u32| 2.0 * angle_between(DQuat::IDENTITY, track.at(f64::from(k)).turn);
    let second = |k: u32| (angle(k - 1) - 2.0 * angle(k) + angle(k + 1)).abs();
    Ok((1..99).map(second).fold(0.0, f64::max))
}

/// Middle of a cubic segment over two units of time.
fn cubic() -> Result<f64, BadSetup> {
    let keys =
        vec![Key::new(0.0, [0.0]).rates([0.0], [1.0]), Key::new(2.0, [1.0]).rates([0.0], [0.0])];
    Ok(KeyTrack::new(keys)?.at(1.0).0[0])
}

/// Red component, 0 to 255, halfway between red and blue.
fn red(space: ColorSpace) -> Result<f64, BadSetup> {
    let keys = vec![Key::new(0.0, [1.0, 0.0, 0.0, 1.0]), Key::new(1.0, [0.0, 0.0, 1.0, 1.0])];
    Ok(255.0 * ColorTrack::new(space, keys)?.at(0.5).0[0])
}
