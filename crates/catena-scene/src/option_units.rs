//! Units of options that have one, expressed in the units of the scene.

/// Keys and points have the unit of the quantity that they animate.
const MOVED: &str = "that of what moves";
/// Keys begin with their time.
const KEYS: &str = "time, and that of what moves";

/// Name of a thing, name of its option, and the unit of the option.
pub const OPTION_UNITS: &[(&str, &str, &str)] = &[
    ("Xpbd", "compliance", "length/force"),
    ("Arc", "height", "length"),
    ("Arc", "angle", "degrees"),
    ("Helix", "radius", "length"),
    ("Points", "points", "length"),
    ("Curve", "curve", "length"),
    ("Knot", "size", "length"),
    ("File", "file", "length"),
    ("Elastic", "young", "force/length²"),
    ("Elastic", "density", "mass/length³"),
    ("PointForce", "force", "force"),
    ("PointForce", "from", "time"),
    ("PointForce", "until", "time"),
    ("PenaltyGround", "height", "length"),
    ("PenaltyGround", "repulsion", "force/length"),
    ("PenaltyGround", "friction", "force·time/length"),
    ("PenaltyGround", "absorption", "force·time/length"),
    ("Plane", "point", "length"),
    ("Sphere", "center", "length"),
    ("Sphere", "radius", "length"),
    ("Capsule", "a", "length"),
    ("Capsule", "b", "length"),
    ("Capsule", "radius", "length"),
    ("Box", "center", "length"),
    ("Box", "size", "length"),
    ("Moving", "along", "length"),
    ("Moving", "turn", "time, degrees"),
    ("Linear", "keys", KEYS),
    ("Step", "keys", KEYS),
    ("Hermite", "keys", KEYS),
    ("CatmullRom", "keys", KEYS),
    ("Bezier", "start", "time"),
    ("Bezier", "end", "time"),
    ("Bezier", "points", MOVED),
    ("BSpline", "points", MOVED),
    ("BSpline", "knots", "time"),
    ("BSpline", "start", "time"),
    ("BSpline", "end", "time"),
    ("BSpline", "offset", "time"),
    ("Keys", "keys", KEYS),
    ("Keys", "offset", "time"),
    ("Gusts", "mean", MOVED),
    ("Gusts", "strength", MOVED),
    ("Gusts", "period", "time"),
    ("Join", "stiffness", "force/length"),
    ("Join", "length", "length"),
    ("Impulse", "impulse", "mass·length/time"),
    ("Gravity", "acceleration", "length/time²"),
    ("Wind", "velocity", "length/time"),
    ("Tension", "above", "force"),
    ("Tension", "below", "force"),
    ("Length", "above", "length"),
    ("Length", "below", "length"),
    ("Distance", "above", "length"),
    ("Distance", "below", "length"),
    ("About", "angle", "degrees"),
    ("Tube", "radius", "length"),
    ("Tube", "blend", "length"),
];

/// Returns the unit of an option, or `None` if it has none.
pub(super) fn unit_of(thing: &str, option: &str) -> Option<&'static str> {
    let row = OPTION_UNITS.iter().find(|(name, known, _)| *name == thing && *known == option);
    row.map(|(_, _, unit)| *unit)
}
