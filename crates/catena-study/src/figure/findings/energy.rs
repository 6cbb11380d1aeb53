//! Sentences about energy: what the methods themselves add, take, or keep. The unit is m g L, the
//! weight of a body times its length.

use super::words::{bodies, three};
use super::{BodyFacts, Facts};

/// Share of weight times length below which a method keeps the energy.
const KEPT: f64 = 1e-3;

/// Share of its extreme at which the last value counts as a lasting change.
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
    let kinds = [Behaviour::Adds, Behaviour::Takes, Behaviour::Swings, Behaviour::Keeps];
    kinds
        .into_iter()
        .filter_map(|kind| {
            let same = of(kind);
            (!same.is_empty()).then(|| told(kind, &same, facts.frames))
        })
        .collect()
}

/// Minimum, maximum and last value of the method's energy, as shares of weight times length. `None`
/// without gravity, or if the run diverged within the first frame.
fn shares(body: &BodyFacts) -> Option<[f64; 3]> {
    let film = body.film.filter(|film| film.frames > 1 && film.diverged != Some(1))?;
    let scale = Some(body.weight_by_length).filter(|scale| *scale > 0.0)?;
    Some(film.method.map(|value| value / scale))
}

fn behaviour([least, greatest, last]: [f64; 3]) -> Behaviour {
    let extreme = greatest.max(-least);
    match () {
        () if extreme < KEPT => Behaviour::Keeps,
        () if last > LASTING * extreme => Behaviour::Adds,
        () if last < -LASTING * extreme => Behaviour::Takes,
        () => Behaviour::Swings,
    }
}

/// Sentence about bodies of one behaviour.
fn told(kind: Behaviour, all: &[(&BodyFacts, [f64; 3])], frames: u64) -> String {
    let list = |remark: &dyn Fn(&BodyFacts, [f64; 3]) -> String| {
        bodies(all.iter().map(|(body, shares)| (*body, remark(body, *shares))))
    };
    let last = |body: &BodyFacts, [_, _, last]: [f64; 3]| {
        let when = match body.film {
            Some(film) if film.diverged.is_some() => ", before it diverged".into(),
            Some(film) if film.frames < frames => format!(" in {} frames", film.frames),
            _ => String::new(),
        };
        format!("{} m g L{when}", share(last.abs()))
    };
    match kind {
        Behaviour::Adds => format!("The method itself added energy to {}.", list(&last)),
        Behaviour::Takes => format!("The method itself took energy from {}.", list(&last)),
        Behaviour::Swings => {
            let range = |_: &BodyFacts, [least, greatest, _]: [f64; 3]| {
                let [down, up] = [least.abs(), greatest].map(|value| three(100.0 * value));
                format!("from -{down} % to +{up} % of m g L")
            };
            format!(
                "The energy that the method adds and takes swings without a lasting change in {}.",
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
