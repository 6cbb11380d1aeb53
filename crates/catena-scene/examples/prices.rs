//! Temporary: prints bills.
use catena_scene::{Limits, SceneText, limits::{Estimate, Extras, PlannedRun, Product}, load_within};
use std::path::Path;
fn main() {
    for path in std::env::args().skip(1) {
        let limits = Limits::unlimited();
        let text = match SceneText::read_within(Path::new(&path), &limits) { Ok(t) => t, Err(_) => continue };
        let scene = match load_within(&text, &[], &limits) { Ok(s) => s, Err(_) => { println!("FAIL {path}"); continue } };
        let frames = scene.frames;
        let size = scene.size;
        let extras = Extras::of_first(&scene, frames);
        let products = [Product::Rows, Product::Film { size }, Product::Pictures { size, settles: false }, Product::Pictures { size, settles: true }];
        for (name, product) in ["trace", "film", "frames", "render"].iter().zip(products) {
            let it = Estimate::with(&scene, &PlannedRun::up_to(frames, product), &extras);
            print!("BILL {path} {name} {}", it.bill.nanoseconds());
            for (item, count) in it.bill.rows() { print!(" {}={count}", item.name()); }
            println!();
        }
    }
}
