//! Settings that are allowed but probably unintended.

use super::parts::{Body, Scene};
use super::stack::{PlacedSettings, Stack, merged};
use catena_base::text::number::digits;
use catena_sim::drive::track::Animated;

impl Scene {
    /// Returns a sentence for each probable oversight: wind without drag, a rope with only one end
    /// set, buoyancy whose gravity differs from the scene's gravity, and a `Reel` that another one
    /// interrupts.
    pub fn oversights(&self) -> Vec<String> {
        let bodies: Vec<(Stack<'_>, &Body)> = self.with_layers().collect();
        let of_ropes =
            bodies.iter().filter_map(|(layers, _)| left_to_the_defaults(layers, self.axes));
        let mut all = Vec::new();
        all.extend(dead_wind(&bodies));
        all.extend(of_ropes.take(1));
        all.extend(bodies.iter().find_map(|(layers, body)| other_gravity(layers, body)));
        all.extend(bodies.iter().find_map(|(_, body)| interrupted_reel(body)));
        all
    }

    /// Returns all bodies with their layers, including the layers of the command line.
    fn with_layers(&self) -> impl Iterator<Item = (Stack<'_>, &Body)> {
        self.panels.iter().enumerate().flat_map(move |(panel, it)| {
            it.bodies.iter().enumerate().map(move |(index, body)| {
                let layers = self.layers_of(panel, index);
                ([layers.lower, layers.overrides].concat(), body)
            })
        })
    }

    /// Returns the warning about `--set` and axes that override values of panels, if any. For a
    /// whole sweep, renamed labels are left out.
    pub fn override_warning(&self, is_sweep: bool) -> Option<String> {
        self.overridden.warning(is_sweep)
    }

    /// Returns the indices of panels that repeat the run of another in all variants of a sweep.
    pub fn repeated_panels(&self) -> &[usize] {
        &self.overridden.repeated
    }
}

/// Warns about wind that affects no body. One body with drag is enough to prevent the warning.
fn dead_wind(bodies: &[(Stack<'_>, &Body)]) -> Option<String> {
    let blows = |body: &Body| {
        body.medium.wind_curve.is_some() || body.medium.wind.iter().any(|speed| *speed != 0.0)
    };
    let drags = |layers: &Stack<'_>| {
        merged(layers).drag.is_some_and(|drag| !matches!(drag.track, Animated::Constant([0.0])))
    };
    let is_dead = bodies.iter().any(|(_, body)| blows(body))
        && !bodies.iter().any(|(layers, _)| drags(layers));
    is_dead.then(|| "wind has no effect without drag: set drag, such as `drag: 0.01`".into())
}

/// Warns about a rope whose start or length a layer sets, but whose end the defaults set.
fn left_to_the_defaults(layers: &Stack<'_>, axes: usize) -> Option<String> {
    let (defaults, own) = layers.split_first()?;
    let ropes = || own.iter().filter_map(|layer: &PlacedSettings<'_>| layer.settings.rope.as_ref());
    let begun = ropes().any(|rope| rope.start.is_some() || rope.length.is_some());
    let is_ended = ropes().any(|rope| rope.end.is_some() || rope.shape.is_some());
    let end = defaults.settings.rope.as_ref()?.end.as_ref()?;
    (begun && !is_ended).then(|| {
        let place = end.on(axes).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        format!("rope.end is not set, so the rope ends at the default position, ({place})")
    })
}

/// Default gravity of buoyancy.
const EARTH: f64 = 9.81;

/// Maximum relative difference of two gravities that count as equal.
const SAME: f64 = 0.01;

/// Warns about buoyancy whose gravity differs from the body's gravity.
fn other_gravity(layers: &Stack<'_>, body: &Body) -> Option<String> {
    let own = -body.setup.gravity().get(1).copied().unwrap_or(0.0);
    let settings = merged(layers);
    let listed = settings.forces.iter().flat_map(|list| list.0.iter().enumerate());
    let mut carried = listed.filter(|(_, force)| force.name() == "Buoyancy");
    carried.find_map(|(index, force)| {
        let used = force.number("gravity").unwrap_or(EARTH);
        let differs = (used - own).abs() > SAME * used.abs().max(own.abs());
        differs.then(|| {
            let [used, own] = [used, own.max(0.0)].map(|value| digits(value, 4));
            format!(
                "forces[{index}]: Buoyancy uses a gravity of {used}, but the gravity of the body \
                 is {own}: set `gravity: {own}` in Buoyancy"
            )
        })
    })
}

/// Warns about a change of a rope's length that another one interrupts.
fn interrupted_reel(body: &Body) -> Option<String> {
    let [first, second] = body.setup.interrupted_reel()?;
    Some(format!(
        "events[{second}] changes the length of the rope before events[{first}] is complete, \
         which ends early"
    ))
}
