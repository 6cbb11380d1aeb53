//! Line types: mass per length, axial and bending stiffness, damping, drag and added mass.

use super::columns::LINE_TYPES;
use super::rows::{DeckText, SectionKind};
use crate::deck::row::{Row, Word, number_of};
use crate::diagnostic::Fault;

/// Axial stiffness.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stretching {
    /// Constant stiffness EA, a force.
    Linear(f64),
    /// Stiffness EA under slow and under fast loads.
    TwoStiffnesses { slow: f64, fast: f64 },
    /// Pairs of strain and tension from a file.
    Curve { file: String, points: Vec<(f64, f64)> },
}

/// Damping along the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Damping {
    /// BA, force·time.
    Given(f64),
    /// Ratio ζ to the critical damping of a segment.
    OfCritical(f64),
}

/// Line type of a deck.
#[derive(Clone, Debug)]
pub(super) struct LineType {
    pub name: String,
    pub diameter: f64,
    /// Mass per length, in air.
    pub mass: f64,
    pub stretching: Stretching,
    /// Damping under slow loads; with one stiffness, under all loads.
    pub damping: Damping,
    /// BA under fast loads, force·time; 0 with one stiffness.
    pub fast_damping: f64,
    /// Bending stiffness EI.
    pub bending: f64,
    pub across: f64,
    pub along: f64,
    /// Added mass across and along the line, as a fraction of the displaced water's mass.
    pub added: [f64; 2],
}

impl LineType {
    /// Returns the cross-sectional area: the area of a circle with the line's diameter.
    pub fn area(&self) -> f64 {
        0.25 * std::f64::consts::PI * self.diameter * self.diameter
    }

    /// Returns EA under small and fast changes. For a curve, this is its maximum slope.
    pub fn stiffness(&self) -> f64 {
        match &self.stretching {
            Stretching::Linear(axial) => *axial,
            Stretching::TwoStiffnesses { fast, .. } => *fast,
            Stretching::Curve { points, .. } => {
                let slopes = points.windows(2).map(|two| {
                    let [(strain, tension), (next, higher)] = [two[0], two[1]];
                    (higher - tension) / (next - strain)
                });
                slopes.fold(0.0, f64::max)
            }
        }
    }

    /// Returns the damping coefficient of a segment of this length, force per rate of change of the
    /// length. With two stiffnesses, it applies to slow loads.
    pub fn segment_damping(&self, length: f64) -> f64 {
        match self.damping {
            Damping::Given(damping) => damping / length,
            // BA is ζ l √(EA m), with the mass m per length.
            Damping::OfCritical(share) => share * (self.slow_stiffness() * self.mass).sqrt(),
        }
    }

    /// Returns the damping coefficient of a segment of this length under fast loads.
    pub fn direct_damping(&self, length: f64) -> f64 {
        match self.creeps() {
            true => self.fast_damping / length,
            false => self.segment_damping(length),
        }
    }

    /// Whether the line creeps, so that its equilibrium depends on its motion.
    pub fn creeps(&self) -> bool {
        matches!(self.stretching, Stretching::TwoStiffnesses { .. })
    }

    /// Returns EA under slow loads.
    fn slow_stiffness(&self) -> f64 {
        match &self.stretching {
            Stretching::TwoStiffnesses { slow, .. } => *slow,
            _ => self.stiffness(),
        }
    }
}

/// Function that returns the text of a file that the deck names, or the reason for a failure.
type ReadFile<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// Reads all line types.
pub(super) fn read(text: &DeckText<'_>, file: ReadFile<'_>) -> Result<Vec<LineType>, Fault> {
    let mut types: Vec<LineType> = Vec::new();
    let Some((layout, rows)) = text.table(SectionKind::LineTypes, LINE_TYPES)? else {
        return Ok(types);
    };
    for row in rows {
        let read = line_type(row, layout.version, file)?;
        if types.iter().any(|known| known.name == read.name) {
            let message = format!("the line type `{}` occurs twice", read.name);
            return Err(row.words[0].fault(message, "give each line type a unique name"));
        }
        types.push(read);
    }
    Ok(types)
}

fn line_type(row: &Row<'_>, version: u8, file: ReadFile<'_>) -> Result<LineType, Fault> {
    let word = |index: usize| &row.words[index];
    let share = |index: usize, what: &str| word(index).at_least_0(what);
    let (stretching, damping, fast_damping) = axial(word(3), word(4), file)?;
    // Version 1 has no EI, and its added mass comes before its drag.
    let (bending, [across, along], added) = match version {
        1 => (
            0.0,
            [share(7, "the drag coefficient Cdn")?, share(8, "the drag coefficient Cdt")?],
            [share(5, "the added mass Can")?, share(6, "the added mass Cat")?],
        ),
        _ => (
            bending(word(5))?,
            [share(6, "the drag coefficient Cd")?, share(8, "the drag coefficient CdAx")?],
            [share(7, "the added mass Ca")?, share(9, "the added mass CaAx")?],
        ),
    };
    if let Some(lift) = row.words.get(10).filter(|_| version == 2)
        && lift.at_least_0("the lift coefficient Cl")? > 0.0
    {
        let help = "write 0, and compute vortex-induced vibrations with another program";
        return Err(lift.fault("catena cannot compute vortex-induced vibrations", help));
    }
    Ok(LineType {
        name: word(0).text.into(),
        diameter: word(1).positive("the diameter")?,
        mass: word(2).positive("the mass per length")?,
        stretching,
        damping,
        fast_damping,
        bending,
        across,
        along,
        added,
    })
}

