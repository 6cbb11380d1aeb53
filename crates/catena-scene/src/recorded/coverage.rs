//! Nodes and frames of a scene for which a file has no data.

use catena_base::text::list::listed;
use std::ops::RangeInclusive;

/// Maximum number of ranges that are listed.
const MAX_RANGES: usize = 6;

/// Describes the nodes of a body without data. `nodes` has the nodes with data, in order.
pub(super) fn missing_nodes(nodes: &[usize], count: usize) -> Option<String> {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    let mut next = 0;
    for node in nodes.iter().copied().chain([count]) {
        if node > next {
            ranges.push([next, node - 1]);
        }
        next = node + 1;
    }
    let missing: usize = ranges.iter().map(|[first, last]| last - first + 1).sum();
    if missing == 0 {
        return None;
    }
    let range = |[first, last]: &[usize; 2]| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    let shown: Vec<String> = ranges.iter().take(MAX_RANGES).map(range).collect();
    let which = match ranges.len() > MAX_RANGES {
        true => format!("s {}, …", shown.join(", ")),
        false => format!("{} {}", if missing == 1 { "" } else { "s" }, listed(&shown)),
    };
    let has = count - missing;
    Some(format!("{has} of the scene's {count} nodes: no data for node{which}"))
}

/// Describes the frames of a scene before the first and after the last frame with data, and the
/// data after the last frame of the scene.
pub(super) fn missing_frames(data: &RangeInclusive<u64>, scene_frames: u64) -> Option<String> {
    let last = scene_frames.checked_sub(1)?;
    if data.is_empty() {
        return Some("no frame of the scene has data".into());
    }
    match *data.end() {
        end if end < last => Some(format!(
            "the data end at frame {end}, but the scene ends at \
                                           {last}"
        )),
        end if end > last => Some(format!(
            "the data continue to frame {end}, but the scene ends at {last}: add --frames {}",
            end + 1
        )),
        _ => None,
    }
}
