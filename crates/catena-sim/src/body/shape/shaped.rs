//! A rope of any shape, with an optional rest length and profile, or hanging at rest.

use super::path::{Geometry, RopeShape};
use super::profile::Profile;
use super::rope::LastNode;
use super::{Rope, Topology, check_axes};
use crate::body::hanging::{LinkLaw, hanging_chain};
use crate::body::vector::{Vec3, norm, sub};
use crate::body::{Arrangement, Model, Spring, State};
use crate::named::BadSetup;
use std::{fmt, sync::Arc};

/// A rope along the line of a shape. Nodes are at equal distances and all springs have one rest
/// length.
#[derive(Clone, Debug)]
pub struct ShapedRope {
    /// Ends, number of nodes, matter and pins of the rope.
    pub rope: Rope,
    /// Shape along which the rope starts.
    pub shape: Arc<dyn RopeShape>,
    /// Total rest length of all springs, above zero; `None` for the initial length. Bending springs
    /// scale in proportion.
    pub length: Option<f64>,
    /// Variation of mass and stiffness along the rope.
    pub profile: Profile,
    /// Loads on a hanging shape, which is refused without them.
    pub hanging: Option<HangingLoads>,
}

/// Stiffness of a spring as a method uses it.
pub type StiffnessOf = Arc<dyn Fn(&Spring) -> f64 + Send + Sync>;

/// Loads and springs that determine how a rope hangs, in addition to its weights.
#[derive(Clone)]
pub struct HangingLoads {
    /// Acceleration of gravity, one number per axis.
    pub gravity: Vec<f64>,
    /// Whether springs stretch or are rigid.
    pub links: LinkLaw,
    /// Stiffness of each spring as the method uses it; `None` for the spring's own.
    pub stiffness_of: Option<StiffnessOf>,
}

impl fmt::Debug for HangingLoads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { gravity, links, .. } = self;
        f.debug_struct("HangingLoads").field("gravity", gravity).field("links", links).finish()
    }
}

impl Rope {
    /// Places the rope along the line of a shape.
    #[must_use]
    pub fn shaped(self, shape: impl RopeShape + 'static) -> ShapedRope {
        let (shape, profile) = (Arc::new(shape), Profile::default());
        ShapedRope { rope: self, shape, length: None, profile, hanging: None }
    }
}

impl ShapedRope {
    /// Sets the length at rest, above zero.
    #[must_use]
    pub fn length(self, length: f64) -> Self {
        Self { length: Some(length), ..self }
    }

    /// Sets the variation along the rope.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Self { profile, ..self }
    }

    /// Sets the loads for shapes that hang: gravity, and whether springs stretch.
    #[must_use]
    pub fn hanging_by(self, gravity: impl Into<Vec<f64>>, links: LinkLaw) -> Self {
        let hanging = HangingLoads { gravity: gravity.into(), links, stiffness_of: None };
        Self { hanging: Some(hanging), ..self }
    }

    /// Returns the positions of the nodes and whether they form a ring; `None` for a plain straight
    /// rope.
    fn places(&self, axes: usize) -> Result<Option<(Vec<Vec3>, bool)>, BadSetup> {
        let Rope { start, end, nodes, last_node, .. } = &self.rope;
        let fits = self.shape.check().and_then(|()| self.shape.fits(axes, *nodes));
        fits.map_err(|bad| BadSetup::option("shape", &bad))?;
        let point = |end: &[f64]| [0, 1, 2].map(|axis| end.get(axis).copied().unwrap_or(0.0));
        let refused = |message: String| BadSetup::new("shape", message);
        let line = self.shape.line([point(start), point(end)]).map_err(refused)?;
        let is_short = *last_node == LastNode::OneSpacingShort;
        if matches!(line.geometry, Geometry::Straight) {
            return Ok(None);
        }
        let message = "a ring has no end, so its last node cannot be one spacing before the end";
        BadSetup::unless(!(line.is_closed && is_short), "last_node", message)?;
        let count = nodes + usize::from(is_short);
        let places = line.nodes(count);
        let no_length = "the shape has no length, or is too short for its number of nodes";
        let mut places = places.ok_or_else(|| BadSetup::new("shape", no_length))?;
        places.truncate(*nodes);
        let is_apart = |pair: &[Vec3]| {
            let distance = norm(sub(pair[1], pair[0]));
            (distance * distance).is_normal()
        };
        BadSetup::unless(places.windows(2).all(is_apart), "shape", no_length)?;
        Ok(Some((places, line.is_closed)))
    }

    /// Moves the nodes to the positions at which they hang at rest between the first and the last.
    fn hang(&self, model: &Model, x: &mut Vec<f64>) -> Result<(), BadSetup> {
        let Some(HangingLoads { gravity, links, stiffness_of }) = &self.hanging else {
            return Err(BadSetup::new("shape", "the forces on it are unknown: call `hanging_by`"));
        };
        let has_gravity = gravity.len() == model.axes && norm(gravity) > 0.0;
        let message = "a hanging shape needs gravity";
        BadSetup::unless(has_gravity, "shape", message)?;
        let mut taken = model.clone();
        taken.pinned.fill(false);
        let last = model.nodes() - 1;
        (taken.pinned[0], taken.pinned[last]) = (true, true);
        if let Some(stiffness_of) = stiffness_of {
            taken.springs.iter_mut().for_each(|spring| spring.stiffness = stiffness_of(spring));
        }
        let found = hanging_chain(&taken, x, gravity, *links);
        let is_found = |x: &Vec<f64>| x.iter().all(|x| x.is_finite());
        *x = found
            .filter(is_found)
            .ok_or_else(|| BadSetup::new("shape", self.unbalanced(&taken, gravity, *links)))?;
        Ok(())
    }

    /// Explains why no hanging shape was found for these springs.
    fn unbalanced(&self, model: &Model, gravity: &[f64], links: LinkLaw) -> String {
        let offset: Vec<f64> =
            self.rope.start.iter().zip(&self.rope.end).map(|(a, b)| b - a).collect();
        let (distance, length, g) = (norm(&offset), model.rest_length(), norm(gravity));
        if links == LinkLaw::Rigid && length <= distance * (1.0 + 1e-9) {
            return format!(
                "the method keeps lengths, so a rope of length {length} cannot span a distance of \
                 {distance}: it must be longer"
            );
        }
        let drop: f64 = offset.iter().zip(gravity).map(|(offset, down)| offset * down / g).sum();
        let across: Vec<f64> =
            offset.iter().zip(gravity).map(|(offset, down)| offset - drop * down / g).collect();
        let weight = g * model.mass.iter().sum::<f64>();
        let stretch: f64 = model.structural().iter().map(|spring| weight / spring.stiffness).sum();
        let why = if norm(&across) <= 0.02 * length {
            "one end is almost exactly above the other"
        } else if links == LinkLaw::Elastic && stretch > 1e6 * length {
            "the springs are too soft for the weight, which stretches the rope to millions of times its length"
        } else {
            "masses, stiffnesses and lengths along the rope differ too much"
        };
        format!("no balance of forces was found: {why}")
    }
}

