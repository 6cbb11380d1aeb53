//! Findings of a report: sentences about the results of its studies, and about conclusions that
//! they do not allow.
//!
//! Studies add facts with numbers. The sentences are derived from all facts known so far, so each
//! stated cause comes with its number.

mod accuracy;
mod divergence;
mod energy;
mod facts;
mod open;
mod rest;
mod words;

pub use facts::{
    AccuracyFacts, BodyFacts, Fact, Facts, FilmFacts, LimitFacts, MethodNeed, RestFacts, Tip,
};

/// Subject of a finding, in the order of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Divergence, and the step compared with its limit.
    Stability,
    /// Distance from a reference.
    Reference,
    /// State of rest.
    Rest,
    /// Error of positions, and the work that it takes.
    Accuracy,
    /// Energy.
    Energy,
    /// Anything else.
    Other,
    /// Limits of the conclusions.
    Open,
}

/// Sentence of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Subject of the sentence.
    pub topic: Topic,
    /// The sentence, with a full stop.
    pub text: String,
}

impl Finding {
    /// Creates a finding.
    pub fn new(topic: Topic, text: impl Into<String>) -> Self {
        Self { topic, text: text.into() }
    }
}

/// Sentences about all facts, in the order of their topics.
pub fn findings(facts: &Facts) -> Vec<Finding> {
    let parts: [(Topic, Vec<String>); 5] = [
        (Topic::Stability, divergence::sentences(facts)),
        (Topic::Rest, rest::sentences(facts)),
        (Topic::Accuracy, accuracy::sentences(facts)),
        (Topic::Energy, energy::sentences(facts)),
        (Topic::Open, open::sentences(facts)),
    ];
    let mut all: Vec<Finding> = parts
        .into_iter()
        .flat_map(|(topic, texts)| texts.into_iter().map(move |text| Finding::new(topic, text)))
        .chain(facts.sentences.iter().cloned())
        .collect();
    all.sort_by_key(|finding| finding.topic);
    all
}

/// Divides findings into results, and conclusions that cannot be drawn.
pub fn divided(all: &[Finding]) -> [Vec<String>; 2] {
    let (open, found): (Vec<&Finding>, Vec<&Finding>) =
        all.iter().partition(|finding| finding.topic == Topic::Open);
    [found, open].map(|part| part.into_iter().map(|finding| finding.text.clone()).collect())
}

/// Headings of the two parts of [`divided`].
pub const HEADINGS: [&str; 2] = ["What was found", "What cannot be concluded"];

/// Formats findings as Markdown under a title.
pub fn markdown(title: &str, all: &[Finding]) -> String {
    let mut text = format!("# {}\n", title.trim());
    for (heading, sentences) in HEADINGS.into_iter().zip(divided(all)) {
        if !sentences.is_empty() {
            text += &format!("\n## {heading}\n\n");
            sentences.iter().for_each(|sentence| text += &format!("- {sentence}\n"));
        }
    }
    text
}
