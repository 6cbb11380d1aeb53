//! Checks whether a setup can run: every number in its range, every node index in the body.

use super::{BreakingStrain, Setup};
use crate::body::{Arrangement, Form, Model, Part, Spring};
use crate::contact::{collider::Surface, drawn};
use crate::method::control::check_fit;
use crate::named::{BadOption, BadSetup};

/// Returns `Ok` for a number that is finite and above zero.
fn positive(field: impl Fn() -> String, value: f64) -> Result<(), BadSetup> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(BadSetup::new(field(), format!("expected a finite number above 0, found {value}")))
}

/// Returns `Ok` for a list of finite numbers of this length.
fn finite(field: &str, values: &[f64], count: usize) -> Result<(), BadSetup> {
    let found = values.len();
    let message = format!("expected {count} numbers, one per axis and node, found {found}");
    BadSetup::unless(found == count, field, message)?;
    match values.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(at) => {
            let message = format!("expected a finite number, found {}", values[at]);
            Err(BadSetup::new(format!("{field}[{at}]"), message))
        }
    }
}

/// Returns `Ok` for a node index below `nodes`.
fn node(field: impl Fn() -> String, node: usize, nodes: usize) -> Result<(), BadSetup> {
    if node < nodes {
        return Ok(());
    }
    let last = nodes - 1;
    let message = format!("there is no node {node}: nodes are numbered from 0 to {last}");
    Err(BadSetup::new(field(), message))
}

impl Setup {
    /// Checks whether the setup can run.
    ///
    /// # Errors
    /// The first invalid field, with the problem and the allowed values.
    pub fn check(&self) -> Result<(), BadSetup> {
        check_model(&self.model)?;
        let (axes, nodes) = (self.model.axes, self.model.nodes());
        finite("initial.x", &self.initial.x, axes * nodes)?;
        finite("initial.v", &self.initial.v, axes * nodes)?;
        self.check_steps()?;
        self.check_method()?;
        for (index, force) in self.forces.iter().enumerate() {
            let fits = force.check().and_then(|()| force.fits(axes, nodes));
            let fits = fits.and_then(|()| force.check_start(&self.model, &self.initial));
            fits.map_err(|bad| BadSetup::option(&format!("forces[{index}]"), &bad))?;
        }
        if let Some(breaking) = &self.breaks_at {
            let message = match breaking {
                BreakingStrain::All(strain) => {
                    format!("expected a finite number above 0, found {strain}")
                }
                BreakingStrain::Each(_) => "expected a number above 0 for each spring".into(),
            };
            BadSetup::unless(breaking.is_sound(self.model.springs.len()), "breaks_at", message)?;
        }
        self.check_lengths()?;
        self.check_drive()?;
        self.check_events()?;
        self.check_contacts()
    }

    /// Checks the step, the factors and the limits.
    fn check_steps(&self) -> Result<(), BadSetup> {
        positive(|| "frame_time".into(), self.frame_time)?;
        let message = "expected at least 1 step per frame, found 0";
        BadSetup::unless(self.substeps > 0, "substeps", message)?;
        let message = "frame_time / substeps is too small to be distinguished from 0";
        BadSetup::unless(self.dt() > 0.0, "frame_time", message)?;
        let message = format!("expected a finite number, found {}", self.start_time);
        BadSetup::unless(self.start_time.is_finite(), "start_time", message)?;
        for (field, factor) in
            [("velocity_factor", self.velocity_factor), ("position_factor", self.position_factor)]
        {
            let message = format!("expected a finite number, found {factor}");
            BadSetup::unless(factor.is_finite(), field, message)?;
        }
        let limit = self.strain_limit;
        let message = format!("expected a number above 0, or infinity, found {limit}");
        BadSetup::unless(limit > 0.0, "strain_limit", message)
    }

