//! Layers: known results of blending, masks, fades and transitions, and exact rates through all of
//! them.

use crate::rigs::skeletons::hold_velocities;
use crate::rigs::{Numbers, about, apart, farthest};
use catena_sim::drive::rig::{
    Animation, Blend, Bone, BoneTracks, Clip, Fade, Layer, Pose, Reference, RotationTrack,
    Skeleton, Transform, Weight,
};
use catena_sim::drive::track::{Animated, Key, KeyTrack, Playback, Repeat};
use catena_sim::glam::{DQuat, DVec3};
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;

fn single() -> Arc<Skeleton> {
    Arc::new(Skeleton::new(vec![Bone::root("a", Transform::IDENTITY)]).unwrap())
}

/// A clip that keeps the first bone at a position and rotation.
fn still(skeleton: &Skeleton, x: f64, turn: DQuat) -> Arc<Clip> {
    let tracks = BoneTracks {
        place: Some(Animated::Constant([x, 0.0, 0.0])),
        rotation: Some(RotationTrack::constant(turn).unwrap()),
        scale: None,
    };
    Arc::new(Clip::new(skeleton, [(skeleton.names()[0].clone(), tracks)]).unwrap())
}

fn pose_of(skeleton: &Arc<Skeleton>, layers: Vec<Layer>, t: f64) -> Pose {
    let mut pose = Pose::default();
    Animation::new(skeleton.clone(), layers).unwrap().pose(t, &mut pose);
    pose
}

#[test]
fn means_meet_known_answers() {
    let skeleton = single();
    let table = [([0.5, 0.5], 6.0), ([1.0, 1.0], 6.0), ([0.5, 0.0], 2.0), ([0.25, 0.25], 3.0)];
    for (weights, expected) in table {
        let layer = |x: f64, w: f64| {
            let clip = still(&skeleton, x, DQuat::IDENTITY);
            Layer::new(clip, Blend::Mix).weighing(Weight::constant(w))
        };
        let layers = vec![layer(4.0, weights[0]), layer(8.0, weights[1])];
        let place = pose_of(&skeleton, layers, 0.0).bones()[0].place();
        assert!((place.x - expected).abs() <= 1e-15, "{weights:?}: {place}");
    }
}

#[test]
fn means_of_rotations_do_not_depend_on_the_order() {
    let mut numbers = Numbers::new(2);
    let skeleton = single();
    for _ in 0..50 {
        let mut layers: Vec<Layer> = (0..4)
            .map(|_| {
                let clip = still(&skeleton, 0.0, numbers.rotation());
                Layer::new(clip, Blend::Mix).weighing(Weight::constant(numbers.next().abs()))
            })
            .collect();
        let before = pose_of(&skeleton, layers.clone(), 0.0).bones()[0].turn;
        layers.reverse();
        layers.swap(0, 1);
        let after = pose_of(&skeleton, layers, 0.0).bones()[0].turn;
        assert!(apart(before, after) < 1e-15);
    }
}

#[test]
fn adding_a_rotation_meets_its_known_answer() {
    let skeleton = single();
    let below = still(&skeleton, 1.0, about(DVec3::X, FRAC_PI_2));
    let above = still(&skeleton, 3.0, about(DVec3::Z, PI / 3.0));
    let expected = [
        0.683_012_701_892_219_3,
        -0.183_012_701_892_219_3,
        0.183_012_701_892_219_3,
        0.683_012_701_892_219_3,
    ];
    let layers = vec![
        Layer::new(below, Blend::Mix),
        Layer::new(above.clone(), Blend::Add(Reference::Bind)).weighing(Weight::constant(0.5)),
    ];
    let bone = pose_of(&skeleton, layers, 0.0).bones()[0];
    assert!(farthest(bone.turn.to_array(), expected) <= 4e-16, "{}", bone.turn);
    assert_eq!(bone.place(), DVec3::new(2.5, 0.0, 0.0));

    // A constant clip added relative to itself adds nothing.
    let layers = vec![Layer::new(above, Blend::Add(Reference::Time(7.0)))];
    let bone = pose_of(&skeleton, layers, 0.0).bones()[0];
    assert_eq!((bone.place(), apart(bone.turn, DQuat::IDENTITY) < 1e-16), (DVec3::ZERO, true));
}

