//! Variants of a sweep: from numbers to values, and from values to scenes.

use super::super::diagnostic::Fault;
use super::super::error::SceneError;
use super::super::load::{finish, parse_placed};
use super::super::parts::Scene;
use super::super::patch::meant;
use super::super::read::read_text;
use super::super::stack::SourceLayer;
use super::super::unknown_field::shapes_in;
use super::Sweep;
use super::axis::{Axis, Steps};
use crate::grammar::Scope;
use crate::layer_faults::check_layer;

/// Maximum number of interval values that are checked before a sweep begins. Faults of later values
/// appear in the rows of the table.
const MAX_TRIED: u64 = 4096;

/// Value of one field in a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AxisValue {
    /// Path of the field.
    pub path: String,
    /// Value in scene syntax.
    pub value: String,
    /// Offset of the value in the text of its axis.
    at: usize,
}

impl AxisValue {
    /// Returns the value as a number, if it is one.
    pub fn number(&self) -> Option<f64> {
        read_text(&self.value).ok()
    }
}

/// Variant of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Number of the variant, from 0.
    pub number: u64,
    /// Values of all axes, in order.
    pub values: Vec<AxisValue>,
}

impl Sweep {
    /// Returns the variant with a number, even if it is excluded. Numbers begin at 0.
    pub fn variant(&self, number: u64) -> Variant {
        let mut rest = number;
        let mut indices = vec![0; self.axes.len()];
        for (index, axis) in indices.iter_mut().zip(&self.axes).rev() {
            if let Some(count) = axis.count() {
                (*index, rest) = (rest % count, rest / count);
            }
        }
        let (mut side, mut values) = (0, Vec::new());
        for (axis, index) in self.axes.iter().zip(indices) {
            let share = match (&axis.steps, self.sample) {
                (Steps::Sampled(_), Some(sample)) => {
                    side += 1;
                    sample.at(rest, side - 1)
                }
                _ => 0.0,
            };
            let texts = axis.value(index, share).into_iter();
            values.extend(axis.paths.iter().zip(texts).map(|((path, _), (value, at))| AxisValue {
                path: path.clone(),
                value,
                at,
            }));
        }
        Variant { number, values }
    }

    /// Builds the scene of a variant for pictures. Panels that axes make equal are shown once.
    ///
    /// # Errors
    /// Returns an error when there is no such variant, a pattern excludes it, or its values do not
    /// fit the scene.
    pub fn numbered(&self, number: u64) -> Result<Scene, SceneError> {
        let refuse = |message: String, help: String| {
            let fault = Fault::new(message).help(help);
            Err(SceneError::new(&self.origin, "", fault))
        };
        if number >= self.variants {
            return refuse(format!("there is no variant {number}"), self.numbering());
        }
        let variant = self.variant(number);
        if self.leaves_out(&variant) {
            let message = format!("the sweep excludes variant {number}");
            return refuse(message, "a pattern of `except` matches it".into());
        }
        self.built(&variant, false)
    }

    /// Returns advice about the numbers of variants.
    fn numbering(&self) -> String {
        match self.variants {
            1 if self.axes.is_empty() => {
                "this scene has no axes, so its only variant is 0; --axis PATH=VALUES adds variants"
                    .into()
            }
            1 => "the sweep has only one variant, which has the number 0".into(),
            all => format!("variants are numbered from 0 to {}", all - 1),
        }
    }

    /// Returns the first variant that can be built, among up to 64 that are evenly distributed.
    pub fn first_built(&self) -> Option<(u64, Scene)> {
        const TRIED: u128 = 64;
        let number = |part| (u128::from(self.variants) * part / TRIED) as u64;
        let mut numbers: Vec<u64> = (0..TRIED).map(number).collect();
        numbers.dedup();
        let build = |number| Some((number, self.scene(&self.variant(number)).ok()?));
        numbers.into_iter().find_map(build)
    }

