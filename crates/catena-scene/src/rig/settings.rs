//! Fields of a rig.

use super::entries::RigFile;
use super::entries::{BoneList, ClipList, LayerList, SkinShape};
use super::turn::TurnTrack;
use crate::color::Color;
use crate::over_time::{ScaleTrack, VectorOverTime};
use crate::values::{NonNegative, Positive};
use crate::words::Visible;
use catena_sim::rig::Skinning;

layered! {
    /// Bones that carry pins, colliders and skins. A body with only a rig shows the rig alone.
    pub struct RigSettings {
        /// A glTF file, relative to the scene, that gives skeleton, skins and clips: "figure.glb".
        (Body, "-") file: RigFile,
        /// Bones, in place of a file: a list of (name, parent, place, turn, scale, length), where
        /// place, turn and scale may be curves.
        (Body, "-") bones: BoneList,
        /// What moves bones: a list of (name, tracks), each track a (bone, place, turn, scale).
        /// Those of a file are there already.
        (Body, "-") clips: ClipList,
        /// Clips that are played, from below to above: a list of (clip, blend, weight, bones,
        /// start, speed, repeat, fade_in, fade_out, reference). Left out, all clips, or the first
        /// where two move the same thing.
        (Body, "-") layers: LayerList,
        /// Where the whole rig stands. Left out, at the origin.
        (Body, "length") place: VectorOverTime,
        /// How the whole rig is turned: degrees against the clock, or as a bone is. Left out, not
        /// at all.
        (Body, "degrees") turn: TurnTrack,
        /// How large the whole rig is. Left out, 1.
        (Body, "-") scale: ScaleTrack,
        /// For how long, before time 0 of its clips, the rig moves from its bind pose to its first
        /// pose. Left out, 0.
        (Body, "time") warm_up: NonNegative,
        /// A skin of the program's own around a chain of bones: Tube(radius: …). Left out, that of
        /// the file.
        (Body, "-") skin: SkinShape,
        /// How bones move a skin: Linear or DualQuaternion. Left out, Linear.
        (Body, "-") skinning: Skinning,
        /// What is drawn: Skin, Bones, All or None. Left out, the skin, or the bones where there is
        /// none.
        (Body, "-") show: Visible,
        /// Colour of skins; left out, those of the file.
        (Body, "-") color: Color,
        /// Thickness of the bones that are drawn, as a share of their length. Left out, 0.1.
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