/// Blended layers are applied first, wherever they are listed, so that they do not weaken added
/// layers.
#[test]
fn what_is_added_counts_wherever_it_is_listed() {
    let skeleton = single();
    let mixed = Layer::new(still(&skeleton, 4.0, about(DVec3::X, FRAC_PI_2)), Blend::Mix);
    let added =
        Layer::new(still(&skeleton, 3.0, about(DVec3::Z, PI / 3.0)), Blend::Add(Reference::Bind));
    let added = added.weighing(Weight::constant(0.5));
    let [last, first] = [[&mixed, &added], [&added, &mixed]]
        .map(|layers| pose_of(&skeleton, layers.map(Layer::clone).to_vec(), 0.0).bones()[0]);
    assert_eq!(first, last);
    assert_eq!(first.place().x, 5.5);
    let expected = about(DVec3::X, FRAC_PI_2) * about(DVec3::Z, PI / 6.0);
    assert!(apart(first.turn, expected) < 4e-16, "{}", first.turn);
}

#[test]
fn over_takes_over_and_masks_hold_it_back() {
    let bones = vec![
        Bone::on("spine", "arm", Transform::at(DVec3::Y)),
        Bone::root("hip", Transform::IDENTITY),
        Bone::on("arm", "hand", Transform::at(DVec3::Y)),
        Bone::on("hip", "spine", Transform::at(DVec3::Y)),
    ];
    let skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let mask = skeleton.mask(&["arm"]).unwrap();
    assert_eq!(mask, [true, false, true, false]);
    assert!(skeleton.mask(&["wing"]).is_err());
    let clip = |z: f64| {
        let tracks = skeleton.names().iter().map(|name| {
            let place = Some(Animated::Constant([0.0, 1.0, z]));
            (name.clone(), BoneTracks { place, ..BoneTracks::default() })
        });
        Arc::new(Clip::new(&skeleton, tracks).unwrap())
    };
    let layers = vec![
        Layer::new(clip(2.0), Blend::Over).masked(mask).weighing(Weight::constant(0.25)),
        Layer::new(clip(1.0), Blend::Mix),
    ];
    let pose = pose_of(&skeleton, layers, 0.0);
    let depth: Vec<f64> = pose.bones().iter().map(|bone| bone.place().z).collect();
    assert_eq!(depth, [3.25, 1.0, 4.5, 2.0]);
}

#[test]
fn fades_and_transitions_have_the_sum_one() {
    let skeleton = single();
    let [a, b] = [4.0, 8.0].map(|x| still(&skeleton, x, about(DVec3::Z, 0.1 * x)));
    let [a, b] = [a, b].map(|clip| Layer::new(clip, Blend::Mix));
    let layers = Layer::transition(a, b, 1.0, 2.0).unwrap().to_vec();
    // By 3s² - 2s³, a quarter of the time gives 5/32.
    let table = [(0.0, 4.0), (1.0, 4.0), (1.5, 4.625), (2.0, 6.0), (3.0, 8.0), (9.0, 8.0)];
    for (t, expected) in table {
        let place = pose_of(&skeleton, layers.clone(), t).bones()[0].place().x;
        assert!((place - expected).abs() < 2e-15, "{t}: {place}");
    }
    let straight = Fade::rising(0.0, 4.0).unwrap().straight();
    assert_eq!((straight.at(1.0), straight.at(4.0)), ((0.25, 0.25), (1.0, 0.0)));
    assert_eq!(Fade::falling(0.0, 0.0).unwrap().at(0.0), (0.0, 0.0));
    assert!(Fade::rising(f64::NAN, 1.0).is_err() && Fade::rising(0.0, -1.0).is_err());
}