    /// Checks the options of the method and its control.
    fn check_method(&self) -> Result<(), BadSetup> {
        let (axes, nodes) = (self.model.axes, self.model.nodes());
        let (method, control) = (&self.method, &self.step_control);
        let option = |thing: &str, bad: BadOption| BadSetup::option(thing, &bad);
        let name = method.info().name;
        let fits = method.check().and_then(|()| method.fits(axes, nodes));
        fits.map_err(|bad| option(name, bad))?;
        let inner = method.inner_steps();
        let message = format!(
            "{name} divides each step into {inner}, but a node stops before the pulleys of a Route \
             only at the end of a whole step: remove its `substeps`, and multiply those of the \
             scene by {inner}"
        );
        BadSetup::unless(inner <= 1 || !self.has_routes(), "integrator", message)?;
        let fits = control.check().and_then(|()| control.fits(axes, nodes));
        fits.map_err(|bad| option(control.info().name, bad))?;
        check_fit(control.as_ref(), method.as_ref()).map_err(|misfit| {
            let control = control.info().name;
            let message = format!("{control} cannot be combined with {name}: {}", misfit.why);
            BadSetup::new("step_control", message)
        })
    }

    /// Checks anchors and impulses.
    fn check_drive(&self) -> Result<(), BadSetup> {
        let (axes, nodes) = (self.model.axes, self.model.nodes());
        let mut is_moved = vec![false; if self.anchors.is_empty() { 0 } else { nodes }];
        for (index, anchor) in self.anchors.iter().enumerate() {
            let field = || format!("anchors[{index}].node");
            node(field, anchor.node, nodes)?;
            let number = anchor.node;
            let message = format!("node {number} cannot be moved: it is not pinned");
            let is_held = self.model.pinned[number] || self.pins_later(number);
            BadSetup::unless(is_held, field(), message)?;
            let message = format!("node {number} has two curves");
            BadSetup::unless(!std::mem::replace(&mut is_moved[number], true), field(), message)?;
            let fits = anchor.curve.check().and_then(|()| anchor.curve.fits(axes, nodes));
            fits.map_err(|bad| BadSetup::option(&format!("anchors[{index}].curve"), &bad))?;
            let is_read = anchor.curve.series().is_none();
            let message = "the file of a Series was not read: use the curve of `with_rows`";
            BadSetup::unless(is_read, format!("anchors[{index}].curve"), message)?;
        }
        for (index, impulse) in self.impulses.iter().enumerate() {
            node(|| format!("impulses[{index}].node"), impulse.node, nodes)?;
            finite(&format!("impulses[{index}].impulse"), &impulse.impulse, 3)?;
            let message = format!("expected a number, found {}", impulse.at);
            BadSetup::unless(!impulse.at.is_nan(), format!("impulses[{index}].at"), message)?;
        }
        Ok(())
    }

    /// Checks colliders and contact of the body with itself.
    fn check_contacts(&self) -> Result<(), BadSetup> {
        let (axes, nodes) = (self.model.axes, self.model.nodes());
        let contacts = &self.contacts;
        for (index, collider) in contacts.colliders.iter().enumerate() {
            let fits = collider.check().and_then(|()| collider.fits(axes, nodes));
            fits.map_err(|bad| BadSetup::option(&format!("colliders[{index}]"), &bad))?;
            let Some(motion) = collider.motion() else { continue };
            let message = "expected a motion whose numbers are finite at time 0";
            let is_finite = motion.at(0.0).is_finite();
            BadSetup::unless(is_finite, format!("colliders[{index}].motion"), message)?;
        }
        let radius = contacts.radius;
        let message = format!("expected a finite number of at least 0, found {radius}");
        BadSetup::unless(radius >= 0.0 && radius.is_finite(), "contact.radius", message)?;
        drawn::check(contacts, &self.model, &self.initial)?;
        let Some(own) = contacts.own else { return Ok(()) };
        let message = "contact between nodes and contact of drawn surfaces cannot be combined";
        BadSetup::unless(contacts.drawn.is_none(), "contact.thickness", message)?;
        positive(|| "contact.thickness".into(), own.thickness)?;
        let shortest = match self.lengths.is_empty() {
            true => self.model.shortest_spring(),
            false => self.shortest_model().shortest_spring(),
        };
        let message =
            format!("{} is more than the length of the shortest spring, {shortest}", own.thickness);
        BadSetup::unless(own.thickness <= shortest, "contact.thickness", message)?;
        let Surface { restitution, friction } = own.surface;
        let message = format!("expected a number from 0 to 1, found {restitution}");
        let is_fine = (0.0..=1.0).contains(&restitution);
        BadSetup::unless(is_fine, "contact.restitution", message)?;
        let message = format!("expected a finite number of at least 0, found {friction}");
        BadSetup::unless(friction >= 0.0 && friction.is_finite(), "contact.friction", message)
    }
}

