//! Figures as UsdSkel: a SkelRoot with a skeleton, its animation, and skinned meshes.
//!
//! Joints are sorted so that parents come first. UsdSkel stores the scales of joints in 16 bits.

use super::{
    items::{push_extent, write_color, write_surface},
    text::{UsdaText, list, push_list, push_number, push_vector, push_vectors, quoted},
};
use crate::export::contents::IndexedFigure;
use crate::export::figure::{Figure, Local};
use crate::export::morphs::SkinnedMesh;
use crate::export::names::UsedNames;
use crate::export::writer::{ExportError, WriterInput};
use catena_sim::{
    drive::rig::{Pose, Skeleton},
    glam::{DAffine3, DVec3},
    rig::Skinning,
    vector::Vec3,
};
use std::collections::BTreeSet;

/// Group that contains a figure.
pub(super) struct GroupScope<'a> {
    /// Path of the group.
    pub(super) path: &'a str,
    /// Names used in the group.
    pub(super) names: &'a mut UsedNames,
    /// Function that returns the path of a colour's material.
    pub(super) look: &'a mut dyn FnMut([u8; 4]) -> String,
}

/// Writes a figure.
pub(super) fn write(
    input: &mut WriterInput<'_>,
    source: IndexedFigure<'_>,
    scope: GroupScope<'_>,
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    let GroupScope { path, names, look } = scope;
    let (figure, IndexedFigure { owner, place }) = (source.figure(), source);
    let name = names.take_identifier(&figure.name);
    let path = format!("{path}/{name}");
    text.open(&format!("def SkelRoot \"{name}\" ("))?;
    text.write_line("prepend apiSchemas = [\"SkelBindingAPI\"]")?;
    text.write_line(&format!("displayName = {}", quoted(&figure.name)))?;
    text.turn()?;
    let mut own = UsedNames::default();
    let [skeleton, motion] = ["skeleton", "animation"].map(|name| own.take_identifier(name));
    text.write_line(&format!("rel skel:skeleton = <{path}/{skeleton}>"))?;
    text.write_samples("float3[] extent", input.contents.frames.clone(), |frame, line| {
        input.check_interruption()?;
        let world = figure.world(input.recording.moment(owner, frame)?.bones(place));
        let bones = world.iter().map(|bone| bone.translation.to_array());
        let t = input.contents.time_of(frame);
        let meshes = figure
            .meshes
            .iter()
            .flat_map(|mesh| mesh.posed(&mesh.shape_at(t).points, &world, figure.skinning).0);
        let points: Vec<Vec3> = bones.chain(meshes).collect();
        push_extent(&points, 0.0, line);
        Ok::<_, ExportError>(())
    })?;
    let joints = joints(&figure.skeleton);
    write_skeleton(figure, &joints, &skeleton, &format!("{path}/{motion}"), text)?;
    let shapes = morph_names(figure);
    write_motion(input, source, &motion, &joints, text)?;
    write_morph_weights(input, figure, &shapes.concat(), text)?;
    text.close("}")?;
    let first = figure.world(input.recording.moment(owner, 0)?.bones(place));
    for (mesh, shapes) in figure.meshes.iter().zip(&shapes) {
        let name = own.take_identifier(&mesh.name);
        write_mesh(figure, mesh, &first, &name, &look(mesh.color), text)?;
        write_morphs(mesh, &first, &format!("{path}/{name}"), shapes, text)?;
        text.close("}")?;
    }
    text.close("}")?;
    Ok(())
}

/// Paths of all joints, in the order of [`Skeleton::order`].
fn joints(skeleton: &Skeleton) -> String {
    let mut names = UsedNames::default();
    let own: Vec<String> =
        skeleton.names().iter().map(|name| names.take_identifier(name)).collect();
    let path = |bone: &usize| {
        let chain = skeleton.chain(*bone);
        let words: Vec<&str> = chain.iter().map(|bone| own[*bone].as_str()).collect();
        format!("\"{}\"", words.join("/"))
    };
    list(skeleton.order().iter().map(path))
}

