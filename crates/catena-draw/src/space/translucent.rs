//! Translucent bodies of a panel in space. The opaque objects are drawn first. Each translucent
//! body is then drawn together with them, with normal visibility and lighting, and the changed
//! pixels are blended by its opacity. Bodies farther from the eye come first. Blending also
//! lightens the shadow of a body.

use super::painter::SpacePainter;
use crate::blend::Pixels;
use crate::body::DrawnPart;
use crate::canvas::Canvas;
use crate::panel_objects::{PanelObjects, Trail};
use crate::rect::Rect;
use crate::rigs::DrawnRig;
use catena_sim::glam::DVec3;

/// A translucent body with its earlier positions, one of its trails, or a skin of a rig.
struct Group<'a> {
    parts: Vec<DrawnPart<'a>>,
    trail: Option<&'a Trail>,
    /// Indices of a rig and of its skin.
    skin: Option<[usize; 2]>,
    alpha: u8,
    /// Mean distance of the group's current points ahead of the eye.
    depth: f64,
}

impl SpacePainter {
    /// Draws the objects of one frame over the fixed ones, translucent ones by their distance.
    pub fn draw_translucent(
        &self,
        canvas: &mut Canvas,
        clip: Rect,
        objects: PanelObjects<'_>,
        ink: [f32; 3],
    ) {
        let PanelObjects { parts, trails, rigs, .. } = objects;
        let skins = self.skins(rigs);
        let is_opaque = skins.is_empty() && parts.iter().all(|part| part.look.alpha == u8::MAX);
        if is_opaque && trails.iter().all(|trail| trail.alpha == u8::MAX) {
            return self.draw(canvas, objects, ink, None);
        }
        let opaque: Vec<DrawnPart<'_>> =
            parts.iter().filter(|part| part.look.alpha == u8::MAX).copied().collect();
        let opaque_trails: Vec<Trail> =
            trails.iter().filter(|trail| trail.alpha == u8::MAX).cloned().collect();
        let rest = PanelObjects { parts: &opaque, trails: &opaque_trails, ..objects };
        self.draw(canvas, rest, ink, None);
        let base = Pixels::of(canvas, clip);
        let mut mixed = Pixels::of(canvas, clip);
        for group in self.groups(parts, trails, skins) {
            base.put(canvas);
            let is_ghost = |part: &&DrawnPart<'_>| part.look.is_ghost;
            // Earlier positions come first, as in a list of all parts.
            let all = opaque.iter().chain(&group.parts);
            let (past, now): (Vec<_>, Vec<_>) = all.partition(is_ghost);
            let parts: Vec<DrawnPart<'_>> = past.into_iter().chain(now).copied().collect();
            let trails: Vec<Trail> = opaque_trails.iter().chain(group.trail).cloned().collect();
            let all = PanelObjects { parts: &parts, trails: &trails, ..objects };
            self.draw(canvas, all, ink, group.skin);
            let drawn = Pixels::of(canvas, clip);
            mixed.mix_changes(&base, &drawn, group.alpha);
        }
        mixed.put(canvas);
    }

    /// Returns the translucent skins of rigs.
    fn skins<'a>(&self, rigs: &[DrawnRig<'_>]) -> Vec<Group<'a>> {
        let mut all = Vec::new();
        for (number, rig) in rigs.iter().enumerate() {
            for (index, posed) in rig.posed.skins.iter().enumerate() {
                let alpha = rig.shown.alpha_of(posed.skin);
                if alpha < u8::MAX {
                    let depth = self.depth(posed.points.iter().map(DVec3::to_array));
                    let skin = Some([number, index]);
                    all.push(Group { parts: Vec::new(), trail: None, skin, alpha, depth });
                }
            }
        }
        all
    }

    /// Returns the translucent bodies, trails and skins, the farthest first.
    fn groups<'a>(
        &self,
        parts: &[DrawnPart<'a>],
        trails: &'a [Trail],
        skins: Vec<Group<'a>>,
    ) -> Vec<Group<'a>> {
        let mut groups: Vec<Group<'a>> = Vec::new();
        for part in parts.iter().filter(|part| part.look.alpha < u8::MAX) {
            let is_of = |group: &&mut Group<'_>| {
                let first = &group.parts[0];
                std::ptr::eq(first.model, part.model)
                    && std::ptr::eq(first.springs, part.springs)
                    && group.alpha == part.look.alpha
            };
            match groups.iter_mut().find(is_of) {
                Some(group) => group.parts.push(*part),
                None => groups.push(Group {
                    parts: vec![*part],
                    trail: None,
                    skin: None,
                    alpha: part.look.alpha,
                    depth: 0.0,
                }),
            }
        }
        for group in &mut groups {
            // The depth of the current position, which is last in the list, determines the order.
            let last = group.parts.last();
            let nodes = last.map_or(0, DrawnPart::nodes);
            let places = last.iter().flat_map(|part| (0..nodes).map(|i| part.node(i)));
            group.depth = self.depth(places);
        }
        let trails = trails.iter().filter(|trail| trail.alpha < u8::MAX).map(|trail| Group {
            parts: Vec::new(),
            trail: Some(trail),
            skin: None,
            alpha: trail.alpha,
            depth: self.depth(trail.points.iter().copied()),
        });
        let mut all: Vec<Group<'a>> = trails.chain(groups).chain(skins).collect();
        all.sort_by(|a, b| b.depth.total_cmp(&a.depth));
        all
    }

    /// Mean distance of points ahead of the eye.
    fn depth(&self, places: impl Iterator<Item = [f64; 3]>) -> f64 {
        let depths = places.filter_map(|place| self.camera().point(place)).map(|seen| seen.depth);
        let (sum, count) =
            depths.fold((0.0, 0.0), |(sum, count), depth| (sum + depth, count + 1.0));
        if count > 0.0 { sum / count } else { 0.0 }
    }
}
