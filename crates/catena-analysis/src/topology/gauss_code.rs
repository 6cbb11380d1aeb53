//! Signed Gauss codes: the sequence of crossings along each curve.

use super::crossings::Crossing;
use std::collections::BTreeMap;
use std::fmt;

/// Gauss code of curves: the crossings along each curve, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GaussCode {
    /// One list per curve of crossing numbers, each with whether the curve is on top there. Every
    /// crossing occurs twice in all lists together, once over and once under.
    pub walks: Vec<Vec<(usize, bool)>>,
    /// Sign of each crossing, by its number.
    pub signs: Vec<i8>,
}

/// Creates the code of `curves` curves from their crossings.
pub fn gauss_code(curves: usize, crossings: &[Crossing]) -> GaussCode {
    let mut walks: Vec<Vec<(f64, usize, bool)>> = vec![Vec::new(); curves];
    for (number, crossing) in crossings.iter().enumerate() {
        let ends = [(crossing.first, true), (crossing.second, false)];
        for ((curve, place), is_first) in ends {
            walks[curve].push((place, number, is_first == crossing.first_is_over));
        }
    }
    for walk in &mut walks {
        walk.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }
    let bare = |walk: Vec<(f64, usize, bool)>| {
        walk.into_iter().map(|(_, number, is_over)| (number, is_over)).collect()
    };
    GaussCode {
        walks: walks.into_iter().map(bare).collect(),
        signs: crossings.iter().map(|crossing| crossing.sign).collect(),
    }
}

impl GaussCode {
    /// Number of crossings.
    pub fn crossings(&self) -> usize {
        self.walks.iter().map(Vec::len).sum::<usize>() / 2
    }

    /// Sum of the signs of all crossings.
    pub fn sum_of_signs(&self) -> i64 {
        let sum: i64 = self.walks.iter().flatten().map(|(at, _)| i64::from(self.signs[*at])).sum();
        sum / 2
    }
}

impl fmt::Display for GaussCode {
    /// Writes crossings numbered from 1 in order of first occurrence, with O for over and U for
    /// under, and their sign: `O1+ U2+ O3+ U1+ O2+ U3+`. A bar separates curves.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut numbers = BTreeMap::new();
        for (index, walk) in self.walks.iter().enumerate() {
            if index > 0 {
                f.write_str(" | ")?;
            }
            for (place, (crossing, is_over)) in walk.iter().enumerate() {
                let next = numbers.len() + 1;
                let number = *numbers.entry(*crossing).or_insert(next);
                let space = if place > 0 { " " } else { "" };
                let over = if *is_over { 'O' } else { 'U' };
                let sign = if self.signs[*crossing] > 0 { '+' } else { '-' };
                write!(f, "{space}{over}{number}{sign}")?;
            }
        }
        Ok(())
    }
}

/// Removes crossings that a loose rope can undo in this projection, by the first two Reidemeister
/// moves. These remove loops of a single crossing, and strands that only pass over another one.
/// Another projection may have even fewer crossings. Ends of open curves stay in place.
pub fn reduced(code: &GaussCode, is_closed: &[bool]) -> GaussCode {
    let mut code = code.clone();
    loop {
        let gone = removable(&code, is_closed);
        if !gone.contains(&true) {
            return code;
        }
        for walk in &mut code.walks {
            walk.retain(|(crossing, _)| !gone[*crossing]);
        }
    }
}

/// Finds the crossings that one round of moves removes. No two of the moves share a crossing.
fn removable(code: &GaussCode, is_closed: &[bool]) -> Vec<bool> {
    let mut gone = vec![false; code.signs.len()];
    let steps = || {
        code.walks.iter().zip(is_closed).flat_map(|(walk, is_closed)| {
            let count = walk.len();
            let last = if *is_closed { count } else { count.saturating_sub(1) };
            (0..last).map(move |place| (walk[place], walk[(place + 1) % count]))
        })
    };
    for ((a, _), (b, _)) in steps() {
        gone[a] |= a == b;
    }
    if gone.contains(&true) {
        return gone;
    }
    // Whether a pair of crossings was seen adjacent on an under strand, and on an over strand.
    let mut adjacent = BTreeMap::new();
    for ((a, is_over), (b, is_over_too)) in steps() {
        if is_over != is_over_too || code.signs[a] == code.signs[b] {
            continue;
        }
        let seen = adjacent.entry((a.min(b), a.max(b))).or_insert([false; 2]);
        seen[usize::from(is_over)] = true;
        if *seen == [true; 2] && !gone[a] && !gone[b] {
            (gone[a], gone[b]) = (true, true);
        }
    }
    gone
}
