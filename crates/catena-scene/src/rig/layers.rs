//! Clips by name, and the layers in which a rig plays them.

use super::entries::{LayerEntry, RigSettings};
use super::names::{KnownNames, unknown_bone, unknown_name};
use crate::diagnostic::Fault;
use crate::error::SceneError;
use crate::stack::{Stack, refuse, required};
use crate::values::Finite;
use crate::words::{LayerBlend, Repeated};
use catena_base::text::number::short;
use catena_sim::BadSetup;
use catena_sim::drive::rig::{Blend, Clip, Fade, Layer, Reference, Skeleton, Weight};
use catena_sim::drive::track::{Animated, Playback, Repeat};
use std::sync::Arc;

/// Clip with its name.
struct NamedClip {
    name: String,
    clip: Arc<Clip>,
    /// Whether the clip comes from a file. Clips from files are repeated by default.
    is_of_file: bool,
}

/// Clips of a rig.
#[derive(Default)]
pub(super) struct ClipTable {
    clips: Vec<NamedClip>,
    /// Whether the clips come from a file outside the scene's folder. If so, messages show no names
    /// from the file.
    is_outside: bool,
}

impl ClipTable {
    /// Creates a table for the clips of a file.
    pub(super) fn of_file(is_outside: bool) -> Self {
        Self { clips: Vec::new(), is_outside }
    }

    /// Describes a clip in a message.
    fn shown(&self, index: usize) -> String {
        let NamedClip { name, is_of_file, .. } = &self.clips[index];
        match *is_of_file && self.is_outside {
            true => format!("clip {index}"),
            false => format!("“{name}”"),
        }
    }

    /// Adds a clip of the scene or of a file.
    ///
    /// # Errors
    /// Returns a fault when another clip has the same name.
    pub(super) fn add(&mut self, name: String, clip: Clip, is_of_file: bool) -> Result<(), Fault> {
        if self.clips.iter().any(|other| other.name == name) {
            let fault = Fault::new(match is_of_file && self.is_outside {
                true => "two clips of the file have the same name".into(),
                false => format!("there are two clips “{name}”"),
            });
            return Err(fault.help("give one of them another name"));
        }
        self.clips.push(NamedClip { name, clip: Arc::new(clip), is_of_file });
        Ok(())
    }

    /// Extends all clips to a skeleton with one more bone, which they do not move.
    pub(super) fn extend(&mut self) {
        for clip in &mut self.clips {
            clip.clip = Arc::new(clip.clip.extended());
        }
    }

    fn find(&self, name: &str) -> Result<&NamedClip, Fault> {
        let unknown = || {
            let names: Vec<String> = self.clips.iter().map(|clip| clip.name.clone()).collect();
            unknown_name("clip", name, KnownNames { names: &names, is_outside: self.is_outside })
        };
        self.clips.iter().find(|clip| clip.name == name).ok_or_else(unknown)
    }

    /// Returns the clips that are played by default: all clips, or only the first if two clips
    /// animate the same property of a bone.
    fn default_clips(&self, notes: &mut Vec<String>) -> &[NamedClip] {
        let clash = (1..self.clips.len()).find(|later| {
            let earlier = &self.clips[..*later];
            earlier.iter().any(|earlier| earlier.clip.shares(&self.clips[*later].clip))
        });
        let Some(later) = clash else { return &self.clips };
        let others: Vec<_> = (1..self.clips.len()).map(|index| self.shown(index)).collect();
        notes.push(format!(
            "the rig plays only {}, because {} moves the same bones; list others in `rig.layers`: {}",
            self.shown(0),
            self.shown(later),
            others.join(", ")
        ));
        &self.clips[..1]
    }
}

