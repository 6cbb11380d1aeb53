//! What a body is made of: a rope or a cloth, checked before a node is allocated. One file a kind.

mod cloth;
mod rope;

pub(super) use cloth::{CLOTH_DAMPING, CLOTH_LAW, CLOTH_MASS, CLOTH_STIFFNESS};

use super::choice::{Choice, Laws};
use super::error::SceneError;
use super::node::NodeName;
use super::schema::Settings;
use super::stack::{Stack, refuse, required};
use crate::sim::{Form, SpringLaw, body::shape::Topology};
use std::sync::Arc;

/// What the springs of a body have beside their stiffness.
pub(super) struct SpringKind {
    pub(super) law: Arc<dyn SpringLaw>,
    pub(super) damping: f64,
    pub(super) friction: f64,
    pub(super) breaks_at: Option<f64>,
}

/// What a body is made of, before its nodes are allocated.
pub(super) struct BodyShape {
    pub(super) topology: Box<dyn Topology>,
    pub(super) springs: SpringKind,
}

/// Reads the shape that the layers describe.
pub(super) fn shape(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
) -> Result<BodyShape, SceneError> {
    match &settings.cloth {
        Some(cloth) => cloth::read(stack, cloth, axes),
        None => rope::read(stack, settings.rope.as_ref(), axes),
    }
}

/// Reads the law of the springs.
fn law(
    stack: &Stack<'_>,
    path: &str,
    choice: Option<&Choice<Laws>>,
) -> Result<Arc<dyn SpringLaw>, SceneError> {
    let law = required(stack, path, choice)?.read();
    law.map(Arc::from).map_err(|fault| refuse(stack, path, fault))
}

/// The nodes of a list, which must be those of a body of one piece.
fn nodes(
    stack: &Stack<'_>,
    path: &str,
    names: &[NodeName],
    (form, count): (&Form, usize),
) -> Result<Vec<usize>, SceneError> {
    let node = |(index, name): (usize, &NodeName)| {
        let found = name.in_one_piece(form, count);
        found.map_err(|fault| refuse(stack, &format!("{path}[{index}]"), fault))
    };
    names.iter().enumerate().map(node).collect()
}
