//! Contact sheet of a sweep: the last frame of chosen variants.

use super::keep;
use crate::job::{
    self, FigureStyle, FigureWriter, FrameChoice, FrameError, FrameOptions, RunError,
    report::stage_figure,
};
use catena_base::text::number::digits;
use catena_base::threads::in_pool;
use catena_output::{OutputError, pages::PageFolder, png};
use catena_scene::{Decoration, Scene, sweep::Sweep};
use catena_study::figure::study::sweep::{SheetPicture, sheet};
use image::RgbImage;
use rayon::prelude::*;
use std::{io, path::Path};

/// Maximum number of pictures on a sheet.
pub const MAX_SHEET: usize = 36;

/// Width of a picture in pixels.
const WIDTH: u32 = 520;

/// Number of significant digits of a value.
const DIGITS: usize = 5;

/// Folder of the sheet, next to the table.
const FOLDER: &str = "sheet";

/// Draws the last frame of each of these variants side by side. Writes `sheet/sheet.png`, and the
/// same sheet as SVG and PDF, which replace an older sheet.
///
/// # Errors
/// There are no variants or more than [`MAX_SHEET`], one does not exist or cannot be drawn, or a
/// file cannot be written.
pub fn sweep_sheet(
    sweep: &Sweep,
    numbers: &[u64],
    folder: &Path,
    style: &FigureStyle,
) -> Result<(), RunError> {
    let writer = FigureWriter::new(style)?;
    if numbers.is_empty() || numbers.len() > MAX_SHEET {
        let count = numbers.len();
        let what = format!("a sheet shows from 1 to {MAX_SHEET} variants, but {count} were given");
        return Err(RunError::Option(what));
    }
    keep(sweep, &PageFolder::recorded(&folder.join(FOLDER)))?;
    let (base, frames) = sweep.example()?;
    let frame = frames - 1;
    let [width, height] = base.size.map(f64::from);
    let aspect = height / width;
    let size = [WIDTH, ((f64::from(WIDTH) * aspect) as u32).max(64)];
    let picture = |number: &u64| -> Result<SheetPicture, RunError> {
        let mut scene = sweep.numbered(*number)?;
        (scene.size, scene.decoration) = (size, Decoration::Bare);
        let (picture, lost) = draw(&scene, frame)?;
        let png = png::encode(&picture).map_err(|error| {
            OutputError::new("draw", folder.join("sheet.png"), io::Error::other(error))
        })?;
        let values = sweep.variant(*number).values;
        let words =
            values.iter().map(|it| format!("{} {}", it.path, with_short_numbers(&it.value)));
        let values = words.collect::<Vec<_>>().join(", ");
        Ok(SheetPicture { variant: *number, values, lost, png })
    };
    let pictures = || numbers.par_iter().map(picture).collect::<Result<Vec<_>, _>>();
    let pictures = in_pool(pictures)?;
    let study = sheet(pictures, aspect, frame);
    let pages = PageFolder::open_in(folder, FOLDER)?;
    let (_, files) = stage_figure(&study, &pages, &writer)?;
    Ok(pages.publish(files.into(), None)?)
}

/// Draws a frame of a scene, and names the bodies that have diverged by then.
fn draw(scene: &Scene, frame: u64) -> Result<(RgbImage, Vec<String>), RunError> {
    let frames = FrameChoice::Part(frame..frame.saturating_add(1));
    let options = FrameOptions { frames, ..FrameOptions::default() };
    let mut drawn = RgbImage::default();
    let show = |_, picture: &RgbImage| {
        drawn.clone_from(picture);
        Ok(())
    };
    let outcomes = job::frames(scene, &options, &(), &(), show).map_err(|error| match error {
        FrameError::Run(error) => error,
        // This call has no interruption.
        FrameError::Interrupted => RunError::Option(error.to_string()),
    })?;
    let is_alone = outcomes.len() == 1;
    let lost = outcomes.iter().filter_map(|body| {
        let when = format!("diverged at frame {}", body.diverged?);
        Some(if is_alone { when } else { format!("{}: {when}", body.label) })
    });
    Ok((drawn, lost.collect()))
}

/// Shortens the numbers in a value to five digits. Values with quoted text are unchanged.
fn with_short_numbers(value: &str) -> String {
    if value.contains('"') {
        return value.into();
    }
    let parts = value.split_inclusive(['(', ')', '[', ']', ',', ':', ' ']);
    let cut = |part: &str| {
        let (number, rest) = match part.char_indices().last() {
            Some((at, last)) if !last.is_ascii_digit() => part.split_at(at),
            _ => (part, ""),
        };
        match number.parse() {
            Ok(parsed) if number.contains('.') => format!("{}{rest}", digits(parsed, DIGITS)),
            _ => part.into(),
        }
    };
    parts.map(cut).collect()
}
