//! Checks of the hanging chain: the elongation of its springs.

use super::{
    Check,
    Tolerance::{Absolute, Relative},
    bodies::{CheckBody, method},
    check::{CheckList, CheckSetups},
    readings::{advance_frames, greater, stretches},
    recurrence::METHODS,
};
use catena_sim::{
    Method,
    body::{
        hanging::{LinkLaw, hanging_chain},
        shape::rope::Matter,
    },
};
use std::sync::Arc;

/// Stiffness of a spring.
const STIFFNESS: f64 = 120.0;
/// Mass of a node.
const MASS: f64 = 0.7;
/// Acceleration of gravity, in m/s².
const G: f64 = 9.81;
/// Number of nodes.
const NODES: usize = 9;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("hanging chain");
    list.set_reference(
        "statics: a spring carries the weight of the j nodes below it, and its stretch is j m g/k",
    );
    let unit = MASS * G / STIFFNESS;
    let free = (NODES - 1) as f64;
    for (name, index, expected) in
        [("top", 0, free * unit), ("fourth", 3, 5.0 * unit), ("lowest", 7, unit)]
    {
        list.add(
            format!("stretch of the {name} spring of 8"),
            expected,
            Relative(1e-9),
            move |setups| Some(settled(setups, &method("SemiImplicitEuler")?)[index]),
        );
    }
    let total = 0.5 * free * (free + 1.0) * unit;
    list.add("stretch of all 8 springs", total, Relative(1e-9), move |setups| {
        Some(settled(setups, &method("SemiImplicitEuler")?).iter().sum())
    });
    list.add(
        "stretch of all 8 springs: maximum error over all methods",
        0.0,
        Absolute(1e-6),
        move |setups| worst_method(setups, total),
    );

    list.set_reference(
        "continuum: stretch m g L/2EA; exact for links with half a mass at either end",
    );
    let continuum = 0.5 * ROPE_WEIGHT * LENGTH / YOUNG_AREA;
    list.add(
        "stretch of a rope defined by its material, 40 links",
        continuum,
        Relative(1e-9),
        |setups| material(setups, 41),
    );
    list.add_information(
        "stretch of the chain of 8 springs and m g L/2EA",
        0.5 * free * MASS * G / (STIFFNESS / free),
        |setups| Some(settled(setups, &method("SemiImplicitEuler")?).iter().sum()),
    );
    list.done()
}

/// Elongations after a time of 30, in which the slowest motion decays by e^-32.
fn settled(setups: &CheckSetups<'_>, method: &Arc<dyn Method>) -> Vec<f64> {
    let body = CheckBody {
        matter: Matter::Nodes { mass: MASS, stiffness: STIFFNESS },
        gravity: G,
        drag: 1.5,
        method: Arc::clone(method),
        frame_time: 0.1,
        ..CheckBody::hanging(NODES, 2.0, STIFFNESS)
    };
    let mut run = setups.start(body.setup());
    advance_frames(&mut run, 300);
    stretches(&run.setup().model, &run.state().x)
}

/// Maximum relative error of the total elongation over all methods. The exact elongation does not
/// depend on the method.
fn worst_method(setups: &CheckSetups<'_>, total: f64) -> Option<f64> {
    METHODS.iter().try_fold(0.0, |worst, row| {
        let found: f64 = settled(setups, &method(row.name)?).iter().sum();
        Some(greater((found / total - 1.0).abs(), worst))
    })
}

/// Stretching stiffness E A in newtons of a rubber rope, with E = 10⁷ N/m² and a cross-section A of
/// 1 cm².
const YOUNG_AREA: f64 = 0.01e9 * 1e-4;
/// Length L of the rubber rope in metres.
const LENGTH: f64 = 10.0;
/// Weight ρ A g L of the rubber rope in newtons, with ρ = 1000 kg/m³.
const ROPE_WEIGHT: f64 = 1000.0 * 1e-4 * LENGTH * G;

fn material(setups: &CheckSetups<'_>, nodes: usize) -> Option<f64> {
    let matter = Matter::Material { young_area: YOUNG_AREA, density_area: 1000.0 * 1e-4 };
    let body = CheckBody { matter, gravity: G, ..CheckBody::hanging(nodes, LENGTH, 1.0) };
    let setup = setups.ready(body.setup());
    let x = hanging_chain(&setup.model, &setup.initial.x, &[0.0, -G], LinkLaw::Elastic)?;
    Some(stretches(&setup.model, &x).iter().sum())
}
