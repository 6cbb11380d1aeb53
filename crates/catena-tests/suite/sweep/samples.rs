//! Samples: known points, and properties of all points.

use catena::scene::sweep::{Sample, SampleKind};

fn sample(kind: SampleKind, count: u64, seed: u64) -> Sample {
    Sample { kind, count, seed }
}

#[test]
fn each_block_of_sobol_points_has_one_in_each_slice_of_each_side() {
    for seed in [0, 1, 9_876_543_210] {
        let sobol = sample(SampleKind::Sobol, 1 << 12, seed);
        for side in 0..sobol.max_sides() {
            for (start, count) in [(0, 16_u64), (16, 16), (1024, 256), (4096, 4096)] {
                let slice = |point| (sobol.at(point, side) * count as f64) as usize;
                let mut slices: Vec<usize> = (start..start + count).map(slice).collect();
                slices.sort_unstable();
                assert!(slices.into_iter().eq(0..count as usize), "side {side}, from {start}");
            }
        }
    }
}

#[test]
fn sobol_points_fill_squares_as_evenly_as_sides() {
    // The first two sides are a (0, 2)-sequence: each of 256 points is alone in a rectangle of
    // 1/256 of the square, for any shape of the rectangle. For later sides, this holds in pairs of
    // neighbours up to a factor that is a power of two.
    let sobol = sample(SampleKind::Sobol, 256, 3);
    for power in 0..=8 {
        let (columns, rows) = (1_u64 << power, 256_u64 >> power);
        let mut cells = vec![0; 256];
        for point in 0..256 {
            let column = (sobol.at(point, 0) * columns as f64) as u64;
            let row = (sobol.at(point, 1) * rows as f64) as u64;
            cells[(row * columns + column) as usize] += 1;
        }
        assert_eq!(cells, [1; 256], "{columns} by {rows}");
    }
}

#[test]
fn sobol_has_the_numbers_of_joe_and_kuo() {
    // Points 1 to 8 of the first six sides, and point 2741 of all, from scipy.stats.qmc.Sobol 1.16
    // without scrambling. Its point i has the number i ^ (i >> 1) here.
    let expected: [[f64; 8]; 6] = [
        [0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875, 0.0625],
        [0.5, 0.75, 0.25, 0.625, 0.125, 0.375, 0.875, 0.9375],
        [0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125, 0.5625],
        [0.5, 0.75, 0.25, 0.125, 0.625, 0.875, 0.375, 0.3125],
        [0.5, 0.25, 0.75, 0.125, 0.625, 0.375, 0.875, 0.6875],
        [0.5, 0.25, 0.75, 0.375, 0.875, 0.125, 0.625, 0.1875],
    ];
    let later = [
        0.677001953125,
        0.668701171875,
        0.344970703125,
        0.486572265625,
        0.775146484375,
        0.575927734375,
        0.874267578125,
        0.356689453125,
        0.766845703125,
        0.819580078125,
        0.355712890625,
        0.140869140625,
        0.094482421875,
        0.563720703125,
        0.065673828125,
        0.146240234375,
        0.705810546875,
        0.729248046875,
        0.698974609375,
        0.444091796875,
        0.504150390625,
    ];
    let sobol = sample(SampleKind::Sobol, 16, 0);
    let bits = |number: f64| (number * 9_007_199_254_740_992.0) as u64;
    // The seed shifts all points of a side by the same bits.
    let at = |point, side| {
        let shifted = bits(sobol.at(point, side)) ^ bits(sobol.at(0, side));
        shifted as f64 / 9_007_199_254_740_992.0
    };
    for (side, expected) in expected.iter().enumerate() {
        for (point, expected) in (1..).zip(expected) {
            assert_eq!(at(point, side), *expected, "point {point}, side {side}");
        }
    }
    for (side, expected) in later.iter().enumerate() {
        assert_eq!(at(2741, side), *expected, "side {side}");
    }
}

#[test]
fn a_latin_hypercube_has_one_point_in_each_slice() {
    for count in [1_u64, 2, 3, 10, 1000, 1023] {
        let latin = sample(SampleKind::LatinHypercube, count, 5);
        for side in 0..30 {
            let slice = |point| (latin.at(point, side) * count as f64) as u64;
            let mut slices: Vec<u64> = (0..count).map(slice).collect();
            if count == 1000 {
                assert!(!slices.iter().copied().eq(0..count), "side {side} is in order");
            }
            slices.sort_unstable();
            assert!(slices.into_iter().eq(0..count), "{count} points, side {side}");
        }
    }
}

#[test]
fn seeds_sides_and_points_tell_numbers_apart() {
    for kind in [SampleKind::Sobol, SampleKind::LatinHypercube, SampleKind::Random] {
        let at = |seed, point, side| sample(kind, 1 << 20, seed).at(point, side);
        let all = [at(0, 7, 0), at(1, 7, 0), at(0, 8, 0), at(0, 7, 1)];
        for (index, one) in all.iter().enumerate() {
            assert!((0.0..1.0).contains(one));
            assert!(all[..index].iter().all(|other| other != one), "{kind:?}: {all:?}");
        }
    }
}

#[test]
fn random_points_have_the_mean_and_variance_of_even_ones() {
    let random = sample(SampleKind::Random, 1 << 16, 2);
    let points: Vec<f64> = (0..1 << 16).map(|point| random.at(point, 4)).collect();
    let count = points.len() as f64;
    let mean = points.iter().sum::<f64>() / count;
    let variance = points.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / count;
    // Five standard deviations of each.
    assert!((mean - 0.5).abs() < 5.0 * (1.0 / 12.0 / count).sqrt(), "{mean}");
    assert!((variance - 1.0 / 12.0).abs() < 5.0 * (1.0 / 180.0 / count).sqrt(), "{variance}");
}
