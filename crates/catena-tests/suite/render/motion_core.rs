//! Core of a motion: short excursions are excluded from the view if this is worthwhile.

use catena::render::camera::{Bounds, FrameBoxes};

fn core(boxes: impl IntoIterator<Item = [f64; 2]>) -> [f64; 2] {
    let mut frames = FrameBoxes::EMPTY;
    for [low, high] in boxes {
        frames.push(Bounds { low: [low, 0.0, 0.0], high: [high, 1.0, 0.0] });
    }
    let core = frames.core().unwrap();
    [core.low[0], core.high[0]]
}

#[test]
fn short_excursions_are_cut_where_that_is_worth_it() {
    let with = |excursion: &[[f64; 2]]| {
        core((0..100 - excursion.len()).map(|_| [0.0, 1.0]).chain(excursion.iter().copied()))
    };
    assert_eq!(with(&[]), [0.0, 1.0]);
    assert_eq!(with(&[[0.0, 5.0]; 2]), [0.0, 1.0], "two frames of a hundred");
    assert_eq!(with(&[[-5.0, 1.0]; 2]), [0.0, 1.0], "on the other side");
    assert_eq!(with(&[[0.0, 5.0]; 5]), [0.0, 5.0], "five frames of a hundred");
    assert_eq!(with(&[[0.0, 1.05]; 2]), [0.0, 1.05], "hardly larger");
    // The first frame is never excluded, and many frames are thinned out.
    assert_eq!(core([[0.0, 5.0]].into_iter().chain((0..99).map(|_| [0.0, 1.0]))), [0.0, 5.0]);
    let long = (0..20_000).map(|frame| if frame == 9_000 { [0.0, 9.0] } else { [0.0, 1.0] });
    assert_eq!(core(long), [0.0, 1.0]);
}

/// A body that ends at rest is shown completely at its end.
#[test]
fn a_body_rests_if_its_last_frames_hardly_move() {
    let rest = |boxes: &[[f64; 2]]| {
        let mut frames = FrameBoxes::EMPTY;
        for &[low, high] in boxes {
            frames.push(Bounds { low: [low, 0.0, 0.0], high: [high, 1.0, 0.0] });
        }
        frames.rest().map(|rest| [rest.low[0], rest.high[0]])
    };
    let falling: Vec<[f64; 2]> = (0..100).map(|k| [-f64::from(k), 1.0]).collect();
    let landed: Vec<[f64; 2]> = (0..100).map(|k| [-f64::from(k.min(85)), 1.0]).collect();
    assert_eq!(rest(&falling), None);
    assert_eq!(rest(&landed), Some([-85.0, 1.0]));
    assert_eq!(rest(&landed[..90]), None, "the last five frames are still, not the last nine");
    assert_eq!(rest(&[[0.0, 1.0]]), None, "one frame says nothing");
    assert_eq!(rest(&[[0.0, 1.0]; 2]), Some([0.0, 1.0]));
}
