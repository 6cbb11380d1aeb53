//! Figures: animated skeletons, and meshes on their bones.

use super::morphs::{MeshMorphs, MeshShape};
use catena_sim::BadSetup;
use catena_sim::drive::rig::{Pose, Skeleton};
use catena_sim::glam::{DAffine3, DMat3, DQuat, DVec3};
use catena_sim::rig::{Skinning, outward};
use catena_sim::skin::Skin;
use catena_sim::vector::{Vec3, add, scaled, sub};
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

/// Mesh attached to bones.
#[derive(Clone, Debug)]
pub struct SkinnedMesh {
    /// Name of the mesh, which should be unique in the group.
    pub name: String,
    /// Colour in sRGB.
    pub color: [u8; 4],
    /// Points in the bind pose, without morph targets.
    pub points: Vec<DVec3>,
    /// Morph targets of the points.
    pub morphs: Option<MeshMorphs>,
    /// Triangles as point indices, counterclockwise seen from outside unless `node` mirrors the
    /// mesh.
    pub triangles: Vec<[usize; 3]>,
    /// Bone that serves as the node of the mesh. Triangles are clockwise while its map is a
    /// reflection.
    pub node: Option<usize>,
    /// Weights of bones for each point.
    pub skin: Skin,
    /// Map from mesh coordinates to bone coordinates, per bone.
    pub inverse_bind: Vec<DAffine3>,
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
            BadSetup::unless(are_bones, "bones", bad("it needs one entry for each bone"))?;
            let are_points = skin.vertices() == points.len();
            BadSetup::unless(are_points, "skin", bad("it needs weights for each point"))?;
            let is_finite = points.iter().all(|point| point.is_finite());
            BadSetup::unless(is_finite, "points", bad("they need finite numbers"))?;
            let mut targets = morphs.iter().flat_map(|morphs| &morphs.targets);
            let are_whole = targets.all(|target| target.len() == points.len());
            BadSetup::unless(are_whole, "morphs", bad("a target needs one entry for each point"))?;
            let is_map = inverse_bind.iter().all(DAffine3::is_finite);
            BadSetup::unless(is_map, "inverse_bind", bad("they need finite numbers"))?;
            let is_there = |corner: &usize| *corner < points.len();
            let are_there = triangles.iter().flatten().all(is_there);
            BadSetup::unless(are_there, "triangles", bad("a triangle has a point too many"))?;
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

impl SkinnedMesh {
    /// Points and normals of a shape for the given bone maps.
    pub(super) fn posed(
        &self,
        points: &[DVec3],
        world: &[DAffine3],
        skinning: Skinning,
    ) -> (Vec<Vec3>, Vec<Vec3>) {
        let maps: Vec<DAffine3> =
            world.iter().zip(&self.inverse_bind).map(|(bone, inverse)| *bone * *inverse).collect();
        let normals = self.rest_normals(points, world);
        // Lengths match: `Figure::new` has checked them.
        let moved = skinning.moved(&self.skin, &maps, (points, &normals));
        let (points, normals) = moved.unwrap_or_else(|_| (points.to_vec(), normals.clone()));
        let plain = |all: Vec<DVec3>| all.iter().map(DVec3::to_array).collect();
        (plain(points), plain(normals))
    }

    /// Velocities of the points of a shape for the given derivatives of the bone maps.
    pub(super) fn velocities(
        &self,
        shape: &MeshShape<'_>,
        world: &[DAffine3],
        rates: &[DAffine3],
        skinning: Skinning,
    ) -> Vec<Vec3> {
        let mut all = self.bone_velocities(&shape.points, world, rates, skinning);
        let Some(rates) = &shape.rates else { return all };
        // Where bones stand still, a place is an affine function of the point.
        let moved: Vec<DVec3> =
            shape.points.iter().zip(rates).map(|(point, rate)| point + rate).collect();
        let [now, after] =
            [&*shape.points, &moved].map(|points| self.posed(points, world, skinning).0);
        for (velocity, (now, after)) in all.iter_mut().zip(now.iter().zip(&after)) {
            *velocity = add(*velocity, sub(*after, *now));
        }
        all
    }

