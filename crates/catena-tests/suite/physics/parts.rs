//! Bodies of several parts: indices, masses and joins, and a whole body compared with the same body
//! in parts.

use catena::sim::{
    Arrangement, Assembly, BadSetup, Form, Model, Net, Part, Rope, Setup, Simulation, State,
    body::shape::{Topology, net::Meshes},
    method::{METHODS, with_defaults},
};

fn rope(start: [f64; 2], end: [f64; 2], nodes: usize) -> Rope {
    Rope::new(start, end, nodes).of(0.5, 40.0)
}

/// A rope of nine nodes, and the same in two parts that share a node.
fn whole_and_divided() -> [(Model, State); 2] {
    let (mut whole, start) = rope([0.0, 0.0], [4.0, 0.0], 9).pin(0).build().unwrap();
    whole.mass[4] = 1.0;
    let halves = Assembly::new()
        .part("a", &rope([0.0, 0.0], [2.0, 0.0], 5).pin(0))
        .part("b", &rope([2.0, 0.0], [4.0, 0.0], 5))
        .weld((0, 4), (1, 0))
        .build()
        .unwrap();
    [(whole, start), halves]
}

#[test]
fn two_halves_move_as_the_whole() {
    let [whole, halves] = whole_and_divided();
    assert_eq!(halves.0.mass, whole.0.mass);
    assert_eq!(halves.0.pinned, whole.0.pinned);
    assert_eq!(halves.0.springs, whole.0.springs);
    assert_eq!(halves.1, whole.1);
    for info in METHODS {
        let run = |(model, state): &(Model, State)| {
            let setup = Setup::of_body(model.clone(), state.clone())
                .gravity([0.0, -9.81])
                .method_of(with_defaults(info.name).unwrap())
                .frames(0.1, 400)
                .check()
                .unwrap();
            let mut simulation = Simulation::new(setup);
            (0..10).for_each(|_| simulation.advance_frame());
            simulation.state().clone()
        };
        let (one, two) = (run(&whole), run(&halves));
        assert!(one.is_finite(), "{}", info.name);
        // For a chain, implicit methods have special solvers, whose last digits differ.
        let is_close = one.x.iter().zip(&two.x).all(|(a, b)| (a - b).abs() <= 1e-7);
        assert!(is_close, "{}: {:?} beside {:?}", info.name, one.x, two.x);
        if !info.name.starts_with("Implicit") {
            assert_eq!(one, two, "{}", info.name);
        }
    }
}

#[test]
fn joined_nodes_have_all_mass_and_keep_momentum() {
    let heavy = Rope::new([0.0, 0.0], [1.0, 0.0], 3).of(3.0, 10.0);
    let (model, mut start) = rope([1.0, 0.0], [1.0, -1.0], 3).build().unwrap();
    start.v = vec![4.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let (model, state) = Assembly::new()
        .part("heavy", &heavy)
        .part_of("light", Ok((model, start)))
        .weld_touching()
        .spring((0, 0), (1, 2), 7.0, 2.5)
        .build()
        .unwrap();
    assert_eq!(model.mass, [3.0, 3.0, 3.5, 0.5, 0.5]);
    assert_eq!(state.velocity(5, 2), [4.0 * 0.5 / 3.5, 0.0, 0.0]);
    let names: Vec<_> = model.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["heavy", "light", "joins"]);
    assert_eq!(model.parts[1].nodes, [2, 3, 4]);
    assert_eq!(model.parts[2].form, Form::Graph);
    let join = model.springs[model.parts[2].springs[0]];
    assert_eq!((join.a, join.b, join.stiffness, join.rest_length), (0, 4, 7.0, 2.5));
}

