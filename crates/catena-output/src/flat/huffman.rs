//! Single dynamic Huffman table of deflate for many pictures (RFC 1951, 3.2.7).

use super::bits::{BitWriter, Bits};

/// Number of symbols: 256 literals, the end of the block, and 29 classes of match lengths.
pub(super) const SYMBOLS: usize = 286;
/// Symbol of the end of the block.
const END: usize = 256;
/// Maximum length of a match, in bytes.
pub(super) const LONGEST: usize = 258;

/// Order in which the lengths of code length codes are written.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Lengths of the distance codes. Matches reach back one byte to repeat a byte, or three bytes to
/// repeat a pixel: codes 0 and 2, of one bit each.
const DISTANCE_LENGTHS: [u8; 3] = [1, 0, 1];

/// Codes of literals, matches and runs of zeros.
pub(super) struct HuffmanCode {
    header: Vec<Bits>,
    pub(super) literals: [Bits; 256],
    end: Bits,
    /// Codes of matches one byte back, by length.
    pub(super) of_bytes: Vec<Bits>,
    /// Codes of matches one pixel back, by length.
    pub(super) of_pixels: Vec<Bits>,
    /// Codes of runs of zeros, by number of pixels: a literal for the first byte, and matches.
    pub(super) zeros: Vec<Bits>,
}

impl HuffmanCode {
    /// Creates a code for every symbol, shorter for higher counts. `row` is the number of pixels in
    /// a row.
    pub(super) fn new(counts: &[u64; SYMBOLS], row: usize) -> Self {
        let counts: Vec<u64> = counts.iter().map(|count| count + 1).collect();
        let lengths = code_lengths(&counts, 15);
        let codes = canonical(&lengths);
        let matches = |distance: u64| -> Vec<Bits> {
            let of_length = |length: usize| {
                let (symbol, extra) = length_symbol(length);
                codes[symbol].then(extra).then(Bits::new(distance, 1))
            };
            let none = [Bits::default(); 3];
            none.into_iter().chain((3..=LONGEST).map(of_length)).collect()
        };
        let mut code = Self {
            header: header(&lengths),
            literals: std::array::from_fn(|byte| codes[byte]),
            end: codes[END],
            of_bytes: matches(0),
            of_pixels: matches(1),
            zeros: Vec::new(),
        };
        code.zeros = (0..=row).map_while(|pixels| code.run(3 * pixels)).collect();
        code
    }

    /// Code of a run of `count` zero bytes; `None` if it takes more than 64 bits.
    fn run(&self, count: usize) -> Option<Bits> {
        let mut all = Some(Bits::default());
        split_zeros(count, |part| {
            let bits = match part {
                ZeroRunPart::Literal => self.literals[0],
                ZeroRunPart::Match(length) => self.of_bytes[length],
            };
            all = all.filter(|all| all.count + bits.count <= 64).map(|all| all.then(bits));
        });
        all
    }

    /// Writes the header of the block; a file has only one.
    pub(super) fn write_header(&self, bits: &mut BitWriter) {
        self.header.iter().for_each(|part| bits.put(*part));
    }

    /// Writes the end of the block.
    pub(super) fn write_end(&self, bits: &mut BitWriter) {
        bits.put(self.end);
    }
}

/// Part of a run of zeros.
pub(super) enum ZeroRunPart {
    Literal,
    /// Match of this many bytes, which repeats the last byte.
    Match(usize),
}

/// Passes the parts of a run of `count` zero bytes to `receive`, in order.
pub(super) fn split_zeros(count: usize, mut receive: impl FnMut(ZeroRunPart)) {
    if count < 4 {
        (0..count).for_each(|_| receive(ZeroRunPart::Literal));
        return;
    }
    receive(ZeroRunPart::Literal);
    let mut left = count - 1;
    while left > 0 {
        let length = next_match(left);
        receive(ZeroRunPart::Match(length));
        left -= length;
    }
}

