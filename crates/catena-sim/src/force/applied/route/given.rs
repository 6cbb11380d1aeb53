//! Motion of bones and rows of files, which a route refers to and a scene loads.

use super::guide::Guide;
use super::{LENGTH, MIN_LENGTH, Route, SPEED, VIA, bad_guide};
use crate::body::curve::{Curve, SeriesFile, SeriesRow};
use crate::body::vector::Vec3;
use crate::named::BadOption;
use std::sync::Arc;

/// Provider of bone motions and file rows. `option` is the name of the option that needs them, for
/// messages.
pub trait Giver {
    /// Error for a bone or a file that is missing or invalid.
    type Fault;

    /// Returns the curve of a point that is fixed in the frame of a bone.
    ///
    /// # Errors
    /// The bone does not exist or has no motion.
    fn bone(&self, option: &str, bone: &str, offset: Vec3) -> Result<Arc<dyn Curve>, Self::Fault>;

    /// Returns the rows of a file with one column of numbers. For an invalid number, `refused`
    /// returns the expected form.
    ///
    /// # Errors
    /// The file cannot be read, or contains an invalid number.
    fn rows(
        &self,
        option: &str,
        file: &SeriesFile,
        refused: &dyn Fn(f64) -> Option<&'static str>,
    ) -> Result<Vec<SeriesRow>, Self::Fault>;
}

impl Route {
    /// Whether the route needs a [`Giver`] for a bone or a file.
    pub fn is_open(&self) -> bool {
        let is_open = |guide: &Guide| {
            guide.bone().is_some() || guide.torque().is_some_and(|one| one.source().is_some())
        };
        let amounts = [&self.length, &self.speed].into_iter().flatten();
        self.via.iter().any(is_open) || amounts.into_iter().any(|one| one.source().is_some())
    }

    /// Returns the route with the curves of bones and the rows of files that `giver` provides.
    ///
    /// # Errors
    /// The first error of `giver`.
    pub fn given<G: Giver>(&self, giver: &G) -> Result<Self, G::Fault> {
        let mut route = self.clone();
        for (name, amount) in [(LENGTH.name, &mut route.length), (SPEED.name, &mut route.speed)] {
            if let Some((own, file)) = amount.as_ref().and_then(|one| Some((one, one.source()?))) {
                let is_length = name == LENGTH.name;
                let refused = |value: f64| {
                    let is_short = is_length && own.scaled(value) < MIN_LENGTH;
                    is_short.then_some("a length above 0")
                };
                *amount = Some(own.with_rows(&giver.rows(name, &file, &refused)?));
            }
        }
        for (index, guide) in route.via.iter_mut().enumerate() {
            let option = |name: &str| format!("{}[{index}].{name}", VIA.name);
            if let Some((bone, offset)) = guide.bone() {
                let curve = giver.bone(&option("bone"), bone, offset)?;
                *guide = guide.clone().following(curve);
            }
            if let Guide::Drum { torque: Some(torque), .. } = guide
                && let Some(file) = torque.source()
            {
                *torque = torque.with_rows(&giver.rows(&option("torque"), &file, &|_| None)?);
            }
        }
        Ok(route)
    }

    /// Rejects a route that still needs a [`Giver`].
    pub(super) fn check_given(&self) -> Result<(), BadOption> {
        const UNREAD: &str = "numbers or keys: the file of a series was not read";
        if let Some(index) = self.via.iter().position(|guide| guide.bone().is_some()) {
            return Err(bad_guide(
                index,
                "`at`, `along` or `node`: the body has no rig, so a guide cannot be on a `bone`",
            ));
        }
        let is_read = |guide: &Guide| guide.torque().is_none_or(|one| one.source().is_none());
        if let Some(index) = self.via.iter().position(|guide| !is_read(guide)) {
            return Err(bad_guide(index, UNREAD));
        }
        for (option, amount) in [(LENGTH, &self.length), (SPEED, &self.speed)] {
            let is_read = amount.as_ref().is_none_or(|one| one.source().is_none());
            BadOption::unless(is_read, option.name, UNREAD)?;
        }
        Ok(())
    }
}
