//! Fields and values of sweeps, for completion and hover.

use catena_scene::grammar::{Grammar, Inside, Member, Thing};
use catena_scene::sweep::{Content, FIELDS, INTERVALS, SAMPLES, SweepField};
#[cfg(feature = "server")]
use catena_study::sweep::measure::MEASURES;

/// Returns the fields of a sweep.
pub(super) fn members() -> Vec<Member> {
    let member = |&SweepField { name, summary, content }: &SweepField| Member {
        name,
        summary: summary.into(),
        expected: String::new(),
        unit: "-",
        scope: None,
        default: None,
        grammar: grammar(content),
    };
    FIELDS.iter().map(member).collect()
}

fn grammar(content: Content) -> Grammar {
    match content {
        Content::Scene => {
            Grammar::Either(|| vec![Grammar::File(&["ron"]), Grammar::Things(|| vec![SCENE])])
        }
        Content::Axes => Grammar::Axes,
        Content::Sample => Grammar::Things(|| things(&SAMPLES)),
        Content::Measures => Grammar::List(|| Grammar::Things(|| things(&measures()))),
        Content::Patterns | Content::Count => Grammar::Plain,
    }
}

/// Returns the names and summaries of measures. Empty if the feature `server`, which measures
/// sweeps, is disabled.
fn measures() -> Vec<(&'static str, &'static str)> {
    #[cfg(feature = "server")]
    return MEASURES.iter().map(|info| (info.name, info.summary)).collect();
    #[cfg(not(feature = "server"))]
    Vec::new()
}

/// Returns the values that an axis may have.
pub(super) fn intervals() -> Grammar {
    Grammar::Things(|| things(&INTERVALS))
}

/// Call name of a scene, with its fields.
pub(super) const SCENE: Thing = Thing {
    name: "Scene",
    summary: "a base, and panels or a grid of panels that differ from it",
    inside: Inside::Grammar(Grammar::Fields(|| Grammar::scene().members())),
};

/// Call name of a sweep, with its fields.
pub(super) const SWEEP: Thing = Thing {
    name: "Sweep",
    summary: "many variants of a scene: axes, samples and measures",
    inside: Inside::Grammar(Grammar::Fields(members)),
};

fn things(all: &[(&'static str, &'static str)]) -> Vec<Thing> {
    let thing = |(name, summary): &(&'static str, &'static str)| Thing {
        name,
        summary,
        inside: Inside::Grammar(Grammar::Plain),
    };
    all.iter().map(thing).collect()
}
