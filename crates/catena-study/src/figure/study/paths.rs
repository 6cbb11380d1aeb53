//! Paths of nodes, their phase portraits and their spectra.

use super::{DARK, NumberTable, Study, Subject, multiples, nth_look};
use crate::figure::chart::{Axis, Chart, Mark, Marker, Plot, Scale};
use catena_analysis::node_path::{NodeMoment, swing};
use catena_base::text::number::short;

/// Motion of a node of a body.
pub struct NodePath {
    /// Index of the node.
    pub node: usize,
    /// Position and velocity in each frame.
    pub moments: Vec<NodeMoment>,
}

/// Motion of selected nodes of a body.
pub struct BodyPaths<'a> {
    /// Body that the nodes belong to.
    pub subject: Subject<'a>,
    /// Motion of each selected node.
    pub nodes: Vec<NodePath>,
    /// Whether there are more bodies than fit in a row.
    pub is_one_of_many: bool,
    /// Whether the body diverged, so that its paths end before the film does.
    pub is_lost: bool,
}

/// Creates the figures of path, phase portrait and spectrum; none if no run has a second frame.
pub fn studies(bodies: &[BodyPaths<'_>]) -> Vec<Study> {
    let has_two = |body: &BodyPaths<'_>| body.nodes.iter().any(|path| path.moments.len() > 1);
    if !bodies.iter().any(has_two) {
        return Vec::new();
    }
    vec![path(bodies), portrait(bodies), spectrum(bodies)]
}

/// Figure of paths in x and y.
fn path(bodies: &[BodyPaths<'_>]) -> Study {
    let plot = |body: &BodyPaths<'_>| Plot {
        title: Some(body.subject.label.clone()),
        x: Axis { label: "x".into(), ..Axis::default() },
        y: Axis { label: "y".into(), ..Axis::default() },
        marks: curves(body, |moment| [moment.x[0], moment.x[1]]),
        equal_aspect: true,
        notes: ending(body),
        ..Plot::default()
    };
    let mut table = NumberTable::new(&["body", "node", "until t", "x there", "y there", "fastest"]);
    for (body, path) in each(bodies) {
        let Some(last) = path.moments.last() else { continue };
        let speed = |m: &NodeMoment| m.v.iter().map(|v| v * v).sum::<f64>().sqrt();
        let fastest = path.moments.iter().map(speed).fold(0.0, f64::max);
        let numbers = [last.t, last.x[0], last.x[1], fastest].map(short);
        let mut row = vec![body.subject.label.clone(), path.node.to_string()];
        row.extend(numbers);
        table.rows.push(row);
    }
    let caption = "Paths of the nodes. A ring marks the start.";
    study("path", "Paths of nodes", caption, bodies, table, &plot)
}

/// Figure of vertical velocity over height.
fn portrait(bodies: &[BodyPaths<'_>]) -> Study {
    let plot = |body: &BodyPaths<'_>| Plot {
        title: Some(body.subject.label.clone()),
        x: Axis { label: "y".into(), ..Axis::default() },
        y: Axis { label: "velocity along y".into(), ..Axis::default() },
        marks: curves(body, |moment| [moment.x[1], moment.v[1]]),
        notes: ending(body),
        ..Plot::default()
    };
    let mut table =
        NumberTable::new(&["body", "node", "lowest y", "highest y", "fastest down", "fastest up"]);
    for (body, path) in each(bodies) {
        let range_of = |of: fn(&NodeMoment) -> f64| {
            let values = path.moments.iter().map(of);
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], it| [a.min(it), b.max(it)])
        };
        if path.moments.is_empty() {
            continue;
        }
        let mut row = vec![body.subject.label.clone(), path.node.to_string()];
        row.extend(
            [range_of(|moment| moment.x[1]), range_of(|moment| moment.v[1])]
                .concat()
                .iter()
                .map(|it| short(*it)),
        );
        table.rows.push(row);
    }
    let caption = "Height and vertical velocity of the nodes in each frame. A ring marks the \
                   start. A curve that spirals inwards loses energy; one that spirals outwards \
                   gains energy.";
    study("phase_portrait", "Phase portraits of nodes", caption, bodies, table, &plot)
}

