//! Pictures of selected variants of a sweep, side by side.

use super::super::{NumberTable, Study};
use crate::figure::chart::{Axis, Chart, Mark, Plot};
use catena_base::text::list::listed;

/// Width of a picture, in CSS pixels.
const WIDTH: f64 = 260.0;

/// Variant on the sheet.
pub struct SheetPicture {
    /// Number of the variant.
    pub variant: u64,
    /// Description of its values.
    pub values: String,
    /// Lines about bodies that diverged, one per body.
    pub lost: Vec<String>,
    /// Picture as a PNG file.
    pub png: Vec<u8>,
}

/// Figure with one plot per picture; `aspect` is the ratio of height to width, and `frame` the
/// frame shown.
pub fn sheet(pictures: Vec<SheetPicture>, aspect: f64, frame: u64) -> Study {
    let numbers: Vec<String> = pictures.iter().map(|it| it.variant.to_string()).collect();
    let caption = format!("Frame {frame} of the variants {}.", listed(&numbers));
    let hidden = || Axis { is_hidden: true, range: Some([0.0, 1.0]), ..Axis::default() };
    let count = pictures.len();
    let plot = |SheetPicture { variant, values, lost, png }: SheetPicture| Plot {
        title: Some(format!("{variant}: {values}")),
        x: hidden(),
        y: hidden(),
        marks: vec![Mark::Picture { corners: [[0.0; 2], [1.0; 2]], png }],
        notes: lost,
        ..Plot::default()
    };
    let chart = Chart {
        title: "Chosen variants".into(),
        caption: caption.clone(),
        columns: (1..=6).find(|columns| columns * columns >= count).unwrap_or(6),
        plots: pictures.into_iter().map(plot).collect(),
        plot_size: [WIDTH, WIDTH * aspect],
        ..Chart::default()
    };
    let table = NumberTable::default();
    Study { name: "sheet".into(), chart, caption, remarks: String::new(), table }
}
