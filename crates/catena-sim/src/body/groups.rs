//! Which things belong together, after pairs of them were joined: a union-find forest.

/// Groups of things that are numbered from 0; the lowest number stands for its group.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    /// So many things, each a group of its own.
    pub(crate) fn new(count: usize) -> Self {
        Self { parent: (0..count).collect() }
    }

    /// The group that a thing belongs to.
    pub(crate) fn of(&self, thing: usize) -> usize {
        let mut thing = thing;
        while self.parent[thing] != thing {
            thing = self.parent[thing];
        }
        thing
    }

    /// Finds the group of a thing and halves the path to it for the next time.
    fn find(&mut self, thing: usize) -> usize {
        let mut thing = thing;
        while self.parent[thing] != thing {
            self.parent[thing] = self.parent[self.parent[thing]];
            thing = self.parent[thing];
        }
        thing
    }

    /// Makes one group of those of two things.
    pub(crate) fn join(&mut self, i: usize, j: usize) {
        let (i, j) = (self.find(i), self.find(j));
        self.parent[i.max(j)] = i.min(j);
    }

    /// Makes everything point at its group directly.
    pub(crate) fn flatten(&mut self) {
        // A parent has a lower number, so it points at its group already.
        for thing in 0..self.parent.len() {
            self.parent[thing] = self.parent[self.parent[thing]];
        }
    }
}
