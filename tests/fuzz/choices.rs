//! Bytes of a random scene as choices, and the world of the scene.

/// Choices, one per byte.
pub struct Choices<'a> {
    left: std::slice::Iter<'a, u8>,
    has_spent: bool,
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes.iter(), has_spent: false }
    }

    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.left.next().copied().unwrap_or(0)) % count
    }

    pub fn one<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Returns true once in `times` calls on average.
    pub fn seldom(&mut self, times: usize) -> bool {
        self.below(times) == times - 1
    }

    /// Returns true for at most one body of a scene, and in few scenes: such a body may divide its
    /// steps into tens of thousands.
    pub fn spends(&mut self) -> bool {
        self.seldom(3) && !std::mem::replace(&mut self.has_spent, true)
    }

    /// A number in [0, 1).
    pub fn share(&mut self) -> f64 {
        self.below(256) as f64 / 256.0
    }

    /// A positive number: usually near 1, and sometimes at the limits of what a scene allows.
    pub fn positive(&mut self) -> f64 {
        let near = 0.01 + self.share();
        near * self.one(&[
            1.0, 10.0, 100.0, 0.1, 1e3, 1e-3, 1e5, 1e-6, 1e9, 1e-9, 1e30, 1e-30, 9e97, 1e-97,
        ])
    }

    /// A random number: negative, positive or, once in five calls, 0.
    pub fn any(&mut self) -> f64 {
        let sign = self.one(&[-1.0, 1.0, 0.0, -1.0, 1.0]);
        sign * self.positive()
    }
}

/// A world: its number of axes and its size.
pub struct World {
    pub axes: usize,
    pub scale: f64,
}

impl World {
    /// A vector in the syntax of scenes.
    pub fn vector(&self, [x, y, z]: [f64; 3]) -> String {
        if self.axes == 2 { format!("({x:?}, {y:?})") } else { format!("({x:?}, {y:?}, {z:?})") }
    }

    /// A positive length of any magnitude.
    pub fn length(&self, c: &mut Choices<'_>) -> f64 {
        (c.positive() * self.scale).clamp(1e-100, 1e100)
    }

    /// A coordinate of any magnitude.
    pub fn offset(&self, c: &mut Choices<'_>) -> f64 {
        (c.any() * self.scale).clamp(-1e100, 1e100)
    }

    /// A point in the space where bodies begin: 200 wide, above the ground at -20.
    pub fn place(&self, c: &mut Choices<'_>) -> [f64; 3] {
        [200.0 * c.share() - 100.0, 100.0 * c.share(), 100.0 * c.share() - 50.0]
            .map(|x| x * self.scale)
    }

    /// A point on the ground or below it.
    pub fn deep(&self, c: &mut Choices<'_>) -> [f64; 3] {
        let [x, y, z] = self.place(c);
        [x, -60.0 * self.scale - 0.2 * y, z]
    }

    pub fn arrow(&self, c: &mut Choices<'_>) -> String {
        let arrow = [c.any(), c.any(), c.any()];
        self.vector(arrow)
    }
}
