//! Vector instructions that kernels use, and the selection of the instruction set.

use crate::instructions::Instructions;
use pulp::{NullaryFnOnce, Scalar128b, Simd, f64x2};

/// Vectors of one instruction set, with access to the values one or two places to either side.
pub trait WideSimd: Simd {
    /// Whether one instruction multiplies and adds with a single rounding.
    const FUSES: bool;

    /// Returns a first approximation for [`WideSimd::reciprocal`]: 1/√square with a relative error
    /// of at most 3/2 2^-28. The value is arbitrary if the instruction set uses division instead.
    #[inline(always)]
    fn rough_reciprocal_root(self, square: Self::f64s) -> Self::f64s {
        square
    }

    /// Returns 1/root, rounded. The number that is rounded may be greater than 1/root by a relative
    /// error of at most 2^-105. `root` must be the square root of at least 2^-1000. If `root` is
    /// infinite, the result makes quotients NaN.
    #[inline(always)]
    fn reciprocal(self, root: Self::f64s, _rough: Self::f64s) -> Self::f64s {
        self.div_f64s(self.splat_f64s(1.0), root)
    }

    /// Returns the lanes of a mask in which two vectors differ.
    #[inline(always)]
    fn and_not_equal(self, mask: Self::m64s, left: Self::f64s, right: Self::f64s) -> Self::m64s {
        let is_same = self.and_m64s(mask, self.equal_f64s(left, right));
        self.xor_m64s(mask, is_same)
    }

    /// Whether a mask selects any lane.
    fn any(self, mask: Self::m64s) -> bool;

    /// Returns the value one place before each value of `this`; `previous` is the vector before
    /// `this`.
    fn before(self, previous: Self::f64s, this: Self::f64s) -> Self::f64s;

    /// Returns the value one place after each value of `this`; `next` is the vector after `this`.
    fn after(self, this: Self::f64s, next: Self::f64s) -> Self::f64s;

    /// Returns the value two places before each value of `this`; `previous` is the vector before
    /// `this`.
    fn two_before(self, previous: Self::f64s, this: Self::f64s) -> Self::f64s;

    /// Returns the value two places after each value of `this`; `next` is the vector after `this`.
    fn two_after(self, this: Self::f64s, next: Self::f64s) -> Self::f64s;
}

impl WideSimd for Scalar128b {
    const FUSES: bool = false;

    #[inline(always)]
    fn any(self, mask: Self::m64s) -> bool {
        let [first, second]: [u64; 2] = pulp::cast(mask);
        (first | second) != 0
    }

    #[inline(always)]
    fn before(self, previous: f64x2, this: f64x2) -> f64x2 {
        f64x2(previous.1, this.0)
    }

    #[inline(always)]
    fn after(self, this: f64x2, next: f64x2) -> f64x2 {
        f64x2(this.1, next.0)
    }

    #[inline(always)]
    fn two_before(self, previous: f64x2, _this: f64x2) -> f64x2 {
        previous
    }

    #[inline(always)]
    fn two_after(self, _this: f64x2, next: f64x2) -> f64x2 {
        next
    }
}

#[cfg(target_arch = "x86_64")]
impl WideSimd for pulp::x86::V3 {
    const FUSES: bool = true;

    #[inline(always)]
    fn any(self, mask: Self::m64s) -> bool {
        self.avx._mm256_movemask_pd(pulp::cast(mask)) != 0
    }

    #[inline(always)]
    fn before(self, previous: Self::f64s, this: Self::f64s) -> Self::f64s {
        let (previous, this) = (pulp::cast(previous), pulp::cast(this));
        let between = self.avx._mm256_permute2f128_pd::<0x21>(previous, this);
        pulp::cast(self.avx._mm256_shuffle_pd::<0b0101>(between, this))
    }

    #[inline(always)]
    fn after(self, this: Self::f64s, next: Self::f64s) -> Self::f64s {
        let (this, next) = (pulp::cast(this), pulp::cast(next));
        let between = self.avx._mm256_permute2f128_pd::<0x21>(this, next);
        pulp::cast(self.avx._mm256_shuffle_pd::<0b0101>(this, between))
    }

    #[inline(always)]
    fn two_before(self, previous: Self::f64s, this: Self::f64s) -> Self::f64s {
        let (previous, this) = (pulp::cast(previous), pulp::cast(this));
        pulp::cast(self.avx._mm256_permute2f128_pd::<0x21>(previous, this))
    }

    #[inline(always)]
    fn two_after(self, this: Self::f64s, next: Self::f64s) -> Self::f64s {
        let (this, next) = (pulp::cast(this), pulp::cast(next));
        pulp::cast(self.avx._mm256_permute2f128_pd::<0x21>(this, next))
    }
}

