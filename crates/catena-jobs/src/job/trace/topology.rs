//! Tables of topology: the links between ropes, and the crossings in their picture.

use super::table::{Cell, Column, Moments, RowSink, TableWriter};
use catena_analysis::topology::{
    Curve, Passage, TopologyError, crossings, curves, gauss_code, gauss_integral, reduced, writhe,
};
use catena_sim::{Body, Setup, Simulation, vector::Vec3};
use std::io;

/// Options of a table of topology.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopologyView {
    /// Direction towards the viewer of the picture whose crossings are counted. Must not be zero.
    pub toward: Vec3,
    /// Whether there are rows for each step instead of each frame.
    pub each_step: bool,
}

impl Default for TopologyView {
    fn default() -> Self {
        Self { toward: [0.0, 0.0, 1.0], each_step: false }
    }
}

impl TopologyView {
    /// Direction towards the viewer in a scene with `axes` axes. A planar scene is seen from the
    /// front.
    fn toward_in(self, axes: usize) -> Vec3 {
        if axes == 3 { self.toward } else { Self::default().toward }
    }

    fn moments(self) -> Moments {
        if self.each_step { Moments::WatchedSteps } else { Moments::WatchedFrames }
    }
}

/// Table with one row per part and one per pair of parts.
pub(super) struct Topology {
    pub(super) view: TopologyView,
    /// Whether a body of the scene is a rod.
    pub(super) has_rods: bool,
}

/// Numbers in a row after the two parts. Undefined numbers are NaN.
struct TopologyNumbers {
    gauss: f64,
    linking: f64,
    crossings: f64,
    reduced: f64,
    signs: f64,
}

impl TableWriter for Topology {
    fn columns(&self) -> Vec<Column> {
        let mut columns = ["step", "first", "second"].map(Column::whole).to_vec();
        let reals = ["gauss", "linking", "deviation", "crossings", "reduced", "signs"];
        columns.extend(reals.map(Column::real));
        columns.push(Column::whole("passages"));
        if self.has_rods {
            columns.extend(["twist", "link"].map(Column::real));
        }
        columns
    }

    fn moments(&self) -> Moments {
        self.view.moments()
    }

    fn rows(&self, setup: &Setup) -> Option<usize> {
        let parts = setup.model.part_list().len();
        // The number of steps depends on the substeps, so rows per step are counted while they are
        // written.
        let is_counted = !self.view.each_step && setup.events.is_empty();
        is_counted.then_some(parts * (parts + 1) / 2)
    }

    fn write(
        &self,
        simulation: &Simulation,
        passages: &[Passage],
        rows: &mut RowSink<'_>,
    ) -> io::Result<()> {
        let model = &simulation.setup().model;
        let parts = model.part_list().len();
        let turns = turns_of_parts(simulation);
        let mut of_parts: Vec<Option<Curve>> = vec![None; parts];
        for (part, curve) in curves(model, simulation.state()) {
            of_parts[part] = Some(curve);
        }
        let pairs = (0..parts).flat_map(|first| (first..parts).map(move |second| (first, second)));
        for (first, second) in pairs {
            let is_this = |it: &&Passage| (it.a.part, it.b.part) == (first, second);
            let numbers = match (&of_parts[first], &of_parts[second]) {
                (Some(a), Some(_)) if first == second => self.of_one(a, model.axes),
                (Some(a), Some(b)) => self.of_two(a, b, model.axes),
                _ => TopologyNumbers::unknown(),
            };
            rows.row(|cells| {
                let step = simulation.steps();
                cells.extend([step, first as u64, second as u64].map(Cell::Whole));
                let TopologyNumbers { gauss, linking, crossings, reduced, signs } = numbers;
                let reals = [gauss, linking, gauss - linking, crossings, reduced, signs];
                cells.extend(reals.map(Cell::defined));
                cells.push(Cell::Whole(passages.iter().filter(is_this).count() as u64));
                if self.has_rods {
                    let twist = if first == second { turns[first] } else { f64::NAN };
                    let is_closed = of_parts[first].as_ref().is_some_and(|curve| curve.is_closed);
                    let link = if is_closed { twist + gauss } else { f64::NAN };
                    cells.extend([twist, link].map(Cell::defined));
                }
            })?;
        }
        Ok(())
    }
}

