//! Colours of the bodies of a scene, by one rule for frames and figures.

use super::palette::{
    DISTINCT, LAST_SHADE, distinct_colors, family_shade, method_color, method_family, nth_shade,
};
use super::rigs::rig_ink;
use super::theme::{Ink, Theme, mixed};
use catena_scene::{Body, Scene};
use image::Rgb;
use std::collections::BTreeMap;

/// Maximum number of bodies of one family that get shades of its hue. More shades would be
/// indistinguishable.
const MAX_SHADES: usize = 6;

/// Maximum number of bodies of one family that get individual palette colours ([`nth_shade`]). With
/// more bodies, each has its own panel and plot, and the colour shows the method.
const MAX_LISTED: usize = 24;

/// Maximum number of bodies of a single method that each get their own hue.
const MAX_HUES: usize = 3;

/// Colours of all bodies in front of `background`, by panel. The first rule that applies decides:
///
/// - the colour set in the scene or, for a rig without a body, the colour of its drawing;
/// - a separate hue per body, for a few bodies of different methods or very few of one method;
/// - the method's colour, if no two bodies of its family have the same method or the family has too
///   many bodies;
/// - a shade of the family's hue, with increasing distance from the background;
/// - an individual palette colour.
pub fn scene_inks(scene: &Scene, background: Ink) -> Vec<Vec<Ink>> {
    let bodies: Vec<&Body> = scene.panels.iter().flat_map(|panel| &panel.bodies).collect();
    let theme = Theme::of(scene);
    let given: Vec<Option<Ink>> =
        bodies.iter().map(|body| given(body, &theme, background)).collect();
    let mut inks: Vec<Ink> = given.iter().map(|ink| ink.unwrap_or(Rgb([0; 3]))).collect();
    let open: Vec<usize> = (0..bodies.len()).filter(|&index| given[index].is_none()).collect();
    let methods: Vec<&str> = open.iter().map(|&index| bodies[index].method.name).collect();
    let mut families: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    if has_hues(&methods) {
        for (index, ink) in open.into_iter().zip(distinct_colors(&methods, background)) {
            inks[index] = ink;
        }
    } else {
        for (index, name) in open.into_iter().zip(methods) {
            let [family, _] = method_family(name).unwrap_or_default();
            families.entry(family).or_default().push(index);
        }
    }
    for (family, members) in families {
        let count = members.len();
        let has_shades = shares_methods(&bodies, &members) && count <= MAX_LISTED;
        for (place, index) in members.into_iter().enumerate() {
            inks[index] = match has_shades {
                false => method_color(bodies[index].method.name, background),
                true if count <= MAX_SHADES => {
                    family_shade(family, nth_of(place, count), background)
                }
                true => nth_shade(index, background),
            };
        }
    }
    let mut inks = inks.into_iter();
    scene.panels.iter().map(|panel| inks.by_ref().take(panel.bodies.len()).collect()).collect()
}

/// Whether bodies of these methods each get their own hue. Many bodies of one method are usually a
/// series, whose order shades show.
fn has_hues(methods: &[&str]) -> bool {
    let is_mixed = methods.windows(2).any(|pair| pair[0] != pair[1]);
    methods.len() <= if is_mixed { DISTINCT } else { MAX_HUES }
}

/// Shade of a body among several. A few bodies stay close to the hue itself, many use all shades.
fn nth_of(place: usize, count: usize) -> f64 {
    let gaps = (count - 1) as f64;
    let step = (LAST_SHADE / gaps).min(2.5);
    let first = (0.5 * (LAST_SHADE - step * gaps)).min(1.0);
    first + step * place as f64
}

/// Whether two of these bodies have the same method.
fn shares_methods(bodies: &[&Body], members: &[usize]) -> bool {
    let name = |member: &usize| bodies[*member].method.name;
    let mut names: Vec<&str> = members.iter().map(name).collect();
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

/// Colour that a scene sets for a body: its own, or the first part's if all parts have one. A
/// translucent colour is mixed with the background, as in frames. A rig without a body uses the
/// colour of its drawing.
fn given(body: &Body, theme: &Theme, background: Ink) -> Option<Ink> {
    if let Some(ink) =
        body.rig.as_ref().filter(|_| body.is_rig_alone()).and_then(|it| rig_ink(it, theme))
    {
        return Some(ink);
    }
    let all = body.part_styles.iter().all(|style| style.color.is_some());
    let first = body.part_styles.first().filter(|_| all).and_then(|style| style.color);
    let own = body.style.color.map(|color| (color, body.own_opacity()));
    let of_parts = first.map(|color| (color, body.opacity_of(0)));
    own.or(of_parts).map(|(color, alpha)| Rgb(mixed(background.0, color.0, alpha)))
}
