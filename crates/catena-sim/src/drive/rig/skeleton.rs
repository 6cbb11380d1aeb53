//! Skeletons: trees of bones, checked once, and how they lie when nothing moves them.

use super::pose::{BoneMotion, Pose};
use super::rotation::normalised;
use super::transform::{MovingTransform, Transform};
use crate::named::BadSetup;
use glam::DAffine3;
use std::collections::BTreeMap;

/// A bone as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// Its name, which no other bone of the skeleton has.
    pub name: String,
    /// The name of the bone that carries it; a root has none.
    pub parent: Option<String>,
    /// Where it lies beside its parent in the bind pose.
    pub bind: Transform,
}

impl Bone {
    /// A bone without a parent.
    pub fn root(name: impl Into<String>, bind: Transform) -> Self {
        Self { name: name.into(), parent: None, bind }
    }

    /// A bone that another one carries.
    pub fn on(parent: impl Into<String>, name: impl Into<String>, bind: Transform) -> Self {
        Self { name: name.into(), parent: Some(parent.into()), bind }
    }
}

/// A tree of bones, or several trees. Bones keep the numbers in which they were given.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    bind: Vec<Transform>,
    /// All bones, parents before their children.
    order: Vec<usize>,
    inverse_bind: Vec<DAffine3>,
}

impl Skeleton {
    /// A skeleton of bones in any order. Quaternions become unit ones.
    ///
    /// # Errors
    /// Where two bones have one name, a parent is missing, bones carry each other in a circle, a
    /// number is not finite, a quaternion has no length, or the world matrix of a bone has no
    /// inverse because a scale is 0. The message names the bone.
    pub fn new(bones: Vec<Bone>) -> Result<Self, BadSetup> {
        let numbers = numbered(&bones)?;
        let mut parents = Vec::with_capacity(bones.len());
        for (index, bone) in bones.iter().enumerate() {
            parents.push(match &bone.parent {
                None => None,
                Some(parent) => Some(*numbers.get(parent.as_str()).ok_or_else(|| {
                    let message = format!("there is no bone “{parent}” to carry it");
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

    /// The same skeleton with a bone more, the last one, which carries all that nothing carried.
    ///
    /// # Errors
    /// Where a bone has that name, or its bind pose cannot be, see [`Skeleton::new`].
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

    /// Inverses of the world matrices of the bind pose.
    fn inverted(&self) -> Result<Vec<DAffine3>, BadSetup> {
        let mut pose = Pose::default();
        self.bind_pose(&mut pose);
        let invert = |(index, bone): (usize, &BoneMotion)| {
            let inverse = bone.matrix.inverse();
            let is_fine = bone.matrix.matrix3.determinant() != 0.0 && inverse.is_finite();
            let message =
                "its world matrix has no inverse: a scale on the way to it is 0 or too large";
            if is_fine { Ok(inverse) } else { Err(bad(index, &self.names[index], message)) }
        };
        pose.bones().iter().enumerate().map(invert).collect()
    }

    /// How many bones there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The number of the bone with a name.
    ///
    /// # Errors
    /// Where there is none.
    pub fn bone(&self, name: &str) -> Result<usize, BadSetup> {
        let found = self.names.iter().position(|other| other == name);
        found.ok_or_else(|| BadSetup::new("bone", format!("there is no bone “{name}”")))
    }

    /// Names of all bones.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The bone that carries each bone.
    pub fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// Where each bone lies beside its parent in the bind pose.
    pub fn bind(&self) -> &[Transform] {
        &self.bind
    }

    /// All bones, parents before their children.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Inverses of the world matrices of the bind pose, a bone each.
    pub fn inverse_bind(&self) -> &[DAffine3] {
        &self.inverse_bind
    }

    /// The bones from a root to a bone, the bone included; empty if there is no such bone.
    pub fn chain(&self, bone: usize) -> Vec<usize> {
        let begin = Some(bone).filter(|bone| *bone < self.len());
        let mut chain: Vec<usize> =
            std::iter::successors(begin, |bone| self.parents[*bone]).collect();
        chain.reverse();
        chain
    }

    /// Which bones are among those with these names or are carried by one of them.
    ///
    /// # Errors
    /// Where there is no bone of a name.
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

    /// The pose of bones at rest in the bind pose.
    pub fn bind_pose(&self, pose: &mut Pose) {
        self.pose_of(|bone| MovingTransform::resting(self.bind[bone]), pose);
    }

    /// The pose in which each bone lies beside its parent as `local` says.
    pub fn pose_of(&self, mut local: impl FnMut(usize) -> MovingTransform, pose: &mut Pose) {
        pose.bones.resize(self.len(), BoneMotion::WORLD);
        for &bone in &self.order {
            let parent = self.parents[bone].map_or(BoneMotion::WORLD, |parent| pose.bones[parent]);
            pose.bones[bone] = parent.carry(&local(bone));
        }
    }
}

/// The error of a bone.
fn bad(index: usize, name: &str, message: impl AsRef<str>) -> BadSetup {
    BadSetup::new(format!("bones[{index}]"), format!("bone “{name}”: {}", message.as_ref()))
}

/// The error of what a bone says of its parent.
fn bad_parent(index: usize, name: &str, message: impl AsRef<str>) -> BadSetup {
    BadSetup { field: format!("bones[{index}].parent"), ..bad(index, name, message) }
}

/// So many steps of a circle are written out.
const MOST_STEPS: usize = 12;

/// How bones carry each other in a circle, from one of them the whole way round.
fn circle(first: usize, parents: &[Option<usize>], bones: &[Bone]) -> String {
    let next = |bone: &usize| parents[*bone].filter(|parent| *parent != first);
    let all: Vec<usize> = std::iter::successors(Some(first), next).collect();
    let step = |bone: &usize| {
        let parent = parents[*bone].unwrap_or(first);
        format!("“{}” is on “{}”", bones[*bone].name, bones[parent].name)
    };
    let steps: Vec<String> = all.iter().take(MOST_STEPS).map(step).collect();
    let more = match all.len() - steps.len() {
        0 => String::new(),
        more => format!(", and {more} more up to “{}”", bones[first].name),
    };
    format!("it carries itself, in a circle: {}{more}", steps.join(", "))
}

/// Numbers of bones by name.
fn numbered(bones: &[Bone]) -> Result<BTreeMap<&str, usize>, BadSetup> {
    let mut numbers = BTreeMap::new();
    for (index, bone) in bones.iter().enumerate() {
        if let Some(other) = numbers.insert(bone.name.as_str(), index) {
            return Err(bad(index, &bone.name, format!("bones[{other}] has the same name")));
        }
    }
    Ok(numbers)
}

/// All bones, each after its parent and else in order of their numbers; a bone of a circle where
/// there is one.
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
    // Every bone that is not reached leads up to a circle; as many steps as bones end in it.
    let mut bone = is_reached.iter().position(|reached| !reached).unwrap_or_default();
    for _ in 0..parents.len() {
        bone = parents[bone].unwrap_or(bone);
    }
    Err(bone)
}
