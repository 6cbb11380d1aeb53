//! Programs that differ from the scene in a single value, which is the most frequent difference
//! between a homework and a scene.

use super::{MAX_WORK, Program, Search, Tried, few_of, without_varied};
use crate::job::fit::{FitTerm, shape_in};
use catena_base::text::number::digits;
use rayon::prelude::*;
use std::collections::HashSet;

/// Gravity of textbooks. Programs often use one of these values instead of the scene's.
const GRAVITIES: [f64; 3] = [9.8, 9.81, 10.0];

impl Search<'_> {
    /// Fits each value of the scene's panels alone to the first frames, with the scene's numbers of
    /// substeps. A scan finds start values, since the sum of squares has many minima.
    pub(super) fn with_one_value(&self) -> Vec<Tried> {
        let programs = self.of_scene().into_iter().flat_map(|own| self.of_one_value(&own));
        self.each_alone(programs.collect())
    }

    /// Fits all values of the scene's panels together to the first frames, with the scene's numbers
    /// of substeps and other start values of gravity.
    pub(super) fn with_other_starts(&self) -> Vec<Tried> {
        let mut programs = Vec::new();
        for own in self.of_scene() {
            for gravity in self.gravities(&own) {
                let others = own.vary.iter().filter(|it| !it.starts_with("gravity="));
                let vary = others.cloned().chain([gravity]).collect();
                programs.push(Program { vary, ..own.clone() });
            }
        }
        let (mut known, mut work) = (HashSet::new(), MAX_WORK);
        self.tried(self.limited(programs, &mut known, &mut work))
    }

    /// Fits the values of the scene's panels to the first frames with all common numbers of
    /// substeps: each value alone, and all together.
    pub(super) fn with_substeps(&self) -> Vec<Tried> {
        let programs = self.of_scene_with_substeps();
        let alone = programs.iter().flat_map(|own| self.of_one_value(own)).collect();
        let mut tried = self.each_alone(alone);
        let (mut known, mut work) = (HashSet::new(), MAX_WORK);
        tried.extend(self.tried(self.limited(programs, &mut known, &mut work)));
        tried
    }

    /// Returns a program with each of its fields varied alone, and with the mass varied.
    fn of_one_value(&self, own: &Program) -> Vec<Program> {
        let with = |term: String| without_varied(Program { vary: vec![term], ..own.clone() });
        let mut all: Vec<Program> = own.vary.iter().cloned().map(with).collect();
        all.push(self.with_mass(own));
        all.extend(self.with_other_gravity(own));
        all.extend(self.with_damped_step(own));
        all
    }

    /// Returns a program with a varied mass of the nodes of its body.
    fn with_mass(&self, own: &Program) -> Program {
        let mass = format!("{}.mass", shape_in(&self.question.bases.scene, own.panel, 0));
        without_varied(Program { vary: vec![mass], ..own.clone() })
    }

    /// Returns a program with gravity varied alone from other start values.
    fn with_other_gravity(&self, own: &Program) -> Vec<Program> {
        let with = |term: String| Program { vary: vec![term], ..own.clone() };
        self.gravities(own).into_iter().map(with).collect()
    }

    /// Returns terms that vary gravity from other start values: the gravities of textbooks, and
    /// gravity divided by the time step, which a program has that multiplies by dt in place of dt².
    /// Empty if the program does not vary gravity.
    fn gravities(&self, own: &Program) -> Vec<String> {
        let terms = || {
            let gravity = own.vary.iter().find(|it| it.starts_with("gravity="))?;
            let term: FitTerm = gravity.parse().ok()?;
            let [Some(start)] = term.starts()[..] else { return None };
            let setup = self.setup_of(own)?;
            let sign = if start > 0.0 { 1.0 } else { -1.0 };
            let mut starts = vec![start / setup.dt()];
            starts.extend(GRAVITIES.map(|gravity| sign * gravity));
            let text = |it: f64| term.with_starts(&[digits(it, 6)]);
            Some(starts.into_iter().map(text).collect())
        };
        terms().unwrap_or_default()
    }

    /// Returns semi-implicit Euler with v' = (1 - c dt/m) (v + a dt) in place of the scene's drag
    /// c, as programs write it. It has the same positions as Verlet whose whole step is damped.
    /// `None` if there is no drag, if masses differ, or if the method is not plain semi-implicit
    /// Euler.
    fn with_damped_step(&self, own: &Program) -> Option<Program> {
        let setup = self.setup_of(own)?;
        let drag: f64 = setup.forces.iter().map(|force| force.resistance()).sum();
        let mass = &setup.model.mass;
        let rate = drag / mass.first()?;
        let is_uniform = mass.iter().all(|it| Some(it) == mass.first());
        let is_euler = setup.method.info().name == "SemiImplicitEuler" && setup.slips.is_empty();
        if rate == 0.0 || !is_uniform || !is_euler {
            return None;
        }
        let damping = digits(rate * setup.dt(), 6);
        let term = format!("integrator=ForceVerlet(damping_of: Step, damping: {{{damping}}})");
        let changes = [&own.changes[..], &["drag=0".to_owned()]].concat();
        Some(without_varied(Program { vary: vec![term], changes, ..own.clone() }))
    }

    /// Fits programs with one varied value each to the first frames, as far as the work limit
    /// allows.
    fn each_alone(&self, programs: Vec<Program>) -> Vec<Tried> {
        let (mut known, mut work) = (HashSet::new(), MAX_WORK);
        let programs = self.limited(programs, &mut known, &mut work);
        programs.into_par_iter().filter_map(|program| self.alone(&program)).collect()
    }

    /// Fits the only varied value of a program to the first frames. `None` if it does not explain
    /// the first few data, since it then cannot explain more.
    fn alone(&self, program: &Program) -> Option<Tried> {
        let few = few_of(&self.begin, 1);
        let first = self.scanned(program, few).filter(|it| self.may_explain(it, few))?;
        let term: FitTerm = program.vary.first()?.parse().ok()?;
        let begun = |values: &[f64]| {
            let texts: Vec<String> = values.iter().map(|it| digits(*it, 6)).collect();
            Program { vary: vec![term.with_starts(&texts)], ..program.clone() }
        };
        let program = begun(&first.values);
        let found = self.trial(&program, &self.begin)?;
        Some(Tried { rms: found.rms, program: begun(&found.values) })
    }
}