#[cfg(target_arch = "x86_64")]
impl WideSimd for pulp::x86::V4 {
    const FUSES: bool = true;

    /// The initial approximation depends on the processor and has an error of at most 2^-14.
    /// Newton's method turns an error e into 3/2 e².
    #[inline(always)]
    fn rough_reciprocal_root(self, square: Self::f64s) -> Self::f64s {
        let half = self.splat_f64s(0.5);
        let rough: Self::f64s = pulp::cast(self.avx512f._mm512_rsqrt14_pd(pulp::cast(square)));
        let root = self.mul_f64s(square, rough);
        let error = self.negate_mul_add_f64s(root, self.mul_f64s(half, rough), half);
        self.mul_add_f64s(rough, error, rough)
    }

    /// Newton's method turns an error e into -e². After the first iteration only rounding error
    /// remains, slightly more than 2^-53. After the second iteration the number before rounding is
    /// less than 2^-105 too small, so this amount is added. Otherwise 1 / (2 - 2^-52) would be
    /// rounded in the wrong direction.
    #[inline(always)]
    fn reciprocal(self, root: Self::f64s, rough: Self::f64s) -> Self::f64s {
        const MORE: f64 = f64::from_bits((1023 - 105) << 52);
        let one = self.splat_f64s(1.0);
        let error = self.negate_mul_add_f64s(rough, root, one);
        let reciprocal = self.mul_add_f64s(rough, error, rough);
        let error = self.negate_mul_add_f64s(reciprocal, root, one);
        let error = self.add_f64s(error, self.splat_f64s(MORE));
        self.mul_add_f64s(reciprocal, error, reciprocal)
    }

    #[inline(always)]
    fn and_not_equal(self, mask: Self::m64s, left: Self::f64s, right: Self::f64s) -> Self::m64s {
        let (left, right) = (pulp::cast(left), pulp::cast(right));
        pulp::b8(self.avx512f._mm512_mask_cmp_pd_mask::<4>(mask.0, left, right))
    }

    #[inline(always)]
    fn any(self, mask: Self::m64s) -> bool {
        mask.0 != 0
    }

    #[inline(always)]
    fn before(self, previous: Self::f64s, this: Self::f64s) -> Self::f64s {
        let (previous, this) = (pulp::cast(previous), pulp::cast(this));
        pulp::cast(self.avx512f._mm512_alignr_epi64::<7>(this, previous))
    }

    #[inline(always)]
    fn after(self, this: Self::f64s, next: Self::f64s) -> Self::f64s {
        let (this, next) = (pulp::cast(this), pulp::cast(next));
        pulp::cast(self.avx512f._mm512_alignr_epi64::<1>(next, this))
    }

    #[inline(always)]
    fn two_before(self, previous: Self::f64s, this: Self::f64s) -> Self::f64s {
        let (previous, this) = (pulp::cast(previous), pulp::cast(this));
        pulp::cast(self.avx512f._mm512_alignr_epi64::<6>(this, previous))
    }

    #[inline(always)]
    fn two_after(self, this: Self::f64s, next: Self::f64s) -> Self::f64s {
        let (this, next) = (pulp::cast(this), pulp::cast(next));
        pulp::cast(self.avx512f._mm512_alignr_epi64::<2>(next, this))
    }
}

/// Work that is written for vectors of any width. All functions that it calls must be inlined into
/// it.
pub trait WideWork: Sized {
    /// Result of the work.
    type Output;

    /// Whether to compile the work again for AVX2 and for AVX-512.
    const IS_WIDE: bool = true;

    /// Runs the work with the vectors of `simd`.
    fn run<S: WideSimd>(self, simd: S) -> Self::Output;
}

/// Work together with the vectors that it uses.
struct WithVectors<W, S>(W, S);

impl<W: WideWork, S: WideSimd> NullaryFnOnce for WithVectors<W, S> {
    type Output = W::Output;

    #[inline(always)]
    fn call(self) -> W::Output {
        self.0.run(self.1)
    }
}

impl Instructions {
    /// Runs the work with the vectors of this instruction set. If the processor or the work does
    /// not support the set, uses the widest narrower set that both support.
    pub fn run_with<W: WideWork>(self, work: W) -> W::Output {
        #[cfg(target_arch = "x86_64")]
        {
            if W::IS_WIDE
                && self == Self::Avx512
                && let Some(set) = pulp::x86::V4::try_new()
            {
                return set.vectorize(WithVectors(work, set));
            }
            if W::IS_WIDE
                && self != Self::Baseline
                && let Some(set) = pulp::x86::V3::try_new()
            {
                return set.vectorize(WithVectors(work, set));
            }
        }
        WithVectors(work, Scalar128b).call()
    }
}
