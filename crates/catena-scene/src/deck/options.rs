//! Options of a deck. A row has a value, a key, and a description that is ignored.

use super::rows::{DeckText, SectionKind};
use crate::deck::row::{Row, Word, number_of};
use crate::diagnostic::Fault;

/// Options of a deck that affect the scene.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// Maximum time step in seconds, if the deck sets it.
    pub step: Option<f64>,
    /// Maximum time step as a fraction of the shortest period of a segment, if the deck sets it.
    pub cfl: Option<f64>,
    /// Name of the integration method in the deck, and its name in catena.
    pub method: (String, &'static str),
    pub gravity: f64,
    /// Density of the water.
    pub water: f64,
    /// Depth of the sea bed, if the deck has one.
    pub depth: Option<f64>,
    /// Stiffness of the sea bed per area.
    pub bed_stiffness: f64,
    pub friction: f64,
    /// Whether MoorDyn searches for an equilibrium before the run.
    pub starts_at_rest: bool,
    /// Output channels.
    pub outputs: Vec<String>,
}

/// Meaning of an option for the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Step,
    Cfl,
    Method,
    Gravity,
    Water,
    Depth,
    BedStiffness,
    /// Damping of the bed; ignored, because the scene's bed is rigid.
    BedDamping,
    Friction,
    /// Maximum time of MoorDyn's search for an equilibrium; 0 for no search.
    SearchTime,
    /// Parameter of MoorDyn's search for an equilibrium; ignored, because catena solves for it.
    Search,
    /// Parameter of MoorDyn's friction law; ignored.
    FrictionLaw,
    /// Logs, files and units of MoorDyn's output; ignored.
    Output,
    /// Waves and currents; 0 means none, and any other value is an error.
    Fluid,
    /// Grid of waves and currents; ignored, because both must be 0.
    Grid,
    /// Sea bed with a varying depth, which is an error.
    Bed,
}

/// Option keys in lower case, including keys of older versions, with their meanings.
const KEYS: [(&str, Use); 48] = [
    ("dtm", Use::Step),
    ("dt", Use::Step),
    ("cfl", Use::Cfl),
    ("tscheme", Use::Method),
    ("g", Use::Gravity),
    ("gravity", Use::Gravity),
    ("rho", Use::Water),
    ("rhow", Use::Water),
    ("wtrdnsty", Use::Water),
    ("wtrdens", Use::Water),
    ("wtrdpth", Use::Depth),
    ("depth", Use::Depth),
    ("kbot", Use::BedStiffness),
    ("kb", Use::BedStiffness),
    ("cbot", Use::BedDamping),
    ("cb", Use::BedDamping),
    ("frictioncoefficient", Use::Friction),
    ("mu_kt", Use::Friction),
    ("mu_ka", Use::Friction),
    ("fricdamp", Use::FrictionLaw),
    ("cv", Use::FrictionLaw),
    ("statdynfricscale", Use::FrictionLaw),
    ("mc", Use::FrictionLaw),
    ("tmaxic", Use::SearchTime),
    ("ictmax", Use::SearchTime),
    ("dtic", Use::Search),
    ("icdt", Use::Search),
    ("cdscaleic", Use::Search),
    ("icdfac", Use::Search),
    ("threshic", Use::Search),
    ("icthresh", Use::Search),
    ("icgendynamic", Use::Search),
    ("gendynamicic", Use::Search),
    ("fileic", Use::Search),
    ("icfile", Use::Search),
    ("writelog", Use::Output),
    ("writeunits", Use::Output),
    ("dtout", Use::Output),
    ("disableoutput", Use::Output),
    ("disableouttime", Use::Output),
    ("outswitch", Use::Output),
    ("inertialf", Use::Output),
    ("inertialf_rampt", Use::Output),
    ("wavekin", Use::Fluid),
    ("currents", Use::Fluid),
    ("waterkin", Use::Fluid),
    ("dtwave", Use::Grid),
    ("unifycurrentgrid", Use::Grid),
];

/// Key of a sea bed with a varying depth. It is separate from [`KEYS`] so that messages do not
/// suggest it.
const BED: (&str, Use) = ("seafloorfile", Use::Bed);

/// Integration methods of MoorDyn, in lower case, with the equivalent methods of catena.
const METHODS: [(&str, &str); 8] = [
    ("euler", "ExplicitEuler"),
    ("heun", "Heun"),
    ("rk2", "Midpoint"),
    ("rk4", "Rk4"),
    ("ab2", "AdamsBashforth2"),
    ("ab3", "AdamsBashforth3"),
    ("ab4", "AdamsBashforth4"),
    ("beuler", "ImplicitEuler"),
];

