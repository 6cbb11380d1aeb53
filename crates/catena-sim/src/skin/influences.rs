//! Which bones move each vertex, and how much.

use crate::named::BadSetup;

/// How much each bone counts for each vertex. A vertex may have any number of bones; its weights
/// have the sum 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    bones: usize,
    /// Where the bones of each vertex begin in the lists, and where those of the last one end.
    starts: Vec<usize>,
    indices: Vec<usize>,
    weights: Vec<f64>,
    /// The bone with the largest weight of each vertex, the first of equals.
    pivots: Vec<usize>,
}

/// What is wrong with the bones and weights of a vertex, if anything is.
fn refusal(bones: usize, influences: &[(usize, f64)], largest: f64) -> Option<String> {
    for (bone, weight) in influences {
        if *bone >= bones {
            return Some(format!("there is no bone {bone}: the skin has {bones}"));
        }
        if !(*weight >= 0.0 && weight.is_finite()) {
            return Some("expected finite weights of at least 0".into());
        }
    }
    (largest <= 0.0).then(|| "expected a weight above 0".into())
}

impl Skin {
    /// A skin over a number of bones: for each vertex its bones and their weights, which are
    /// divided by their sum. Weights of 0 are left out.
    ///
    /// # Errors
    /// Where there is no bone of a number, a weight is below 0 or not finite, or all weights of a
    /// vertex are 0.
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
            // Weights may be so large or small that their sum or its inverse overflows.
            let largest = influences.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
            if let Some(message) = refusal(bones, influences, largest) {
                return Err(BadSetup::new(format!("weights[{vertex}]"), message));
            }
            skin.push(influences, largest);
        }
        Ok(skin)
    }

    /// Adds a vertex, whose largest weight is above 0.
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

    /// How many bones the skin hangs on.
    pub fn bones(&self) -> usize {
        self.bones
    }

    /// How many vertices it has.
    pub fn vertices(&self) -> usize {
        self.pivots.len()
    }

    /// The bones of a vertex and their weights, which have the sum 1; nothing of a vertex that is
    /// not there.
    pub fn influences(&self, vertex: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = match self.starts.get(vertex..) {
            Some(&[start, end, ..]) => start..end,
            _ => 0..0,
        };
        let [indices, weights] = [range.clone(), range];
        self.indices[indices].iter().copied().zip(self.weights[weights].iter().copied())
    }

    /// The bone whose hemisphere a vertex's rotations are summed in.
    pub(super) fn pivot(&self, vertex: usize) -> usize {
        self.pivots[vertex]
    }

    /// Refuses lists that are not as long as the skin has bones and vertices.
    pub(super) fn check(&self, bones: usize, lists: &[usize]) -> Result<(), BadSetup> {
        let message = || format!("expected one entry for each of {} bones", self.bones);
        BadSetup::unless(bones == self.bones, "matrices", message())?;
        let are_fine = lists.iter().all(|length| *length == self.vertices());
        let message = || format!("expected one entry for each of {} vertices", self.vertices());
        BadSetup::unless(are_fine, "vertices", message())
    }
}
