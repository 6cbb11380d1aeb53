//! Clips by name, and the layers in which a rig plays them.

use super::entries::LayerEntry;
use super::settings::RigSettings;
use crate::scene::diagnostic::Fault;
use crate::scene::error::SceneError;
use crate::scene::stack::{Stack, refuse, required};
use crate::scene::words::{LayerBlend, Repeated};
use crate::sim::BadSetup;
use crate::sim::drive::rig::{Blend, Clip, Fade, Layer, Reference, Skeleton, Weight};
use crate::sim::drive::track::{Playback, Repeat};
use std::sync::Arc;

/// A clip with its name.
struct NamedClip {
    name: String,
    clip: Arc<Clip>,
    /// Whether a file gave it: such clips are repeated unless a layer says otherwise.
    is_of_file: bool,
}

/// The clips of a rig.
#[derive(Default)]
pub(super) struct ClipTable(Vec<NamedClip>);

impl ClipTable {
    /// Adds a clip that the scene has written, or that a file has.
    ///
    /// # Errors
    /// Where another clip has its name.
    pub(super) fn add(&mut self, name: String, clip: Clip, is_of_file: bool) -> Result<(), Fault> {
        if self.0.iter().any(|other| other.name == name) {
            let fault = Fault::new(format!("there are two clips “{name}”"));
            return Err(fault.help("give one of them another name"));
        }
        self.0.push(NamedClip { name, clip: Arc::new(clip), is_of_file });
        Ok(())
    }

    /// Gives all clips room for a bone more, which they do not move.
    pub(super) fn extend(&mut self) {
        for clip in &mut self.0 {
            clip.clip = Arc::new(clip.clip.extended());
        }
    }

    fn find(&self, name: &str) -> Result<&NamedClip, Fault> {
        self.0.iter().find(|clip| clip.name == name).ok_or_else(|| {
            let names: Vec<_> = self.0.iter().map(|clip| format!("\"{}\"", clip.name)).collect();
            let fault = Fault::new(format!("there is no clip “{name}”"));
            match names.is_empty() {
                true => fault.help("the rig has no clips: write `clips`"),
                false => fault.help(format!("there are {}", names.join(", "))),
            }
        })
    }

    /// The clips that are played where nothing says which: all of them, or the first where two
    /// move the same thing.
    fn usual(&self, notes: &mut Vec<String>) -> &[NamedClip] {
        let clash = (1..self.0.len()).find(|later| {
            self.0[..*later].iter().any(|earlier| earlier.clip.shares(&self.0[*later].clip))
        });
        let Some(later) = clash else { return &self.0 };
        let names: Vec<_> = self.0[1..].iter().map(|clip| format!("“{}”", clip.name)).collect();
        let (first, last) = (&self.0[0].name, &self.0[later].name);
        notes.push(format!(
            "the rig plays “{first}”, which moves what “{last}” moves; name others in `rig.layers`: {}",
            names.join(", ")
        ));
        &self.0[..1]
    }
}

/// The layers of a rig: those that the scene lists, or what is usual. `own` moves what bones move
/// by fields of their own, below all layers but those that mix.
///
/// # Errors
/// At the first field of a layer that cannot be.
pub(super) fn layers(
    (stack, rig): (&Stack<'_>, &RigSettings),
    (skeleton, clips): (&Skeleton, &ClipTable),
    own: Option<Clip>,
    notes: &mut Vec<String>,
) -> Result<Vec<Layer>, SceneError> {
    let mut layers: Vec<Layer> =
        own.map(|clip| Layer::new(Arc::new(clip), Blend::Over)).into_iter().collect();
    let Some(list) = &rig.layers else {
        let all = clips.usual(notes);
        // What is played together stays together: the longest clip says when all begin anew.
        let ends = all.iter().filter_map(|clip| Some(clip.clip.span()?.1));
        let end = ends.fold(f64::NEG_INFINITY, f64::max);
        for clip in all {
            let repeat = if clip.is_of_file { Repeat::Loop } else { Repeat::Once };
            let layer = Layer::new(Arc::clone(&clip.clip), Blend::Mix);
            layers.push(match playback((clip, end), 0.0, 1.0, repeat) {
                Some(playback) => layer.played(playback),
                None => layer,
            });
        }
        return Ok(layers);
    };
    for (index, entry) in list.0.iter().enumerate() {
        let path = format!("rig.layers[{index}]");
        let refused = |name: &str, fault: Fault| refuse(stack, &format!("{path}.{name}"), fault);
        let name = required(stack, &format!("{path}.clip"), entry.clip.as_ref())?;
        let clip = clips.find(&name).map_err(|fault| refused("clip", fault))?;
        let mask = match &entry.bones {
            None => None,
            Some(names) => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                let mask = skeleton.mask(&names);
                Some(mask.map_err(|bad| refused("bones", Fault::new(bad.message)))?)
            }
        };
        let weight = weight(entry).map_err(|bad| refused("weight", Fault::new(bad.message)))?;
        layers.push(Layer { mask, ..layer(entry, clip).weighing(weight) });
    }
    Ok(layers)
}

/// How a clip is played up to its end, or to a later time; `None` as it is written.
fn playback(
    (clip, end): (&NamedClip, f64),
    start: f64,
    speed: f64,
    repeat: Repeat,
) -> Option<Playback> {
    let (first, last) = clip.clip.span()?;
    let until = last.max(end);
    let is_plain = start == 0.0 && speed == 1.0 && repeat == Repeat::Once;
    // Clips of files begin at their time 0, as viewers of glTF play them.
    let from = if clip.is_of_file { first.min(0.0) } else { first };
    let offset = start + from;
    (!is_plain || clip.is_of_file)
        .then(|| Playback::new((from, until), offset, speed, repeat).ok())?
}

fn layer(entry: &LayerEntry, clip: &NamedClip) -> Layer {
    let number = |number: Option<crate::scene::values::Finite>, usual: f64| {
        number.map_or(usual, |number| number.0)
    };
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
    let layer = Layer::new(Arc::clone(&clip.clip), blend);
    let played = playback(
        (clip, f64::NEG_INFINITY),
        number(entry.start.0, 0.0),
        number(entry.speed.0, 1.0),
        repeat,
    );
    match played {
        Some(playback) => layer.played(playback),
        None => layer,
    }
}

/// The weight of a layer with its fades.
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
