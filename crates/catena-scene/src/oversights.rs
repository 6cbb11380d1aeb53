//! Settings that are allowed and most likely not what was meant.

use super::parts::{Body, Scene};
use super::stack::{PlacedSettings, Stack, merged};
use catena_sim::drive::track::Animated;

impl Scene {
    /// Settings that are allowed and most likely oversights, in sentences: wind without drag, and a
    /// rope with one end left to the defaults.
    pub fn oversights(&self) -> Vec<String> {
        let bodies: Vec<(Stack<'_>, &Body)> = self.with_layers().collect();
        let of_ropes =
            bodies.iter().filter_map(|(layers, _)| left_to_the_defaults(layers, self.axes));
        let mut all = Vec::new();
        all.extend(dead_wind(&bodies));
        all.extend(of_ropes.take(1));
        all
    }

    /// All bodies with their layers, the command line's among them.
    fn with_layers(&self) -> impl Iterator<Item = (Stack<'_>, &Body)> {
        self.panels.iter().enumerate().flat_map(move |(panel, it)| {
            it.bodies.iter().enumerate().map(move |(index, body)| {
                let layers = self.layers_of(panel, index);
                ([layers.below, layers.overrides].concat(), body)
            })
        })
    }

    /// The warning about `--set` and axes that replace values which panels choose themselves;
    /// `None` where there are none. For a whole sweep it leaves out what labels have become.
    pub fn override_warning(&self, is_sweep: bool) -> Option<String> {
        self.overridden.warning(is_sweep)
    }

    /// Indices of panels that repeat the run of another in all variants of a sweep.
    pub fn repeated_panels(&self) -> &[usize] {
        &self.overridden.repeated
    }
}

/// Wind that pushes no body. A scene may have bodies without drag beside others with it.
fn dead_wind(bodies: &[(Stack<'_>, &Body)]) -> Option<String> {
    let blows = |body: &Body| {
        body.medium.wind_curve.is_some() || body.medium.wind.iter().any(|speed| *speed != 0.0)
    };
    let drags = |layers: &Stack<'_>| {
        merged(layers).drag.is_some_and(|drag| !matches!(drag.track, Animated::Constant([0.0])))
    };
    let is_dead = bodies.iter().any(|(_, body)| blows(body))
        && !bodies.iter().any(|(layers, _)| drags(layers));
    is_dead.then(|| "wind pushes nothing without drag: `drag: 0.01` is some".into())
}

/// A rope that a layer of the scene begins or measures, and whose end the defaults have.
fn left_to_the_defaults(layers: &Stack<'_>, axes: usize) -> Option<String> {
    let (defaults, own) = layers.split_first()?;
    let ropes = || own.iter().filter_map(|layer: &PlacedSettings<'_>| layer.settings.rope.as_ref());
    let begun = ropes().any(|rope| rope.start.is_some() || rope.length.is_some());
    let is_ended = ropes().any(|rope| rope.end.is_some() || rope.shape.is_some());
    let end = defaults.settings.rope.as_ref()?.end.as_ref()?;
    (begun && !is_ended).then(|| {
        let place = end.on(axes).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        format!("rope.end is not set, so the rope ends at ({place}), where the defaults have it")
    })
}
