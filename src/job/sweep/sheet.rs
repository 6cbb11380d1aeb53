//! The contact sheet of a sweep: the last frame of chosen variants.

use crate::figure::{
    chart::{Typeface, paper},
    export,
    study::sweep::{SheetPicture, sheet},
};
use crate::job::{FrameError, RunError, draw, typeface::faces};
use crate::output::{OutputError, atomic, png};
use crate::scene::{Decoration, sweep::Sweep};
use rayon::prelude::*;
use std::{io, path::Path};

/// The most pictures of a sheet.
pub const MOST_SHEET: usize = 36;

/// The width of a picture in pixels.
const WIDTH: u32 = 520;

/// Draws the last frame of each of these variants and writes `sheet.png`, `sheet.svg` and
/// `sheet.pdf` into a folder.
///
/// # Errors
/// When there are none or more than [`MOST_SHEET`], one does not exist or cannot be drawn, or a
/// file cannot be written.
pub fn sweep_sheet(sweep: &Sweep, numbers: &[u64], folder: &Path) -> Result<(), RunError> {
    if numbers.is_empty() || numbers.len() > MOST_SHEET {
        let count = numbers.len();
        let what = format!("a sheet has from 1 to {MOST_SHEET} variants, and these are {count}");
        return Err(RunError::Option(what));
    }
    let base = sweep.base().or_else(|_| sweep.scene(&sweep.variant(0)))?;
    let frame = sweep.frames.unwrap_or(base.frames) - 1;
    let [width, height] = base.size.map(f64::from);
    let aspect = height / width;
    let size = [WIDTH, ((f64::from(WIDTH) * aspect) as u32).max(64)];
    let picture = |number: &u64| -> Result<SheetPicture, RunError> {
        let mut scene = sweep.numbered(*number)?;
        (scene.size, scene.decoration) = (size, Decoration::Bare);
        let picture = draw(&scene, frame).map_err(|error| match error {
            FrameError::Run(error) => error,
            // Nobody interrupts it.
            FrameError::Interrupted => RunError::Option(error.to_string()),
        })?;
        let png = png::encode(&picture).map_err(|error| {
            OutputError::new("draw", folder.join("sheet.png"), io::Error::other(error))
        })?;
        let values = sweep.variant(*number).values;
        let words = values.iter().map(|it| format!("{} {}", it.path, it.value));
        Ok(SheetPicture { variant: *number, values: words.collect::<Vec<_>>().join(", "), png })
    };
    let pictures = numbers.par_iter().map(picture).collect::<Result<Vec<_>, _>>()?;
    let study = sheet(pictures, aspect, frame);
    let (faces, _) = faces(None)?;
    let svg = study.chart.svg(&study.name, &Typeface::new(faces), &paper());
    let refuse = |ending: &str, error: io::Error| {
        OutputError::new("draw", folder.join(format!("sheet.{ending}")), error)
    };
    let drawn = export::png(&svg, 2.0).map_err(|error| refuse("png", io::Error::other(error)))?;
    let drawn = png::encode(&drawn).map_err(|error| refuse("png", io::Error::other(error)))?;
    let page = export::pdf(&svg).map_err(|error| refuse("pdf", io::Error::other(error)))?;
    atomic::prepare_folder(folder)?;
    for (ending, bytes) in [("svg", svg.as_bytes()), ("pdf", &page), ("png", &drawn)] {
        atomic::write(&folder.join(format!("sheet.{ending}")), bytes)?;
    }
    Ok(())
}
