//! Building of rigs from their fields.

use super::entries::{BoneEntry, BoneList, RigSettings};
use super::layers::{ClipTable, layers};
use super::names::{KnownNames, shown_bone, unknown_bone};
use super::skin::tube;
use super::turn::TurnTrack;
use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::over_time::{Changing, ScaleTrack, VectorOverTime};
use crate::parts::ShownRig;
use crate::rig::figure::RigFigure;
use crate::schema::Settings;
use crate::stack::{Stack, refuse, required};
use crate::words::{Pattern, Visible};
use catena_sim::BadSetup;
use catena_sim::drive::rig::{
    Animation, Bone, BoneTracks, Clip, RotationTrack, Skeleton, Transform,
};
use catena_sim::drive::track::{Animated, Extent, Extremes, Followed, Track};
use catena_sim::glam::{DQuat, DVec3};
use catena_sim::rig::Rig;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Default thickness of bones as a fraction of their length.
const BONE_WIDTH: f64 = 0.1;

/// Name of the bone that carries all others if the rig itself is placed, turned or scaled.
const CARRIER: &str = "rig";

/// Built rig with its notes.
pub(crate) struct BuiltRig {
    pub(crate) shown: ShownRig,
    /// Number of the figure's bones. The rig may have one more bone, which carries them.
    own_bones: usize,
    /// Time at which the body starts: 0, or earlier if the rig warms up.
    pub(crate) start: f64,
    pub(crate) notes: Vec<String>,
    /// Whether the file is outside the scene's folder. If so, messages show no names from the file.
    is_outside: bool,
}

impl BuiltRig {
    /// Returns the index of a bone of the figure by its name.
    ///
    /// # Errors
    /// Returns a fault when there is no such bone.
    pub(crate) fn bone(&self, name: &str) -> Result<usize, Fault> {
        let own = &self.shown.rig.animation.skeleton().names()[..self.own_bones];
        let known = KnownNames { names: own, is_outside: self.is_outside };
        own.iter().position(|other| other == name).ok_or_else(|| unknown_bone(name, known))
    }

    /// Describes a bone in a message by its name, or by its index if names are hidden.
    pub(crate) fn shown_bone(&self, bone: usize) -> String {
        shown_bone(bone, &self.shown.rig.animation.skeleton().names()[bone], self.is_outside)
    }

    /// Whether a bone is the added bone that carries the bones of the figure.
    pub(crate) fn is_carrier(&self, bone: usize) -> bool {
        bone >= self.own_bones
    }
}

/// Builds the rig that the layers describe, in a space of `axes` axes. Returns `None` if there is
/// no rig.
///
/// # Errors
/// Returns an error at the first field that is missing, out of range or contradictory.
pub(crate) fn rig(
    stack: &Stack<'_>,
    settings: &Settings,
    axes: usize,
) -> Result<Option<BuiltRig>, SceneError> {
    let Some(rig) = &settings.rig else { return Ok(None) };
    let mut figure = match (&rig.file, &rig.bones) {
        (None, Some(bones)) => written(stack, axes, bones)?,
        (Some(file), None) => super::file::read(stack, &file.0)?,
        (Some(_), Some(_)) => {
            let fault = Fault::new("a rig cannot have both a `file` and `bones`");
            return Err(refuse(stack, "rig.bones", fault.help("remove one of the two")));
        }
        (None, None) => return Err(no_bones(stack, "rig")),
    };
    if figure.skeleton.is_empty() {
        return Err(no_bones(stack, "rig.bones"));
    }
    for (index, clip) in rig.clips.iter().flat_map(|list| list.0.iter().enumerate()) {
        let name = clip.name.clone().unwrap_or_else(|| format!("clip {index}"));
        let path = format!("rig.clips[{index}]");
        let mut tracks = Vec::with_capacity(clip.tracks.0.len());
        for (number, track) in clip.tracks.0.iter().enumerate() {
            let path = format!("{path}.tracks[{number}]");
            let place = format!("{path}.bone");
            let bone = required(stack, &place, track.bone.as_ref())?;
            let names = figure.skeleton.names();
            if !names.contains(&bone) {
                return Err(refuse(stack, &place, unknown_bone(&bone, figure.bones())));
            }
            let fields = WrittenTransform {
                place: track.place.0.as_ref(),
                turn: track.turn.0.as_ref(),
                scale: track.scale.0.as_ref(),
            };
            tracks.push((bone, tracks_of(stack, axes, &path, fields)?));
        }
        let clip = Clip::new(&figure.skeleton, tracks);
        let clip = clip.map_err(|bad| refuse(stack, &path, Fault::new(bad.message)))?;
        figure.clips.add(name, clip, false).map_err(|fault| refuse(stack, &path, fault))?;
    }
    if let Some(shape) = &rig.skin {
        figure.skins = vec![Arc::new(tube(stack, shape, &figure)?)];
        figure.looks.clear();
    }
    let own_bones = figure.skeleton.len();
    let figure = carried(stack, axes, rig, figure)?;
    finished(stack, axes, settings, rig, figure, own_bones)
}