/// Implicit midpoint. In a deck, the names of this method and of backward Euler end with the number
/// of iterations.
const MIDPOINT: (&str, &str) = ("midpoint", "ImplicitMidpoint");

impl Default for Options {
    /// Returns MoorDyn's default values.
    fn default() -> Self {
        Self {
            step: None,
            cfl: None,
            method: ("RK2".into(), "Midpoint"),
            gravity: 9.80665,
            water: 1025.0,
            depth: None,
            bed_stiffness: 3e6,
            friction: 0.0,
            starts_at_rest: true,
            outputs: Vec::new(),
        }
    }
}

impl Options {
    /// Reads the sections OPTIONS and OUTPUTS.
    pub fn read(text: &DeckText<'_>, notes: &mut Vec<String>) -> Result<Self, Fault> {
        let mut options = Self::default();
        let rows = text.section(SectionKind::Options).map_or(&[][..], |section| &section.rows);
        let mut found: Vec<(Use, &Word<'_>, f64)> = Vec::new();
        for row in rows {
            let (key, meaning, value) = entry(row)?;
            let earlier = found.iter().find(|(known, _, _)| {
                *known == meaning && (is_single(meaning) || meaning == Use::Friction)
            });
            let number = options.set(meaning, key, value)?;
            if let Some((_, first, before)) = earlier {
                // The coefficients of friction across and along may both be set if they are equal.
                if meaning != Use::Friction || *before != number {
                    return Err(twice(key, first));
                }
            }
            found.push((meaning, key, number));
        }
        notes.extend(conversion_notes(&found, &options));
        options.outputs = outputs(text)?;
        Ok(options)
    }

    /// Sets an option. Returns its value as a number; 0 for a word.
    fn set(&mut self, meaning: Use, key: &Word<'_>, value: &Word<'_>) -> Result<f64, Fault> {
        let positive = || value.positive(key.text);
        let at_least_0 = || value.at_least_0(key.text);
        match meaning {
            Use::Step => self.step = Some(positive()?),
            Use::Cfl => self.cfl = Some(positive()?),
            Use::Method => self.method = (value.text.into(), method(value)?),
            Use::Gravity => self.gravity = at_least_0()?,
            Use::Water => self.water = at_least_0()?,
            Use::Depth => self.depth = Some(depth(value)?),
            Use::BedStiffness => self.bed_stiffness = at_least_0()?,
            Use::Friction => self.friction = at_least_0()?,
            Use::SearchTime => self.starts_at_rest = at_least_0()? > 0.0,
            Use::FrictionLaw | Use::BedDamping | Use::Grid => return at_least_0(),
            Use::Fluid => return no_fluid(key, value),
            Use::Bed => {
                let help = "set WtrDpth, and replace the collider of the scene by a HeightField";
                return Err(value.fault("only a flat bed can be imported", help));
            }
            Use::Search | Use::Output => return Ok(0.0),
        }
        Ok(number_of(value.text).unwrap_or(0.0))
    }
}

/// Returns the key, the meaning and the value of a row.
fn entry<'r, 'a>(row: &'r Row<'a>) -> Result<(&'r Word<'a>, Use, &'r Word<'a>), Fault> {
    let [value, key, ..] = row.words.as_slice() else {
        let help = "write a value, its key and a description in each row: 0.002 dtM time step (s)";
        return Err(Fault::with_help(row.span(), "an option needs a value and a key", help));
    };
    let lower = key.text.to_lowercase();
    let known = KEYS.iter().chain([&BED]).find(|(name, _)| *name == lower);
    match known {
        Some((_, meaning)) => Ok((key, *meaning, value)),
        None => {
            let names: Vec<&str> = KEYS.iter().map(|(name, _)| *name).collect();
            let fault = Fault::unknown("option", key.text, &names);
            Err(fault.at(key.span.clone()))
        }
    }
}

/// Whether a deck may set an option with this meaning only once.
fn is_single(meaning: Use) -> bool {
    !matches!(meaning, Use::Search | Use::Output | Use::FrictionLaw | Use::Fluid | Use::Grid)
}

fn twice(key: &Word<'_>, first: &Word<'_>) -> Fault {
    let message = format!("`{}` sets the same option as `{}` above", key.text, first.text);
    key.fault(message, "keep one of the two")
}

fn method(value: &Word<'_>) -> Result<&'static str, Fault> {
    let lower = value.text.to_lowercase();
    let family = lower.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_it =
        |name: &str| name == lower || (["beuler", "midpoint"].contains(&name) && name == family);
    let known = METHODS.iter().chain([&MIDPOINT]).find(|(name, _)| is_it(name));
    known.map(|(_, ours)| *ours).ok_or_else(|| {
        let names: Vec<&str> = METHODS.iter().chain([&MIDPOINT]).map(|(name, _)| *name).collect();
        let message = format!("catena does not support the time scheme `{}`", value.text);
        value.fault(message, format!("allowed here: {}", names.join(", ")))
    })
}

fn depth(value: &Word<'_>) -> Result<f64, Fault> {
    if number_of(value.text).is_none() {
        let help = "write the depth as a number, and replace the collider of the scene by a \
                    HeightField";
        let message = format!("WtrDpth is `{}`, but only a flat bed can be imported", value.text);
        return Err(value.fault(message, help));
    }
    value.at_least_0("the water depth")
}

/// Rejects waves and currents, which MoorDyn reads from other files.
fn no_fluid(key: &Word<'_>, value: &Word<'_>) -> Result<f64, Fault> {
    let is_none =
        ["0", "\"\"", "''", "none", "\"none\""].contains(&value.text.to_lowercase().as_str());
    if is_none {
        return Ok(0.0);
    }
    let message =
        format!("`{}` is {}: files of waves and currents cannot be imported", key.text, value.text);
    let help = "write 0, and set the `flow` of LineDrag in the scene: Airy, Jonswap, Profile or \
                Uniform";
    Err(value.fault(message, help))
}

/// Returns notes about options that catena handles differently from MoorDyn.
fn conversion_notes(found: &[(Use, &Word<'_>, f64)], options: &Options) -> Vec<String> {
    let keys = |wanted: &[Use], is_relevant: &dyn Fn(f64) -> bool| {
        let listed = found
            .iter()
            .filter(|(meaning, _, value)| wanted.contains(meaning) && is_relevant(*value));
        listed.map(|(_, key, _)| key.text).collect::<Vec<_>>().join(", ")
    };
    let any = |_: f64| true;
    let mut notes = Vec::new();
    let search = keys(&[Use::Search], &any);
    if !search.is_empty() {
        let place = match options.starts_at_rest {
            true => "catena solves for the equilibrium instead, and the scene starts in it",
            false => "a TmaxIC of 0 turns the search off",
        };
        notes.push(format!(
            "{search}: ignored, because it is about MoorDyn's search for an equilibrium; {place}"
        ));
    }
    let friction = keys(&[Use::FrictionLaw], &any);
    if !friction.is_empty() {
        notes.push(format!(
            "{friction}: ignored, because friction on the bed is Coulomb friction with sticking, \
             which has no parameter for low speeds"
        ));
    }
    let output = keys(&[Use::Output], &any);
    if !output.is_empty() {
        notes.push(format!("{output}: ignored, because it is about MoorDyn's own output"));
    }
    let grid = keys(&[Use::Grid], &any);
    if !grid.is_empty() {
        notes.push(format!("{grid}: ignored, because the deck has no waves and currents"));
    }
    notes
}

/// Prefixes of output channels.
const CHANNELS: [&str; 10] =
    ["FAIRTEN", "ANCHTEN", "TEN", "POINT", "CON", "C", "LINE", "L", "NODE", "N"];

/// Prefixes of output channels of bodies and rods, which are errors.
const RIGID: [&str; 3] = ["BODY", "ROD", "R"];

/// Returns the names of the output channels without quotes.
fn outputs(text: &DeckText<'_>) -> Result<Vec<String>, Fault> {
    let rows = text.section(SectionKind::Outputs).map_or(&[][..], |section| &section.rows);
    let mut all = Vec::new();
    for word in rows.iter().flat_map(|row| &row.words) {
        let name = word.text.trim_matches(['"', ',', '\'']);
        if name.eq_ignore_ascii_case("end") {
            break;
        }
        let upper = name.to_uppercase();
        let letters = upper.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        if RIGID.contains(&letters) {
            let help = "remove it: rods and bodies that rotate cannot be imported";
            return Err(word.fault(format!("`{name}` is an output of a rod or body"), help));
        }
        if !CHANNELS.contains(&letters) {
            let fault = Fault::unknown(
                "output channel",
                name,
                &["FairTen1", "AnchTen1", "Line1N5T", "Point2PX"],
            );
            return Err(fault.at(word.span.clone()));
        }
        all.push(name.to_owned());
    }
    Ok(all)
}
