//! Fields of a rig, and bones, clips, layers and skins as scenes write them.

use super::turn::TurnTrack;
use crate::color::Color;
use crate::diagnostic::Fault;
use crate::entry::Entry;
use crate::grammar::{Grammar, Inside, Thing};
use crate::layered::{FieldValue, join};
use crate::over_time::{OverTime, ScaleTrack, VectorOverTime};
use crate::read::{FromRon, List, Optional};
use crate::values::{Finite, NonNegative, Positive, Whole};
use crate::words::{LayerBlend, Repeated, Visible};
use catena_ron::Node;
use catena_sim::rig::Skinning;

readable! {
    /// Bone of a rig.
    pub struct BoneEntry {
        /// Name of the bone.
        name: Option<String>,
        /// Parent bone. If omitted, the rig itself.
        parent: Option<String>,
        /// Position relative to the parent.
        place: Optional<VectorOverTime>,
        /// Rotation relative to the parent.
        turn: Optional<TurnTrack>,
        /// Scale of the bone.
        scale: Optional<ScaleTrack>,
        /// Drawn length along the bone's x axis. If omitted, the distance to its children.
        length: Optional<Positive>,
    }
}

readable! {
    /// Tracks of one bone in a clip.
    pub struct TrackEntry {
        /// Bone that the track moves.
        bone: Option<String>,
        /// Position of the bone relative to its parent.
        place: Optional<VectorOverTime>,
        /// Rotation of the bone relative to its parent.
        turn: Optional<TurnTrack>,
        /// Scale of the bone.
        scale: Optional<ScaleTrack>,
    }
}

readable! {
    /// Clip: tracks of some bones.
    pub struct ClipEntry {
        /// Name of the clip.
        name: Option<String>,
        /// Tracks of the clip.
        tracks: List<TrackEntry>,
    }
}

readable! {
    /// Layer that plays a clip.
    pub struct LayerEntry {
        /// Name of the clip.
        clip: Option<String>,
        /// Blending with the layers below.
        blend: Optional<LayerBlend>,
        /// Weight of the layer.
        weight: Optional<OverTime<Finite>>,
        /// Bones that the layer moves, with their descendants.
        bones: Option<Vec<String>>,
        /// Start time.
        start: Optional<Finite>,
        /// Playback speed, relative to the clip.
        speed: Optional<Finite>,
        /// Behaviour after the end of the clip.
        repeat: Optional<Repeated>,
        /// Start and duration of the fade-in, in which the weight rises from 0.
        fade_in: Optional<(Finite, NonNegative)>,
        /// Start and duration of the fade-out, in which the weight falls to 0.
        fade_out: Optional<(Finite, NonNegative)>,
        /// Time of the clip whose pose is the reference of an `Add` layer. If omitted, the bind
        /// pose.
        reference: Optional<Finite>,
    }
}

impl Entry for List<TrackEntry> {
    fn in_words() -> String {
        "a list of (bone: \"…\", place: curve, turn: curve, scale: curve)".into()
    }

    fn inside() -> Grammar {
        Grammar::List(TrackEntry::inside)
    }
}

/// Bones of a rig.
pub type BoneList = List<BoneEntry>;
/// Clips of a rig.
pub type ClipList = List<ClipEntry>;
/// Layers of a rig.
pub type LayerList = List<LayerEntry>;

/// Visits place and scale of an entry.
fn visit(
    place: &Optional<VectorOverTime>,
    scale: &Optional<ScaleTrack>,
    path: &str,
    mut visit: impl FnMut(&dyn Fields, String),
) {
    if let Some(place) = &place.0 {
        visit(place, join(path, "place"));
    }
    if let Some(scale) = &scale.0 {
        visit(scale, join(path, "scale"));
    }
}

/// Methods of [`FieldValue`] that inspect the inside of a value.
trait Fields {
    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>);
    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>);
}

impl<T: FieldValue> Fields for T {
    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        FieldValue::vectors(self, path, all);
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        FieldValue::check_choices(self, path, faults);
    }
}

impl FieldValue for BoneList {
    fn grammar() -> Grammar {
        Grammar::List(BoneEntry::inside)
    }

    fn expected() -> String {
        "a list of (name: \"…\", parent: \"…\", place: vector, turn: degrees, scale: number, length: number)".into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        for (index, bone) in self.0.iter().enumerate() {
            visit(&bone.place, &bone.scale, &format!("{path}[{index}]"), |value, path| {
                value.vectors(&path, all);
            });
        }
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        for (index, bone) in self.0.iter().enumerate() {
            let path = format!("{path}[{index}]");
            visit(&bone.place, &bone.scale, &path, |value, path| {
                value.check_choices(&path, faults);
            });
        }
    }
}

impl ClipEntry {
    /// Visits the values that may hold vectors or choices.
    fn visit(&self, path: &str, mut see: impl FnMut(&dyn Fields, String)) {
        for (index, track) in self.tracks.0.iter().enumerate() {
            let path = format!("{path}.tracks[{index}]");
            visit(&track.place, &track.scale, &path, &mut see);
        }
    }
}

impl FieldValue for ClipList {
    fn grammar() -> Grammar {
        Grammar::List(ClipEntry::inside)
    }

    fn expected() -> String {
        "a list of (name: \"…\", tracks: [(bone: \"…\", place: curve, turn: curve, scale: curve)])"
            .into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        for (index, clip) in self.0.iter().enumerate() {
            clip.visit(&format!("{path}[{index}]"), |value, path| value.vectors(&path, all));
        }
    }

