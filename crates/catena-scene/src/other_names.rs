//! Names in courses, papers and other programs, with the corresponding names in scenes.

use catena_base::text::list::listed;
use catena_sim::method::METHODS;

/// Name of a field in other programs, with the fields that it may mean.
pub struct OtherField {
    /// Spellings as `plain` returns them.
    pub names: &'static [&'static str],
    /// Names of the fields, each with its role. The role is empty if there is one field.
    pub means: &'static [(&'static str, &'static str)],
    /// Further remark; may be empty.
    pub remark: &'static str,
}

const fn field(names: &'static [&'static str], means: &'static [(&str, &str)]) -> OtherField {
    OtherField { names, means, remark: "" }
}

/// Names of fields in other programs.
pub const OTHER_FIELDS: &[OtherField] = &[
    OtherField {
        names: &["damping", "dampingfactor", "globaldamping", "verletdamping"],
        means: &[("drag", "air resistance on every node"), ("damping", "friction inside springs")],
        remark: "the fraction of motion that Verlet removes in each step is an option of the method: `ConstraintVerlet(damping: …)`",
    },
    OtherField {
        names: &["g", "gravitationalacceleration"],
        means: &[("gravity", "")],
        remark: "a vector, such as (0, -9.81)",
    },
    field(&["k", "ks", "springconstant", "springstiffness", "kspring"], &[("stiffness", "")]),
    field(&["springdamping", "innerdamping", "internaldamping"], &[("damping", "")]),
    field(
        &["kd", "c", "b", "gamma", "dampingcoefficient"],
        &[("drag", "air resistance on every node"), ("damping", "friction inside springs")],
    ),
    field(&["l", "ropelength", "totallength", "len"], &[("length", "")]),
    field(
        &["airresistance", "airdrag", "airfriction", "dragcoefficient", "viscosity"],
        &[("drag", "")],
    ),
    field(&["m", "nodemass", "masspernode"], &[("mass", "")]),
    field(
        &["steps", "stepsperframe", "numsteps", "nsteps", "numsubsteps", "nsubsteps", "s"],
        &[("substeps", "")],
    ),
    field(
        &[
            "n",
            "numnodes",
            "nnodes",
            "nodecount",
            "numberofnodes",
            "nummasses",
            "masscount",
            "numparticles",
            "particles",
        ],
        &[("nodes", "")],
    ),
    field(&["pinned", "pinnednodes", "fixed", "fixednodes"], &[("pins", "")]),
    field(&["method", "solver", "scheme", "algorithm", "integration"], &[("integrator", "")]),
    field(&["resolution", "windowsize"], &[("size", "")]),
    field(&["numframes", "nframes", "framecount"], &[("frames", "")]),
    field(
        &["velocity", "v", "v0", "initialvelocity"],
        &[("velocities", ""), ("velocity", "the velocity of a `solid` or an anchor")],
    ),
];

/// Quantities that are not fields, and the fields that determine them.
const QUANTITIES: &[(&[&str], &str)] = &[
    (
        &["dt", "h", "step", "timestep", "deltat", "deltatime", "stepsize"],
        "dt = frame_time / substeps; set one of them",
    ),
    (
        &["fps", "framerate"],
        "write `frame_time: 0.016666667` for 60 frames per second of simulated time; `--fps` is the frame rate of a film",
    ),
    (
        &["duration", "seconds", "endtime", "tend"],
        "a scene lasts `frames` times `frame_time`: set one of them",
    ),
    (
        &["totalmass", "weight"],
        "`mass` is the mass of each node: divide the total mass by the number of nodes",
    ),
    (
        &["restlength", "restlen", "naturallength", "l0"],
        "springs start at their rest length, unless `length` of a rope sets the total rest length of its springs",
    ),
];

/// Name of a thing in other programs, with advice.
pub struct OtherThing {
    /// Kind of the thing.
    pub kind: &'static str,
    /// Spellings as `plain` returns them.
    pub names: &'static [&'static str],
    /// Advice that contains the name in scenes.
    pub advice: &'static str,
}

const fn method(names: &'static [&'static str], advice: &'static str) -> OtherThing {
    OtherThing { kind: "method", names, advice }
}

const fn thing(
    kind: &'static str,
    names: &'static [&'static str],
    advice: &'static str,
) -> OtherThing {
    OtherThing { kind, names, advice }
}

