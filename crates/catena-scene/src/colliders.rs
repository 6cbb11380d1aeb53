//! Colliders of scenes: stand-alone, attached to a bone of the body's rig, or the skin of that rig.
//! A collider may set its own look.

use super::choice::{Choice, Colliders};
use super::color::Color;
use super::diagnostic::Fault;
use super::files::Files;
use super::grammar::{Grammar, Inside, Thing};
use super::layered::FieldValue;
use super::read::{FromRon, List, Optional};
use super::rig::BuiltRig;
use super::shape::solid_file;
use super::values::{NonNegative, Share};
use crate::entry::Entry;
use catena_ron::Node;
use catena_sim::Collider;
use catena_sim::contact::collider::facets::Unclosed;
use catena_sim::contact::collider::{Moving, Surface};
use catena_sim::drive::rig::BoneFrame;
use catena_sim::rig::SkinMotion;
use std::sync::Arc;

/// Name of a collider on a bone.
const ON_BONE: &str = "OnBone";

/// Name of a collider with a look of its own.
const PAINTED: &str = "Painted";

/// Name of the skin of the rig.
const SKIN: &str = "Skin";

/// Collider of a scene.
#[derive(Clone, Debug)]
pub enum ColliderEntry {
    /// Item of the collider table.
    Named(Choice<Colliders>),
    /// Collider in the frame of a bone.
    OnBone(OnBone),
    /// Collider with its own colour and gloss.
    Painted(Painted),
    /// Skin of the rig.
    Skin(SkinEntry),
}

/// Look of a collider. The body's style has the missing values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColliderLook {
    /// Colour.
    pub color: Option<Color>,
    /// Strength of reflections in space, from 0 to 1.
    pub gloss: Option<f64>,
}

readable! {
    /// Collider in the frame of a bone.
    pub struct OnBone {
        /// Bone that carries the collider.
        bone: Option<String>,
        /// Collider, in the coordinates of the bone.
        of: Optional<Choice<Colliders>>,
        /// Colour. If omitted, the collider colour of the style.
        color: Optional<Color>,
        /// Strength of reflections in space. If omitted, the collider gloss of the style.
        gloss: Optional<Share>,
    }
}

readable! {
    /// Collider with its own colour and gloss.
    pub struct Painted {
        /// Collider.
        of: Optional<Choice<Colliders>>,
        /// Colour. If omitted, the collider colour of the style.
        color: Optional<Color>,
        /// Strength of reflections in space. If omitted, the collider gloss of the style.
        gloss: Optional<Share>,
    }
}

readable! {
    /// Skin of the rig as a solid collider.
    pub struct SkinEntry {
        /// Coefficient of restitution.
        restitution: Optional<Share>,
        /// Coefficient of Coulomb friction.
        friction: Optional<NonNegative>,
    }
}

/// Facts about a body that its colliders need.
pub(super) struct Surroundings<'a> {
    pub(super) axes: usize,
    pub(super) nodes: usize,
    pub(super) rig: Option<&'a BuiltRig>,
    pub(super) files: &'a Files,
    /// Length of a step.
    pub(super) dt: f64,
}

/// Colliders of a body.
pub type ColliderList = List<ColliderEntry>;

impl FromRon for ColliderEntry {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        let is = |name: &str| node.head() == name || node.text() == name;
        if is(ON_BONE) {
            return OnBone::from_ron(node.options()).map(Self::OnBone);
        }
        if is(PAINTED) {
            return Painted::from_ron(node.options()).map(Self::Painted);
        }
        if is(SKIN) {
            return SkinEntry::from_ron(node.options()).map(Self::Skin);
        }
        Choice::from_ron(node).map(Self::Named)
    }
}

impl FieldValue for ColliderList {
    fn grammar() -> Grammar {
        const MORE: [Thing; 3] = [
            Thing {
                name: ON_BONE,
                summary: "collider attached to a bone of the body's rig",
                inside: Inside::Grammar(Grammar::Fields(|| OnBone::inside().members())),
            },
            Thing {
                name: PAINTED,
                summary: "collider with its own colour and gloss",
                inside: Inside::Grammar(Grammar::Fields(|| Painted::inside().members())),
            },
            Thing {
                name: SKIN,
                summary: "skin of the body's rig",
                inside: Inside::Grammar(Grammar::Fields(|| SkinEntry::inside().members())),
            },
        ];
        Grammar::List(|| {
            Grammar::Either(|| {
                vec![Choice::<Colliders>::grammar(), Grammar::Things(|| MORE.to_vec())]
            })
        })
    }

    fn expected() -> String {
        "a list in which each entry is a collider and its options, listed by `catena methods`, \
         OnBone(bone: \"…\", of: collider), Painted(of: collider, color: \"…\", gloss: …), or \
         Skin(friction: number)"
            .into()
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        for (index, entry) in self.0.iter().enumerate() {
            let path = format!("{path}[{index}]");
            match entry {
                ColliderEntry::Named(choice) => choice.check_choices(&path, faults),
                ColliderEntry::OnBone(OnBone { of: Optional(Some(choice)), .. })
                | ColliderEntry::Painted(Painted { of: Optional(Some(choice)), .. }) => {
                    choice.check_choices(&format!("{path}.of"), faults);
                }
                ColliderEntry::OnBone(_) | ColliderEntry::Painted(_) | ColliderEntry::Skin(_) => {}
            }
        }
    }
}