/// Length of the next match for `left` remaining bytes, at least 3. The remainder is 0 or enough
/// for another match.
pub(super) fn next_match(left: usize) -> usize {
    match left {
        0..=LONGEST => left,
        _ if left - LONGEST < 3 => LONGEST - 3,
        _ => LONGEST,
    }
}

/// Header of a last block with dynamic codes, including the lengths of all codes.
fn header(lengths: &[u8]) -> Vec<Bits> {
    let all: Vec<u8> = lengths.iter().copied().chain(DISTANCE_LENGTHS).collect();
    let mut counts = [0_u64; 19];
    all.iter().for_each(|&length| counts[usize::from(length)] += 1);
    let of_lengths = code_lengths(&counts, 7);
    let codes = canonical(&of_lengths);
    let mut header = vec![
        Bits::new(0b101, 3),
        Bits::new((SYMBOLS - 257) as u64, 5),
        Bits::new(DISTANCE_LENGTHS.len() as u64 - 1, 5),
        Bits::new(19 - 4, 4),
    ];
    header.extend(ORDER.map(|symbol| Bits::new(u64::from(of_lengths[symbol]), 3)));
    header.extend(all.iter().map(|&length| codes[usize::from(length)]));
    header
}

/// Symbol and extra bits of a match length from 3 to 258.
pub fn length_symbol(length: usize) -> (usize, Bits) {
    match length {
        LONGEST => (285, Bits::default()),
        3..=10 => (254 + length, Bits::default()),
        _ => {
            // Each number of extra bits has four symbols.
            let above = length - 3;
            let extra = above.ilog2() - 2;
            let symbol = 257 + 4 * extra as usize + (above >> extra);
            (symbol, Bits::new((above & ((1 << extra) - 1)) as u64, extra))
        }
    }
}

/// Optimal code lengths of at most `limit` bits, 0 for symbols that do not occur, by package-merge
/// (Larmore and Hirschberg 1990).
pub fn code_lengths(counts: &[u64], limit: u8) -> Vec<u8> {
    let mut leaves: Vec<(u64, usize)> = (0..).zip(counts).map(|(at, count)| (*count, at)).collect();
    leaves.retain(|(count, _)| *count > 0);
    leaves.sort_by_key(|(count, _)| *count);
    let mut lengths = vec![0; counts.len()];
    if let [(_, only)] = leaves[..] {
        lengths[only] = 1;
        return lengths;
    }
    // Sorted counts of each level, with a flag for packages of two entries of the previous level.
    let mut levels: Vec<Vec<(u64, bool)>> = Vec::new();
    for _ in 0..limit {
        let mut level: Vec<_> = leaves.iter().map(|(count, _)| (*count, false)).collect();
        let packages = levels.last().map_or(&[][..], |below| below.as_chunks::<2>().0);
        level.extend(packages.iter().map(|[one, other]| (one.0 + other.0, true)));
        level.sort_by_key(|(count, _)| *count);
        levels.push(level);
    }
    let mut taken = 2 * (leaves.len().max(1) - 1);
    for level in levels.iter().rev() {
        let packages = level[..taken].iter().filter(|(_, is_package)| *is_package).count();
        leaves[..taken - packages].iter().for_each(|(_, symbol)| lengths[*symbol] += 1);
        taken = 2 * packages;
    }
    lengths
}

/// Canonical codes of these lengths in symbol order; the first bit is the lowest.
fn canonical(lengths: &[u8]) -> Vec<Bits> {
    let mut codes = vec![Bits::default(); lengths.len()];
    let mut next = 0_u64;
    for length in 1..=15 {
        next <<= 1;
        for (symbol, _) in lengths.iter().enumerate().filter(|(_, own)| **own == length) {
            let count = u32::from(length);
            codes[symbol] = Bits::new(next.reverse_bits() >> (64 - count), count);
            next += 1;
        }
    }
    codes
}
