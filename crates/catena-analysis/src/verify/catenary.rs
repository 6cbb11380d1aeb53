//! Checks of a chain between two supports of equal height: X = 1, S = 1.5, w = 9.81, and E A = 1000
//! if elastic.

use super::{
    Check,
    Tolerance::{Absolute, Relative},
    bodies::CheckBody,
    check::{CheckList, CheckSetups},
    formula::{Links, catenary, elastic_catenary},
    readings::advance_frames,
};
use catena_sim::{
    Setup,
    body::{
        hanging::{LinkLaw, hanging_chain},
        shape::rope::Matter,
    },
    method::{Shake, VelocityVerlet},
};
use std::sync::Arc;

/// Horizontal distance of the two pins, in metres.
pub(super) const SPAN: f64 = 1.0;
/// Length of the rope, in metres.
const LENGTH: f64 = 1.5;
/// Acceleration of gravity, in m/s².
const G: f64 = 9.81;
/// Stretching stiffness E A of the elastic rope, in newtons.
const YOUNG_AREA: f64 = 1000.0;
/// Number of links of the simulated chain.
const COUNT: usize = 16;

pub(super) fn checks() -> Vec<Check> {
    let mut list = CheckList::new("catenary");
    list.set_reference("rigid catenary: S = 2a sinh(X/2a), sag = a (cosh(X/2a) - 1) (Leibniz, Huygens, Bernoulli 1691)");
    let a = catenary(SPAN, LENGTH);
    let rigid = a * (libm::cosh(SPAN / (2.0 * a)) - 1.0);
    list.add_printed("parameter a, as printed", 0.308_236_5, 5e-8, a);
    list.add_printed("sag, as printed", 0.502_633_3, 5e-8, rigid);
    list.add_information("sag of 800 rigid links and the continuum", rigid, |setups| {
        sag(setups, 800, LinkLaw::Rigid)
    });

    list.set_reference("elastic catenary: X = HL/EA + (2H/w) asinh(wL/2H), sag = wL²/8EA + (H/w)(√(1+(wL/2H)²) - 1)");
    let [tension, elastic] = elastic_catenary(SPAN, LENGTH, G, YOUNG_AREA);
    list.add_printed("tension H, as printed", 2.992_407, 5e-7, tension);
    list.add_printed("elastic sag, as printed", 0.507_381_4, 5e-8, elastic);
    list.add_information("sag of 800 elastic links and the continuum", elastic, |setups| {
        sag(setups, 800, LinkLaw::Elastic)
    });

    list.set_reference("discrete chain: each link points along its tension, which changes by a node's weight per link (funicular polygon)");
    for (law, name) in [(LinkLaw::Rigid, "rigid"), (LinkLaw::Elastic, "elastic")] {
        for count in [COUNT, 800] {
            let expected = links(count, law).sag();
            list.add(
                format!("sag of {count} {name} links, from statics"),
                expected,
                Relative(1e-9),
                move |setups| sag(setups, count, law),
            );
        }
        let expected = links(COUNT, law).sag();
        list.add(
            format!("sag of {COUNT} {name} links, simulated to rest"),
            expected,
            Relative(1e-6),
            move |setups| simulated(setups, law),
        );
        let limit = if law == LinkLaw::Rigid { rigid } else { elastic };
        list.add(
            format!("order of convergence of {name} links to the continuum"),
            2.0,
            Absolute(0.05),
            move |setups| {
                let error = |count: usize| Some((sag(setups, count, law)? - limit).abs());
                Some(libm::log2(error(100)? / error(200)?))
            },
        );
    }
    list.done()
}

/// Chain for the formula of links.
pub(super) fn links(count: usize, law: LinkLaw) -> Links {
    let length = LENGTH / count as f64;
    let softness = if law == LinkLaw::Elastic { length / YOUNG_AREA } else { 0.0 };
    Links { span: SPAN, count, length, weight: G * length, softness }
}

/// Straight rope along the x axis, pinned at both ends.
pub(super) fn body(count: usize) -> CheckBody {
    CheckBody {
        ends: [[0.0, 0.0], [LENGTH, 0.0]],
        matter: Matter::Material { young_area: YOUNG_AREA, density_area: 1.0 },
        pins: vec![0, count],
        gravity: G,
        drag: 0.4,
        frame_time: 0.05,
        ..CheckBody::classroom(count + 1, 64)
    }
}

/// Sag from the balance of forces.
fn sag(setups: &CheckSetups<'_>, count: usize, law: LinkLaw) -> Option<f64> {
    let mut setup = body(count).setup();
    setup.initial.x[count] = SPAN;
    let setup = setups.ready(setup);
    let rest = hanging_chain(&setup.model, &setup.initial.x, &[0.0, -G], law)?;
    Some(-rest[count + 1 + count / 2])
}

/// Sag from a run that starts in a V shape. Rigid links use SHAKE, elastic links velocity Verlet.
fn simulated(setups: &CheckSetups<'_>, law: LinkLaw) -> Option<f64> {
    let mut body = body(COUNT);
    if law == LinkLaw::Rigid {
        body.method = Arc::new(Shake { tolerance: 1e-10, ..Shake::default() });
        body.substeps = 16;
    } else {
        body.method = Arc::new(VelocityVerlet::default());
    }
    let mut setup = body.setup();
    bend(&mut setup);
    let mut run = setups.start(setup);
    advance_frames(&mut run, 400);
    Some(-run.state().x[COUNT + 1 + COUNT / 2])
}

/// Bends the rope into two straight halves at their rest length.
fn bend(setup: &mut Setup) {
    let n = COUNT + 1;
    let half = 0.5 * LENGTH;
    let depth = (half * half - 0.25 * SPAN * SPAN).sqrt();
    for i in 0..n {
        let share = i as f64 / COUNT as f64;
        setup.initial.x[i] = SPAN * share;
        setup.initial.x[n + i] = -depth * (1.0 - (2.0 * share - 1.0).abs());
    }
}