/// Twist of the rod of each part, in turns. NaN for parts that are not rods.
fn turns_of_parts(simulation: &Simulation) -> Vec<f64> {
    let (setup, springs) = (simulation.setup(), simulation.springs());
    let parts = setup.model.part_list();
    let mut turns = vec![f64::NAN; parts.len()];
    let Some(rods) = setup.rods() else { return turns };
    let readings = rods.readings(&Body { model: &setup.model, springs }, simulation.state());
    for (rod, reading) in rods.rods().zip(readings) {
        if let Some(part) = parts.iter().position(|part| part.springs == rod.springs) {
            turns[part] = reading.turns;
        }
    }
    turns
}

impl TopologyNumbers {
    fn unknown() -> Self {
        let none = f64::NAN;
        Self { gauss: none, linking: none, crossings: none, reduced: none, signs: none }
    }
}

impl Topology {
    fn of_one(&self, curve: &Curve, axes: usize) -> TopologyNumbers {
        let gauss = if axes == 3 { writhe(curve).unwrap_or(f64::NAN) } else { f64::NAN };
        TopologyNumbers { gauss, ..self.diagram(std::slice::from_ref(curve), axes) }
    }

    fn of_two(&self, a: &Curve, b: &Curve, axes: usize) -> TopologyNumbers {
        let gauss = if axes == 3 { gauss_integral(a, b).unwrap_or(f64::NAN) } else { f64::NAN };
        let linking = if a.is_closed && b.is_closed { gauss.round() } else { f64::NAN };
        TopologyNumbers { gauss, linking, ..self.diagram(&[a.clone(), b.clone()], axes) }
    }

    /// Crossings of a curve with itself, or of two curves with each other, in the picture.
    fn diagram(&self, curves: &[Curve], axes: usize) -> TopologyNumbers {
        let found = crossings(curves, self.view.toward_in(axes));
        let Ok(mut found) = found else { return TopologyNumbers::unknown() };
        let code = gauss_code(curves.len(), &found);
        let closed: Vec<bool> = curves.iter().map(|curve| curve.is_closed).collect();
        let left = reduced(&code, &closed);
        let of_both = |number: &usize| match curves {
            [_] => true,
            _ => found[*number].first.0 != found[*number].second.0,
        };
        let walks = left.walks.iter().flatten();
        let reduced = walks.filter(|(number, _)| of_both(number)).count() / 2;
        if curves.len() == 2 {
            found.retain(|crossing| crossing.first.0 != crossing.second.0);
        }
        let signs: i64 = found.iter().map(|crossing| i64::from(crossing.sign)).sum();
        // In a planar scene no curve passes over another, so crossings have no sign and cannot be
        // reduced.
        let (reduced, signs) =
            if axes == 3 { (reduced as f64, signs as f64) } else { (f64::NAN, f64::NAN) };
        TopologyNumbers {
            crossings: found.len() as f64,
            reduced,
            signs,
            ..TopologyNumbers::unknown()
        }
    }
}

/// Table with one row per crossing. The rows determine the signed Gauss code of all ropes of a
/// body.
pub(super) struct Crossings(pub(super) TopologyView);

impl TableWriter for Crossings {
    fn columns(&self) -> Vec<Column> {
        let mut columns = vec![Column::whole("step"), Column::whole("first")];
        columns.extend([Column::real("first_place"), Column::whole("second")]);
        columns.extend([Column::real("second_place"), Column::whole("first_is_over")]);
        columns.extend([Column::real("sign"), Column::real("gap")]);
        columns
    }

    fn moments(&self) -> Moments {
        self.0.moments()
    }

    fn rows(&self, _setup: &Setup) -> Option<usize> {
        None
    }

    fn write(
        &self,
        simulation: &Simulation,
        _passages: &[Passage],
        rows: &mut RowSink<'_>,
    ) -> io::Result<()> {
        let model = &simulation.setup().model;
        let (parts, curves): (Vec<usize>, Vec<Curve>) =
            curves(model, simulation.state()).into_iter().unzip();
        let found = match crossings(&curves, self.0.toward_in(model.axes)) {
            // A diverged run has no crossings.
            Err(TopologyError::NotFinite) => Vec::new(),
            found => found.map_err(io::Error::other)?,
        };
        for it in found {
            rows.row(|cells| {
                cells.extend([simulation.steps(), parts[it.first.0] as u64].map(Cell::Whole));
                cells.push(Cell::Real(it.first.1));
                cells.push(Cell::Whole(parts[it.second.0] as u64));
                cells.push(Cell::Real(it.second.1));
                cells.push(Cell::Whole(u64::from(it.first_is_over)));
                let sign = if model.axes == 3 { f64::from(it.sign) } else { f64::NAN };
                cells.extend([sign, it.gap].map(Cell::defined));
            })?;
        }
        Ok(())
    }
}
