//! Pictures within figures, as files beside the page.

use crate::figure::study::Study;
use catena_base::text::markup::base64;

/// A picture within a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagePicture {
    /// File name.
    pub name: String,
    /// Content of its PNG file.
    pub png: Vec<u8>,
}

/// The SVG of a study for a page: its pictures become links to files, which it returns as well.
pub fn without_pictures(study: &Study, svg: &str) -> (String, Vec<PagePicture>) {
    let mut out = svg.to_owned();
    let mut pictures: Vec<PagePicture> = Vec::new();
    for png in study.chart.pictures() {
        let name = format!("{}_{}.png", study.name, pictures.len() + 1);
        // Equal pictures of a chart have the same address, so one replacement is enough for each.
        let address = format!("data:image/png;base64,{}", base64(png));
        out = out.replacen(&address, &name, 1);
        pictures.push(PagePicture { name, png: png.to_vec() });
    }
    (out, pictures)
}
