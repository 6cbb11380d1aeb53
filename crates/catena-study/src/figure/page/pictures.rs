//! Extracts the pictures in figures into separate files.

use crate::figure::study::Study;
use catena_base::text::markup::base64;

/// Picture in a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagePicture {
    /// File name.
    pub name: String,
    /// Content of its PNG file.
    pub png: Vec<u8>,
}

/// Replaces the pictures in a study's SVG by links to files, and returns the SVG and the files.
pub fn without_pictures(study: &Study, svg: &str) -> (String, Vec<PagePicture>) {
    let mut out = svg.to_owned();
    let mut pictures: Vec<PagePicture> = Vec::new();
    for png in study.chart.pictures() {
        let name = format!("{}_{}.png", study.name, pictures.len() + 1);
        // Equal pictures of a chart have equal addresses, so one replacement per picture suffices.
        let address = format!("data:image/png;base64,{}", base64(png));
        out = out.replacen(&address, &name, 1);
        pictures.push(PagePicture { name, png: png.to_vec() });
    }
    (out, pictures)
}
