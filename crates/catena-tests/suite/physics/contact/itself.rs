//! Self-contact: nodes that meet each other.

use super::{Random, closest, cloud, kinetic, moment, resolve, scattered, thrown};
use catena::sim::{
    State,
    contact::{Contacts, SelfContact, collider::Surface},
};

#[test]
fn nodes_that_meet_keep_their_distance_and_their_momentum() {
    let mut random = Random::new(7);
    for (axes, side, restitution, friction) in
        [(2, 8, 0.0, 0.0), (2, 9, 0.9, 0.3), (3, 4, 0.5, 0.0), (3, 5, 1.0, 1.0)]
    {
        for far in [0.05, 0.5, 5.0, 1e4] {
            let surface = Surface { restitution, friction };
            let own = Some(SelfContact { thickness: 0.55, surface });
            let contacts = Contacts { own, ..Contacts::default() };
            let (model, mut start) = scattered(&mut random, axes, side);
            start.v = random.many(start.x.len(), far);
            let mut end = start.clone();
            end.x.iter_mut().zip(&start.v).for_each(|(x, v)| *x += v);
            let wanted = end.clone();
            let displaced = resolve(&contacts, &model, &start, &mut end);
            let case = format!("{axes} axes, e = {restitution}, {far}");
            assert!(displaced.len() > 1 || far < 0.1, "{case}");
            let (needs, has) = (closest(&model, &start, &wanted), closest(&model, &start, &end));
            assert!(needs < 0.5 || far < 0.1, "{case}: nothing to do");
            assert!(has >= 0.55 - 1e-9, "{case}: {has}");
            let (before, after) = (kinetic(&model, &wanted), kinetic(&model, &end));
            assert!(after <= before * (1.0 + 1e-12), "{case}: {before} {after}");
            let scale = model.nodes() as f64 * 2.5 * far;
            for (a, b) in [(&wanted.v, &end.v), (&wanted.x, &end.x)] {
                for (a, b) in moment(&model, a).iter().zip(&moment(&model, b)) {
                    assert!((a - b).abs() < 1e-10 * scale.max(1.0), "{case}: {a} {b}");
                }
            }
        }
    }
}

#[test]
fn two_nodes_that_meet_head_on_rebound() {
    // Masses 1 and 3 at speeds 2 and -1: the mean velocity is -0.25, and half of the relative speed
    // of 3 remains.
    let own = SelfContact { thickness: 0.5, surface: Surface { restitution: 0.5, friction: 0.0 } };
    let contacts = Contacts { own: Some(own), ..Contacts::default() };
    let model = cloud(2, vec![1.0, 3.0]);
    let start = State { t: 0.0, x: vec![0.0, 1.0, 0.0, 0.0], v: vec![2.0, -1.0, 0.0, 0.0] };
    let mut end = State { x: vec![2.0, 0.0, 0.0, 0.0], ..start.clone() };
    resolve(&contacts, &model, &start, &mut end);
    let (mean, relative) = (-0.25, 1.5);
    assert!((end.v[0] - (mean - 0.75 * relative)).abs() < 1e-12, "{:?}", end.v);
    assert!((end.v[1] - (mean + 0.25 * relative)).abs() < 1e-12, "{:?}", end.v);
    assert!((0.5..=0.505 + 1e-9).contains(&(end.x[1] - end.x[0])), "{:?}", end.x);
}

#[test]
fn pinned_nodes_do_not_give_way_and_a_tight_start_does_not_burst() {
    let own = SelfContact { thickness: 0.9, surface: Surface { restitution: 0.5, friction: 0.2 } };
    let contacts = Contacts { own: Some(own), ..Contacts::default() };
    let mut random = Random::new(3);
    for far in [0.3, 3.0, 300.0] {
        // Unit cells with nodes displaced by up to 0.2: many begin closer than 0.9.
        let (mut model, mut start) = scattered(&mut random, 2, 7);
        (0..49).step_by(6).for_each(|i| model.pinned[i] = true);
        start.v = random.many(98, far);
        (0..98).filter(|k| model.pinned[k % 49]).for_each(|k| start.v[k] = 0.0);
        let mut end = start.clone();
        end.x.iter_mut().zip(&start.v).for_each(|(x, v)| *x += v);
        let wanted = end.clone();
        let tightest = closest(&model, &start, &start);
        assert!(tightest < 0.8);
        resolve(&contacts, &model, &start, &mut end);
        assert!(closest(&model, &start, &end) >= tightest - 1e-9, "{far}");
        assert!(kinetic(&model, &end) <= kinetic(&model, &wanted) * (1.0 + 1e-12), "{far}");
        for k in (0..98).filter(|k| model.pinned[k % 49]) {
            assert_eq!((end.x[k], end.v[k]), (start.x[k], 0.0));
        }
    }
}

#[test]
fn a_rope_thrown_at_itself_keeps_its_thickness_at_any_step() {
    for (method, dt) in ["SemiImplicitEuler", "VelocityVerlet", "Rk4"]
        .into_iter()
        .flat_map(|method| [0.003, 0.02, 0.1, 1.0, 10.0, 1e4].map(|dt| (method, dt)))
    {
        let contact = "thickness: 0.8, restitution: 0.3, friction: 0.2";
        let mut simulation = thrown(method, dt, contact);
        let mut free = thrown(method, dt, "");
        let model = simulation.setup().model.clone();
        let (mut met, mut start) = (false, simulation.state().clone());
        let mut free_start = start.clone();
        let steps = (10.0 / dt).clamp(40.0, 1200.0) as usize;
        for step in 0..steps {
            simulation.step();
            free.step();
            met |= closest(&model, &free_start, free.state()) < 0.7;
            free_start.clone_from(free.state());
            let end = simulation.state();
            assert!(end.is_finite());
            let minimum = closest(&model, &start, end);
            assert!(minimum >= 0.8 - 1e-9, "{method}, dt = {dt}, step {step}: {minimum}");
            start.clone_from(end);
        }
        assert!(met, "{method}, dt = {dt}: without contact nothing would meet");
    }
}