/// Checks nodes, springs and the arrangement.
fn check_model(model: &Model) -> Result<(), BadSetup> {
    let Model { axes, mass, pinned, springs, structural, held, arrangement, parts } = model;
    let message = format!("expected 2 or 3, found {axes}");
    BadSetup::unless(matches!(axes, 2 | 3), "axes", message)?;
    let nodes = mass.len();
    BadSetup::unless(nodes > 0, "mass", "a body must have at least one node")?;
    for (i, mass) in mass.iter().enumerate() {
        positive(|| format!("mass[{i}]"), *mass)?;
    }
    let message = format!("expected one entry per node, {nodes}, found {}", pinned.len());
    BadSetup::unless(pinned.len() == nodes, "pinned", message)?;
    for (j, Spring { a, b, stiffness, rest_length }) in springs.iter().enumerate() {
        node(|| format!("springs[{j}].a"), *a, nodes)?;
        node(|| format!("springs[{j}].b"), *b, nodes)?;
        let is_fine = a != b;
        if !is_fine {
            let message = format!(
                "a spring must join two different nodes, but this one has node {a} at both ends"
            );
            return Err(BadSetup::new(format!("springs[{j}]"), message));
        }
        positive(|| format!("springs[{j}].stiffness"), *stiffness)?;
        positive(|| format!("springs[{j}].rest_length"), *rest_length)?;
    }
    let is_fine = structural <= held && *held <= springs.len();
    let message = "expected structural springs first, then shear springs, then bending springs";
    BadSetup::unless(is_fine, "structural, held", message)?;
    let is_arranged = match arrangement {
        Arrangement::Chain => {
            let mut springs = springs[..*structural].iter().enumerate();
            springs.all(|(j, spring)| (spring.a, spring.b) == (j, j + 1))
        }
        Arrangement::Sheet { rows, columns } => {
            *rows >= 2 && *columns >= 2 && rows.checked_mul(*columns) == Some(nodes)
        }
        Arrangement::Parts => parts.iter().all(|part| is_sound(part, nodes, *structural)),
    };
    let message = match arrangement {
        Arrangement::Chain => "structural spring i of a chain must join nodes i and i + 1",
        Arrangement::Sheet { .. } => "a sheet must have at least 2 rows and 2 columns of nodes",
        Arrangement::Parts => "the nodes and structural springs of each part must match its form",
    };
    BadSetup::unless(is_arranged, "arrangement", message)
}

/// Whether a part of a body of `nodes` nodes has the nodes and springs that its form requires.
fn is_sound(part: &Part, nodes: usize, structural: usize) -> bool {
    let count = part.nodes.len();
    let is_of_body = part.nodes.iter().all(|&node| node < nodes)
        && part.springs.iter().all(|&spring| spring < structural);
    let is_of_form = match &part.form {
        Form::Rope { closed } => count >= 2 && part.springs.len() == count - usize::from(!closed),
        Form::Sheet { rows, columns } => {
            *rows >= 2
                && *columns >= 2
                && rows.checked_mul(*columns) == Some(count)
                && part.springs.len() == rows * (columns - 1) + columns * (rows - 1)
        }
        Form::Mesh { facets } => facets.iter().flatten().all(|&node| node < count),
        Form::Graph => true,
        Form::Solid(form) => form.rest.len() == count && count > 0,
    };
    is_of_body && is_of_form
}