    /// Velocities of points that bones move. For dual quaternions this is a central difference,
    /// over a time so short that the error is about 1e-9.
    fn bone_velocities(
        &self,
        points: &[DVec3],
        world: &[DAffine3],
        rates: &[DAffine3],
        skinning: Skinning,
    ) -> Vec<Vec3> {
        if skinning == Skinning::DualQuaternion {
            let numbers = rates.iter().flat_map(DAffine3::to_cols_array);
            let h = 1e-6 / (1.0 + numbers.fold(0.0, |most: f64, rate| most.max(rate.abs())));
            let [before, after] = [-h, h].map(|h| {
                let moved = world.iter().zip(rates).map(|(bone, rate)| DAffine3 {
                    matrix3: bone.matrix3 + rate.matrix3 * h,
                    translation: bone.translation + rate.translation * h,
                });
                self.posed(points, &moved.collect::<Vec<_>>(), skinning).0
            });
            let change = |(a, b): (&Vec3, &Vec3)| scaled(sub(*b, *a), 0.5 / h);
            return before.iter().zip(&after).map(change).collect();
        }
        let maps: Vec<DAffine3> = rates
            .iter()
            .zip(&self.inverse_bind)
            .map(|(rate, inverse)| product(rate, inverse))
            .collect();
        let mut moved = points.to_vec();
        let _ = self.skin.linear(&maps, points, &mut moved);
        moved.iter().map(DVec3::to_array).collect()
    }

    /// Triangles for the given bone maps, counterclockwise seen from outside.
    pub(super) fn outward(&self, world: &[DAffine3]) -> impl Iterator<Item = [usize; 3]> {
        outward(&self.triangles, self.is_mirrored(world))
    }

    /// Whether triangles are clockwise seen from outside. The mesh's node decides or, without a
    /// node, its bones.
    fn is_mirrored(&self, world: &[DAffine3]) -> bool {
        let node = self.node.and_then(|node| world.get(node));
        node.map_or(self.do_bones_mirror(world), |map| map.matrix3.determinant() < 0.0)
    }

    /// Whether the bones reflect the mesh, judged by the first bone of the first point.
    fn do_bones_mirror(&self, world: &[DAffine3]) -> bool {
        if self.points.is_empty() {
            return false;
        }
        let first = self.skin.influences(0).next().map_or(0, |(bone, _)| bone);
        let map = world.get(first).zip(self.inverse_bind.get(first));
        map.is_some_and(|(bone, inverse)| (*bone * *inverse).matrix3.determinant() < 0.0)
    }

    /// Unit normals at the points of a shape in the bind pose. They point outwards for the given
    /// bone maps.
    pub(super) fn rest_normals(&self, points: &[DVec3], world: &[DAffine3]) -> Vec<DVec3> {
        // A reflection flips the normals of a triangle but not the order of its corners.
        let is_inward = self.is_mirrored(world) != self.do_bones_mirror(world);
        let points: Vec<Vec3> = points.iter().map(DVec3::to_array).collect();
        let mut sums = Vec::new();
        let triangles: Vec<[usize; 3]> = outward(&self.triangles, is_inward).collect();
        let facets = triangles.iter().map(|triangle| &triangle[..]);
        super::normals::add_normals(facets, &points, &mut sums);
        sums.into_iter().map(|sum| DVec3::from_array(super::normals::unit_or_any(sum))).collect()
    }
}

/// Derivative of a product whose second map is constant. The translation of a rate is the velocity
/// of the origin.
fn product(rate: &DAffine3, inverse: &DAffine3) -> DAffine3 {
    let translation = rate.matrix3 * inverse.translation + rate.translation;
    DAffine3::from_mat3_translation(rate.matrix3 * inverse.matrix3, translation)
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