/// Names of things in other programs.
pub const OTHER_THINGS: &[OtherThing] = &[
    method(&["explicit", "forward", "forwardeuler"], "this is `ExplicitEuler`"),
    method(
        &["semi", "semiimplicit", "symplecticeuler", "eulercromer", "semieuler"],
        "this is `SemiImplicitEuler`: the velocity first, then the position with the new velocity",
    ),
    method(
        &["symplectic"],
        "symplectic Euler is `SemiImplicitEuler`; `VelocityVerlet` has order 2, and `Yoshida4` order 4",
    ),
    method(
        &["implicit", "backward", "backwardeuler"],
        "`ImplicitEuler` evaluates the forces at the end of the step. If only the position uses the new velocity, it is `SemiImplicitEuler`",
    ),
    method(
        &["explicitverlet"],
        "explicit Verlet is `ForceVerlet` with spring forces, and `ConstraintVerlet` with length constraints",
    ),
    method(&["rk1"], "Runge-Kutta of order 1 is `ExplicitEuler`"),
    method(&["rk2", "rungekutta2"], "`Midpoint` and `Heun` evaluate two slopes per step"),
    method(
        &["rk3", "rungekutta3"],
        "`Heun` has order 2, and `Rk4` order 4; there is none of order 3",
    ),
    method(&["rk", "rungekutta", "rungekutta4"], "this is `Rk4`"),
    method(
        &["rk45", "ode45", "dopri", "dopri5", "rungekutta45", "rkf45", "fehlberg"],
        "`DormandPrince` divides each step until its error is within a tolerance",
    ),
    method(&["dop853", "rk8", "dopri8"], "this is `DormandPrince8`"),
    method(
        &["trapezoid", "trapezoidal", "cranknicolson"],
        "`Heun` takes the mean of the slopes at both ends; `ImplicitMidpoint` solves for the middle of the step",
    ),
    method(&["improvedeuler"], "this is `Heun`"),
    method(&["modifiedeuler"], "books use this name for `Midpoint` or `Heun`"),
    method(
        &["ab", "adams", "adamsbashforth", "multistep", "linearmultistep"],
        "`AdamsBashforth2`, `AdamsBashforth3` and `AdamsBashforth4` have that order; `LectureAdamsBashforth2` and `LectureAdamsBashforth3` use it for the velocity only",
    ),
    method(&["ab2"], "this is `AdamsBashforth2`; for the velocity only, `LectureAdamsBashforth2`"),
    method(&["ab3"], "this is `AdamsBashforth3`; for the velocity only, `LectureAdamsBashforth3`"),
    method(&["ab4"], "this is `AdamsBashforth4`"),
    method(
        &[
            "abm",
            "adamsbashforthmoulton",
            "adamsmoulton",
            "predictorcorrector",
            "predictor",
            "corrector",
            "pece",
        ],
        "`AdamsBashforthMoulton2`, `AdamsBashforthMoulton3` and `AdamsBashforthMoulton4` predict and correct; `LecturePredictorCorrector` is the one in lecture notes: semi-implicit Euler predicts, trapezoids correct",
    ),
    method(&["abm2"], "this is `AdamsBashforthMoulton2`"),
    method(&["abm3"], "this is `AdamsBashforthMoulton3`"),
    method(&["abm4"], "this is `AdamsBashforthMoulton4`"),
    method(
        &["rattle"],
        "`Shake` holds lengths in the same way, without a correction of velocities",
    ),
    method(
        &["jakobsen"],
        "this is `ConstraintVerlet`; his article corrects after extrapolation, as `ConstraintVerlet(projection: Last)` does",
    ),
    method(&["störmer", "stormer", "störmerverlet"], "this is `StormerVerlet`"),
    method(
        &["gaussseidel"],
        "`Pbd`, `Xpbd` and `ConstraintVerlet` correct one spring after the other, as Gauss-Seidel does",
    ),
    method(&["newmark"], "Newmark with β = 0 and γ = 1/2 is `VelocityVerlet`"),
    method(
        &["positionbaseddynamics", "positionbased"],
        "this is `Pbd`; `Xpbd` has compliant springs",
    ),
    thing("spring law", &["linear", "hookean", "spring"], "a linear spring is `Hooke`"),
    thing(
        "spring law",
        &["bilinear", "piecewise", "multilinear"],
        "this is `PiecewiseLinear`: points of tension over strain",
    ),
    thing("shape", &["line"], "this is `Straight`"),
    thing("shape", &["catenary"], "this is `Hanging`"),
    thing("shape", &["circle"], "this is `Ring`"),
    thing("collider", &["floor", "ground", "wall", "halfspace"], "this is a `Plane`"),
    thing("collider", &["ball", "circle"], "this is a `Sphere`"),
    thing("collider", &["cube", "cuboid"], "this is a `Box`"),
    thing("collider", &["cylinder", "rod"], "this is a `Capsule`"),
    thing(
        "force",
        &["gravity", "wind", "drag", "damping", "friction"],
        "gravity, wind and drag are fields of their own: `gravity: (0, -1)`, `wind: (1, 0)`, `drag: 0.01`",
    ),
    thing(
        "step control",
        &["adaptive", "variable", "automatic"],
        "`StepDoubling` adapts the step to its error, and `StabilityLimit` to the highest frequency",
    ),
    thing(
        "step control",
        &["courant", "courantnumber", "courantfriedrichslewy", "cflcondition", "cflnumber"],
        "this is `Cfl`",
    ),
];

