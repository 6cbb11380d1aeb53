//! Values of options: numbers within ranges, sizes and ranges of frames.

use crate::job::{FIGURE_WIDTHS, MAX_SHEET, MAX_STEP_MINUTES};
use crate::scene::{GREATEST_SIDE_UNLIMITED, Limits, MIN_SIDE, picture_sides};
use std::{ops::RangeInclusive, path::PathBuf, str::FromStr};

/// Parses a whole number in a range. An error states the range.
pub(super) fn whole<N: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |text| {
        let number = text.parse::<u64>().ok().filter(|number| range.contains(number));
        number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| {
            format!("expected a whole number from {} to {}", range.start(), range.end())
        })
    }
}

/// A position, as `X,Y` or `X,Y,Z`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::cli) struct Origin(pub(in crate::cli) [f64; 3]);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "expected two or three numbers, such as -320,240".to_owned();
        let numbers = text.trim_matches(['(', ')']).split(',').map(|number| {
            let found = number.trim().parse::<f64>().ok();
            found.filter(|it| it.abs() <= 1e100).ok_or_else(wrong)
        });
        match numbers.collect::<Result<Vec<_>, _>>()?[..] {
            [x, y] => Ok(Self([x, y, 0.0])),
            [x, y, z] => Ok(Self([x, y, z])),
            _ => Err(wrong()),
        }
    }
}

/// Parses the path of an existing folder.
pub(super) fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match (path.is_dir(), path.exists()) {
        (true, _) => Ok(path),
        (false, true) => Err("not a folder but a file; give the folder that contains it".into()),
        (false, false) => Err("there is no such folder".into()),
    }
}

/// Parses minutes above 0.
pub(super) fn minutes(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0 && *number <= 1e9);
    number.ok_or_else(|| "expected a number of minutes above 0, such as 0.5 or 10".into())
}

/// Parses frames per second above 0.
pub(super) fn rate(text: &str) -> Result<f64, String> {
    let parts = text.split_once('/').unwrap_or((text, "1"));
    let rate = parts.0.parse::<f64>().ok().zip(parts.1.parse::<f64>().ok()).map(|(a, b)| a / b);
    let rate = rate.filter(|rate| (1e-6..=1e6).contains(rate));
    rate.ok_or_else(|| "expected frames per second such as 30, 29.97 or 30000/1001".into())
}

/// Range of variant numbers from A to B inclusive, or a single number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct VariantRange(pub(in crate::cli) RangeInclusive<u64>);

impl FromStr for VariantRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        match (first.trim().parse::<u64>(), last.trim().parse::<u64>()) {
            (Ok(first), Ok(last)) if first <= last => match last - first < MAX_SHEET as u64 {
                true => Ok(Self(first..=last)),
                false => Err(format!("a sheet has at most {MAX_SHEET} variants")),
            },
            _ => Err("expected numbers of variants such as 0,20,40, ranges such as 5-9, or both; the first variant has the number 0".into()),
        }
    }
}

/// Parses the time limit of a step in minutes: `90`, `90m`, `2h`, `1h30m`, `1d` or `HH:MM:SS`.
pub(super) fn step_minutes(text: &str) -> Result<u32, String> {
    let range = 1..=u64::from(MAX_STEP_MINUTES);
    let minutes = in_minutes(text).filter(|minutes| range.contains(minutes));
    minutes.and_then(|minutes| u32::try_from(minutes).ok()).ok_or_else(|| {
        format!(
            "expected minutes such as 90, or 90m, 2h, 1h30m, 1d or 02:00:00, from {} to {} minutes",
            range.start(),
            range.end()
        )
    })
}

