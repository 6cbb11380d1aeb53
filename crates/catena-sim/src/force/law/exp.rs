//! Computes e^x for several numbers of at least 0, bit-identical to `libm::exp`.
//!
//! Up to ln 2 / 2, `libm::exp` evaluates one quotient of polynomials, so several numbers are
//! computed at once. Larger numbers are computed one by one. Source: FreeBSD's msun, e_exp.c.

const P1: f64 = f64::from_bits(0x3FC5_5555_5555_553E);
const P2: f64 = f64::from_bits(0xBF66_C16C_16BE_BD93);
const P3: f64 = f64::from_bits(0x3F11_566A_AF25_DE2C);
const P4: f64 = f64::from_bits(0xBEBB_BD41_C5D2_6BF1);
const P5: f64 = f64::from_bits(0x3E66_3769_72BE_A4D0);

/// Below this value the result is 1 + x; slightly above 2^-28.
const TINY: f64 = f64::from_bits(0x3E30_0001_0000_0000);

/// From this value on x is reduced by multiples of ln 2; slightly above ln 2 / 2.
const REDUCED: f64 = f64::from_bits(0x3FD6_2E43_0000_0000);

/// Replaces each number of at least 0 by its exponential.
#[inline(always)]
pub fn exp_in_place(numbers: &mut [f64]) {
    let mut are_small = true;
    for x in &*numbers {
        are_small &= (0.0..REDUCED).contains(x);
    }
    if !are_small {
        for x in numbers {
            *x = libm::exp(*x);
        }
        return;
    }
    for x in numbers {
        let square = *x * *x;
        let c = *x - square * (P1 + square * (P2 + square * (P3 + square * (P4 + square * P5))));
        let y = 1.0 + (*x * c / (2.0 - c) - 0.0 + *x);
        *x = if *x < TINY { 1.0 + *x } else { y };
    }
}
