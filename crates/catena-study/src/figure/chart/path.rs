//! Numbers of SVG, and path data of lines and areas that are clipped to a frame.

/// Point in a frame, in pixels from its top left corner.
pub(super) type Point = [f64; 2];

/// Number of points above which lines are thinned.
const MANY: usize = 1000;

/// Maximum number of points replaced by one straight segment.
const LONGEST: usize = 24;

/// Number of columns per pixel in which a thinned line keeps its shape.
const COLUMNS: f64 = 4.0;

/// Splits points into runs between missing ones.
pub(super) fn runs(points: impl Iterator<Item = Option<Point>>) -> Vec<Vec<Point>> {
    let mut runs = vec![Vec::new()];
    for point in points {
        match (point, runs.last_mut()) {
            (Some(point), Some(run)) => run.push(point),
            (None, Some(run)) if !run.is_empty() => runs.push(Vec::new()),
            _ => {}
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// Path data of the part of a line inside a frame.
pub(super) fn line(run: &[Point], size: [f64; 2]) -> String {
    let thin = simplified(run);
    let mut path = String::new();
    let mut last: Option<String> = None;
    for pair in thin.windows(2) {
        let Some([a, b]) = clipped([pair[0], pair[1]], size) else { continue };
        let [a, b] = [a, b].map(|[x, y]| format!("{} {}", number(x), number(y)));
        if last.as_ref() != Some(&a) {
            path += &format!("M{a}");
            last = Some(a);
        }
        if last.as_ref() != Some(&b) {
            path += &format!("L{b}");
        }
        last = Some(b);
    }
    path
}

/// Reduces the points of a line without a visible change.
pub(super) fn simplified(run: &[Point]) -> Vec<Point> {
    straightened(&thinned(run))
}

/// Reduces a line to at most four points per narrow column: the first, the last, the lowest and the
/// highest.
fn thinned(run: &[Point]) -> Vec<Point> {
    if run.len() <= MANY {
        return run.to_vec();
    }
    let column = |point: &Point| (point[0] * COLUMNS).floor();
    let mut kept = Vec::new();
    for group in run.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |a: &usize, b: &usize| group[*a][1].total_cmp(&group[*b][1]);
        let lowest = (0..group.len()).min_by(by_height).unwrap_or(0);
        let highest = (0..group.len()).max_by(by_height).unwrap_or(0);
        let mut places = [0, lowest, highest, group.len() - 1];
        places.sort_unstable();
        for (index, place) in places.iter().enumerate() {
            if index == 0 || places[index - 1] != *place {
                kept.push(group[*place]);
            }
        }
    }
    kept
}

/// Removes points that are on a segment between others, within a twentieth of a pixel.
fn straightened(run: &[Point]) -> Vec<Point> {
    let mut kept: Vec<Point> = run.first().copied().into_iter().collect();
    let mut start = 0;
    while start + 1 < run.len() {
        let maximum = (start + LONGEST).min(run.len() - 1);
        let mut end = start + 1;
        while end < maximum
            && run[start + 1..=end].iter().all(|p| is_between(*p, run[start], run[end + 1]))
        {
            end += 1;
        }
        kept.push(run[end]);
        start = end;
    }
    kept
}

/// Whether a point is on the segment from a to b, within a twentieth of a pixel.
fn is_between(p: Point, a: Point, b: Point) -> bool {
    let (along, to) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let square = along[0] * along[0] + along[1] * along[1];
    let across = along[0] * to[1] - along[1] * to[0];
    let share = along[0] * to[0] + along[1] * to[1];
    (0.0..=square).contains(&share) && across * across <= 0.05 * 0.05 * square
}

/// Part of a segment inside a frame.
fn clipped([a, b]: [Point; 2], size: [f64; 2]) -> Option<[Point; 2]> {
    // Visible part, as parameters along the segment: 0 at a, 1 at b.
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        let along = b[axis] - a[axis];
        for (start, speed) in [(a[axis], along), (size[axis] - a[axis], -along)] {
            // A parameter t is inside if start + t * speed is not negative.
            if speed == 0.0 {
                if start < 0.0 {
                    return None;
                }
            } else if speed > 0.0 {
                from = from.max(-start / speed);
            } else {
                to = to.min(-start / speed);
            }
        }
    }
    let at = |t: f64| [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
    let ends = [if from > 0.0 { at(from) } else { a }, if to < 1.0 { at(to) } else { b }];
    (from <= to).then_some(ends)
}

/// Path data of the part of a polygon inside a frame (Sutherland and Hodgman 1974).
pub(super) fn polygon(corners: &[Point], size: [f64; 2]) -> String {
    let mut corners = corners.to_vec();
    for (axis, limit, sign) in
        [(0, 0.0, 1.0), (0, size[0], -1.0), (1, 0.0, 1.0), (1, size[1], -1.0)]
    {
        let depth = |p: &Point| sign * (p[axis] - limit);
        let mut kept = Vec::with_capacity(corners.len());
        for (index, b) in corners.iter().enumerate() {
            let a = &corners[(index + corners.len() - 1) % corners.len()];
            if (depth(a) < 0.0) != (depth(b) < 0.0) {
                let t = depth(a) / (depth(a) - depth(b));
                kept.push([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]);
            }
            if depth(b) >= 0.0 {
                kept.push(*b);
            }
        }
        corners = kept;
    }
    let mut path = String::new();
    let mut last = String::new();
    for [x, y] in corners {
        let place = format!("{} {}", number(x), number(y));
        if place != last {
            path += if path.is_empty() { "M" } else { "L" };
            path += &place;
            last = place;
        }
    }
    if path.is_empty() { path } else { path + "Z" }
}

/// Formats a coordinate with at most two decimals. Infinities and NaN become 0.
pub(super) fn number(value: f64) -> String {
    let value = if value.is_finite() { value.clamp(-1e9, 1e9) } else { 0.0 };
    let hundredths = (value * 100.0).round() as i64;
    let (sign, size) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
    let (whole, rest) = (size / 100, size % 100);
    match rest {
        0 => format!("{sign}{whole}"),
        _ if rest % 10 == 0 => format!("{sign}{whole}.{}", rest / 10),
        _ => format!("{sign}{whole}.{rest:02}"),
    }
}

/// Formats a factor with six decimals.
pub(super) fn factor(value: f64) -> String {
    if value == 0.0 { "0".into() } else { format!("{value:.6}") }
}