/// Field of a layer, and its fault.
type BadField = (&'static str, Fault);

/// Returns the layers of a rig: the layers that the scene lists, or the defaults. `own` is a clip
/// of the bones whose own fields move them. It is applied after layers that mix and before all
/// others.
///
/// # Errors
/// Returns an error at the first invalid field of a layer.
pub(super) fn layers(
    stack: &Stack<'_>,
    rig: &RigSettings,
    skeleton: &Skeleton,
    known: KnownNames<'_>,
    clips: &ClipTable,
    own: Option<Clip>,
    notes: &mut Vec<String>,
) -> Result<Vec<Layer>, SceneError> {
    let mut layers: Vec<Layer> =
        own.map(|clip| Layer::new(Arc::new(clip), Blend::Over)).into_iter().collect();
    let Some(list) = &rig.layers else {
        let all = clips.default_clips(notes);
        // Clips that are played together stay synchronized: all repeat with the period of the
        // longest.
        let times = all.iter().filter_map(|clip| Some(clip.clip.extent().window()?.1));
        let end = times.fold(f64::NEG_INFINITY, f64::max);
        for clip in all {
            let repeat = if clip.is_of_file { Repeat::Loop } else { Repeat::Once };
            let layer = Layer::new(Arc::clone(&clip.clip), Blend::Mix);
            let played = playback(clip, end, 0.0, 1.0, repeat);
            let playback = played.map_err(|(_, fault)| refuse(stack, "rig.clips", fault))?;
            layers.push(Layer { playback, ..layer });
        }
        return Ok(layers);
    };
    for (index, entry) in list.0.iter().enumerate() {
        let path = format!("rig.layers[{index}]");
        let refused = |(field, fault): BadField| refuse(stack, &format!("{path}.{field}"), fault);
        let name = required(stack, &format!("{path}.clip"), entry.clip.as_ref())?;
        let clip = clips.find(&name).map_err(|fault| refused(("clip", fault)))?;
        check(entry).map_err(refused)?;
        let mask = mask(entry, skeleton, known)
            .map_err(|(place, fault)| refuse(stack, &format!("{path}.bones[{place}]"), fault))?;
        let layer = layer(entry, clip).map_err(refused)?;
        layers.push(Layer { mask, ..layer });
    }
    Ok(layers)
}

/// Rejects fields of a layer that are out of range or have no effect.
fn check(entry: &LayerEntry) -> Result<(), BadField> {
    let refused = |field, message: String, help: &str| Err((field, Fault::new(message).help(help)));
    let blend = entry.blend.0.unwrap_or(LayerBlend::Mix);
    if entry.bones.as_ref().is_some_and(Vec::is_empty) {
        let help = "list bones, or remove `bones`: the layer then moves all of them";
        return refused("bones", "a layer without bones moves nothing".into(), help);
    }
    if entry.speed.0.is_some_and(|speed| speed.0 == 0.0) {
        let help = "write a speed above 0, or below 0 to play the clip backwards; to hold a pose, \
                    use a track with a single value";
        return refused("speed", "at a speed of 0 the clip does not move".into(), help);
    }
    if entry.reference.0.is_some() && blend != LayerBlend::Add {
        let help = "write `blend: Add`, or remove `reference`";
        return refused("reference", "`reference` has no effect without `blend: Add`".into(), help);
    }
    if let (Some((rise, _)), Some((fall, _))) = (entry.fade_in.0, entry.fade_out.0)
        && fall.0 < rise.0
    {
        let message = format!("the layer fades out at time {}, before it fades in", short(fall.0));
        let help = "start `fade_out` at or after the time of `fade_in`; to fade out and in again, \
                    write a curve as `weight`";
        return refused("fade_out", message, help);
    }
    let Some(Animated::Constant([weight])) = entry.weight.0.as_ref().map(|weight| &weight.track)
    else {
        return Ok(());
    };
    let (is_fine, help) = match blend {
        LayerBlend::Mix => (*weight >= 0.0, "the weight of a `Mix` layer must be at least 0"),
        LayerBlend::Over => {
            ((0.0..=1.0).contains(weight), "the weight of an `Over` layer must be from 0 to 1")
        }
        LayerBlend::Add => (true, ""),
    };
    let message = || format!("a weight of {} is out of range", short(*weight));
    if is_fine { Ok(()) } else { refused("weight", message(), help) }
}

/// Returns the bones that a layer may move, or `None` for all.
///
/// # Errors
/// Returns the list index of an unknown bone, with its fault.
fn mask(
    entry: &LayerEntry,
    skeleton: &Skeleton,
    known: KnownNames<'_>,
) -> Result<Option<Vec<bool>>, (usize, Fault)> {
    let Some(bones) = &entry.bones else { return Ok(None) };
    if let Some(index) = bones.iter().position(|bone| !known.names.contains(bone)) {
        return Err((index, unknown_bone(&bones[index], known)));
    }
    let bones: Vec<&str> = bones.iter().map(String::as_str).collect();
    let mask = skeleton.mask(&bones);
    mask.map(Some).map_err(|bad| (0, Fault::new(bad.message)))
}

/// Returns the playback of a clip up to its end or to `end`, whichever is later. Returns `None` if
/// the clip is played as written.
///
/// # Errors
/// Returns a fault when the times of the clip are too far apart.
fn playback(
    clip: &NamedClip,
    end: f64,
    start: f64,
    speed: f64,
    repeat: Repeat,
) -> Result<Option<Playback>, BadField> {
    let extent = clip.clip.extent();
    let Some((first, last)) = extent.window() else { return Ok(None) };
    let until = last.max(end);
    // Clips of files begin at their time 0, as in viewers of glTF.
    let from = if clip.is_of_file { first.min(0.0) } else { first };
    let is_plain = start == 0.0 && speed == 1.0 && repeat == Repeat::Once && !clip.is_of_file;
    // A clip with a single time is constant.
    if is_plain || from == until {
        return Ok(None);
    }
    let playback = Playback::new((from, until), start + from, speed, repeat);
    let playback = playback.map_err(|bad| {
        let field = if bad.option == "offset" { "start" } else { "clip" };
        let message =
            format!("the clip cannot be played with these times: expected {}", bad.expected);
        (field, Fault::new(message))
    })?;
    Ok(Some(if extent.is_endless() { playback.going_on() } else { playback }))
}

fn layer(entry: &LayerEntry, clip: &NamedClip) -> Result<Layer, BadField> {
    let number = |number: Option<Finite>, usual: f64| number.map_or(usual, |number| number.0);
    let blend = match entry.blend.0.unwrap_or(LayerBlend::Mix) {
        LayerBlend::Mix => Blend::Mix,
        LayerBlend::Over => Blend::Over,
        LayerBlend::Add => Blend::Add(match entry.reference.0 {
            Some(time) => Reference::Time(time.0),
            None => Reference::Bind,
        }),
    };
    let usual = if clip.is_of_file { Repeated::Loop } else { Repeated::Once };
    let repeat = match entry.repeat.0.unwrap_or(usual) {
        Repeated::Once => Repeat::Once,
        Repeated::Loop => Repeat::Loop,
        Repeated::PingPong => Repeat::PingPong,
    };
    let (start, speed) = (number(entry.start.0, 0.0), number(entry.speed.0, 1.0));
    let playback = playback(clip, f64::NEG_INFINITY, start, speed, repeat)?;
    let weight = weight(entry).map_err(|bad| ("weight", Fault::new(bad.message)))?;
    let layer = Layer::new(Arc::clone(&clip.clip), blend).weighing(weight);
    Ok(Layer { playback, ..layer })
}

/// Returns the weight of a layer with its fades.
fn weight(entry: &LayerEntry) -> Result<Weight, BadSetup> {
    let mut fades = Vec::new();
    if let Some((start, length)) = entry.fade_in.0 {
        fades.push(Fade::rising(start.0, length.0)?);
    }
    if let Some((start, length)) = entry.fade_out.0 {
        fades.push(Fade::falling(start.0, length.0)?);
    }
    let mut weight = Weight::fading(fades);
    if let Some(track) = &entry.weight.0 {
        weight.value = track.track.clone();
    }
    Ok(weight)
}