/// Returns a duration in whole minutes, rounded up.
fn in_minutes(text: &str) -> Option<u64> {
    let parts: Vec<&str> = text.split(':').collect();
    if let [hours, minutes, seconds] = parts.as_slice() {
        let [hours, minutes, seconds] =
            [hours.parse::<u64>().ok()?, minutes.parse().ok()?, seconds.parse().ok()?];
        let is_time = minutes < 60 && seconds < 60;
        let total = hours.checked_mul(60)?.checked_add(minutes + seconds.div_ceil(60))?;
        return is_time.then_some(total);
    }
    if let Ok(minutes) = text.parse() {
        return Some(minutes);
    }
    let (mut rest, mut sum, mut longest) = (text, 0_u64, u64::MAX);
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, tail) = rest.split_at(digits);
        let letters = tail.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (unit, tail) = tail.split_at(letters);
        let length = match unit {
            "d" => 24 * 60,
            "h" => 60,
            "m" | "min" => 1,
            _ => return None,
        };
        if length >= longest {
            return None;
        }
        (longest, rest) = (length, tail);
        sum = sum.checked_add(number.parse::<u64>().ok()?.checked_mul(length)?)?;
    }
    Some(sum).filter(|_| longest < u64::MAX)
}

/// Parses a share above 0 and at most 1, such as `1%` or `0.01`.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let percent = text.strip_suffix('%').map(|percent| percent.parse::<f64>().map(|it| it / 100.0));
    let share = percent.unwrap_or_else(|| text.parse()).ok();
    let share = share.filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "expected a share above 0, such as 1% or 0.01, and at most 100%".into())
}

/// Parses seconds of at least 0, or `inf`.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds >= 0.0);
    seconds.ok_or_else(|| "expected a number of seconds such as 60, or inf".into())
}

/// Help text of `--size`.
pub(super) fn size_help() -> String {
    let maximum = Limits::default().pixels;
    format!(
        "Width and height of a frame in pixels, each {}, such as 1920x1080. Without --unlimited a frame has at most {maximum} pixels [default: the scene's value]",
        picture_sides()
    )
}

/// Width and height, as `1280x720`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) struct Size(pub(in crate::cli) [u32; 2]);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = MIN_SIDE..=GREATEST_SIDE_UNLIMITED;
        let side =
            |text: &str| text.parse::<u32>().ok().filter(|side| sides.contains(&u64::from(*side)));
        let parsed = text.split_once(['x', 'X']).and_then(|(w, h)| Some([side(w)?, side(h)?]));
        parsed.map(Self).ok_or_else(|| {
            format!("expected WxH such as 1280x720, with each side {}", picture_sides())
        })
    }
}

/// Parses a direction in space: three finite numbers, not all 0.
pub(super) fn direction(text: &str) -> Result<[f64; 3], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    let vector = numbers.and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
    let is_direction = |it: &[f64; 3]| {
        it.iter().all(|value| value.is_finite()) && it.iter().any(|value| *value != 0.0)
    };
    vector.filter(is_direction).ok_or_else(|| {
        "expected three finite numbers that are not all 0, such as 0,0,1 or 1,-0.5,2".into()
    })
}

/// Parses a length in millimetres, centimetres or inches. Returns millimetres.
pub(super) fn millimetres(text: &str) -> Result<f64, String> {
    let units = [("mm", 1.0), ("cm", 10.0), ("in", 25.4)];
    let found = units.iter().find_map(|(unit, length)| Some((text.strip_suffix(unit)?, length)));
    let number =
        found.and_then(|(number, length)| Some(number.trim().parse::<f64>().ok()? * length));
    let known = number.filter(|number| number.is_finite());
    let known = known.ok_or("expected a length with a unit, such as 85mm, 17.5cm or 3.35in")?;
    let [minimum, maximum] = [FIGURE_WIDTHS.start(), FIGURE_WIDTHS.end()];
    match FIGURE_WIDTHS.contains(&known) {
        true => Ok(known),
        false => Err(format!("the width must be from {minimum} to {maximum} mm")),
    }
}

/// Parses a point in the complex plane, or a real number.
pub(super) fn plane_point(text: &str) -> Result<[f64; 2], String> {
    let (re, im) = text.split_once(',').unwrap_or((text, "0"));
    let point = [re, im].map(|part| part.trim().parse::<f64>().ok().filter(|it| it.is_finite()));
    match point {
        [Some(re), Some(im)] => Ok([re, im]),
        _ => Err("expected RE,IM such as -1,2.5, or a real number such as -2".into()),
    }
}

/// Parses a time step above 0.
pub(super) fn step(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|it| *it > 0.0 && it.is_finite());
    number.ok_or_else(|| "expected a number above 0".into())
}