/// Formats a matrix of USD, whose rows are the images of the axes.
fn matrix(map: &DAffine3) -> String {
    let rows = [map.matrix3.x_axis, map.matrix3.y_axis, map.matrix3.z_axis, map.translation];
    let row = |(index, row): (usize, &DVec3)| {
        let [x, y, z] = row.to_array();
        format!("({x:?}, {y:?}, {z:?}, {})", if index == 3 { 1 } else { 0 })
    };
    let rows: Vec<String> = rows.iter().enumerate().map(row).collect();
    format!("( {} )", rows.join(", "))
}

fn write_skeleton(
    figure: &Figure,
    joints: &str,
    name: &str,
    motion: &str,
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    let skeleton = &figure.skeleton;
    let binds = binds(figure);
    let order = || skeleton.order().iter();
    text.open(&format!("def Skeleton \"{name}\" ("))?;
    text.write_line("prepend apiSchemas = [\"SkelBindingAPI\"]")?;
    text.turn()?;
    let bind = list(order().map(|bone| matrix(&binds[*bone])));
    text.write_line(&format!("uniform matrix4d[] bindTransforms = {bind}"))?;
    text.write_line(&format!("uniform token[] joints = {joints}"))?;
    let rest = list(order().map(|bone| matrix(&skeleton.bind()[*bone].matrix())));
    text.write_line(&format!("uniform matrix4d[] restTransforms = {rest}"))?;
    text.write_line(&format!("rel skel:animationSource = <{motion}>"))?;
    text.close("}")?;
    Ok(())
}

fn write_motion(
    input: &mut WriterInput<'_>,
    source: IndexedFigure<'_>,
    name: &str,
    joints: &str,
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    let skeleton = &source.figure().skeleton;
    text.open(&format!("def SkelAnimation \"{name}\""))?;
    text.turn_plain()?;
    text.write_line(&format!("uniform token[] joints = {joints}"))?;
    let order = skeleton.order();
    let all = input.contents.frames.clone();
    let mut before: Vec<Local> = Vec::new();
    let locals = |input: &mut WriterInput<'_>, frame: usize| -> Result<Vec<Local>, ExportError> {
        input.check_interruption()?;
        let moment = input.recording.moment(source.owner, frame)?;
        let all: Vec<Local> = Figure::locals(moment.bones(source.place)).collect();
        Ok(order.iter().map(|bone| all[*bone]).collect())
    };
    text.write_samples("quatf[] rotations", all.clone(), |frame, line| {
        let mut now = locals(input, frame)?;
        for (now, before) in now.iter_mut().zip(&before) {
            if now.turn.dot(before.turn) < 0.0 {
                now.turn = -now.turn;
            }
        }
        before.clone_from(&now);
        // USD writes the real part first.
        let turn = |it: &Local| {
            let [x, y, z, w] = it.turn.to_array();
            [w, x, y, z].map(|value| value as f32)
        };
        push_list(&now, |it, line| push_vector(turn(it), line), line);
        Ok::<_, ExportError>(())
    })?;
    text.write_samples("half3[] scales", all.clone(), |frame, line| {
        let scales: Vec<Vec3> =
            locals(input, frame)?.iter().map(|it| it.scale.to_array()).collect();
        push_vectors(&scales, line);
        Ok::<_, ExportError>(())
    })?;
    text.write_samples("float3[] translations", all, |frame, line| {
        let places: Vec<Vec3> =
            locals(input, frame)?.iter().map(|it| it.place.to_array()).collect();
        push_vectors(&places, line);
        Ok::<_, ExportError>(())
    })?;
    Ok(())
}

