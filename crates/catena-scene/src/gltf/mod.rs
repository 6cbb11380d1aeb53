//! Figures from glTF 2.0: a skeleton, its clips, and the meshes that it carries.
//!
//! Every node of a file is a bone, so that nodes above the joints and nodes that are animated count
//! as well. Meshes with a skin hang on its joints, whatever their own node does; others are
//! carried by their node. Files come from anywhere, so everything is measured before it is
//! followed: bounds, circles, strides, times, counts and weights. Materials give a base colour;
//! textures, morph targets, cameras and the like are left out, and [`Figure::notes`] says so.
//! Source: the Khronos Group, "glTF 2.0 Specification".

mod accessor;
mod channel;
mod clips;
mod container;
mod document;
mod error;
mod extensions;
mod joints;
mod json;
mod limits;
mod material;
mod matrix;
mod mesh;
mod names;
mod nodes;
mod normals;
mod notes;
mod source;
mod topology;
mod uri;
mod value;
mod weights;

pub use clips::{Conflict, FigureClip, Moved};
pub use error::GltfError;
pub use joints::Joints;
pub use limits::Limits;
pub use material::Look;
pub use mesh::FigureMesh;
pub use source::ReadFile;

use catena_base::text::number;
use catena_sim::drive::rig::{Clip, Skeleton};
use catena_sim::named::BadSetup;
use limits::Allowance;
use mesh::MeshReader;
use notes::Notes;
use source::Source;
use std::sync::Arc;

/// What a file has of a figure. Lengths are metres and y is up, as glTF has it.
#[derive(Clone, Debug)]
pub struct Figure {
    /// All nodes, which keep their numbers. Nodes without a name are called `node 3`. Where two
    /// have one name, joints keep theirs, and others get `_1` and so on behind it.
    pub skeleton: Arc<Skeleton>,
    /// A clip for each animation. Those without a name are called `animation 3`.
    pub clips: Vec<FigureClip>,
    /// Meshes of the scene that the file shows: one for each primitive and each node that has it.
    pub meshes: Vec<FigureMesh>,
    /// What was left out of the file or changed on reading, for people.
    pub notes: Vec<String>,
}

impl Figure {
    /// The clip of a name.
    ///
    /// # Errors
    /// Where there is none; the message lists all.
    pub fn clip(&self, name: &str) -> Result<Clip, BadSetup> {
        let Some(clip) = self.clips.iter().find(|clip| clip.name == name) else {
            let names: Vec<&str> = self.clips.iter().map(|clip| clip.name.as_str()).collect();
            let has = match names.as_slice() {
                [] => "the figure has none".into(),
                _ => format!("expected one of: {}", names.join(", ")),
            };
            return Err(BadSetup::new("clip", format!("there is no clip “{name}”: {has}")));
        };
        clip.clip(&self.skeleton)
    }

    /// All clips played at once, as files of exporters that write an animation a channel mean it.
    /// Where two clips move the same of a bone, the first one's motion counts and the conflict is
    /// listed. Such clips are most often whole motions, of which one should be played by its name.
    ///
    /// # Errors
    /// Where clips are not of this skeleton.
    pub fn all_clips(&self) -> Result<(Clip, Vec<Conflict>), BadSetup> {
        clips::together(&self.clips, &self.skeleton)
    }
}

/// Reads a figure: a GLB, or JSON with its buffers inside or in files beside it, which `files`
/// reads.
///
/// Weights of a vertex are divided by their sum, quaternions become unit ones, and missing inverse
/// bind matrices are the identity.
///
/// # Errors
/// Where the file is no glTF 2.0, asks for an extension that is not read, asks for more than the
/// limits allow, or is wrong: the error names the place.
pub fn read(bytes: &[u8], files: &mut ReadFile<'_>, limits: &Limits) -> Result<Figure, GltfError> {
    let [has, most] = [bytes.len() as u64, limits.bytes];
    let [shown, at_most] = [has, most].map(|bytes| number::bytes(bytes.into()));
    let message = format_args!("{shown}: at most {at_most} are read");
    GltfError::unless(has <= most, "file", message)?;

    let container = container::open(bytes)?;
    let document = json::parse(container.json, limits)?;
    let mut notes = Notes::default();
    extensions::check(&document, &mut notes)?;
    let skeleton = nodes::skeleton(&document, limits, &mut notes)?;
    let drawn = nodes::drawn(&document)?;

    let source = Source::new(&document, container.binary, files, limits)?;
    let mut allowance = Allowance::new(limits);
    let joints = joints::of_skins(&source, &mut allowance)?;
    let clips = clips::read(&source, &mut allowance, &mut notes)?;
    let looks = material::looks(&document)?;
    let reader = MeshReader { source: &source, joints: &joints, looks: &looks, drawn: &drawn };
    let meshes = reader.read(&mut allowance, &mut notes)?;
    let notes = notes.list(&document, material::transparent(&document, &looks));
    Ok(Figure { skeleton: Arc::new(skeleton), clips, meshes, notes })
}
