//! A rig at a time: where its bones and the vertices of its skins are.

use super::{Rig, RigSkin, Skinning};
use crate::drive::rig::Pose;
use crate::glam::{DMat3, DVec3};

/// A rig at a time.
#[derive(Clone, Debug)]
pub struct PosedRig<'a> {
    /// What it is.
    pub rig: &'a Rig,
    /// How each bone lies and moves.
    pub pose: Pose,
    /// Its skins; empty where they were not asked for.
    pub skins: Vec<PosedSkin<'a>>,
}

/// A skin at a time.
#[derive(Clone, Debug)]
pub struct PosedSkin<'a> {
    /// What it is at rest.
    pub skin: &'a RigSkin,
    /// Where its vertices are.
    pub points: Vec<DVec3>,
    /// Its normals there, of length 1.
    pub normals: Vec<DVec3>,
    /// Whether the pose mirrors it.
    pub is_mirrored: bool,
}

/// A bone as it is drawn: from a joint to another, or to its own tip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosedBone {
    /// Where it begins.
    pub from: DVec3,
    /// Where it ends.
    pub to: DVec3,
    /// Its axes, each of length 1.
    pub axes: DMat3,
}

/// Corners of triangles, anticlockwise as seen from outside; what is mirrored swaps two of them.
pub fn outward(triangles: &[[usize; 3]], is_mirrored: bool) -> impl Iterator<Item = [usize; 3]> {
    let turned = move |&[a, b, c]: &[usize; 3]| if is_mirrored { [a, c, b] } else { [a, b, c] };
    triangles.iter().map(turned)
}

impl PosedRig<'_> {
    /// The bones that are drawn: from each joint to its tip, or to its children where it has none.
    /// What only carries a figure is drawn where it has a tip.
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
    /// A skin in a pose; `None` where its lists do not fit together, which building refuses.
    pub fn new(skin: &'a RigSkin, skinning: Skinning, pose: &Pose) -> Option<Self> {
        let matrices = skin.matrices(pose);
        let at_rest = (&skin.points[..], &skin.normals[..]);
        let (points, normals) = skinning.moved(&skin.weights, &matrices, at_rest).ok()?;
        Some(Self { skin, points, normals, is_mirrored: skin.is_mirrored(pose) })
    }

    /// Corners of each triangle, anticlockwise as seen from outside.
    pub fn triangles(&self) -> impl Iterator<Item = [usize; 3]> {
        outward(&self.skin.triangles, self.is_mirrored)
    }
}
