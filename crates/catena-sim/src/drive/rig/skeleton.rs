//! Skeletons: validated trees of bones, and their bind pose.

use super::pose::{BoneMotion, Pose};
use super::rotation::normalised;
use super::transform::{MovingTransform, Transform};
use crate::named::BadSetup;
use glam::DAffine3;
use std::collections::BTreeMap;

/// A bone in the form that users write.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Name, unique in the skeleton.
    pub name: String,
    /// Name of the parent bone; `None` for a root.
    pub parent: Option<String>,
    /// Transform relative to the parent in the bind pose.
    pub bind: Transform,
}

impl Bone {
    /// Creates a bone without a parent.
    pub fn root(name: impl Into<String>, bind: Transform) -> Self {
        Self { name: name.into(), parent: None, bind }
    }

    /// Creates a bone with a parent.
    pub fn on(parent: impl Into<String>, name: impl Into<String>, bind: Transform) -> Self {
        Self { name: name.into(), parent: Some(parent.into()), bind }
    }
}

/// One or more trees of bones. Bones keep the indices of the input.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    bind: Vec<Transform>,
    /// All bone indices, parents before their children.
    order: Vec<usize>,
    inverse_bind: Vec<DAffine3>,
}

impl Skeleton {
    /// Creates a skeleton from bones in any order, and normalises their quaternions.
    ///
    /// # Errors
    /// Returns an error that names the bone in these cases: two bones have the same name, a parent
    /// is missing, parents form a cycle, a number is not finite, or a quaternion has no length. A
    /// bone whose world matrix has no inverse because a scale is 0 is also an error.
    pub fn new(bones: Vec<Bone>) -> Result<Self, BadSetup> {
        let numbers = numbered(&bones)?;
        let mut parents = Vec::with_capacity(bones.len());
        for (index, bone) in bones.iter().enumerate() {
            parents.push(match &bone.parent {
                None => None,
                Some(parent) => Some(*numbers.get(parent.as_str()).ok_or_else(|| {
                    let message = format!("the parent “{parent}” does not exist");
                    bad_parent(index, &bone.name, message)
                })?),
            });
        }
        let order = ordered(&parents).map_err(|index| {
            bad_parent(index, &bones[index].name, circle(index, &parents, &bones))
        })?;
        let mut bind = Vec::with_capacity(bones.len());
        for (index, bone) in bones.iter().enumerate() {
            let turn = normalised(bone.bind.turn).filter(|_| bone.bind.is_finite());
            let turn = turn.ok_or_else(|| {
                bad(index, &bone.name, "its bind pose needs finite numbers and a rotation")
            })?;
            bind.push(Transform { turn, ..bone.bind });
        }
        let names = bones.into_iter().map(|bone| bone.name).collect();
        let mut skeleton = Self { names, parents, bind, order, inverse_bind: Vec::new() };
        skeleton.inverse_bind = skeleton.inverted()?;
        Ok(skeleton)
    }

    /// Returns the skeleton with one more bone, the last one, which becomes the parent of all
    /// roots.
    ///
    /// # Errors
    /// Returns an error if a bone has that name, or if its bind pose is invalid; see
    /// [`Skeleton::new`].
    pub fn carried_by(&self, name: &str, bind: Transform) -> Result<Self, BadSetup> {
        let bone = |(index, own): (usize, &String)| Bone {
            name: own.clone(),
            parent: Some(self.parents[index].map_or(name, |parent| &self.names[parent]).into()),
            bind: self.bind[index],
        };
        let mut bones: Vec<Bone> = self.names.iter().enumerate().map(bone).collect();
        bones.push(Bone::root(name, bind));
        Self::new(bones)
    }

    /// Computes the inverses of the bind pose's world matrices.
    fn inverted(&self) -> Result<Vec<DAffine3>, BadSetup> {
        let mut pose = Pose::default();
        self.bind_pose(&mut pose);
        let invert = |(index, bone): (usize, &BoneMotion)| {
            let inverse = bone.matrix.inverse();
            let is_fine = bone.matrix.matrix3.determinant() != 0.0 && inverse.is_finite();
            let message = "its world matrix has no inverse: the scale of the bone or of an ancestor is 0 or too large";
            if is_fine { Ok(inverse) } else { Err(bad(index, &self.names[index], message)) }
        };
        pose.bones().iter().enumerate().map(invert).collect()
    }

