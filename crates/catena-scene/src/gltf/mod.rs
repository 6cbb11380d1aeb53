//! Figures from glTF 2.0: a skeleton with clips and meshes.
//!
//! Every node of a file is a bone, so that nodes above the joints and animated nodes are included.
//! Meshes with a skin follow its joints, and other meshes follow their node. Files are untrusted,
//! so bounds, cycles, strides, times, counts and weights are checked before use. Materials give a
//! base colour with a texture. Cameras are ignored, as [`Figure::notes`] says.
//! Source: the Khronos Group, "glTF 2.0 Specification".

mod accessor;
mod clips;
mod container;
mod document;
mod extensions;
mod limits;
mod material;
mod mesh;
mod messages;
mod morph;
mod names;
mod nodes;
mod picture;
mod skin;
mod source;
mod texture;

pub use clips::{Conflict, FigureClip, Moved};
pub use limits::Limits;
pub use material::Look;
pub use mesh::FigureMesh;
pub use messages::GltfError;
pub use skin::Joints;
pub use source::ReadFile;
pub use texture::{MeshTexture, Texture, TextureLevel, Wrap};

use catena_base::text::number;
use catena_sim::drive::rig::{Clip, Skeleton};
use catena_sim::named::BadSetup;
use limits::Allowance;
use mesh::MeshReader;
use messages::NoteList;
use source::GltfSource;
use std::sync::Arc;

/// Figure of a file. Lengths are in metres and y is up, as in glTF.
#[derive(Clone, Debug)]
pub struct Figure {
    /// All nodes by their index. Unnamed nodes are called `node 3`. If two nodes share a name,
    /// joints keep theirs, and others get a suffix such as `_1`.
    pub skeleton: Arc<Skeleton>,
    /// Clips, one per animation. Unnamed ones are called `animation 3`.
    pub clips: Vec<FigureClip>,
    /// Meshes of the displayed scene, one per primitive and node.
    pub meshes: Vec<FigureMesh>,
    /// Notes for the user about ignored or changed content.
    pub notes: Vec<String>,
}

impl Figure {
    /// Returns the clip with a name.
    ///
    /// # Errors
    /// Returns an error that lists all names when there is no such clip.
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

    /// Merges all clips into one, as intended by exporters that write one animation per channel. If
    /// two clips animate the same property of a bone, the first is used and the conflict is listed.
    /// Such clips are usually separate motions, of which one should be played by name.
    ///
    /// # Errors
    /// Returns an error when the clips do not fit the skeleton.
    pub fn all_clips(&self) -> Result<(Clip, Vec<Conflict>), BadSetup> {
        clips::together(&self.clips, &self.skeleton)
    }
}

/// Reads a figure: a GLB, or JSON with embedded or external buffers. `files` reads external ones.
///
/// Weights of a vertex are divided by their sum, quaternions are normalized, and missing inverse
/// bind matrices are the identity.
///
/// # Errors
/// Returns an error with its position when the file is not glTF 2.0, needs an unsupported
/// extension, exceeds a limit, or is invalid.
pub fn read(bytes: &[u8], files: &mut ReadFile<'_>, limits: &Limits) -> Result<Figure, GltfError> {
    let [has, maximum] = [bytes.len() as u64, limits.bytes];
    let [shown, at_most] = number::compared_bytes([has, maximum].map(u128::from));
    let message = format_args!("{shown}: at most {at_most} are allowed");
    GltfError::unless(has <= maximum, "file", message)?;

    let container = container::open(bytes)?;
    let document = container::parse(container.json, limits)?;
    let mut notes = NoteList::default();
    extensions::check(&document, &mut notes)?;
    let skeleton = nodes::skeleton(&document, limits, &mut notes)?;
    let drawn = nodes::drawn(&document)?;

    let source = GltfSource::new(&document, container.binary, files, limits)?;
    let mut allowance = Allowance::new(limits);
    let joints = skin::of_skins(&source, &mut allowance)?;
    let clips = clips::read_clips(&source, &mut allowance, &mut notes)?;
    let looks = material::looks(&document)?;
    let maximum = limits.bytes;
    let (textures, counts) =
        texture::base_textures(&source, files, maximum, &mut allowance, &mut notes)?;
    let (joints, looks, drawn) = (&joints[..], &looks[..], &drawn[..]);
    let reader = MeshReader { source: &source, joints, looks, drawn, textures: &textures };
    let meshes = reader.read(&mut allowance, &mut notes)?;
    let notes = notes.list(&document, counts);
    Ok(Figure { skeleton: Arc::new(skeleton), clips, meshes, notes })
}
