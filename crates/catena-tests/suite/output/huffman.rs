//! Huffman codes as required by RFC 1951.

use catena::output::flat::{
    bits::Bits,
    huffman::{code_lengths, length_symbol},
};

#[test]
fn lengths_are_optimal_and_limited() {
    assert_eq!(code_lengths(&[5, 0, 9, 12, 13, 16, 45], 15), [4, 0, 4, 3, 3, 3, 1]);
    assert_eq!(code_lengths(&[0, 7, 0], 15), [0, 1, 0]);
    let doubling: Vec<u64> = (0..30).map(|power| 1 << power).collect();
    for limit in [5, 7, 15] {
        let lengths = code_lengths(&doubling, limit);
        let kraft: f64 =
            lengths.iter().map(|&length| 1.0 / f64::from(1 << u32::from(length))).sum();
        assert_eq!(kraft, 1.0, "every code is used");
        assert_eq!(lengths.iter().max(), Some(&limit));
    }
}

#[test]
fn match_lengths_have_the_symbols_of_the_standard() {
    for (length, symbol, extra, count) in [
        (3, 257, 0, 0),
        (10, 264, 0, 0),
        (11, 265, 0, 1),
        (12, 265, 1, 1),
        (18, 268, 1, 1),
        (19, 269, 0, 2),
        (114, 279, 15, 4),
        (115, 280, 0, 4),
        (131, 281, 0, 5),
        (257, 284, 30, 5),
        (258, 285, 0, 0),
    ] {
        assert_eq!(length_symbol(length), (symbol, Bits::new(extra, count)), "{length}");
    }
}