fn bending(word: &Word<'_>) -> Result<f64, Fault> {
    if number_of(word.text).is_none() {
        let help = "write EI as a number; catena does not support a curve of moments";
        return Err(word.fault(format!("EI is `{}`, which is not a number", word.text), help));
    }
    word.at_least_0("EI")
}

/// Reads the stiffness and the dampings from the columns EA and BA.
fn axial(
    axial: &Word<'_>,
    damping: &Word<'_>,
    file: ReadFile<'_>,
) -> Result<(Stretching, Damping, f64), Fault> {
    let parts: Vec<&str> = axial.text.split('|').collect();
    let positive =
        |text: &str| Word { text, span: axial.span.clone() }.positive("the stiffness EA");
    let stretching = match parts.as_slice() {
        [first, ..] if first.starts_with("SYROPE:") => {
            let help = "write EA_s|EA_d, the stiffnesses at the expected mean load";
            return Err(axial.fault("catena does not support the Syrope model of polyester", help));
        }
        [one] if number_of(one).is_some() => Stretching::Linear(positive(one)?),
        [name] => curve(axial, name, file)?,
        [slow, fast] => two_stiffnesses(axial, positive(slow)?, positive(fast)?)?,
        _ => {
            let message = "catena does not support a dynamic stiffness that grows with the mean \
                           load";
            let help = "write EA_s|EA_d, with EA_d = EA_Dc + EA_D_Lm × expected mean load";
            return Err(axial.fault(message, help));
        }
    };
    let is_double = matches!(stretching, Stretching::TwoStiffnesses { .. });
    let (slow, fast) = dampings(damping, is_double)?;
    if is_double && slow == Damping::Given(0.0) {
        let help = "write BA_s|BA_d, the damping under slow and under fast loads";
        return Err(damping.fault("EA_s|EA_d needs a damping BA_s above 0", help));
    }
    Ok((stretching, slow, fast))
}

fn two_stiffnesses(word: &Word<'_>, slow: f64, fast: f64) -> Result<Stretching, Fault> {
    if fast > slow {
        return Ok(Stretching::TwoStiffnesses { slow, fast });
    }
    let message = format!("EA_d must be greater than EA_s in `{}`", word.text);
    Err(word
        .fault(message, "write EA_s|EA_d, where EA_d is the greater stiffness under fast loads"))
}

/// Reads the damping under slow loads, or under all loads, and the damping under fast loads.
fn dampings(word: &Word<'_>, is_double: bool) -> Result<(Damping, f64), Fault> {
    let parts: Vec<&str> = word.text.split('|').collect();
    let number = |text: &str| Word { text, span: word.span.clone() }.number("the damping BA");
    let of = |value: f64| match value < 0.0 {
        true => Damping::OfCritical(-value),
        false => Damping::Given(value),
    };
    match parts.as_slice() {
        [one] => Ok((of(number(one)?), 0.0)),
        [slow, fast] if is_double => {
            let fast = number(fast)?;
            if fast < 0.0 {
                let help = "only BA_s may be negative, as a fraction of the critical damping";
                return Err(word.fault(format!("BA_d of `{}` is below 0", word.text), help));
            }
            Ok((of(number(slow)?), fast))
        }
        _ => {
            let message = format!("BA is `{}`, which does not match the form of EA", word.text);
            let help = "write one number: a damping in N·s, or a negative fraction of the critical \
                        damping; use BA_s|BA_d only with EA_s|EA_d";
            Err(word.fault(message, help))
        }
    }
}

/// Number of header lines in a file of strains and tensions.
const HEAD: usize = 3;

/// Reads a file of strains and tensions.
fn curve(word: &Word<'_>, name: &str, file: ReadFile<'_>) -> Result<Stretching, Fault> {
    let help = "EA is a number, EA_s|EA_d, or a file with three lines of text above rows of strain \
                and tension";
    let text = file(name).map_err(|why| {
        word.fault(format!("EA is `{name}`, neither a number nor a readable file: {why}"), help)
    })?;
    let mut points = vec![(0.0, 0.0)];
    for (index, line) in text.lines().enumerate().skip(HEAD) {
        let values: Vec<&str> = line.split_whitespace().collect();
        let refuse = |what: &str| {
            let message = format!("{name}, line {}: {what}", index + 1);
            Err(word.fault(message, "write rows of strain and tension, both increasing from 0"))
        };
        let numbers: Option<Vec<f64>> = values.iter().map(|value| number_of(value)).collect();
        match numbers.as_deref() {
            Some([]) => {}
            Some([strain, tension]) => {
                let (last, highest) = points[points.len() - 1];
                if points.len() == 1 && (*strain, *tension) == (0.0, 0.0) {
                    continue;
                }
                if *strain <= last || *tension < highest {
                    return refuse("strain and tension must increase");
                }
                points.push((*strain, *tension));
            }
            _ => return refuse("expected a strain and a tension"),
        }
    }
    if points.len() < 2 {
        return Err(word.fault(format!("{name} has no rows of strain and tension"), help));
    }
    Ok(Stretching::Curve { file: name.into(), points })
}