/// Methods whose names end alike, with their differences.
pub struct Family {
    /// Common end of the names, as `plain` returns it.
    part: &'static str,
    /// A clause about each method.
    pub clauses: &'static [(&'static str, &'static str)],
    /// Remark on the methods that course material means.
    remark: &'static str,
}

/// Families of methods for whose names other programs use only the common end.
pub const FAMILIES: &[Family] = &[
    Family {
        part: "verlet",
        clauses: &[
            ("ForceVerlet", "positions from the last two, with the forces of springs"),
            ("ConstraintVerlet", "lengths corrected, then positions from the last two"),
            ("PositionVerlet", "like ForceVerlet, but with a first step of order 2"),
            ("VelocityVerlet", "half a kick, a drift, half a kick"),
            ("StormerVerlet", "half a drift, a kick, half a drift"),
        ],
        remark: "assignment 8 of GAMES101 means the first two: explicit Verlet, and Verlet with \
                 constraints",
    },
    Family {
        part: "euler",
        clauses: &[
            (
                "ExplicitEuler",
                "positions move with the old velocity; swings gain energy at every step size",
            ),
            ("SemiImplicitEuler", "positions move with the new velocity"),
            ("ImplicitEuler", "solves for the end of the step, with strong damping"),
        ],
        remark: "assignment 8 of GAMES101 means the first two",
    },
];

/// Returns the letters and digits of a name in lower case, without `simulate` and `method`.
fn plain(name: &str) -> String {
    let kept: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let kept = kept.to_lowercase();
    let kept = kept.strip_prefix("simulate").unwrap_or(&kept);
    let ends = ["method", "integration", "integrator"];
    let cut = ends.iter().find_map(|end| kept.strip_suffix(end).filter(|it| !it.is_empty()));
    cut.unwrap_or(kept).to_owned()
}

/// Returns the fields that a name from another program may mean.
pub fn other_field(name: &str) -> Option<&'static OtherField> {
    let name = plain_field(name);
    OTHER_FIELDS.iter().find(|other| other.names.contains(&&*name))
}

/// Returns how to set a quantity that is not a field.
pub fn quantity(name: &str) -> Option<&'static str> {
    let name = plain_field(name);
    QUANTITIES.iter().find(|(names, _)| names.contains(&&*name)).map(|(_, how)| *how)
}

/// Returns the letters and digits of a field's name in lower case.
fn plain_field(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

/// Returns advice on the name of a thing from another program.
pub fn other_thing(kind: &str, name: &str) -> Option<String> {
    let name = plain(name);
    let family = FAMILIES.iter().find(|family| kind == "method" && family.part == name);
    if let Some(family) = family {
        return Some(family.advice());
    }
    let is_it = |other: &&OtherThing| other.kind == kind && other.names.contains(&&*name);
    OTHER_THINGS.iter().find(is_it).map(|other| other.advice.into())
}

impl Family {
    /// Returns advice that lists all methods of the family, each with a clause about it.
    fn advice(&self) -> String {
        let known = |name: &str| METHODS.iter().find(|info| info.name == name);
        let clauses = self.clauses.iter().filter(|(name, _)| known(name).is_some());
        let mut all: Vec<(&str, &str)> = clauses.copied().collect();
        let is_member = |name: &str| plain_field(name).ends_with(self.part);
        let others = METHODS.iter().filter(|info| is_member(info.name));
        for info in others {
            if !all.iter().any(|(name, _)| *name == info.name) {
                all.push((info.name, info.summary.split(';').next().unwrap_or_default()));
            }
        }
        let count = counted(all.len());
        let all: Vec<String> =
            all.into_iter().map(|(name, clause)| format!("`{name}` ({clause})")).collect();
        format!("{count} methods have this name: {}; {}", listed(&all), self.remark)
    }
}

/// Returns a small number in words.
fn counted(count: usize) -> String {
    const WORDS: [&str; 10] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    WORDS.get(count).map_or(count.to_string(), |word| (*word).into())
}