/// Figure of the oscillation amplitudes of the height.
fn spectrum(bodies: &[BodyPaths<'_>]) -> Study {
    let swing_of = |body: &BodyPaths<'_>, path: &NodePath| {
        swing(&path.moments, body.subject.body.setup.frame_time)
    };
    let plot = |body: &BodyPaths<'_>| {
        let line = |(index, path): (usize, &NodePath)| {
            // The first bin holds the remainder of the mean.
            let points = swing_of(body, path).into_iter().skip(1).collect();
            look(body, index).line(points, Some(format!("node {}", path.node)), 1.2)
        };
        Plot {
            title: Some(body.subject.label.clone()),
            x: Axis { label: "ω, rad per time".into(), ..Axis::default() },
            y: Axis { label: "amplitude of y".into(), scale: Scale::Log, ..Axis::default() },
            marks: body.nodes.iter().enumerate().map(line).collect(),
            ..Plot::default()
        }
    };
    let mut table = NumberTable::new(&["body", "node", "strongest ω", "amplitude", "samples"]);
    for (body, path) in each(bodies) {
        let swing = swing_of(body, path);
        // The first bins hold drift rather than oscillation.
        let swings = swing.iter().skip(2);
        let Some([omega, size]) = swings.max_by(|a, b| a[1].total_cmp(&b[1])) else { continue };
        table.rows.push(vec![
            body.subject.label.clone(),
            path.node.to_string(),
            short(*omega),
            short(*size),
            (2 * swing.len()).to_string(),
        ]);
    }
    let caption = "Amplitude of the height of the nodes at each frequency over the whole film: a \
                   Fourier transform with a Hann window.";
    study("spectrum", "Spectra of nodes", caption, bodies, table, &plot)
}

fn each<'a, 'b>(
    bodies: &'a [BodyPaths<'b>],
) -> impl Iterator<Item = (&'a BodyPaths<'b>, &'a NodePath)> {
    bodies.iter().flat_map(|body| body.nodes.iter().map(move |path| (body, path)))
}

/// Look of the `index`-th node: the colour of its body with an individual pattern. If there are
/// several rows of bodies, all have one colour, so that nodes are named once.
fn look(body: &BodyPaths<'_>, index: usize) -> super::Look {
    let own = if body.is_one_of_many { nth_look(1) } else { body.subject.look };
    super::Look { color: own.color, dash: nth_look(index).dash, marker: own.marker }
}

/// Note about the end of a diverged body's paths.
fn ending(body: &BodyPaths<'_>) -> Vec<String> {
    let last = body.nodes.iter().filter_map(|path| path.moments.last()).map(|moment| moment.t);
    let end = last.reduce(f64::max).filter(|_| body.is_lost);
    end.map(|t| format!("Diverges; cut off at t = {}, the crosses.", short(t)))
        .into_iter()
        .collect()
}

fn curves(body: &BodyPaths<'_>, of: impl Fn(&NodeMoment) -> [f64; 2]) -> Vec<Mark> {
    let mut marks = Vec::new();
    for (index, path) in body.nodes.iter().enumerate() {
        let points: Vec<[f64; 2]> = path.moments.iter().map(&of).collect();
        let start = points.first().copied().into_iter().collect();
        let look = look(body, index);
        marks.push(look.line(points, Some(format!("node {}", path.node)), 1.0));
        marks.push(super::Look { marker: Marker::Ring, ..look }.points(start, None, 7.0));
        if body.is_lost {
            let end = path.moments.last().map(&of).into_iter().collect();
            let cross = super::Look { color: DARK, marker: Marker::Cross, ..look };
            marks.push(cross.points(end, None, 7.0));
        }
    }
    marks
}

fn study(
    name: &str,
    title: &str,
    caption: &str,
    bodies: &[BodyPaths<'_>],
    table: NumberTable,
    plot: &dyn Fn(&BodyPaths<'_>) -> Plot,
) -> Study {
    let grid = bodies.first().and_then(|body| body.subject.grid_columns);
    let (columns, plot_size) = multiples(bodies.len(), 3, [300.0, 280.0], grid);
    let chart = Chart {
        title: title.into(),
        caption: caption.into(),
        columns,
        plots: bodies.iter().map(plot).collect(),
        plot_size,
        one_scale: true,
        ..Chart::default()
    };
    let remarks = String::new();
    Study { name: name.into(), chart, caption: caption.into(), remarks, table }
}
