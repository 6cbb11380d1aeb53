//! The rows of numbers that lanes read at each slot, laid out once per run.

use super::{Law, SweptChain};
use crate::kernel::{
    held_spring::{node_at, rest_length},
    swept_spring::{ABSENT, SpringNumbers},
};
use crate::lane::{Vector, WideSimd};

/// Input of lanes from one chain, kept between calls.
#[derive(Default)]
pub struct Workspace {
    /// Rows for each number of lanes and stride requested so far.
    known: Vec<Rows>,
}

impl Workspace {
    /// Returns the rows for `lanes` lanes at intervals of `stride` slots.
    pub(super) fn rows(&mut self, chain: &SweptChain<'_>, lanes: usize, stride: usize) -> &Rows {
        let is_same =
            |rows: &Rows| rows.lanes == lanes && rows.stride == stride && rows.h == chain.h;
        let place = match self.known.iter().position(is_same) {
            Some(place) => place,
            None => {
                self.known.push(Rows::new(chain, lanes, stride));
                self.known.len() - 1
            }
        };
        &self.known[place]
    }
}

/// Index of the rest length of the spring before the slot's node; the value is `ABSENT` if no
/// spring needs a correction there.
const REST: usize = 0;
/// Index of the weight of the carried node, the one before the slot's node.
const OWN: usize = 1;
/// Index of the weight of the slot's node.
const OTHER: usize = 2;
/// Index of the compliance α of the spring before the slot's node.
const COMPLIANCE: usize = 3;
/// Index of a value that is 1 if the slot's node is free, and 0 for a pin or a slot without a node.
pub(super) const FREE: usize = 4;
/// Index of the mass of the slot's node; the value is 1 for a slot without a node.
pub(super) const MASS: usize = 5;
/// Number of values per slot.
const PLANES: usize = 6;

/// One row per quantity and per remainder of the slot modulo the stride between lanes.
pub(super) struct Rows {
    lanes: usize,
    h: f64,
    /// Number of slots between lanes.
    pub(super) stride: usize,
    /// Number of slots per round, a multiple of the stride.
    pub(super) period: usize,
    /// Length of a row: one number per stride of a round, in reverse order of the slots. The first
    /// numbers are repeated at the end, so that all lanes read adjacent numbers.
    width: usize,
    numbers: Vec<f64>,
}

impl Rows {
    fn new(chain: &SweptChain<'_>, lanes: usize, stride: usize) -> Self {
        let period = chain.model.nodes().max(stride * lanes).next_multiple_of(stride);
        let each = period / stride;
        // One extra place, for reads that are shifted by one.
        let width = each + lanes + 1;
        let mut numbers = vec![0.0; stride * PLANES * width];
        for slot in 0..period {
            let first = (slot % stride) * PLANES * width;
            for (plane, value) in slot_values(chain, slot).into_iter().enumerate() {
                let mut place = each - 1 - slot / stride;
                while place < width {
                    numbers[first + plane * width + place] = value;
                    place += each;
                }
            }
        }
        Self { lanes, h: chain.h, stride, period, width, numbers }
    }

    /// Index at which lane 0 reads the rows of a slot.
    #[inline(always)]
    pub(super) fn place(&self, slot: usize) -> usize {
        let each = self.period / self.stride;
        (slot % self.stride) * PLANES * self.width + each - 1 - slot / self.stride
    }

    /// Numbers of a quantity for the lanes of a vector, from the place where lane 0 reads.
    #[inline(always)]
    pub(super) fn at<S: WideSimd>(&self, simd: S, place: usize, quantity: usize) -> Vector<S> {
        Vector::read(simd, &self.numbers, place + quantity * self.width)
    }

    /// Springs of a vector of lanes, with these tensions.
    #[inline(always)]
    pub(super) fn spring<S: WideSimd, const GIVES: bool>(
        &self,
        simd: S,
        place: usize,
        tension: Vector<S>,
    ) -> SpringNumbers<Vector<S>> {
        SpringNumbers {
            rest: self.at(simd, place, REST),
            weights: [self.at(simd, place, OWN), self.at(simd, place, OTHER)],
            compliance: if GIVES { self.at(simd, place, COMPLIANCE) } else { tension },
            tension,
        }
    }
}

fn slot_values(chain: &SweptChain<'_>, slot: usize) -> [f64; PLANES] {
    let (model, n) = (chain.model, chain.model.nodes());
    let mut values = [0.0; PLANES];
    (values[REST], values[MASS]) = (ABSENT, 1.0);
    if slot >= n {
        return values;
    }
    let node = node_at(n, chain.is_reversed, slot);
    values[FREE] = if model.pinned[node] { 0.0 } else { 1.0 };
    values[MASS] = model.mass[node];
    if slot > 0 {
        let before = node_at(n, chain.is_reversed, slot - 1);
        (values[OWN], values[OTHER]) = (chain.weights[before], chain.weights[node]);
        if values[OWN] + values[OTHER] > 0.0 {
            values[REST] = rest_length(model, chain.is_reversed, slot - 1);
        }
        if let Law::Compliance(compliance, _) = chain.law {
            values[COMPLIANCE] = compliance[node.min(before)];
        }
    }
    values
}