    /// Returns the scene of a variant that can be built, or the scene without axes if there is no
    /// such variant. Also returns the number of frames of each variant.
    ///
    /// # Errors
    /// Returns an error when neither can be built.
    pub fn example(&self) -> Result<(Scene, u64), SceneError> {
        let scene = match self.first_built() {
            Some((_, scene)) => scene,
            None => self.base()?,
        };
        let frames = self.frames.unwrap_or(scene.frames);
        Ok((scene, frames))
    }

    /// Whether a pattern excludes a variant.
    pub fn leaves_out(&self, variant: &Variant) -> bool {
        let value = |path: &str| {
            let found = variant.values.iter().find(|value| value.path == path);
            found.map(|value| value.value.as_str())
        };
        self.exceptions.iter().any(|pattern| pattern.matches(value))
    }

    /// Builds the scene of a variant with all panels. Its values override all layers of the scene,
    /// and `--set` overrides them.
    ///
    /// # Errors
    /// Returns an error when the values do not fit the scene or each other.
    pub fn scene(&self, variant: &Variant) -> Result<Scene, SceneError> {
        self.built(variant, true)
    }

    fn built(&self, variant: &Variant, keeps_equal: bool) -> Result<Scene, SceneError> {
        let mut parsed = self.parsed.clone();
        let mut layers = Vec::with_capacity(variant.values.len() + parsed.overrides.len());
        let mut values = variant.values.iter();
        for axis in &self.axes {
            for (path, value) in axis.paths.iter().zip(&mut values) {
                layers.push(self.layer(axis, path.1, value)?);
            }
        }
        (parsed.axes, parsed.keeps_equal) = (layers.len(), keeps_equal);
        layers.append(&mut parsed.overrides);
        parsed.overrides = layers;
        finish(&self.scene_text, parsed, &self.limits)
            .map_err(|error| self.without_outside_text(error))
    }

    /// Returns the layer that sets one field of an axis.
    pub(super) fn layer(
        &self,
        axis: &Axis,
        path_at: usize,
        value: &AxisValue,
    ) -> Result<SourceLayer, SceneError> {
        let files = &self.parsed.source.files;
        let source = axis.place.source(&value.path, &value.value, [path_at, value.at], files);
        let settings = parse_placed(&source, &self.limits, |fault| {
            let wants_whole = fault.message.starts_with("expected a whole number");
            let is_between = value.number().is_some_and(|number| number.fract() != 0.0);
            let whole = axis.in_whole().filter(|_| wants_whole && is_between);
            let whole = whole.map(|it| format!("write {it}, which rounds to whole numbers"));
            let shapes = shapes_in(self.parsed.source.root());
            let shown = |path: &str| format!("`{path}`");
            match whole.or_else(|| meant(&value.path, &fault, &shapes, &shown)) {
                Some(help) => fault.help(help),
                None => fault,
            }
        })?;
        let layer = SourceLayer { source, settings };
        check_layer(&layer.placed(), Scope::Scene)?;
        Ok(layer)
    }

    /// Checks that the values of axes fit their fields. All listed values are checked. For an
    /// interval, the first values and both ends are checked.
    pub(super) fn check_values(&self) -> Result<(), SceneError> {
        for axis in &self.axes {
            let last = axis.count().map_or(0, |count| count - 1);
            let tried: Vec<(u64, f64)> = match &axis.steps {
                Steps::Values(_) => (0..=last).map(|index| (index, 0.0)).collect(),
                Steps::Numbers(..) => {
                    let first = 0..last.min(MAX_TRIED);
                    first.chain([last]).map(|index| (index, 0.0)).collect()
                }
                Steps::Sampled(_) => vec![(0, 0.0), (0, 1.0 - f64::EPSILON)],
            };
            for (index, share) in tried {
                for ((path, path_at), (value, at)) in
                    axis.paths.iter().zip(axis.value(index, share))
                {
                    self.layer(axis, *path_at, &AxisValue { path: path.clone(), value, at })?;
                }
            }
        }
        Ok(())
    }
}
