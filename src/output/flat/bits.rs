//! Bits in the order of deflate: the first bit is the lowest of its byte.

/// Appends bits to bytes.
pub(super) struct BitWriter {
    /// Longer than what is written, so that writing needs no look at the room.
    bytes: Vec<u8>,
    length: usize,
    waiting: u64,
    count: u32,
}

/// How many bytes the room grows by at the least.
const ROOM: usize = 256;

impl BitWriter {
    pub(super) fn new(mut bytes: Vec<u8>) -> Self {
        let length = bytes.len();
        bytes.resize(bytes.capacity(), 0);
        Self { bytes, length, waiting: 0, count: 0 }
    }

    /// Appends the lowest `count` bits, at most 32; those above must be zero.
    #[inline(always)]
    pub(super) fn put(&mut self, bits: Bits) {
        self.waiting |= bits.bits << self.count;
        self.count += bits.count;
        if self.count >= 32 {
            self.flush();
        }
    }

    /// Appends the lowest `count` bits, at most 64; those above must be zero.
    #[inline(always)]
    pub(super) fn put_long(&mut self, bits: Bits) {
        if bits.count > 32 {
            self.put(Bits::new(bits.bits & 0xffff_ffff, 32));
            self.put(Bits::new(bits.bits >> 32, bits.count - 32));
        } else {
            self.put(bits);
        }
    }

    #[inline(always)]
    fn flush(&mut self) {
        let word = (self.waiting as u32).to_le_bytes();
        if let Some(room) = self.bytes.get_mut(self.length..self.length + 4) {
            room.copy_from_slice(&word);
        } else {
            self.grow(word);
        }
        self.length += 4;
        self.waiting >>= 32;
        self.count -= 32;
    }

    #[cold]
    fn grow(&mut self, word: [u8; 4]) {
        self.bytes.resize(self.length + ROOM + self.length / 2, 0);
        self.bytes[self.length..self.length + 4].copy_from_slice(&word);
    }

    /// All bits as bytes, the last filled up with zeros.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let rest = self.waiting.to_le_bytes();
        self.bytes.truncate(self.length);
        self.bytes.extend_from_slice(&rest[..self.count.div_ceil(8) as usize]);
        self.bytes
    }

    /// All bits, for [`BitString::append_to`].
    pub(super) fn into_string(self) -> BitString {
        let count = self.length * 8 + self.count as usize;
        let mut bytes = self.finish();
        bytes.shrink_to_fit();
        BitString { bytes, count }
    }
}

/// A few bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    pub(super) bits: u64,
    pub(super) count: u32,
}

impl Bits {
    /// The lowest `count` bits, the first in the lowest place.
    pub fn new(bits: u64, count: u32) -> Self {
        Self { bits, count }
    }

    /// These, and then others; together they must not be more than 64.
    pub(super) fn then(self, next: Self) -> Self {
        Self { bits: self.bits | next.bits << self.count, count: self.count + next.count }
    }
}

/// Many bits.
#[derive(Debug, Default)]
pub(super) struct BitString {
    bytes: Vec<u8>,
    count: usize,
}

impl BitString {
    #[inline(always)]
    pub(super) fn append_to(&self, bits: &mut BitWriter) {
        let (words, rest) = self.bytes.as_chunks::<4>();
        // The last byte may hold fewer bits than eight.
        let whole = self.count / 32;
        for word in &words[..whole] {
            bits.put(Bits::new(u64::from(u32::from_le_bytes(*word)), 32));
        }
        let mut last = [0; 4];
        let tail = if whole < words.len() { &words[whole][..] } else { rest };
        last[..tail.len()].copy_from_slice(tail);
        bits.put(Bits::new(u64::from(u32::from_le_bytes(last)), (self.count % 32) as u32));
    }
}
