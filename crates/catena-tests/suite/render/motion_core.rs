//! Core of a motion: short excursions are cut from a view where that is worth it.

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
    // The first frame is never cut, and many frames are thinned out.
    assert_eq!(core([[0.0, 5.0]].into_iter().chain((0..99).map(|_| [0.0, 1.0]))), [0.0, 5.0]);
    let long = (0..20_000).map(|frame| if frame == 9_000 { [0.0, 9.0] } else { [0.0, 1.0] });
    assert_eq!(core(long), [0.0, 1.0]);
}