    fn check_choices(&self, path: &str, faults: &mut Vec<(String, Fault)>) {
        for (index, clip) in self.0.iter().enumerate() {
            let path = format!("{path}[{index}]");
            clip.visit(&path, |value, path| value.check_choices(&path, faults));
        }
    }
}

impl FieldValue for LayerList {
    fn grammar() -> Grammar {
        Grammar::List(LayerEntry::inside)
    }

    fn expected() -> String {
        "a list of (clip: \"…\", blend: Mix, Over or Add, weight: number or curve, bones: [\"…\"], …)"
            .into()
    }
}

/// Generated skin around bones.
#[derive(Clone, Debug)]
pub enum SkinShape {
    /// Tube along a chain of bones.
    Tube(TubeSettings),
}

readable! {
    /// Tube along a chain of bones.
    pub struct TubeSettings {
        /// Radius of the tube.
        radius: Optional<Positive>,
        /// Number of sides.
        sides: Optional<Whole<3, 256>>,
        /// Number of rings.
        rings: Optional<Whole<2, 10_000>>,
        /// Length around a joint over which the weight changes from one bone to the next.
        blend: Optional<NonNegative>,
        /// First bone of the chain. If omitted, the first bone of the rig.
        from: Option<String>,
    }
}

impl FromRon for SkinShape {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        if node.head() == "Tube" || node.text() == "Tube" {
            return TubeSettings::from_ron(node.options()).map(Self::Tube);
        }
        Err(Fault::new(format!("expected {}", Self::expected())).at(node.span()))
    }
}

impl FieldValue for SkinShape {
    fn grammar() -> Grammar {
        const TUBE: Thing = Thing {
            name: "Tube",
            summary: "tube along a chain of bones",
            inside: Inside::Grammar(Grammar::Fields(|| {
                let all = TubeSettings::inside().members().into_iter();
                let units = [("radius", "length"), ("blend", "length")];
                all.map(|member| member.in_units(&units)).collect()
            })),
        };
        Grammar::Things(|| vec![TUBE])
    }

    fn expected() -> String {
        "Tube(radius: number, sides: 24, rings: 65, blend: length, from: \"bone\")".into()
    }
}

/// Name of a figure file, whose rig is always in space.
#[derive(Clone, Debug)]
pub struct RigFile(pub String);

impl FromRon for RigFile {
    fn from_ron(node: Node<'_>) -> Result<Self, Fault> {
        String::from_ron(node).map(Self)
    }
}

impl FieldValue for RigFile {
    fn grammar() -> Grammar {
        Grammar::File(&["glb", "gltf"])
    }

    fn expected() -> String {
        "the name of a .glb or .gltf file in quotes".into()
    }

    fn vectors(&self, path: &str, all: &mut Vec<(String, usize)>) {
        all.push((path.into(), 3));
    }
}

layered! {
    /// Bones that carry pins, colliders and skins. A body with only a rig shows the rig alone.
    pub struct RigSettings {
        /// glTF file, relative to the scene, that contains skeleton, skins and clips: "figure.glb".
        (Body, "-") file: RigFile,
        /// Bones, instead of a file: a list of (name, parent, place, turn, scale, length). Place,
        /// turn and scale may be curves.
        (Body, "-") bones: BoneList,
        /// Clips, which move bones: a list of (name, tracks), each track a (bone, place, turn,
        /// scale). Clips of a file need no entry.
        (Body, "-") clips: ClipList,
        /// Clips to play, from the lowest layer to the highest: a list of (clip, blend, weight,
        /// bones, start, speed, repeat, fade_in, fade_out, reference). If omitted, all clips, or
        /// only the first if two clips animate the same property of a bone.
        (Body, "-") layers: LayerList,
        /// Position of the whole rig. If omitted, the origin.
        (Body, "length") place: VectorOverTime,
        /// Rotation of the whole rig: degrees counterclockwise, or a rotation as for bones. If
        /// omitted, none.
        (Body, "degrees") turn: TurnTrack,
        /// Scale of the whole rig. If omitted, 1.
        (Body, "-") scale: ScaleTrack,
        /// Time before time 0 of the clips, during which the rig moves from its bind pose to its
        /// first pose. If omitted, 0.
        (Body, "time") warm_up: NonNegative,
        /// Generated skin around a chain of bones: Tube(radius: …). If omitted, the skin of the
        /// file.
        (Body, "-") skin: SkinShape,
        /// Skinning method: Linear or DualQuaternion. If omitted, Linear.
        (Body, "-") skinning: Skinning,
        /// Drawn parts of the rig: Skin, Bones, All or None. If omitted, the skin, or the bones if
        /// there is no skin.
        (Body, "-") show: Visible,
        /// Colour of skins. If omitted, the colours of the file.
        (Body, "-") color: Color,
        /// Thickness of drawn bones, as a fraction of their length. If omitted, 0.1.
        (Body, "-") bone_width: Positive,
    }
}

impl RigSettings {
    /// Returns the number of entries of its lists, including tracks.
    pub(crate) fn entries(&self) -> u64 {
        let bones = self.bones.as_ref().map_or(0, |list| list.0.len());
        let clips = self.clips.iter().flat_map(|list| &list.0);
        let tracks: usize = clips.map(|clip| 1 + clip.tracks.0.len()).sum();
        let layers = self.layers.as_ref().map_or(0, |list| list.0.len());
        (bones + tracks + layers) as u64
    }
}