impl ColliderEntry {
    /// Returns the length of the options' text in bytes.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Named(choice) => choice.length(),
            Self::OnBone(OnBone { of, .. }) | Self::Painted(Painted { of, .. }) => {
                of.0.as_ref().map_or(0, Choice::length)
            }
            Self::Skin(_) => SKIN.len(),
        }
    }

    /// Look of the collider.
    pub(super) fn look(&self) -> ColliderLook {
        let (color, gloss) = match self {
            Self::Named(_) | Self::Skin(_) => return ColliderLook::default(),
            Self::OnBone(OnBone { color, gloss, .. }) => (color, gloss),
            Self::Painted(Painted { color, gloss, .. }) => (color, gloss),
        };
        ColliderLook { color: color.0, gloss: gloss.0.as_ref().map(|gloss| gloss.0) }
    }

    /// Builds the collider, attached to a bone of the rig if it names one.
    ///
    /// # Errors
    /// Returns the path suffix of the field at fault and the reason. The suffix is empty if the
    /// whole entry is at fault.
    pub(super) fn read(
        &self,
        around: &Surroundings<'_>,
    ) -> Result<Arc<dyn Collider>, (&'static str, Fault)> {
        let Surroundings { axes, nodes, rig, files, .. } = *around;
        let (bone, of) = match self {
            Self::Named(choice) => {
                return around.completed(choice, ["", ".file", ".of.file"]);
            }
            Self::Skin(skin) => return skin.read(around),
            Self::Painted(Painted { of, .. }) => {
                let Some(of) = &of.0 else {
                    let fault = Fault::new("Painted needs `of`, the collider to paint");
                    let help =
                        "write Painted(of: Sphere(center: (0, 0, 0), radius: 1), color: \"navy\")";
                    return Err(("", fault.help(help)));
                };
                return around.completed(of, [".of", ".of.file", ".of.of.file"]);
            }
            Self::OnBone(OnBone { bone, of, .. }) => (bone, of),
        };
        let (Some(bone), Some(of)) = (bone, &of.0) else {
            let fault = Fault::new("OnBone needs `bone` and `of`");
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
        if animation.scaled_on_chain_to(number).is_some_and(|scaled| rig.is_carrier(scaled)) {
            let fault = Fault::new(format!(
                "objects attached to bone “{bone}” must be rigid, but `rig.scale` scales the whole rig"
            ));
            let help = "remove `rig.scale`, and give positions and lengths at their real size";
            return Err((".bone", fault.help(help)));
        }
        if let Some(scaled) = animation.scaled_on_chain_to(number) {
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
        let of = solid_file::completed(files, of).map_err(|fault| (".of.file", fault))?;
        let moving = Moving { of, motion: Arc::new(frame) };
        let fits = moving.check().and_then(|()| moving.fits(axes, nodes));
        fits.map_err(|bad| (".of", Fault::new(format!("expected {}", bad.expected))))?;
        Ok(Arc::new(moving))
    }
}

impl Surroundings<'_> {
    /// Builds a collider of the table and reads the file that it names. The three fields are the
    /// paths for errors: of the entry, of its file, and of the file of a collider inside `Moving`.
    fn completed(
        &self,
        choice: &Choice<Colliders>,
        [entry, file, inner]: [&'static str; 3],
    ) -> Result<Arc<dyn Collider>, (&'static str, Fault)> {
        let read = choice.read_for(self.axes, self.nodes).map_err(|fault| (entry, fault))?;
        let file = if choice.is_named(Moving::NAME) { inner } else { file };
        let read = solid_file::completed(self.files, read.into()).map_err(|it| (file, it))?;
        let fits = read.fits(self.axes, self.nodes);
        fits.map_err(|bad| (file, Fault::new(format!("expected {}", bad.expected))))?;
        Ok(read)
    }
}

impl SkinEntry {
    /// Builds the solid of the rig's skins.
    fn read(&self, around: &Surroundings<'_>) -> Result<Arc<dyn Collider>, (&'static str, Fault)> {
        let help = "add `rig: (file: \"figure.glb\")` or a `skin` of its bones to the body";
        let Some(built) = around.rig else {
            let fault = Fault::new("the body has no rig and therefore no skin");
            return Err(("", fault.help(help)));
        };
        let rig = &built.shown.rig;
        if rig.skins.is_empty() {
            return Err(("", Fault::new("the rig of the body has no skins").help(help)));
        }
        let restitution = self.restitution.0.as_ref().map_or(0.0, |share| share.0);
        let friction = self.friction.0.as_ref().map_or(0.0, |friction| friction.0);
        let surface = Surface { restitution, friction };
        let built =
            SkinMotion::collider(&rig.animation, &rig.skins, rig.skinning, surface, around.dt);
        match built {
            Ok(skin) => Ok(Arc::new(skin)),
            Err((index, reason)) => Err(("", unclosed(index, rig.skins.len(), reason))),
        }
    }
}

/// Returns the fault of a skin that is not closed.
fn unclosed(index: usize, count: usize, reason: Unclosed) -> Fault {
    let of_many = || format!("skin {index} of the rig");
    let which = if count > 1 { of_many() } else { "the rig's skin".into() };
    let (facet, what) = match reason {
        Unclosed::Empty => (0, "has no triangles".into()),
        Unclosed::Missing { facet } => (facet, "refers to a vertex that does not exist".into()),
        Unclosed::Flat { facet } => (facet, "has a triangle without area".into()),
        Unclosed::Open { facet, count, .. } => {
            (facet, format!("is open: number of edges with only one triangle: {count}"))
        }
        Unclosed::Crowded { facet, .. } => {
            (facet, "has an edge that belongs to more than two triangles".into())
        }
        Unclosed::OneSided { facet } => (facet, "has no inside and outside".into()),
    };
    let fault = Fault::new(format!("{which} {what}; see triangle {facet}"));
    fault.help(
        "a collider is a solid, so its skin needs to be closed: fill the holes in a modelling \
         program, or use capsules on bones",
    )
}
