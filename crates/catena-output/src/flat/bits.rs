//! Bit streams in deflate order: the first bit is the lowest of its byte.

/// Writer that appends bits to bytes.
pub(super) struct BitWriter {
    /// Buffer, longer than the written part, so that most writes do not grow it.
    bytes: Vec<u8>,
    length: usize,
    /// Pending bits of the last byte, and their number, below eight.
    waiting: u64,
    count: u32,
}

/// Minimum number of bytes by which the buffer grows.
const MIN_GROWTH: usize = 256;

/// Maximum number of bits for [`BitWriter::put`]: with the pending bits they fit into a word.
pub(super) const MAX: u32 = 56;

impl BitWriter {
    pub(super) fn new(mut bytes: Vec<u8>) -> Self {
        let length = bytes.len();
        bytes.resize(bytes.capacity(), 0);
        Self { bytes, length, waiting: 0, count: 0 }
    }

    /// Appends the lowest `count` bits, at most [`MAX`]. Higher bits must be zero.
    #[inline(always)]
    pub(super) fn put(&mut self, bits: Bits) {
        self.waiting |= bits.bits << self.count;
        self.count += bits.count;
        self.write(self.waiting);
        // Writes a whole word and counts its complete bytes, which avoids a branch on the number of
        // bits.
        let full = self.count / 8;
        self.length += full as usize;
        self.waiting >>= 8 * full;
        self.count %= 8;
    }

    /// Appends the lowest `count` bits, at most 64. Higher bits must be zero.
    #[inline(always)]
    pub(super) fn put_long(&mut self, bits: Bits) {
        if bits.count > MAX {
            self.put(Bits::new(bits.bits & 0xffff_ffff, 32));
            self.put(Bits::new(bits.bits >> 32, bits.count - 32));
        } else {
            self.put(bits);
        }
    }

    /// Appends a string of bits.
    #[inline(always)]
    pub(super) fn append(&mut self, string: &BitString) {
        let (words, last) = (&string.words[..], string.last);
        for &word in words {
            self.write(self.waiting | word << self.count);
            self.length += 8;
            // Two shifts, since a shift by all 64 bits of a word is undefined.
            self.waiting = word >> 1 >> (63 - self.count);
        }
        self.put_long(last);
    }

    #[inline(always)]
    fn write(&mut self, word: u64) {
        let word = word.to_le_bytes();
        if let Some(room) = self.bytes.get_mut(self.length..self.length + 8) {
            room.copy_from_slice(&word);
        } else {
            self.grow(word);
        }
    }

    #[cold]
    fn grow(&mut self, word: [u8; 8]) {
        self.bytes.resize(self.length + MIN_GROWTH + self.length / 2, 0);
        self.bytes[self.length..self.length + 8].copy_from_slice(&word);
    }

    /// Returns all bits as bytes; the last byte is padded with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.truncate(self.length);
        self.bytes.extend((self.count > 0).then_some(self.waiting as u8));
        self.bytes
    }

    /// Returns all bits as a string, for [`BitWriter::append`].
    pub(super) fn into_string(self) -> BitString {
        let count = self.length * 8 + self.count as usize;
        let bytes = self.finish();
        let (words, rest) = bytes.as_chunks::<8>();
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        let mut words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        // The last byte may hold fewer than eight bits.
        let last = if words.len() > count / 64 {
            words.pop().unwrap_or_default()
        } else {
            u64::from_le_bytes(last)
        };
        BitString { words: words.into(), last: Bits::new(last, (count % 64) as u32) }
    }
}

/// Sequence of up to 64 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    pub(super) bits: u64,
    pub(super) count: u32,
}

impl Bits {
    /// Takes the lowest `count` bits of a word; the first bit is the lowest.
    pub fn new(bits: u64, count: u32) -> Self {
        Self { bits, count }
    }

    /// Concatenates these bits with others, at most 64 in total.
    #[inline(always)]
    pub(super) fn then(self, next: Self) -> Self {
        Self { bits: self.bits | next.bits << self.count, count: self.count + next.count }
    }
}

/// Sequence of any number of bits.
#[derive(Debug, Default)]
pub(super) struct BitString {
    words: Box<[u64]>,
    /// Fewer than 64 bits that follow the whole words.
    last: Bits,
}
