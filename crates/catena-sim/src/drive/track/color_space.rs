//! Conversions between sRGB, linear light and Oklab. Sources: IEC 61966-2-1; Ottosson 2020, "A
//! perceptual color space for image processing".

/// Multiplies a matrix by a vector.
pub fn product(matrix: &[[f64; 3]; 3], a: [f64; 3]) -> [f64; 3] {
    let row = |k: usize| matrix[k][0] * a[0] + matrix[k][1] * a[1] + matrix[k][2] * a[2];
    [row(0), row(1), row(2)]
}

/// Converts sRGB to linear light, as an odd function. Returns the value and the derivative.
pub fn decode(x: f64) -> (f64, f64) {
    if x.abs() <= 0.040_45 {
        return (x / 12.92, 1.0 / 12.92);
    }
    let base = (x.abs() + 0.055) / 1.055;
    let power = libm::pow(base, 1.4);
    ((power * base).copysign(x), 2.4 / 1.055 * power)
}

/// Converts linear light to sRGB, as an odd function. Returns the value and the derivative.
pub fn encode(x: f64) -> (f64, f64) {
    let light = x.abs();
    if light <= 0.003_130_8 {
        return (x * 12.92, 12.92);
    }
    let power = libm::pow(light, 1.0 / 2.4);
    ((1.055 * power - 0.055).copysign(x), 1.055 / 2.4 * power / light)
}

/// Matrix from linear red, green and blue to the three cone responses, whose cube roots Oklab uses.
pub const CONES: [[f64; 3]; 3] = [
    [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
    [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
    [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
];

/// Matrix from those cube roots to Oklab: lightness from 0 to 1, and two coordinates of hue and
/// chroma.
pub const LAB: [[f64; 3]; 3] = [
    [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
    [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
    [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
];

/// Matrix from Oklab to the cube roots.
pub const CONES_OF_LAB: [[f64; 3]; 3] = [
    [1.0, 0.396_337_777_4, 0.215_803_757_3],
    [1.0, -0.105_561_345_8, -0.063_854_172_8],
    [1.0, -0.089_484_177_5, -1.291_485_548_0],
];

/// Matrix from the cone responses to linear red, green and blue.
pub const LIGHT: [[f64; 3]; 3] = [
    [4.076_741_662_1, -3.307_711_591_3, 0.230_969_929_2],
    [-1.268_438_004_6, 2.609_757_401_1, -0.341_319_396_5],
    [-0.004_196_086_3, -0.703_418_614_7, 1.707_614_701_0],
];
