//! Sobol's sequence: any aligned block of 2^k points has one point in each of 2^k equal slices of a
//! side.
//!
//! Primitive polynomials and first direction numbers: Joe and Kuo (2008), "Constructing Sobol
//! sequences with better two-dimensional projections", table new-joe-kuo-6.

/// Number of sides: the first, whose directions are single bits, and one per row of the table.
pub(super) const SIDES: usize = 1 + ROWS.len();

/// Degree of the polynomial, its inner coefficients as bits, and the first direction numbers.
const ROWS: [(u32, u32, &[u64]); 20] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
    (6, 19, &[1, 1, 1, 15, 7, 5]),
    (6, 22, &[1, 3, 1, 15, 13, 25]),
    (6, 25, &[1, 1, 5, 5, 19, 61]),
    (7, 1, &[1, 3, 7, 11, 23, 15, 103]),
    (7, 4, &[1, 3, 7, 13, 13, 15, 69]),
];

/// Returns the bits of a point along a side, most significant first.
pub(super) fn bits(point: u64, side: usize) -> u64 {
    let bits = u64::BITS - point.leading_zeros();
    let directions = directions(side, bits as usize);
    let chosen = directions.iter().enumerate().filter(|(bit, _)| point >> bit & 1 == 1);
    chosen.fold(0, |sum, (_, direction)| sum ^ direction)
}

/// Returns the first `count` direction numbers of a side.
fn directions(side: usize, count: usize) -> Vec<u64> {
    let row = side.checked_sub(1).and_then(|row| ROWS.get(row));
    let Some((degree, inner, first)) = row else {
        return (0..count).map(|bit| 1 << (63 - bit)).collect();
    };
    let degree = *degree as usize;
    let mut all: Vec<u64> = Vec::with_capacity(count);
    for bit in 0..count {
        let direction = match first.get(bit) {
            Some(first) => first << (63 - bit),
            None => {
                let behind = all[bit - degree];
                let start = behind ^ (behind >> degree);
                (1..degree)
                    .filter(|k| inner >> (degree - 1 - k) & 1 == 1)
                    .fold(start, |sum, k| sum ^ all[bit - k])
            }
        };
        all.push(direction);
    }
    all
}