/// Names of the morph targets of each mesh, unique within the figure.
fn morph_names(figure: &Figure) -> Vec<Vec<String>> {
    let mut names = UsedNames::default();
    let mut of_mesh =
        |mesh: &SkinnedMesh| mesh.targets().map(|_| names.take_identifier("morph")).collect();
    figure.meshes.iter().map(&mut of_mesh).collect()
}

/// Writes the weights of all morph targets of a figure into its animation.
fn write_morph_weights(
    input: &mut WriterInput<'_>,
    figure: &Figure,
    names: &[String],
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    if names.is_empty() {
        return Ok(());
    }
    let quoted = list(names.iter().map(|name| quoted(name)));
    text.write_line(&format!("uniform token[] blendShapes = {quoted}"))?;
    let contents = input.contents;
    text.write_samples("float[] blendShapeWeights", contents.frames.clone(), |frame, line| {
        let t = contents.time_of(frame);
        let weights: Vec<f32> = figure.meshes.iter().flat_map(|mesh| mesh.weights_at(t)).collect();
        push_list(weights, push_number, line);
        Ok::<_, ExportError>(())
    })?;
    Ok(())
}

/// Writes the morph targets of a mesh, within its prim at `path`.
fn write_morphs(
    mesh: &SkinnedMesh,
    first: &[DAffine3],
    path: &str,
    names: &[String],
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    if names.is_empty() {
        return Ok(());
    }
    let shapes = list(names.iter().map(|name| quoted(name)));
    text.write_line(&format!("uniform token[] skel:blendShapes = {shapes}"))?;
    let targets = list(names.iter().map(|name| format!("<{path}/{name}>")));
    text.write_line(&format!("rel skel:blendShapeTargets = {targets}"))?;
    let normals = mesh.rest_normals(&mesh.points, first);
    for (name, points) in names.iter().zip(mesh.targets()) {
        text.open(&format!("def BlendShape \"{name}\""))?;
        text.turn_plain()?;
        let turned = mesh.rest_normals(&points, first);
        for (attribute, now, before) in
            [("offsets", &points, &mesh.points), ("normalOffsets", &turned, &normals)]
        {
            let moved = now.iter().zip(before).map(|(now, before)| (now - before).to_array());
            let mut line = format!("uniform vector3f[] {attribute} = ");
            push_vectors(&moved.collect::<Vec<Vec3>>(), &mut line);
            text.write_line(&line)?;
        }
        text.close("}")?;
    }
    Ok(())
}

/// Writes a mesh, whose prim stays open.
fn write_mesh(
    figure: &Figure,
    mesh: &SkinnedMesh,
    first: &[DAffine3],
    name: &str,
    look: &str,
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    text.open(&format!("def Mesh \"{name}\" ("))?;
    text.write_line("prepend apiSchemas = [\"MaterialBindingAPI\", \"SkelBindingAPI\"]")?;
    text.write_line(&format!("displayName = {}", quoted(&mesh.name)))?;
    text.turn()?;
    text.write_line(&format!(
        "int[] faceVertexCounts = {}",
        list(mesh.triangles.iter().map(|_| 3))
    ))?;
    let corners = list(mesh.outward(first).flatten());
    text.write_line(&format!("int[] faceVertexIndices = {corners}"))?;
    write_surface(text)?;
    write_color(mesh.color, look, text)?;
    let points: Vec<Vec3> = mesh.points.iter().map(DVec3::to_array).collect();
    let normals: Vec<Vec3> =
        mesh.rest_normals(&mesh.points, first).iter().map(DVec3::to_array).collect();
    let mut line = String::from("float3[] extent = ");
    push_extent(&points, 0.0, &mut line);
    text.write_line(&line)?;
    for (attribute, vectors) in [("point3f[] points", &points), ("normal3f[] normals", &normals)] {
        let mut line = format!("{attribute} = ");
        push_vectors(vectors, &mut line);
        match attribute.contains("normals") {
            false => text.write_line(&line)?,
            true => {
                text.open(&(line + " ("))?;
                text.write_line("interpolation = \"vertex\"")?;
                text.close(")")?;
            }
        }
    }
    write_weights(figure, mesh, text)
}

