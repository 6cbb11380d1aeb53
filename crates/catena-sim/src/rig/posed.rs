//! A rig at one time: the poses of its bones and the vertices of its skins.

use super::{RestShape, Rig, RigSkin, Skinning};
use crate::drive::rig::Pose;
use crate::glam::{DMat3, DVec3};

/// A rig at one time.
#[derive(Clone, Debug)]
pub struct PosedRig<'a> {
    /// Rig that is posed.
    pub rig: &'a Rig,
    /// Transform and velocities of each bone.
    pub pose: Pose,
    /// Posed skins; empty if they were not requested.
    pub skins: Vec<PosedSkin<'a>>,
}

/// A skin at one time.
#[derive(Clone, Debug)]
pub struct PosedSkin<'a> {
    /// The skin at rest.
    pub skin: &'a RigSkin,
    /// Positions of the vertices.
    pub points: Vec<DVec3>,
    /// Unit normals of the vertices.
    pub normals: Vec<DVec3>,
    /// Whether the pose mirrors the skin.
    pub is_mirrored: bool,
}

/// A bone for drawing: from a joint to another joint, or to its own tip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosedBone {
    /// Position of the start.
    pub from: DVec3,
    /// Position of the end.
    pub to: DVec3,
    /// Unit vectors along the bone's axes, as columns.
    pub axes: DMat3,
}

/// Returns the corners of triangles, anticlockwise as seen from outside. Mirrored triangles have
/// two corners swapped.
pub fn outward(triangles: &[[usize; 3]], is_mirrored: bool) -> impl Iterator<Item = [usize; 3]> {
    let turned = move |&[a, b, c]: &[usize; 3]| if is_mirrored { [a, c, b] } else { [a, b, c] };
    triangles.iter().map(turned)
}

impl PosedRig<'_> {
    /// Returns the bones to draw: from each joint to its tip, or to its children if it has no tip.
    /// Bones that only carry others are drawn if they have a tip.
    pub fn bones(&self) -> Vec<PosedBone> {
        let bones = self.pose.bones();
        let mut drawn = Vec::new();
        for (index, parent) in self.rig.animation.skeleton().parents().iter().enumerate() {
            let bone = &bones[index];
            let axes = DMat3::from_quat(bone.turn);
            let is_drawn = |it: &usize| self.rig.tips[*it].is_none() && !self.rig.carriers[*it];
            if let Some(parent) = parent.filter(is_drawn) {
                let axes = DMat3::from_quat(bones[parent].turn);
                drawn.push(PosedBone { from: bones[parent].place(), to: bone.place(), axes });
            }
            if let Some(tip) = self.rig.tips[index] {
                drawn.push(PosedBone { from: bone.place(), to: bone.point(tip).0, axes });
            }
        }
        drawn.retain(|bone| (bone.to - bone.from).length() > 0.0);
        drawn
    }
}

impl<'a> PosedSkin<'a> {
    /// Computes a skin in a pose from its shape before bones move it. Returns `None` if its lists
    /// do not match, which the construction of a rig excludes.
    pub fn new(
        skin: &'a RigSkin,
        skinning: Skinning,
        pose: &Pose,
        rest: &RestShape<'_>,
    ) -> Option<Self> {
        let matrices = skin.matrices(pose);
        let at_rest = (&rest.points[..], &rest.normals[..]);
        let (points, normals) = skinning.moved(&skin.weights, &matrices, at_rest).ok()?;
        Some(Self { skin, points, normals, is_mirrored: skin.is_mirrored(pose) })
    }

    /// Returns the corners of each triangle, anticlockwise as seen from outside.
    pub fn triangles(&self) -> impl Iterator<Item = [usize; 3]> {
        outward(&self.skin.triangles, self.is_mirrored)
    }
}
