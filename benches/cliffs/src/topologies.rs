//! Every method on rings, trees and graphs, each compared with the same method on a rope with as
//! many nodes.

use crate::bodies;
use crate::cases::{Case, case, plain};
use catena_sim::body::shape::graph::Graph;
use catena_sim::method::{METHODS, with_defaults};
use catena_sim::run::SetupBuilder;

/// Nodes of a ring, a tree or a graph.
const NODES: usize = 100;

/// Cases of all methods. Rings should be as fast as ropes; springs in no order are not read in
/// vectors.
pub fn all() -> Vec<Case> {
    let rope = bodies::arc(NODES);
    let groups = [
        ("ring", bodies::ring(NODES), 1.5),
        ("tree", bodies::tree(NODES), 4.0),
        ("graph", bodies::graph(NODES), 4.0),
    ];
    let cases = groups.iter().flat_map(|(group, body, goal)| {
        METHODS.iter().map(|info| pair(group, info.name, [body, &rope], *goal))
    });
    cases.collect()
}

/// Compares a method on a body with the same method on a rope.
fn pair(group: &'static str, method: &str, [body, rope]: [&Graph; 2], goal: f64) -> Case {
    let with = |setup: SetupBuilder| setup.method_of(with_defaults(method).unwrap());
    let reference = with(plain(rope)).check().unwrap();
    // Both setups take the same number of evaluations, so steps are compared.
    let case = case(group, format!("beside a rope, {method}"), body, goal, with);
    Case { evaluations: 1, reference, ..case }
}
