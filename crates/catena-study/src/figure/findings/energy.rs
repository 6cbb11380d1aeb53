//! Sentences about the energy that the methods themselves add, take or conserve. The unit is m g L,
//! the weight of a body times its length.

use super::words::{bodies, three};
use super::{BodyFacts, Facts, FilmFacts};

/// Maximum change of energy, as a share of weight times length, at which a method counts as
/// conserving it.
const KEPT: f64 = 1e-3;

/// Minimum ratio of the last value to the extreme value at which a change of energy counts as
/// lasting.
const LASTING: f64 = 0.5;

/// Effect of a method on the energy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Behaviour {
    Adds,
    Takes,
    Swings,
    Keeps,
}

pub(super) fn sentences(facts: &Facts) -> Vec<String> {
    let known: Vec<(&BodyFacts, Behaviour, [f64; 3])> = facts
        .bodies
        .iter()
        .filter_map(|body| {
            let shares = shares(body)?;
            Some((body, behaviour(shares), shares))
        })
        .collect();
    let of = |wanted: Behaviour| -> Vec<(&BodyFacts, [f64; 3])> {
        let same = known.iter().filter(|(_, behaviour, _)| *behaviour == wanted);
        same.map(|(body, _, shares)| (*body, *shares)).collect()
    };
    let fed = fed_by_damping(facts);
    let kinds = [Behaviour::Adds, Behaviour::Takes, Behaviour::Swings, Behaviour::Keeps];
    kinds
        .into_iter()
        .filter_map(|kind| {
            let same = of(kind);
            (!same.is_empty()).then(|| sentence(kind, &same, facts.frames))
        })
        .chain(fed)
        .collect()
}

/// Sentence about bodies that gain energy by damping. The energy of a moving wind is not included.
fn fed_by_damping(facts: &Facts) -> Option<String> {
    let fed = facts.bodies.iter().filter_map(|body| {
        let film = body.film.filter(|film| film.frames > 1)?;
        let scale = Some(body.weight_by_length).filter(|scale| *scale > 0.0)?;
        let gain = film.damping / scale;
        let when = ending(&film, facts.frames);
        (gain > KEPT).then(|| (body, format!("{} m g L{when}", share(gain))))
    });
    let fed: Vec<(&BodyFacts, String)> = fed.collect();
    (!fed.is_empty()).then(|| {
        format!(
            "Damping added energy to {}, although damping can only remove energy: the sign of \
             drag, of damping in springs or of a method's damping is reversed.",
            bodies(fed)
        )
    })
}

/// Words about a run that covers only a part of the frames.
fn ending(film: &FilmFacts, frames: u64) -> String {
    match film {
        film if film.diverged.is_some() => ", before it diverged".into(),
        film if film.frames < frames => format!(" in {} frames", film.frames),
        _ => String::new(),
    }
}

/// Minimum, maximum and last value of the method's energy, as shares of weight times length. `None`
/// without gravity, or if the run diverged within the first frame.
fn shares(body: &BodyFacts) -> Option<[f64; 3]> {
    let film = body.film.filter(|film| film.frames > 1 && film.diverged != Some(1))?;
    let scale = Some(body.weight_by_length).filter(|scale| *scale > 0.0)?;
    Some(film.method.map(|value| value / scale))
}

fn behaviour([minimum, greatest, last]: [f64; 3]) -> Behaviour {
    let extreme = greatest.max(-minimum);
    match () {
        () if extreme < KEPT => Behaviour::Keeps,
        () if last > LASTING * extreme => Behaviour::Adds,
        () if last < -LASTING * extreme => Behaviour::Takes,
        () => Behaviour::Swings,
    }
}

/// Sentence about bodies of one behaviour.
fn sentence(kind: Behaviour, all: &[(&BodyFacts, [f64; 3])], frames: u64) -> String {
    let list = |remark: &dyn Fn(&BodyFacts, [f64; 3]) -> String| {
        bodies(all.iter().map(|(body, shares)| (*body, remark(body, *shares))))
    };
    let last = |body: &BodyFacts, [_, _, last]: [f64; 3]| {
        let when = body.film.map_or(String::new(), |film| ending(&film, frames));
        format!("{} m g L{when}", share(last.abs()))
    };
    match kind {
        Behaviour::Adds => format!("The method itself added energy to {}.", list(&last)),
        Behaviour::Takes => format!("The method itself removed energy from {}.", list(&last)),
        Behaviour::Swings => {
            let range = |_: &BodyFacts, [minimum, greatest, _]: [f64; 3]| {
                let [down, up] = [minimum.abs(), greatest].map(|value| three(100.0 * value));
                format!("from -{down} % to +{up} % of m g L")
            };
            format!(
                "The energy that the method adds and removes oscillates without a lasting change \
                 in {}.",
                list(&range)
            )
        }
        Behaviour::Keeps => {
            let bound = three(100.0 * KEPT);
            let when = |body: &BodyFacts, _: [f64; 3]| match body.film {
                Some(film) if film.frames < frames => format!("in {} frames", film.frames),
                _ => String::new(),
            };
            let who = list(&when);
            format!(
                "The method itself changed the energy of {who} by less than {bound} % of m g L."
            )
        }
    }
}

/// Share in percent, or as a factor if it is large.
fn share(value: f64) -> String {
    match value {
        value if value >= 10.0 => format!("{} times", three(value)),
        value => format!("{} % of", three(100.0 * value)),
    }
}