/// Writes joints and weights. Every vertex gets the maximum number of joints per vertex.
fn write_weights(
    figure: &Figure,
    mesh: &SkinnedMesh,
    text: &mut UsdaText<'_>,
) -> Result<(), ExportError> {
    let mut numbers = vec![0; figure.skeleton.len()];
    for (number, bone) in figure.skeleton.order().iter().enumerate() {
        numbers[*bone] = number;
    }
    let all: Vec<Vec<(usize, f64)>> =
        (0..mesh.points.len()).map(|vertex| mesh.skin.influences(vertex).collect()).collect();
    let size = all.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let padded = || all.iter().flat_map(|all| (0..size).map(|k| all.get(k).copied()));
    let joints = padded().map(|it| it.map_or(0, |(bone, _)| numbers[bone]));
    text.open(&format!("int[] primvars:skel:jointIndices = {} (", list(joints)))?;
    text.write_line(&format!("elementSize = {size}"))?;
    text.write_line("interpolation = \"vertex\"")?;
    text.close(")")?;
    let mut line = String::from("float[] primvars:skel:jointWeights = ");
    let weight = |it: Option<(usize, f64)>, line: &mut String| {
        push_number(it.map_or(0.0, |(_, weight)| weight as f32), line);
    };
    push_list(padded(), weight, &mut line);
    text.open(&(line + " ("))?;
    text.write_line(&format!("elementSize = {size}"))?;
    text.write_line("interpolation = \"vertex\"")?;
    text.close(")")?;
    if figure.skinning == Skinning::DualQuaternion {
        text.write_line("uniform token primvars:skel:skinningMethod = \"dualQuaternion\"")?;
    }
    let bind = geom_bind(mesh, &binds(figure))?;
    text.write_line(&format!("matrix4d primvars:skel:geomBindTransform = {}", matrix(&bind)))?;
    Ok(())
}

/// Bind map of each bone: taken from the first mesh on the bone, or from the skeleton for a bone
/// without a mesh.
fn binds(figure: &Figure) -> Vec<DAffine3> {
    let mut pose = Pose::default();
    figure.skeleton.bind_pose(&mut pose);
    let mut binds: Vec<DAffine3> = pose.bones().iter().map(|bone| bone.matrix).collect();
    let mut is_bound = vec![false; binds.len()];
    for mesh in &figure.meshes {
        for bone in used_bones(mesh) {
            let map = mesh.inverse_bind[bone];
            if !is_bound[bone] && map.matrix3.determinant() != 0.0 {
                binds[bone] = map.inverse();
            }
            is_bound[bone] = true;
        }
    }
    binds
}

/// Bones that move a mesh, without duplicates.
fn used_bones(mesh: &SkinnedMesh) -> BTreeSet<usize> {
    let bones = |vertex| mesh.skin.influences(vertex).map(|(bone, _)| bone);
    (0..mesh.points.len()).flat_map(bones).collect()
}

/// Map from mesh coordinates to the bind pose, which must be the same for all of its bones.
fn geom_bind(mesh: &SkinnedMesh, binds: &[DAffine3]) -> Result<DAffine3, ExportError> {
    let places = used_bones(mesh).into_iter();
    let mut places = places.map(|bone| binds[bone] * mesh.inverse_bind[bone]);
    let first = places.next().unwrap_or(DAffine3::IDENTITY);
    let tolerance = 1e-6 * (1.0 + first.translation.length());
    if places.all(|place| place.abs_diff_eq(first, tolerance)) {
        return Ok(first);
    }
    Err(ExportError::Unfit(format!(
        "the mesh “{}” is bound to another pose of its bones than an earlier mesh, but USD allows one bind pose per skeleton; \
         choose another --format",
        mesh.name
    )))
}
