//! Skins of a rig as a single solid that nodes cannot enter.
//!
//! Files repeat vertices along texture seams. Vertices with the same position at rest, bones,
//! weights and morphs move together, so they count as one.

use super::{RigSkin, Skinning};
use crate::contact::collider::Surface;
use crate::contact::collider::facets::{Facets, Unclosed};
use crate::contact::deformation::Deformation;
use crate::contact::skin::Skin;
use crate::drive::rig::{Animation, Pose};
use crate::drive::track::Extent;
use crate::glam::{DAffine3, DVec3};
use crate::identity::{Identifier, Identity};
use crate::vector::Vec3;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Half of the time between the two poses from which velocities are computed, relative to a step.
const HALF: f64 = 0.5;

/// A skin, and the vertices in its file that are points of the solid.
#[derive(Clone)]
struct Layer {
    skin: Arc<RigSkin>,
    vertices: Vec<usize>,
}

/// Skins of a rig as functions of time.
pub struct SkinMotion {
    animation: Arc<Animation>,
    skinning: Skinning,
    layers: Vec<Layer>,
    /// Half of the time between the two poses from which velocities are computed.
    half: f64,
}

/// Bones and weights of a vertex, by their bits.
type Influence = Vec<(usize, u64)>;

/// Bits of a position.
type Bits = [u64; 3];

impl SkinMotion {
    /// Creates the solid of a rig's skins. `dt` is the length of a step.
    ///
    /// # Errors
    /// Index of a skin that is not closed, and the reason.
    pub fn collider(
        animation: &Arc<Animation>,
        skins: &[Arc<RigSkin>],
        skinning: Skinning,
        surface: Surface,
        dt: f64,
    ) -> Result<Skin, (usize, Unclosed)> {
        let (mut layers, mut points, mut facets) = (Vec::new(), Vec::new(), Vec::new());
        for (index, skin) in skins.iter().enumerate() {
            let (layer, of_skin) = welded(skin);
            let rest: Vec<Vec3> =
                layer.vertices.iter().map(|&vertex| skin.points[vertex].to_array()).collect();
            Facets::new(rest.clone(), &of_skin).map_err(|reason| (index, reason))?;
            let first = points.len();
            points.extend(rest);
            facets.extend(of_skin.into_iter().map(|facet| facet.map(|corner| first + corner)));
            layers.push(layer);
        }
        let rest = Facets::new(points, &facets).map_err(|reason| (0, reason))?;
        let (animation, half) = (Arc::clone(animation), HALF * dt);
        let motion = Self { animation, skinning, layers, half };
        Ok(Skin::new(rest, Arc::new(motion), surface))
    }

    /// Returns the positions of all points in the pose at `t`.
    fn points(&self, t: f64) -> Vec<Vec3> {
        let mut pose = Pose::default();
        self.animation.pose(t, &mut pose);
        let mut all = Vec::new();
        for Layer { skin, vertices } in &self.layers {
            let rest = skin.rest_at(&self.animation, t);
            let at_rest = (&rest.points[..], &rest.normals[..]);
            let moved = self.skinning.moved(&skin.weights, &skin.matrices(&pose), at_rest);
            let points = moved.map_or_else(|_| skin.points.clone(), |(points, _)| points);
            all.extend(vertices.iter().map(|&vertex| points[vertex].to_array()));
        }
        all
    }

