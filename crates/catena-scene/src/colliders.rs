//! Colliders of scenes: stand-alone, or attached to a bone of the body's rig.

use super::choice::{Choice, Colliders};
use super::diagnostic::Fault;
use super::entries::Entry;
use super::grammar::{Grammar, Inside, Thing};
use super::layered::FieldValue;
use super::read::{FromRon, List, Optional};
use super::rig::BuiltRig;
use catena_ron::Node;
use catena_sim::Collider;
use catena_sim::contact::collider::Moving;
use catena_sim::drive::rig::BoneFrame;
use std::sync::Arc;

/// Name of a collider on a bone.
const ON_BONE: &str = "OnBone";

/// Collider of a scene.
#[derive(Clone, Debug)]
pub enum ColliderEntry {
    /// Item of the collider table.
    Named(Choice<Colliders>),
    /// Collider in the frame of a bone.
    OnBone(OnBone),
}

readable! {
    /// Collider in the frame of a bone.
    pub struct OnBone {
        /// Bone that carries the collider.
        bone: Option<String>,
        /// Collider, in the coordinates of the bone.
        of: Optional<Choice<Colliders>>,
    }
}

/// Colliders of a body.
pub type ColliderList = List<ColliderEntry>;

impl FromRon for ColliderEntry {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        match node.head() == ON_BONE || node.text() == ON_BONE {
            true => OnBone::from_ron(node.options()).map(Self::OnBone),
            false => Choice::from_ron(node).map(Self::Named),
        }
    }
}

impl FieldValue for ColliderList {
    fn grammar() -> Grammar {
        const ANY: Thing = Thing {
            name: ON_BONE,
            summary: "collider attached to a bone of the body's rig",
            inside: Inside::Grammar(Grammar::Fields(|| OnBone::inside().members())),
        };
        Grammar::List(|| {
            Grammar::Either(|| vec![Choice::<Colliders>::grammar(), Grammar::Things(|| vec![ANY])])
        })
    }

    fn expected() -> String {
        "a list, each a collider and its options, listed by `catena methods`, or OnBone(bone: \"…\", of: collider)".into()
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        for (index, entry) in self.0.iter().enumerate() {
            let path = format!("{path}[{index}]");
            match entry {
                ColliderEntry::Named(choice) => choice.check_choices(&path, faults),
                ColliderEntry::OnBone(OnBone { of: Optional(Some(choice)), .. }) => {
                    choice.check_choices(&format!("{path}.of"), faults);
                }
                ColliderEntry::OnBone(_) => {}
            }
        }
    }
}

impl ColliderEntry {
    /// Returns the length of the options' text in bytes.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Named(choice) => choice.length(),
            Self::OnBone(OnBone { of, .. }) => of.0.as_ref().map_or(0, Choice::length),
        }
    }

    /// Builds the collider, attached to a bone of the rig if it names one.
    ///
    /// # Errors
    /// Returns the path suffix of the field at fault and the reason. The suffix is empty if the
    /// whole entry is at fault.
    pub(super) fn read(
        &self,
        axes: usize,
        nodes: usize,
        rig: Option<&BuiltRig>,
    ) -> Result<Arc<dyn Collider>, (&'static str, Fault)> {
        let (bone, of) = match self {
            Self::Named(choice) => {
                return choice.read_for(axes, nodes).map(Arc::from).map_err(|fault| ("", fault));
            }
            Self::OnBone(OnBone { bone, of }) => (bone, of),
        };
        let (Some(bone), Some(of)) = (bone, &of.0) else {
            let fault = Fault::new("a collider on a bone needs `bone` and `of`");
            let help =
                "write OnBone(bone: \"arm\", of: Capsule(a: (0, 0, 0), b: (1, 0, 0), radius: 0.1))";
            return Err(("", fault.help(help)));
        };
        let Some(rig) = rig else {
            let fault = Fault::new("the body has no rig and therefore no bones");
            return Err((".bone", fault.help("add `rig: (bones: […])` to the body")));
        };
        let number = rig.bone(bone).map_err(|fault| (".bone", fault))?;
        let animation = &rig.shown.rig.animation;
        if animation.scaled_on_way_to(number).is_some_and(|scaled| rig.is_carrier(scaled)) {
            let fault = Fault::new(format!(
                "objects attached to bone “{bone}” must be rigid, but `rig.scale` scales the whole rig"
            ));
            let help = "remove `rig.scale`, and give positions and lengths at their real size";
            return Err((".bone", fault.help(help)));
        }
        if let Some(scaled) = animation.scaled_on_way_to(number) {
            let scaled = rig.shown_bone(scaled);
            let fault = Fault::new(format!(
                "objects attached to bone “{bone}” must be rigid, but {scaled} is scaled"
            ));
            let help = "remove the scale from its bind pose and its tracks";
            return Err((".bone", fault.help(help)));
        }
        let frame = BoneFrame::new(Arc::clone(animation), bone);
        let frame = frame.map_err(|bad| (".bone", Fault::new(bad.message)))?;
        let of: Arc<dyn Collider> =
            of.read_for(axes, nodes).map_err(|fault| (".of", fault))?.into();
        let moving = Moving { of, motion: Arc::new(frame) };
        let fits = moving.check().and_then(|()| moving.fits(axes, nodes));
        fits.map_err(|bad| (".of", Fault::new(format!("expected {}", bad.expected))))?;
        Ok(Arc::new(moving))
    }
}