/// Scales the lengths of springs by a factor. Structural springs get one rest length if nodes are
/// at equal distances. At a corner sharper than a right angle one may differ.
fn rest(model: &mut Model, rest_length: f64, factor: f64) {
    let structural = model.structural;
    let is_even =
        |spring: &Spring| (spring.rest_length * factor - rest_length).abs() <= 1e-9 * rest_length;
    let are_even = model.structural().iter().all(is_even);
    for (j, spring) in model.springs.iter_mut().enumerate() {
        let is_along = j < structural && are_even;
        spring.rest_length = if is_along { rest_length } else { spring.rest_length * factor };
    }
}

impl Topology for ShapedRope {
    fn build(&self) -> Result<(Model, State), BadSetup> {
        let rope = &self.rope;
        let axes = check_axes(&[("start", &rope.start), ("end", &rope.end)])?;
        rope.check()?;
        if let Some(length) = self.length {
            let message = format!("expected a finite number above 0, found {length}");
            BadSetup::unless(length > 0.0 && length.is_finite(), "length", message)?;
        }
        let (mut model, mut state) = match (self.places(axes)?, self.length) {
            (None, None) => rope.build()?,
            (places, length) => {
                let (x, is_ring) = match places {
                    Some((places, is_ring)) => {
                        let x = (0..axes).flat_map(|axis| places.iter().map(move |p| p[axis]));
                        (x.collect(), is_ring)
                    }
                    None => (rope.build()?.1.x, false),
                };
                let parts = if is_ring { rope.nodes } else { rope.nodes - 1 } as f64;
                let placed = rope.joined(&x, axes, is_ring, 1.0)?;
                let own: f64 = placed.structural().iter().map(|spring| spring.rest_length).sum();
                let rest_length = length.unwrap_or(own) / parts;
                let mut model = rope.joined(&x, axes, is_ring, rest_length)?;
                rest(&mut model, rest_length, length.map_or(1.0, |length| length / own));
                (model, State::at_rest(x))
            }
        };
        self.profile.apply(&mut model)?;
        if self.shape.hangs() {
            let is_chain = model.arrangement == Arrangement::Chain;
            BadSetup::unless(is_chain, "shape", "a ring does not hang between two ends")?;
            self.hang(&model, &mut state.x)?;
            // Bending springs are at rest in the hanging shape.
            for j in model.structural..model.springs.len() {
                model.springs[j].rest_length = model.span(&state.x, &model.springs[j]).1;
            }
        }
        Ok((model, state))
    }
}