/// Returns the error of a rig without bones.
fn no_bones(stack: &Stack<'_>, path: &str) -> SceneError {
    let help = "write `bones: [(name: \"arm\")]`, or name a glTF `file`";
    refuse(stack, path, Fault::new("the rig has no bones").help(help))
}

/// Adds layers to a figure with `own_bones` bones, and completes the rig.
fn finished(
    stack: &Stack<'_>,
    axes: usize,
    settings: &Settings,
    rig: &RigSettings,
    figure: RigFigure,
    own_bones: usize,
) -> Result<Option<BuiltRig>, SceneError> {
    let RigFigure { skeleton, clips, own, skins, looks, lengths, carriers, mut notes, is_outside } =
        figure;
    let refused = |bad: BadSetup| refuse(stack, "rig.layers", Fault::new(bad.message));
    let own = (!own.is_empty()).then(|| Clip::new(&skeleton, own)).transpose().map_err(refused)?;
    let known = KnownNames { names: &skeleton.names()[..own_bones], is_outside };
    let layers = layers(stack, rig, &skeleton, known, &clips, own, &mut notes)?;
    let animation = Animation::new(Arc::new(skeleton), layers).map_err(refused)?;
    let warm_up = rig.warm_up.map_or(0.0, |time| time.0);
    let animation = animation.warming_up(warm_up);
    if axes == 2 {
        check_planar(stack, &animation, is_outside)?;
    }
    let usual = if skins.is_empty() { Visible::Bones } else { Visible::Skin };
    let tips = lengths.iter().map(|length| length.map(|length| DVec3::X * length)).collect();
    let pattern = pattern(settings);
    let written = format!("{rig:?} {pattern:?}");
    let shown = ShownRig {
        show: rig.show.unwrap_or(usual),
        color: rig.color,
        skin_looks: looks,
        pattern,
        bone_width: rig.bone_width.map_or(BONE_WIDTH, |width| width.0),
        written,
        rig: Arc::new(Rig {
            carriers,
            animation: Arc::new(animation),
            skins,
            skinning: rig.skinning.unwrap_or_default(),
            tips,
        }),
    };
    Ok(Some(BuiltRig { shown, own_bones, start: -warm_up, notes, is_outside }))
}

/// Returns the pattern on tube skins and its number of cells, from the body's style.
fn pattern(settings: &Settings) -> (Pattern, u32) {
    let style = settings.style.as_ref();
    let pattern = style.and_then(|style| style.pattern).unwrap_or(Pattern::Plain);
    let cells = style.and_then(|style| style.pattern_cells).map_or(1, |cells| cells.0);
    (pattern, cells as u32)
}

/// Rejects a rig that leaves the plane of a planar scene.
fn check_planar(
    stack: &Stack<'_>,
    animation: &Animation,
    is_outside: bool,
) -> Result<(), SceneError> {
    let names = animation.skeleton().names();
    let Some(bone) = (0..names.len()).find(|bone| !animation.keeps_plane(*bone)) else {
        return Ok(());
    };
    let shown = shown_bone(bone, &names[bone], is_outside);
    let fault = Fault::new(format!("{shown} leaves the plane of a planar scene"));
    let help = "rotate bones only about z, or give vectors three components";
    Err(refuse(stack, "rig", fault.help(help)))
}

