//! Figure of a file with its skins, as a scene reads it once.

use crate::access::{ALLOW, RELATIVE};
use crate::diagnostic::Fault;
use crate::files::Files;
use crate::gltf;
use crate::gltf::{FigureMesh, MeshTexture};
use crate::limits::LIFT;
use crate::parts::SkinLook;
use catena_base::text::number::counted;
use catena_sim::rig::RigSkin;
use std::path::Path;
use std::sync::Arc;

/// Figure of a file, shared by all bodies that name it.
#[derive(Debug)]
pub(crate) struct FileFigure {
    pub(super) figure: gltf::Figure,
    pub(super) skins: Vec<Arc<RigSkin>>,
    pub(super) looks: Vec<SkinLook>,
}

impl FileFigure {
    /// Reads a figure and the external buffers that it names.
    pub(crate) fn read(name: &str, files: &Files) -> Result<Self, Fault> {
        let bytes = files.bytes(name)?;
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        let mut advice = None;
        let mut read_sibling = |other: &str, maximum: u64| {
            let path = folder.join(other);
            let path = path.to_str().ok_or("its name is not valid UTF-8")?;
            let bytes = files.bytes(path).map_err(|fault| {
                advice = fault.help.filter(|help| help != RELATIVE);
                fault.message
            })?;
            let is_small = bytes.len() as u64 <= maximum;
            if is_small {
                Ok(bytes.to_vec())
            } else {
                Err(format!("it has more than {maximum} bytes"))
            }
        };
        let read = gltf::read(&bytes, &mut read_sibling, &gltf::Limits::default());
        let mut figure = read.map_err(|error| {
            let fault = Fault::new(match files.shows_text(name) {
                true => format!("{name}: {error}"),
                false => format!("{name}: {}: this value is invalid", error.place),
            });
            // Other advice may contain names from the file.
            let is_fixed = |help: &String| [ALLOW, LIFT].contains(&help.as_str());
            let shows_text = files.shows_text(name);
            Fault { help: advice.filter(|help| shows_text || is_fixed(help)), ..fault }
        })?;
        let mut meshes = std::mem::take(&mut figure.meshes);
        let count = meshes.len();
        meshes.retain(|mesh| mesh.look.color[3] > 0.0);
        if meshes.len() < count {
            let left_out = counted((count - meshes.len()) as u64, "fully transparent primitive");
            figure.notes.push(format!("ignored: {left_out}"));
        }
        let looks = meshes.iter().map(look).collect();
        let skins = meshes.into_iter().map(skin).map(Arc::new).collect();
        Ok(Self { figure, skins, looks })
    }
}

/// Returns the look of a mesh.
fn look(mesh: &FigureMesh) -> SkinLook {
    let [r, g, b, alpha] = mesh.look.color.map(|part| libm::rint(255.0 * part) as u8);
    let texture = mesh.texture.clone().map(|texture| (texture, [r, g, b]));
    SkinLook { colors: mesh.colors.clone(), texture, alpha: alpha.max(1) }
}

/// Converts a mesh to a skin. If the mesh has a texture, the single colour of the skin is the
/// texture's mean. Planar pictures and exports use this colour.
pub(crate) fn skin(mesh: FigureMesh) -> RigSkin {
    let FigureMesh { name, bone, points, normals, triangles, skin, joints, look, texture, .. } =
        mesh;
    let morphs = mesh.morphs;
    let mean = |it: &MeshTexture| it.texture.mean().map(|byte| f64::from(byte) / 255.0);
    let [x, y, z] = texture.as_ref().map_or([1.0; 3], mean);
    let [r, g, b, alpha] = look.color;
    let [r, g, b, _] = [r * x, g * y, b * z, alpha].map(|part| libm::rint(255.0 * part) as u8);
    RigSkin {
        name,
        points,
        normals,
        triangles,
        weights: skin,
        joints: joints.bones.clone(),
        inverse_bind: joints.inverse_bind.clone(),
        color: Some([r, g, b]),
        is_double_sided: look.is_double_sided,
        ring: None,
        node: Some(bone),
        morphs,
    }
}