    /// Returns the number of bones.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no bones.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the index of the bone with a name.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn bone(&self, name: &str) -> Result<usize, BadSetup> {
        let found = self.names.iter().position(|other| other == name);
        found.ok_or_else(|| BadSetup::new("bone", format!("there is no bone “{name}”")))
    }

    /// Returns the names of all bones.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the parent of each bone.
    pub fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// Returns the transform of each bone relative to its parent in the bind pose.
    pub fn bind(&self) -> &[Transform] {
        &self.bind
    }

    /// Returns all bone indices, parents before their children.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Returns the inverses of the bind pose's world matrices, one per bone.
    pub fn inverse_bind(&self) -> &[DAffine3] {
        &self.inverse_bind
    }

    /// Returns the bones from the root to a bone, the bone included; empty if there is no such
    /// bone.
    pub fn chain(&self, bone: usize) -> Vec<usize> {
        let begin = Some(bone).filter(|bone| *bone < self.len());
        let mut chain: Vec<usize> =
            std::iter::successors(begin, |bone| self.parents[*bone]).collect();
        chain.reverse();
        chain
    }

    /// Returns a mask of the bones with these names and all their descendants.
    ///
    /// # Errors
    /// Returns an error if there is no bone of a name.
    pub fn mask(&self, names: &[&str]) -> Result<Vec<bool>, BadSetup> {
        let mut mask = vec![false; self.len()];
        for name in names {
            mask[self.bone(name)?] = true;
        }
        for &bone in &self.order {
            mask[bone] |= self.parents[bone].is_some_and(|parent| mask[parent]);
        }
        Ok(mask)
    }

    /// Computes the bind pose, at rest.
    pub fn bind_pose(&self, pose: &mut Pose) {
        self.pose_of(|bone| MovingTransform::resting(self.bind[bone]), pose);
    }

    /// Computes the pose in which `local` gives the transform of each bone relative to its parent.
    pub fn pose_of(&self, mut local: impl FnMut(usize) -> MovingTransform, pose: &mut Pose) {
        pose.bones.resize(self.len(), BoneMotion::WORLD);
        for &bone in &self.order {
            let parent = self.parents[bone].map_or(BoneMotion::WORLD, |parent| pose.bones[parent]);
            pose.bones[bone] = parent.carry(&local(bone));
        }
    }
}

/// Creates an error about a bone.
fn bad(index: usize, name: &str, message: impl AsRef<str>) -> BadSetup {
    BadSetup::new(format!("bones[{index}]"), format!("bone “{name}”: {}", message.as_ref()))
}

/// Creates an error about the parent of a bone.
fn bad_parent(index: usize, name: &str, message: impl AsRef<str>) -> BadSetup {
    BadSetup { field: format!("bones[{index}].parent"), ..bad(index, name, message) }
}

/// Maximum number of steps of a cycle in an error message.
const MAX_STEPS: usize = 12;

/// Describes a cycle of parents, starting at one of its bones.
fn circle(first: usize, parents: &[Option<usize>], bones: &[Bone]) -> String {
    let next = |bone: &usize| parents[*bone].filter(|parent| *parent != first);
    let all: Vec<usize> = std::iter::successors(Some(first), next).collect();
    let step = |bone: &usize| {
        let parent = parents[*bone].unwrap_or(first);
        format!("the parent of “{}” is “{}”", bones[*bone].name, bones[parent].name)
    };
    let steps: Vec<String> = all.iter().take(MAX_STEPS).map(step).collect();
    let more = match all.len() - steps.len() {
        0 => String::new(),
        more => format!(", and {more} more up to “{}”", bones[first].name),
    };
    format!("the parents form a loop: {}{more}", steps.join(", "))
}

/// Returns the index of each bone by name, or an error if two bones have the same name.
fn numbered(bones: &[Bone]) -> Result<BTreeMap<&str, usize>, BadSetup> {
    let mut numbers = BTreeMap::new();
    for (index, bone) in bones.iter().enumerate() {
        if let Some(other) = numbers.insert(bone.name.as_str(), index) {
            return Err(bad(index, &bone.name, format!("bones[{other}] has the same name")));
        }
    }
    Ok(numbers)
}

/// Returns all bones with parents before their children, otherwise in index order. Returns a bone
/// of a cycle as the error.
fn ordered(parents: &[Option<usize>]) -> Result<Vec<usize>, usize> {
    let mut children = vec![Vec::new(); parents.len()];
    let mut order = Vec::with_capacity(parents.len());
    for (bone, parent) in parents.iter().enumerate() {
        match parent {
            Some(parent) => children[*parent].push(bone),
            None => order.push(bone),
        }
    }
    let mut next = 0;
    while let Some(&bone) = order.get(next) {
        order.extend(&children[bone]);
        next += 1;
    }
    if order.len() == parents.len() {
        return Ok(order);
    }
    let mut is_reached = vec![false; parents.len()];
    order.iter().for_each(|bone| is_reached[*bone] = true);
    // The ancestors of an unreached bone lead into a cycle, after at most as many steps as there
    // are bones.
    let mut bone = is_reached.iter().position(|reached| !reached).unwrap_or_default();
    for _ in 0..parents.len() {
        bone = parents[bone].unwrap_or(bone);
    }
    Err(bone)
}
