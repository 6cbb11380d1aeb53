//! Figures: animated skeletons, and meshes on their bones.

use super::morphs::SkinnedMesh;
use catena_sim::BadSetup;
use catena_sim::drive::rig::{Pose, Skeleton};
use catena_sim::glam::{DAffine3, DMat3, DQuat, DVec3};
use catena_sim::rig::Skinning;
use std::{fmt, sync::Arc};

/// Function that poses a skeleton at a time.
pub type Motion = Arc<dyn Fn(f64, &mut Pose) + Send + Sync>;

/// Animated skeleton, and the meshes that it carries.
#[derive(Clone)]
pub struct Figure {
    /// Name of the figure, which should be unique in the group.
    pub name: String,
    /// Bones of the figure.
    pub skeleton: Arc<Skeleton>,
    /// Pose at each time.
    pub motion: Motion,
    /// Skinning method of the meshes. Formats that cannot express it leave the choice to the
    /// reader.
    pub skinning: Skinning,
    /// Meshes attached to the bones.
    pub meshes: Vec<SkinnedMesh>,
}

impl fmt::Debug for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, skeleton, meshes, .. } = self;
        let mut shown = f.debug_struct("Figure");
        shown.field("name", name).field("skeleton", skeleton).field("meshes", meshes);
        shown.finish_non_exhaustive()
    }
}

/// Number of values per bone in a recording: position, quaternion and scale relative to its parent.
pub(super) const LOCAL: usize = 10;
/// Number of values in the derivative of a bone's map.
pub(super) const RATE: usize = 12;

/// Transform of a bone relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Local {
    pub(super) place: DVec3,
    pub(super) turn: DQuat,
    pub(super) scale: DVec3,
}

impl Figure {
    /// Creates a figure.
    ///
    /// # Errors
    /// Returns an error if a mesh does not fit the skeleton, a triangle refers to a missing point,
    /// or a point is not finite. The message names the mesh.
    pub fn new(
        name: impl Into<String>,
        skeleton: Arc<Skeleton>,
        motion: Motion,
        meshes: Vec<SkinnedMesh>,
        skinning: Skinning,
    ) -> Result<Self, BadSetup> {
        for SkinnedMesh { name, points, morphs, triangles, skin, inverse_bind, .. } in &meshes {
            let bad = |what: &str| format!("mesh “{name}”: {what}");
            let bones = [skin.bones(), inverse_bind.len()];
            let are_bones = bones.iter().all(|count| *count == skeleton.len());
            BadSetup::unless(are_bones, "bones", bad("`bones` needs one entry for each bone"))?;
            let are_points = skin.vertices() == points.len();
            BadSetup::unless(are_points, "skin", bad("`skin` needs weights for each point"))?;
            let is_finite = points.iter().all(|point| point.is_finite());
            BadSetup::unless(is_finite, "points", bad("they need finite numbers"))?;
            let mut targets = morphs.iter().flat_map(|morphs| &morphs.targets);
            let are_whole = targets.all(|target| target.len() == points.len());
            BadSetup::unless(
                are_whole,
                "morphs",
                bad("each morph target needs one entry for each \
                point"),
            )?;
            let is_map = inverse_bind.iter().all(DAffine3::is_finite);
            BadSetup::unless(is_map, "inverse_bind", bad("they need finite numbers"))?;
            let is_there = |corner: &usize| *corner < points.len();
            let are_there = triangles.iter().flatten().all(is_there);
            BadSetup::unless(are_there, "triangles", bad("a triangle refers to a missing point"))?;
        }
        Ok(Self { name: name.into(), skeleton, motion, meshes, skinning })
    }

    /// Number of values per frame.
    pub(super) fn numbers(&self, has_rates: bool) -> usize {
        self.skeleton.len() * (LOCAL + if has_rates { RATE } else { 0 })
    }

    /// Records a pose into `numbers`. A pose that is not finite leaves them unchanged.
    pub(super) fn record(&self, pose: &Pose, has_rates: bool, numbers: &mut [f64]) {
        let count = self.skeleton.len();
        let mut fresh: Vec<f64> = Vec::with_capacity(numbers.len());
        for (bone, parent) in self.skeleton.parents().iter().enumerate() {
            let Some(motion) = pose.bones().get(bone) else { return };
            let above = parent.and_then(|parent| pose.bones().get(parent));
            let bind = self.skeleton.bind()[bone].matrix();
            let local = match above.map(|above| above.matrix) {
                None => motion.matrix,
                Some(above) if above.matrix3.determinant() == 0.0 => bind,
                Some(above) => above.inverse() * motion.matrix,
            };
            let Local { place, turn, scale } = decomposed(&local);
            fresh.extend(place.to_array());
            fresh.extend(turn.to_array());
            fresh.extend(scale.to_array());
        }
        if has_rates {
            let rates = pose.bones().iter().take(count);
            rates.for_each(|bone| fresh.extend(bone.rate.to_cols_array()));
        }
        if fresh.len() == numbers.len() && fresh.iter().all(|value| value.is_finite()) {
            numbers.copy_from_slice(&fresh);
        }
    }

    /// Bone transforms of a recorded frame, relative to their parents.
    pub(super) fn locals(numbers: &[f64]) -> impl Iterator<Item = Local> {
        numbers.as_chunks::<LOCAL>().0.iter().map(|&[x, y, z, i, j, k, w, a, b, c]| Local {
            place: DVec3::new(x, y, z),
            turn: DQuat::from_xyzw(i, j, k, w),
            scale: DVec3::new(a, b, c),
        })
    }

    /// Maps of all bones to scene coordinates.
    pub(super) fn world(&self, numbers: &[f64]) -> Vec<DAffine3> {
        let locals: Vec<Local> = Self::locals(numbers).collect();
        let mut world = vec![DAffine3::IDENTITY; self.skeleton.len()];
        for &bone in self.skeleton.order() {
            let Some(Local { place, turn, scale }) = locals.get(bone).copied() else { break };
            let local = DAffine3::from_scale_rotation_translation(scale, turn, place);
            let parent = self.skeleton.parents()[bone];
            world[bone] = parent.map_or(local, |parent| world[parent] * local);
        }
        world
    }
}

/// Decomposes a map without shear into position, rotation and scale. An axis of zero length gets
/// any direction.
fn decomposed(map: &DAffine3) -> Local {
    let DMat3 { x_axis, y_axis, z_axis } = map.matrix3;
    let columns = [x_axis, y_axis, z_axis];
    let mut scale = columns.map(DVec3::length);
    if map.matrix3.determinant() < 0.0 {
        scale[0] = -scale[0];
    }
    let mut axes =
        [0, 1, 2].map(|k| if scale[k] == 0.0 { DVec3::ZERO } else { columns[k] / scale[k] });
    for k in 0..3 {
        let [next, last] = [(k + 1) % 3, (k + 2) % 3];
        if axes[k] == DVec3::ZERO {
            let both = axes[next].cross(axes[last]);
            axes[k] = match (axes[next], axes[last]) {
                _ if both.length() > 0.5 => both,
                (DVec3::ZERO, DVec3::ZERO) => DVec3::AXES[k],
                (DVec3::ZERO, known) | (known, _) => known.any_orthonormal_vector(),
            };
        }
    }
    let turn = DQuat::from_mat3(&DMat3::from_cols(axes[0], axes[1], axes[2]));
    Local { place: map.translation, turn: turn.normalize(), scale: DVec3::from_array(scale) }
}
