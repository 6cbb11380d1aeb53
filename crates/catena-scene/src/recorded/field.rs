//! Field `reference`: the motion that a body is compared with.

use super::{Hint, Placed, Placement};
use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::node::NodeName;
use crate::schema::Settings;
use crate::shape::files;
use crate::stack::{Stack, refuse};
use catena_sim::Setup;
use std::path::Path;
use std::sync::Arc;

/// Motion that a body is compared with.
#[derive(Clone, Debug)]
pub struct Reference {
    /// Name in pictures and figures.
    pub label: String,
    /// Motion by nodes and frames of the body.
    pub motion: Placed,
}

/// Reads the motion that a body is compared with, if any. `numbers` holds the number of its panel
/// and of the body. If `numbers` is `None`, nothing is read.
pub(crate) fn reference(
    stack: &Stack<'_>,
    settings: &Settings,
    setup: &Setup,
    numbers: Option<[u64; 2]>,
) -> Result<Option<Arc<Reference>>, SceneError> {
    let (Some(written), Some(numbers)) = (&settings.reference, numbers) else { return Ok(None) };
    let Some(file) = &written.file else {
        let fault =
            Fault::new("the reference has no `file`").help("set it to the name of a CSV file");
        return Err(refuse(stack, "reference.file", fault));
    };
    let name = &file.0;
    let node = |field: &str, written: Option<&NodeName>| {
        let refused = |fault| refuse(stack, &format!("reference.{field}"), fault);
        written.map(|name| name.of(&setup.model.part_list())).transpose().map_err(refused)
    };
    let placement = Placement {
        node: node("node", written.node.as_ref())?,
        first_node: node("first_node", written.first_node.as_ref())?,
        node_order: written.node_order,
        first_frame: written.first_frame.map(|frame| frame.0),
        y: written.y,
        own: numbers,
        panel: written.panel.map(|panel| panel.0),
        body: written.body.map(|body| body.0),
        scale: written.scale.map_or(1.0, |scale| scale.0),
        translate: written.translate.map_or([0.0; 3], |origin| origin.xyz()),
    };
    let files = files(stack)?;
    let refused = |fault| refuse(stack, "reference.file", fault);
    let recorded = files.motion(name, written.columns.as_deref(), Hint::of(setup));
    let placed = recorded.map_err(refused)?.place(setup, &placement);
    let motion = placed.map_err(|error| refused(error.fault(files.shows_text(name))))?;
    let stem =
        || Path::new(name).file_name().map_or(name.as_str().into(), |it| it.to_string_lossy());
    let label = written.label.clone().unwrap_or_else(|| stem().into_owned());
    Ok(Some(Arc::new(Reference { label, motion })))
}
