//! Derivative of a rod's force with respect to positions.

use super::joint::{Hessian, add_block, holonomy, plane, straight, transposed};
use super::strand::{Posed, Strand};
use super::twist;
use crate::body::vector::{Vec3, along};
use crate::body::{Body, State};
use crate::force::{Block, Blocks, Coupling, Entry, Shared};

impl Strand {
    /// Adds the blocks of the derivative, and one coupling per span with twist.
    pub(super) fn add_jacobian(
        &self,
        body: &Body<'_>,
        state: &State,
        memory: &[f64],
        blocks: &mut Blocks<'_>,
    ) {
        let axes = body.model.axes;
        if self.is_framed {
            return self.add_framed_jacobian(body, state, memory, blocks);
        }
        let posed = self.pose(body, state, memory);
        let Posed { laid, edges, twisted } = &posed;
        let is_definite = blocks.is_definite();
        let mut torques = vec![0.0; edges.len()];
        for twisted in twisted {
            for k in twisted.span.first..twisted.span.first + twisted.span.joints {
                torques[k % edges.len()] = twisted.torque();
            }
        }
        for (k, joint) in laid.layout.joints.iter().enumerate() {
            let next = (k + 1) % edges.len();
            let (e, f) = (&edges[k], &edges[next]);
            let mut hessian = match (axes, is_definite) {
                _ if joint.bend[0] == 0.0 => Hessian::default(),
                (2, _) => plane::hessian(joint.bend[0], joint.rest[0], e, f, is_definite),
                (_, true) => straight::definite(joint.bend[0], e, f),
                (_, false) => straight::hessian(joint.bend[0], e, f),
            };
            if !is_definite && torques[k] != 0.0 {
                hessian.add(torques[k], &holonomy::hessian(e, f));
            }
            let slots = [laid.layout.slots[k], laid.layout.slots[next]].map(twist::ends);
            add_hessian(axes, slots, &hessian, blocks);
        }
        self.each_shared(&posed, &mut |term| blocks.add_shared(term));
    }

    /// Passes one coupling per span with twist to `take`.
    pub(super) fn each_shared(&self, posed: &Posed<'_>, take: &mut dyn FnMut(Shared)) {
        let Posed { laid, edges, twisted } = posed;
        for twisted in twisted {
            let mut gradient = vec![[0.0; 3]; edges.len()];
            twist::add_gradient(&twisted.span, edges, 1.0, &mut gradient);
            let mut couplings = Vec::new();
            for (slot, gradient) in laid.layout.slots.iter().zip(&gradient) {
                let Some((a, b)) = twist::ends(*slot) else { continue };
                if *gradient != [0.0; 3] {
                    couple(&mut couplings, a, -1.0, *gradient);
                    couple(&mut couplings, b, 1.0, *gradient);
                }
            }
            let diagonal = vec![-1.0 / twisted.stiffness];
            take(Shared { diagonal, couplings, ..Shared::default() });
        }
    }
}

/// Adds a derivative with respect to the position of a node. Successive edges share a node.
fn couple(couplings: &mut Vec<Coupling>, node: usize, sign: f64, gradient: Vec3) {
    match couplings.last_mut() {
        Some(last) if last.node == node => last.by_x = along(last.by_x, sign, gradient),
        _ => {
            let by_x = gradient.map(|value| sign * value);
            couplings.push(Coupling { quantity: 0, node, by_x });
        }
    }
}

/// Adds the negated second derivatives with respect to two edges, as blocks between the nodes of
/// these edges. `slots` are the ends of the edges; `None` for a clamp.
pub(super) fn add_hessian(
    axes: usize,
    slots: [Option<(usize, usize)>; 2],
    hessian: &Hessian,
    blocks: &mut Blocks<'_>,
) {
    let mut nodes: [(usize, [f64; 2]); 3] = [(0, [0.0; 2]); 3];
    let mut count = 0;
    let mut note = |node: usize, edge: usize, sign: f64| {
        let known = nodes[..count].iter().position(|(known, _)| *known == node);
        let at = known.unwrap_or(count);
        if known.is_none() {
            nodes[count] = (node, [0.0; 2]);
            count += 1;
        }
        nodes[at].1[edge] += sign;
    };
    for (edge, slot) in slots.into_iter().enumerate() {
        if let Some((a, b)) = slot {
            note(a, edge, -1.0);
            note(b, edge, 1.0);
        }
    }
    let fe = transposed(&hessian.ef);
    for &(i, [i_e, i_f]) in &nodes[..count] {
        for &(j, [j_e, j_f]) in &nodes[..count] {
            let mut by_x: Block = [[0.0; 3]; 3];
            for (factor, block) in [
                (i_e * j_e, &hessian.ee),
                (i_e * j_f, &hessian.ef),
                (i_f * j_e, &fe),
                (i_f * j_f, &hessian.ff),
            ] {
                if factor != 0.0 {
                    add_block(&mut by_x, -factor, block);
                }
            }
            if axes == 2 {
                by_x[2] = [0.0; 3];
                by_x.iter_mut().for_each(|row| row[2] = 0.0);
            }
            blocks.add(&Entry { i, j, by_x, by_v: [[0.0; 3]; 3] });
        }
    }
}