    /// Returns positions and velocities of linear skinning, whose maps have exact derivatives.
    fn linear(&self, t: f64) -> (Vec<Vec3>, Vec<Vec3>) {
        let mut pose = Pose::default();
        self.animation.pose(t, &mut pose);
        let bones = pose.bones();
        let (mut points, mut velocities) = (Vec::new(), Vec::new());
        for Layer { skin, vertices } in &self.layers {
            let maps = |rate: bool| -> Vec<DAffine3> {
                let of_joint = |(joint, inverse): (&usize, &DAffine3)| {
                    let bone = &bones[*joint];
                    let map = if rate { &bone.rate } else { &bone.matrix };
                    DAffine3 {
                        matrix3: map.matrix3 * inverse.matrix3,
                        translation: map.matrix3 * inverse.translation + map.translation,
                    }
                };
                skin.joints.iter().zip(&skin.inverse_bind).map(of_joint).collect()
            };
            let (now, rates) = (maps(false), maps(true));
            let rest = skin.rest_at(&self.animation, t);
            for &vertex in vertices {
                let at_rest = rest.points[vertex];
                let mean = |of: &dyn Fn(usize) -> DVec3| {
                    let terms = skin.weights.influences(vertex);
                    let moved = terms.map(|(joint, weight)| of(joint) * weight);
                    moved.fold(DVec3::ZERO, |sum, term| sum + term)
                };
                let mapped = |map: &DAffine3| map.matrix3 * at_rest + map.translation;
                let velocity = mean(&|joint| mapped(&rates[joint]));
                let morphed = rest.rates.as_ref().map(|rates| rates[vertex]);
                let morphed = morphed.map(|rate| mean(&|joint| now[joint].matrix3 * rate));
                points.push(mean(&|joint| mapped(&now[joint])).to_array());
                velocities.push(morphed.map_or(velocity, |own| velocity + own).to_array());
            }
        }
        (points, velocities)
    }
}

/// Returns the vertices that are points of a solid, and the triangles between these points.
/// Triangles that lose a corner are left out.
fn welded(skin: &Arc<RigSkin>) -> (Layer, Vec<[usize; 3]>) {
    let mut known: BTreeMap<(Vec<Bits>, Influence), usize> = BTreeMap::new();
    let (mut vertices, mut numbers) = (Vec::new(), Vec::new());
    // Positive and negative zero are the same position.
    let bits = |point: &DVec3| point.to_array().map(|x| (x + 0.0).to_bits());
    for (vertex, point) in skin.points.iter().enumerate() {
        let targets = skin.morphs.iter().flat_map(|morphs| &morphs.targets);
        let morphed = targets.filter_map(|target| target.points.get(vertex));
        let place: Vec<Bits> = [point].into_iter().chain(morphed).map(bits).collect();
        let mut influence: Influence = skin
            .weights
            .influences(vertex)
            .map(|(bone, weight)| (bone, weight.to_bits()))
            .collect();
        influence.sort_unstable();
        let number = *known.entry((place, influence)).or_insert_with(|| {
            vertices.push(vertex);
            vertices.len() - 1
        });
        numbers.push(number);
    }
    let facets = skin.triangles.iter().map(|facet| facet.map(|corner| numbers[corner]));
    let is_whole = |[a, b, c]: &[usize; 3]| a != b && b != c && c != a;
    let facets = facets.filter(is_whole).collect();
    (Layer { skin: Arc::clone(skin), vertices }, facets)
}

impl Deformation for SkinMotion {
    fn at(&self, t: f64) -> (Vec<Vec3>, Vec<Vec3>) {
        if self.skinning == Skinning::Linear {
            return self.linear(t);
        }
        let [before, now, after] = [t - self.half, t, t + self.half].map(|t| self.points(t));
        let rate = |(before, after): (&Vec3, &Vec3)| {
            [0, 1, 2].map(|axis: usize| (after[axis] - before[axis]) / (2.0 * self.half))
        };
        let velocities = before.iter().zip(&after).map(rate).collect();
        (now, velocities)
    }

    fn extent(&self) -> Extent {
        self.animation.extent()
    }
}

/// Identifies the skeleton, its layers, and everything that determines how skins follow them.
impl Identity for SkinMotion {
    fn identify(&self, to: &mut Identifier<'_>) {
        let Self { animation, skinning, layers, half } = self;
        (half, *skinning == Skinning::Linear).identify(to);
        animation.identify(to);
        for Layer { skin, vertices } in layers {
            (&skin.points[..], &vertices[..], &skin.joints[..]).identify(to);
            if let Some(morphs) = &skin.morphs {
                morphs.identify(to);
                skin.node.identify(to);
            }
            let maps = skin.inverse_bind.iter();
            maps.for_each(|map| map.to_cols_array().identify(to));
            for &vertex in vertices {
                let influences: Vec<(usize, f64)> = skin.weights.influences(vertex).collect();
                influences.identify(to);
            }
        }
    }
}

impl fmt::Debug for SkinMotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let points: usize = self.layers.iter().map(|layer| layer.vertices.len()).sum();
        write!(f, "of {points} points")
    }
}
