//! Groups of elements that were joined in pairs: a union-find forest.

/// Groups of elements with indices from 0. The lowest index of a group represents it.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    /// Creates `count` groups of one element each.
    pub(crate) fn new(count: usize) -> Self {
        Self { parent: (0..count).collect() }
    }

    /// Returns the group of an element.
    pub(crate) fn of(&self, thing: usize) -> usize {
        let mut thing = thing;
        while self.parent[thing] != thing {
            thing = self.parent[thing];
        }
        thing
    }

    /// Finds the group of an element and halves the path to it, which speeds up later searches.
    fn find(&mut self, thing: usize) -> usize {
        let mut thing = thing;
        while self.parent[thing] != thing {
            self.parent[thing] = self.parent[self.parent[thing]];
            thing = self.parent[thing];
        }
        thing
    }

    /// Merges the groups of two elements.
    pub(crate) fn join(&mut self, i: usize, j: usize) {
        let (i, j) = (self.find(i), self.find(j));
        self.parent[i.max(j)] = i.min(j);
    }

    /// Makes every element point directly at its group.
    pub(crate) fn flatten(&mut self) {
        // A parent has a lower index, so it already points at its group.
        for thing in 0..self.parent.len() {
            self.parent[thing] = self.parent[self.parent[thing]];
        }
    }
}
