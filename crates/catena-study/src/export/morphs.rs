//! Morph targets of figures: displacements that weights add to a mesh before bones move it.

use catena_sim::glam::{DAffine3, DVec3};
use catena_sim::rig::{Skinning, outward};
use catena_sim::skin::Skin;
use catena_sim::vector::{Vec3, add, scaled, sub};
use std::{borrow::Cow, fmt, sync::Arc};

/// Function that returns the weight of each target at a time, and its rate.
pub type MorphWeights = Arc<dyn Fn(f64) -> Vec<(f64, f64)> + Send + Sync>;

/// Morph targets of a mesh.
#[derive(Clone)]
pub struct MeshMorphs {
    /// Displacement of each point at a weight of 1, per target.
    pub targets: Vec<Vec<DVec3>>,
    /// Weights over time.
    pub weights: MorphWeights,
}

impl fmt::Debug for MeshMorphs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MeshMorphs").field("targets", &self.targets).finish_non_exhaustive()
    }
}

/// Points of a mesh at a time, before bones move them.
pub(crate) struct MeshShape<'a> {
    pub(super) points: Cow<'a, [DVec3]>,
    /// Velocity of each point; `None` if the shape does not change.
    pub(super) rates: Option<Vec<DVec3>>,
}

impl SkinnedMesh {
    /// Shape of the mesh at a time.
    pub(super) fn shape_at(&self, t: f64) -> MeshShape<'_> {
        let Some(MeshMorphs { targets, weights }) = &self.morphs else {
            return MeshShape { points: Cow::Borrowed(&self.points), rates: None };
        };
        let mut points = self.points.clone();
        let mut rates = vec![DVec3::ZERO; points.len()];
        for (target, (weight, rate)) in targets.iter().zip(weights(t)) {
            for ((point, moved), by) in points.iter_mut().zip(&mut rates).zip(target) {
                *point += *by * weight;
                *moved += *by * rate;
            }
        }
        MeshShape { points: Cow::Owned(points), rates: Some(rates) }
    }

    /// Weights of the targets at a time; empty if there are no targets.
    pub(super) fn weights_at(&self, t: f64) -> Vec<f32> {
        let weights = self.morphs.as_ref().map(|morphs| (morphs.weights)(t)).unwrap_or_default();
        weights.iter().map(|(weight, _)| *weight as f32).collect()
    }

    /// Points with a weight of 1 of each target alone.
    pub(super) fn targets(&self) -> impl Iterator<Item = Vec<DVec3>> {
        let targets = self.morphs.iter().flat_map(|morphs| &morphs.targets);
        targets.map(|target| self.points.iter().zip(target).map(|(point, by)| point + by).collect())
    }
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

impl SkinnedMesh {
    /// Points and normals of a shape for the given bone maps.
    pub(crate) fn posed(
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
    pub(crate) fn velocities(
        &self,
        shape: &MeshShape<'_>,
        world: &[DAffine3],
        rates: &[DAffine3],
        skinning: Skinning,
    ) -> Vec<Vec3> {
        let mut all = self.bone_velocities(&shape.points, world, rates, skinning);
        let Some(rates) = &shape.rates else { return all };
        // If bones stand still, a position is an affine function of the point.
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
            let h = 1e-6 / (1.0 + numbers.fold(0.0, |maximum: f64, rate| maximum.max(rate.abs())));
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
    pub(crate) fn outward(&self, world: &[DAffine3]) -> impl Iterator<Item = [usize; 3]> {
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
    pub(crate) fn rest_normals(&self, points: &[DVec3], world: &[DAffine3]) -> Vec<DVec3> {
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
pub(crate) fn product(rate: &DAffine3, inverse: &DAffine3) -> DAffine3 {
    let translation = rate.matrix3 * inverse.translation + rate.translation;
    DAffine3::from_mat3_translation(rate.matrix3 * inverse.matrix3, translation)
}