/// Builds the skeleton of listed bones, and the tracks of bones whose own fields move them.
fn written(stack: &Stack<'_>, axes: usize, bones: &BoneList) -> Result<RigFigure, SceneError> {
    let mut built = Vec::with_capacity(bones.0.len());
    let mut moving = Vec::new();
    for (index, bone) in bones.0.iter().enumerate() {
        let path = format!("rig.bones[{index}]");
        let BoneEntry { name, parent, place, turn, scale, .. } = bone;
        let name = required(stack, &format!("{path}.name"), name.as_ref())?;
        let fields = WrittenTransform {
            place: place.0.as_ref(),
            turn: turn.0.as_ref(),
            scale: scale.0.as_ref(),
        };
        let tracks = tracks_of(stack, axes, &path, fields)?;
        let bind = at_start(&tracks);
        built.push(Bone { name: name.clone(), parent: parent.clone(), bind });
        let moves = moving_only(fields, tracks);
        if moves.place.is_some() || moves.rotation.is_some() || moves.scale.is_some() {
            moving.push((name, moves));
        }
    }
    let skeleton = skeleton(stack, built)?;
    let lengths = bones.0.iter().map(|bone| bone.length.0.map(|length| length.0)).collect();
    let (clips, skins, notes) = (ClipTable::default(), Vec::new(), Vec::new());
    let carriers = vec![false; skeleton.len()];
    let is_outside = false;
    let looks = Vec::new();
    let own = moving;
    Ok(RigFigure { skeleton, clips, own, skins, looks, lengths, carriers, notes, is_outside })
}

/// Builds the skeleton of listed bones.
fn skeleton(stack: &Stack<'_>, bones: Vec<Bone>) -> Result<Skeleton, SceneError> {
    let names: Vec<String> = bones.iter().map(|bone| bone.name.clone()).collect();
    let known: BTreeSet<&String> = names.iter().collect();
    for (index, bone) in bones.iter().enumerate() {
        let Some(parent) = bone.parent.as_ref().filter(|parent| !known.contains(*parent)) else {
            continue;
        };
        let message = format!("bone “{}”: the parent “{parent}” does not exist", bone.name);
        let fault = Fault {
            message,
            ..unknown_bone(parent, KnownNames { names: &names, is_outside: false })
        };
        return Err(refuse(stack, &format!("rig.bones[{index}].parent"), fault));
    }
    let refused = |bad: BadSetup| {
        let fault = Fault::new(bad.message);
        // All parents exist here, so an error about a parent is a cycle.
        let fault = match bad.field.ends_with(".parent") {
            true => fault.help("remove one `parent`: a bone without a parent is a root"),
            false => fault,
        };
        refuse(stack, &format!("rig.{}", bad.field), fault)
    };
    Skeleton::new(bones).map_err(refused)
}

/// Adds a bone that carries the figure if the rig is placed, turned or scaled.
fn carried(
    stack: &Stack<'_>,
    axes: usize,
    rig: &RigSettings,
    mut figure: RigFigure,
) -> Result<RigFigure, SceneError> {
    let fields = WrittenTransform {
        place: rig.place.as_ref(),
        turn: rig.turn.as_ref(),
        scale: rig.scale.as_ref(),
    };
    if let WrittenTransform { place: None, turn: None, scale: None } = fields {
        return Ok(figure);
    }
    let tracks = tracks_of(stack, axes, "rig", fields)?;
    let names = figure.skeleton.names();
    let mut name = CARRIER.to_owned();
    while names.contains(&name) {
        name.push('_');
    }
    let bind = at_start(&tracks);
    let refused = |bad: BadSetup| refuse(stack, "rig", Fault::new(bad.message));
    figure.skeleton = figure.skeleton.carried_by(&name, bind).map_err(refused)?;
    figure.lengths.push(None);
    figure.carriers.push(true);
    figure.clips.extend();
    figure.own.push((name, moving_only(fields, tracks)));
    Ok(figure)
}

/// Place, turn and scale as written.
#[derive(Clone, Copy)]
struct WrittenTransform<'a> {
    place: Option<&'a VectorOverTime>,
    turn: Option<&'a TurnTrack>,
    scale: Option<&'a ScaleTrack>,
}

