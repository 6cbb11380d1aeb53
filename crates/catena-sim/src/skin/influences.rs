//! Bones that move each vertex, and their weights.

use crate::named::BadSetup;

/// Weights of bones for each vertex. A vertex may have any number of bones, and its weights sum to
/// 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    bones: usize,
    /// Start index of each vertex in `indices` and `weights`, and the end of the last one.
    starts: Vec<usize>,
    indices: Vec<usize>,
    weights: Vec<f64>,
    /// Bone with the largest weight of each vertex; the first one if several are equal.
    pivots: Vec<usize>,
}

/// Returns an error message if the bones or weights of a vertex are invalid.
fn refusal(bones: usize, influences: &[(usize, f64)], largest: f64) -> Option<String> {
    for (bone, weight) in influences {
        if *bone >= bones {
            return Some(format!("there is no bone {bone}; number of bones of the skin: {bones}"));
        }
        if !(*weight >= 0.0 && weight.is_finite()) {
            return Some("expected finite weights of at least 0".into());
        }
    }
    (largest <= 0.0).then(|| "expected a weight above 0".into())
}

impl Skin {
    /// Creates a skin from the bones and weights of each vertex. Weights are divided by their sum,
    /// and weights of 0 are removed.
    ///
    /// # Errors
    /// Returns an error if a bone index is not below `bones`, or if a weight is negative or not
    /// finite. A vertex whose weights are all 0 is also an error.
    pub fn new<V: AsRef<[(usize, f64)]>>(bones: usize, vertices: &[V]) -> Result<Self, BadSetup> {
        let mut skin = Self {
            bones,
            starts: vec![0],
            indices: Vec::new(),
            weights: Vec::new(),
            pivots: Vec::with_capacity(vertices.len()),
        };
        for (vertex, influences) in vertices.iter().enumerate() {
            let influences = influences.as_ref();
            // Scaling by the largest weight avoids an overflow of the sum or of its inverse.
            let largest = influences.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
            if let Some(message) = refusal(bones, influences, largest) {
                return Err(BadSetup::new(format!("weights[{vertex}]"), message));
            }
            skin.push(influences, largest);
        }
        Ok(skin)
    }

    /// Adds a vertex, whose largest weight must be above 0.
    fn push(&mut self, influences: &[(usize, f64)], largest: f64) {
        let sum: f64 = influences.iter().map(|(_, weight)| weight / largest).sum();
        for (bone, weight) in influences.iter().filter(|(_, weight)| *weight > 0.0) {
            self.indices.push(*bone);
            self.weights.push(weight / largest / sum);
        }
        let is_largest = |(_, weight): &&(usize, f64)| *weight == largest;
        self.pivots.push(influences.iter().find(is_largest).map_or(0, |(bone, _)| *bone));
        self.starts.push(self.indices.len());
    }

    /// Returns the number of bones.
    pub fn bones(&self) -> usize {
        self.bones
    }

    /// Returns the number of vertices.
    pub fn vertices(&self) -> usize {
        self.pivots.len()
    }

    /// Iterates over the bones of a vertex and their weights, which sum to 1. Empty for a vertex
    /// that does not exist.
    pub fn influences(&self, vertex: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = match self.starts.get(vertex..) {
            Some(&[start, end, ..]) => start..end,
            _ => 0..0,
        };
        let [indices, weights] = [range.clone(), range];
        self.indices[indices].iter().copied().zip(self.weights[weights].iter().copied())
    }

    /// Returns the bone whose hemisphere is used to sum the rotations of a vertex.
    pub(super) fn pivot(&self, vertex: usize) -> usize {
        self.pivots[vertex]
    }

    /// Returns an error unless the lists have one entry per bone or vertex.
    pub(super) fn check(&self, bones: usize, lists: &[usize]) -> Result<(), BadSetup> {
        let message = || format!("expected one entry for each of {} bones", self.bones);
        BadSetup::unless(bones == self.bones, "matrices", message())?;
        let are_fine = lists.iter().all(|length| *length == self.vertices());
        let message = || format!("expected one entry for each of {} vertices", self.vertices());
        BadSetup::unless(are_fine, "vertices", message())
    }
}
