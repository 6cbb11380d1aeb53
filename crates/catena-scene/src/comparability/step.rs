//! Time step of a method: the scene's step, a fraction of it, or steps that are chosen during the
//! run.

use super::changes::{self, number, set};
use super::quantity::{Change, ComparisonCase, QuantityValue};
use crate::parts::Body;
use catena_base::text::number::short;

/// Returns the method's longest step. If steps are chosen during the run, the text names what
/// chooses them.
pub(super) fn step(body: &Body) -> QuantityValue {
    let setup = &*body.setup;
    let (method, control) = (&setup.method, &setup.step_control);
    let longest = control.longest(setup.dt()) / f64::from(method.inner_steps());
    if !setup.chooses_its_step() {
        return QuantityValue::number(longest).exactly(longest.to_string());
    }
    let tolerance = if method.chooses_steps() { format!("{method:?}") } else { String::new() };
    let by = if method.chooses_steps() { body.method.name } else { control.info().name };
    QuantityValue::words(
        format!("{control:?} {tolerance} {longest:?}"),
        format!("chosen by {by}, at most {}", short(longest)),
        "chosen".into(),
    )
}

/// Returns changes of the method's or the scene's substeps. With variable steps, the reference's
/// step control is copied.
pub(super) fn changes(case: &ComparisonCase<'_>) -> Vec<Change> {
    let (here, there) = (&*case.here.setup, &*case.there.setup);
    if here.method.chooses_steps() || there.method.chooses_steps() {
        return changes::copy(case);
    }
    let control: Change = case.copied("step_control").into_iter().collect();
    let inner = f64::from(here.method.inner_steps());
    let there_inner = f64::from(there.method.inner_steps());
    let wanted = there.substeps as f64 * there_inner;
    let with_control =
        |change: Change| -> Change { control.iter().cloned().chain(change).collect() };
    let mut changes: Vec<Change> = Vec::new();
    if !control.is_empty() {
        changes.push(control.clone());
    }
    // Changes the method's own substeps if the scene's steps already agree.
    let own = wanted / here.substeps as f64;
    if case.here.method.options.iter().any(|option| option.name == "substeps") && is_whole(own) {
        changes.extend(case.option("substeps", &number(own)).map(|edit| with_control(vec![edit])));
    }
    if is_whole(wanted / inner) {
        let substeps = set("substeps", number(wanted / inner));
        changes.push(with_control(vec![substeps]));
    }
    changes
}

fn is_whole(count: f64) -> bool {
    count >= 1.0 && count == count.round()
}