#[test]
fn springs_of_parts_stand_in_the_order_of_models() {
    let bending = rope([0.0, 0.0], [1.0, 0.0], 4).bending(3.0);
    let other = rope([1.0, 0.0], [2.0, 0.0], 4).bending(5.0);
    let (model, _) =
        Assembly::new().part("a", &bending).part("b", &other).weld((0, 3), (1, 0)).build().unwrap();
    assert_eq!((model.structural, model.held, model.springs.len()), (6, 6, 10));
    let stiffness: Vec<_> = model.springs[6..].iter().map(|spring| spring.stiffness).collect();
    assert_eq!(stiffness, [3.0, 3.0, 5.0, 5.0]);
}

#[test]
fn joins_that_cannot_be_are_refused_in_words() {
    let two = || {
        Assembly::new()
            .part("a", &rope([0.0, 0.0], [1.0, 0.0], 3))
            .part("b", &rope([1.0, 0.0], [2.0, 0.0], 3))
    };
    let cases: [(Assembly, &str, &str); 7] = [
        (Assembly::new(), "parts", "at least one part"),
        (two().weld((0, 0), (1, 0)), "joins[0]", "the nodes are 1 apart"),
        (two().weld((0, 3), (1, 0)), "joins[0]", "part \"a\" has no node 3"),
        (two().weld((0, 2), (2, 0)), "joins[0]", "there is no part 2"),
        (two().weld((0, 2), (1, 0)).weld((0, 1), (0, 1)), "joins[1]", "a node to itself"),
        (two().spring((0, 2), (1, 0), 1.0, None), "joins[0]", "no length"),
        (
            two().part("c", &Rope::new([0.0, 0.0], [1.0, 0.0], 2).pin(7)),
            "parts[2].pins[0]",
            "there is no node 7",
        ),
    ];
    for (assembly, field, words) in cases {
        let BadSetup { field: found, message, .. } = assembly.build().unwrap_err();
        assert_eq!(found, field);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn nets_have_the_knots_and_cords_of_their_meshes() {
    let net = |mesh, strands| Net {
        corner: vec![0.0, 0.0],
        across: vec![3.0, 0.0],
        down: vec![0.0, -2.0],
        rows: 2,
        columns: 3,
        mesh,
        strands,
        mass: 1.0,
        stiffness: 10.0,
        pins: vec![0],
    };
    for (mesh, strands, nodes, springs, length) in [
        (Meshes::Square, 1, 12, 17, 1.0),
        (Meshes::Square, 3, 12 + 34, 51, 1.0 / 3.0),
        (Meshes::Diamond, 1, 17, 24, 0.5_f64.sqrt()),
        (Meshes::Diamond, 2, 17 + 24, 48, 0.125_f64.sqrt()),
    ] {
        let net = net(mesh, strands);
        assert_eq!(net.nodes(), Some(nodes));
        let (model, state) = net.build().unwrap();
        assert_eq!((model.nodes(), model.springs.len()), (nodes, springs));
        for spring in &model.springs {
            assert!((spring.rest_length - length).abs() < 1e-12, "{spring:?}");
            assert_eq!(model.span(&state.x, spring).1, spring.rest_length);
        }
        // All knots are connected.
        let setup = Setup::of_body(model, state).check().unwrap();
        let mut reached = vec![false; nodes];
        reached[0] = true;
        for _ in 0..nodes {
            for spring in &setup.model.springs {
                let is_reached = reached[spring.a] || reached[spring.b];
                reached[spring.a] |= is_reached;
                reached[spring.b] |= is_reached;
            }
        }
        assert!(reached.iter().all(|&is| is));
    }
}

#[test]
fn each_part_has_its_own_friction_and_breaks_by_itself() {
    let setup = super::bodies::setup(
        "parts: [
            (name: \"a\", with: (rope: (start: (0, 0), end: (3, 0), nodes: 4, bending: 50, damping: 2, breaks_at: 0.5))),
            (name: \"b\", with: (rope: (start: (3, 0), end: (6, 0), nodes: 4, damping: 0.5, friction: 0.1))),
         ],
         joins: [Touching, (from: (\"a\", First), to: (\"b\", Last), stiffness: 1)]",
    );
    let model = &setup.model;
    let damping = setup.forces.iter().map(|force| format!("{force:?}"));
    let all: Vec<String> = damping.filter(|text| text.starts_with("Spring")).collect();
    assert!(
        all[0].contains("each: Some([2.0, 2.0, 2.0, 0.5, 0.5, 0.5, 0.0, 1.0, 1.0])"),
        "{all:?}"
    );
    assert!(
        all[1].contains("each: Some([0.0, 0.0, 0.0, 0.1, 0.1, 0.1, 0.0, 0.0, 0.0])"),
        "{all:?}"
    );
    let breaking = setup.breaks_at.as_ref().unwrap();
    let strains: Vec<f64> = (0..model.springs.len()).map(|j| breaking.of(j)).collect();
    let none = f64::INFINITY;
    assert_eq!(strains, [0.5, 0.5, 0.5, none, none, none, none, 0.5, 0.5]);
}

#[test]
fn nodes_without_segments_are_joined_only_on_one_point() {
    let lone = |at: [f64; 2]| {
        let model = Model {
            axes: 2,
            mass: vec![1.0],
            pinned: vec![false],
            arrangement: Arrangement::Parts,
            parts: vec![Part {
                name: String::new(),
                form: Form::Graph,
                nodes: vec![0],
                springs: Vec::new(),
            }],
            ..Model::default()
        };
        Ok((model, State::at_rest(at.to_vec())))
    };
    let pair = || Assembly::new().part_of("a", lone([0.0, 0.0])).part_of("b", lone([3.0, 3.0]));
    let refused = pair().weld((0, 0), (1, 0)).build().unwrap_err();
    assert!(refused.message.contains("apart"), "{refused}");
    let (joined, _) = pair().spring((0, 0), (1, 0), 2.0, None).build().unwrap();
    assert_eq!(joined.springs[0].rest_length, 18.0_f64.sqrt());
    let (apart, _) = pair().weld_touching().build().unwrap();
    assert_eq!(apart.nodes(), 2);
}

#[test]
fn events_join_nodes_of_parts_that_have_friction_and_break() {
    let setup = super::bodies::setup(
        "parts: [
            (name: \"a\", with: (rope: (start: (0, 0), end: (3, 0), nodes: 4, damping: 2, breaks_at: 0.5))),
            (name: \"b\", with: (rope: (start: (0, -1), end: (3, -1), nodes: 4))),
         ],
         events: [(at: 0.5, do: Join(a: (\"a\", Last), b: (\"b\", Last)))]",
    );
    let mut simulation = Simulation::new(setup);
    (0..3).for_each(|_| simulation.advance_frame());
    assert!(simulation.events().happened.iter().all(|event| event.nothing.is_none()));
    assert_eq!(simulation.events().happened.len(), 1);
}

#[test]
fn ever_so_many_parts_on_one_point_are_joined() {
    let copy = rope([0.0, 0.0], [1.0, 0.0], 3);
    let all = (0..20_000).fold(Assembly::new(), |assembly, _| assembly.part("a", &copy));
    let (model, _) = all.weld_touching().build().unwrap();
    assert_eq!(model.mass, [10_000.0; 3]);
}

#[test]
fn a_part_that_crosses_itself_is_joined_there_by_another_part_alone() {
    let place = |from: [f64; 2]| rope(from, [from[0], from[1] + 4.0], 5).build().unwrap();
    let (model, mut start) = place([0.0, 0.0]);
    // Nodes 3 and 1 coincide.
    start.x[8] = start.x[6];
    let crossed = || Assembly::new().part_of("a", Ok((model.clone(), start.clone())));
    let nodes = |assembly: Assembly| assembly.weld_touching().build().unwrap().0.nodes();
    assert_eq!(nodes(crossed().part_of("b", Ok(place([9.0, 0.0])))), 10);
    let with_two =
        crossed().part_of("b", Ok(place([0.0, 1.0]))).part_of("c", Ok(place([0.0, 1.0])));
    // The others coincide, and extend one node beyond the first.
    assert_eq!(nodes(with_two), 6);
}
