//! Blended colours compared with known values, and their rates compared with finite differences.

use crate::rigs::farthest;
use catena_sim::drive::track::{ColorSpace, ColorTrack, Key, Track};

const ALL: [ColorSpace; 3] = [ColorSpace::Srgb, ColorSpace::Linear, ColorSpace::Oklab];

#[test]
fn red_to_blue_meets_known_answers() {
    let expected: [[f64; 3]; 3] =
        [[127.5, 0.0, 127.5], [187.516, 0.0, 187.516], [140.362, 83.033, 162.308]];
    for (space, expected) in ALL.into_iter().zip(expected) {
        let keys = vec![Key::new(0.0, [1.0, 0.0, 0.0, 1.0]), Key::new(1.0, [0.0, 0.0, 1.0, 0.5])];
        let track = ColorTrack::new(space, keys).unwrap();
        let ([r, g, b, a], _) = track.at(0.5);
        let found = [r, g, b].map(|component| 255.0 * component);
        assert!(farthest(found, expected) <= 1e-3, "{space:?}: {found:?}");
        assert_eq!(a, 0.75);
    }
}

#[test]
fn colours_have_the_bits_of_their_keys_and_the_rates_of_their_values() {
    let table =
        [(0.0, [0.2, 0.9, 0.001, 1.0]), (1.0, [0.7, 0.3, 0.4, 0.2]), (2.5, [0.04, 0.0, 1.0, 1.0])];
    let h = 1e-6;
    for space in ALL {
        let key = |(t, colour): (f64, [f64; 4])| {
            Key::new(t, colour).rates([0.3, -0.2, 0.1, 0.0], [-0.1, 0.2, 0.4, 0.3])
        };
        let track = ColorTrack::new(space, table.map(key).to_vec()).unwrap();
        for (t, colour) in table {
            assert_eq!(track.at(t).0, colour, "{space:?} at {t}");
            let edge = t == 0.0 || t == 2.5;
            let leaving = [-0.1, 0.2, 0.4, 0.3];
            let off = farthest(track.at(t).1, leaving);
            assert!(edge || off < 1e-6, "{space:?} at {t}: a rate off by {off}");
        }
        assert_eq!(track.at(-3.0), (table[0].1, [0.0; 4]));
        for i in 1..240 {
            let t = 0.01 * f64::from(i) + 0.001;
            let [before, after] = [t - h, t + h].map(|t| track.at(t).0);
            let difference = [0, 1, 2, 3].map(|k| (after[k] - before[k]) / (2.0 * h));
            let off = farthest(difference, track.at(t).1);
            assert!(off < 1e-5, "{space:?} at {t}: {off}");
        }
    }
}
