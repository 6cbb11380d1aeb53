//! Vectors of three single-precision numbers, for computations per pixel.
//!
//! All functions must be inlined into vectorized loops. They avoid closures and array maps, which
//! are compiled separately without the loop's vector instructions.

/// Three numbers: a direction, a position relative to the target of the camera, or a colour.
pub type Single3 = [f32; 3];

/// a in single precision.
#[inline(always)]
pub fn single(a: [f64; 3]) -> Single3 {
    [a[0] as f32, a[1] as f32, a[2] as f32]
}

/// a - b.
#[inline(always)]
pub fn minus(a: Single3, b: Single3) -> Single3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// a + s b.
#[inline(always)]
pub fn plus(a: Single3, s: f32, b: Single3) -> Single3 {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

/// s a.
#[inline(always)]
pub fn times(a: Single3, s: f32) -> Single3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// Linear interpolation: a at share 0, b at share 1.
#[inline(always)]
pub fn mixed(a: Single3, b: Single3, share: f32) -> Single3 {
    plus(a, share, minus(b, a))
}

/// Σ a b.
#[inline(always)]
pub fn inner(a: Single3, b: Single3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// a × b.
#[inline(always)]
pub fn crossed(a: Single3, b: Single3) -> Single3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// a scaled to length 1; a itself if its length is 0.
#[inline(always)]
pub fn normalized(a: Single3) -> Single3 {
    let square = inner(a, a);
    if square > 0.0 { times(a, 1.0 / square.sqrt()) } else { a }
}

/// Clamps a number to a range.
#[inline(always)]
pub fn within(value: f32, minimum: f32, maximum: f32) -> f32 {
    let value = if value > minimum { value } else { minimum };
    if value < maximum { value } else { maximum }
}