/// Returns the tracks of all written properties of a bone. A constant property is a constant track.
fn tracks_of(
    stack: &Stack<'_>,
    axes: usize,
    path: &str,
    WrittenTransform { place, turn, scale }: WrittenTransform<'_>,
) -> Result<BoneTracks, SceneError> {
    let vector = |name: &str, vector: &VectorOverTime| {
        let read = vector.on(axes, stack);
        read.map_err(|fault| refuse(stack, &format!("{path}.{name}"), fault)).map(animated)
    };
    Ok(BoneTracks {
        place: place.map(|place| vector("place", place)).transpose()?,
        rotation: turn.map(rotation).transpose().map_err(|bad: BadSetup| {
            refuse(stack, &format!("{path}.turn"), Fault::new(bad.message))
        })?,
        scale: match scale {
            None => None,
            Some(ScaleTrack::Even(number)) => Some(Animated::moving(Even(number.clone()))),
            Some(ScaleTrack::Each(each)) => {
                let flat = axes == 2;
                vector("scale", each)
                    .map(|scale| Some(if flat { Animated::moving(Flat(scale)) } else { scale }))?
            }
        },
    })
}

fn rotation(turn: &TurnTrack) -> Result<RotationTrack, BadSetup> {
    match turn {
        TurnTrack::Constant(turn) => RotationTrack::constant(*turn),
        TurnTrack::Moving(track) => Ok(track.clone()),
    }
}

fn animated(vector: Changing<Vec<f64>, Arc<dyn catena_sim::Curve>>) -> Animated<3> {
    match vector {
        Changing::Never(at) => {
            Animated::Constant([at[0], at[1], at.get(2).copied().unwrap_or(0.0)])
        }
        Changing::OverTime(curve) => Animated::moving(Followed(curve)),
    }
}

/// Returns the transform of a bone's tracks at time 0.
fn at_start(tracks: &BoneTracks) -> Transform {
    let vector = |track: &Option<Animated<3>>, usual: DVec3| {
        track.as_ref().map_or(usual, |track| DVec3::from_array(track.at(0.0).0))
    };
    let turn = tracks.rotation.as_ref().map_or(DQuat::IDENTITY, |track| track.at(0.0).turn);
    Transform {
        place: vector(&tracks.place, DVec3::ZERO),
        turn,
        scale: vector(&tracks.scale, DVec3::ONE),
    }
}

/// Removes the tracks that never move.
fn moving_only(
    WrittenTransform { place, turn, scale }: WrittenTransform<'_>,
    tracks: BoneTracks,
) -> BoneTracks {
    let moves = |vector: &VectorOverTime| matches!(vector, VectorOverTime::Curve(_));
    let stretches = |scale: &ScaleTrack| match scale {
        ScaleTrack::Even(number) => matches!(number, Animated::Moving(_)),
        ScaleTrack::Each(each) => moves(each),
    };
    BoneTracks {
        place: tracks.place.filter(|_| place.is_some_and(moves)),
        rotation: tracks.rotation.filter(|_| matches!(turn, Some(TurnTrack::Moving(_)))),
        scale: tracks.scale.filter(|_| scale.is_some_and(stretches)),
    }
}

/// Uniform scale along all axes.
#[derive(Clone, Debug)]
struct Even(Animated<1>);
catena_sim::identity!(Even(value));

impl Track<3> for Even {
    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let ([value], [rate]) = self.0.at(t);
        ([value; 3], [rate; 3])
    }

    fn extent(&self) -> Extent {
        self.0.extent()
    }

    fn extremes(&self) -> Option<[Extremes; 3]> {
        self.0.extremes().map(|[even]| [even; 3])
    }
}

/// Scale of the plane, with a z scale of 1.
#[derive(Clone, Debug)]
struct Flat(Animated<3>);
catena_sim::identity!(Flat(value));

impl Track<3> for Flat {
    fn at(&self, t: f64) -> ([f64; 3], [f64; 3]) {
        let ([x, y, _], rate) = self.0.at(t);
        ([x, y, 1.0], rate)
    }

    fn extent(&self) -> Extent {
        self.0.extent()
    }

    fn extremes(&self) -> Option<[Extremes; 3]> {
        self.0.extremes().map(|[x, y, _]| [x, y, Extremes::constant(0.0, 1.0)])
    }
}