/// A clip with cubic tracks for one bone each.
fn moving_clip(numbers: &mut Numbers, skeleton: &Skeleton) -> Arc<Clip> {
    let tracks: Vec<(String, BoneTracks)> = skeleton
        .names()
        .iter()
        .map(|name| {
            let mut cubic = |base: f64, size: f64| {
                let mut value = || (DVec3::splat(base) + numbers.vector() * size).to_array();
                let keys =
                    (0..4).map(|t| Key::new(f64::from(t), value()).rates([0.2; 3], [0.1; 3]));
                Some(Animated::moving(KeyTrack::new(keys.collect()).unwrap()))
            };
            let (place, scale) = (cubic(0.0, 0.6), cubic(1.0, 0.1));
            let turn =
                |t: i32| (f64::from(t), about(DVec3::Z, 0.3 * f64::from(t)) * DQuat::IDENTITY);
            let mut turns: Vec<_> = (0..4).map(turn).collect();
            turns.iter_mut().for_each(|(_, turn)| {
                *turn = about(numbers.vector().normalize(), 0.8 * numbers.next()) * *turn;
            });
            let rotation = Some(RotationTrack::slerps(&turns).unwrap());
            (name.clone(), BoneTracks { place, rotation, scale })
        })
        .collect();
    Arc::new(Clip::new(skeleton, tracks).unwrap())
}

#[test]
fn velocities_are_exact_through_layers_weights_and_playback() {
    let mut numbers = Numbers::new(99);
    let turn = |angle: f64| about(DVec3::new(0.0, 0.6, 0.8), angle);
    let bone = |i: usize| {
        let bind = Transform::at(DVec3::Y * 0.3).turned(turn(0.1 * i as f64));
        let parent = i.checked_sub(1).map(|parent| format!("{parent}"));
        Bone { name: format!("{i}"), parent, bind }
    };
    let skeleton = Arc::new(Skeleton::new((0..6).map(bone).collect()).unwrap());
    let weight = |from: f64, to: f64| Weight {
        value: Animated::moving(KeyTrack::linear(&[(0.0, [from]), (3.0, [to])]).unwrap()),
        fades: vec![Fade::rising(-1.0, 5.0).unwrap()],
    };
    let mut clip = || moving_clip(&mut numbers, &skeleton);
    let looped = Playback::new((0.0, 2.9), 0.2, 1.3, Repeat::PingPong).unwrap();
    let layers = vec![
        Layer::new(clip(), Blend::Mix).weighing(weight(0.2, 0.9)),
        Layer::new(clip(), Blend::Mix).weighing(weight(0.4, 1.9)).played(looped),
        Layer::new(clip(), Blend::Over).weighing(weight(0.1, 0.6)),
        Layer::new(clip(), Blend::Add(Reference::Time(0.5))).weighing(weight(-0.5, 0.7)),
        Layer::new(clip(), Blend::Add(Reference::Bind)).weighing(weight(0.3, 0.2)),
    ];
    let animation = Arc::new(Animation::new(skeleton, layers).unwrap());
    // From the start of the fades to the end of the ping-pong.
    let (start, end) = animation.extent().window().unwrap();
    assert_eq!((start, (end - (0.2 + 5.8 / 1.3)).abs() < 1e-15), (-1.0, true));
    hold_velocities(&animation, &mut numbers);
}

#[test]
fn layers_of_another_skeleton_are_refused() {
    let skeleton = single();
    let none = Arc::new(Skeleton::new(Vec::new()).unwrap());
    let clip = still(&skeleton, 1.0, DQuat::IDENTITY);
    let layer = Layer::new(clip, Blend::Mix);
    let error = Animation::new(none, vec![layer.clone()]).unwrap_err().to_string();
    assert_eq!(error, "layers[0].clip: expected one entry for each of 0 bones");
    let error = Animation::new(skeleton.clone(), vec![layer.masked(vec![])]).unwrap_err();
    assert_eq!(error.to_string(), "layers[0].mask: expected one entry for each of 1 bones");
    let twice = ["a", "a"].map(|name| (name, BoneTracks::default()));
    let error = Clip::new(&skeleton, twice).unwrap_err().to_string();
    assert_eq!(error, "tracks: bone “a” already has tracks");
}
