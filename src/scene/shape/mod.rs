//! What a body is made of: a rope or a cloth, checked before a node is allocated. One file a kind.

mod cloth;
mod net;
mod rope;

pub use net::NetSettings;

pub(super) use cloth::{CLOTH_DAMPING, CLOTH_LAW, CLOTH_MASS, CLOTH_STIFFNESS};

use super::choice::{Choice, Laws};
use super::diagnostic::Fault;
use super::error::SceneError;
use super::node::NodeName;
use super::schema::Settings;
use super::stack::{Stack, refuse, required};
use crate::sim::{Form, SpringLaw, body::shape::Topology};
use std::sync::Arc;

/// What the springs of a body have beside their stiffness.
pub(super) struct SpringKind {
    /// The field of settings that they are of.
    pub(super) field: &'static str,
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
    match (&settings.net, &settings.cloth) {
        (Some(net), _) => net::read(stack, net, axes),
        (None, Some(cloth)) => cloth::read(stack, cloth, axes),
        (None, None) => rope::read(stack, settings.rope.as_ref(), axes),
    }
}

impl SpringKind {
    /// Refuses another part whose springs differ in what a body has once.
    pub(super) fn check_same(&self, other: &Self, stack: &Stack<'_>) -> Result<(), SceneError> {
        for (name, is_same) in [
            ("law", format!("{:?}", self.law) == format!("{:?}", other.law)),
            ("damping", self.damping == other.damping),
            ("friction", self.friction == other.friction),
            ("breaks_at", self.breaks_at == other.breaks_at),
        ] {
            if !is_same {
                let message = format!("`{name}` is the same for all parts of a body");
                let help = "set it alike in every part, or make bodies of the parts";
                let fault = Fault::new(message).help(help);
                return Err(refuse(stack, &format!("{}.{name}", other.field), fault));
            }
        }
        Ok(())
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
