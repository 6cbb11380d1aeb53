//! Studies of scenes: tables of sweeps, figures of what analyses find, and exports.
//!
//! [`sweep`] measures variants of a scene and writes their table. [`figure`] has charts as data,
//! the figures made of them, and the page of a report. [`export`](mod@export) writes ropes and
//! cloth over time for other programs.
//!
//! ```
//! use catena_draw::faces::Faces;
//! use catena_study::figure::chart::{Chart, Dash, Mark, Plot, Typeface, paper};
//!
//! let points = (0..60).map(f64::from).map(|t| [t, (0.1 * t).sin()]).collect();
//! let color = paper().border;
//! let label = Some("height".to_owned());
//! let line = Mark::Line { points, color, label, dash: Dash::default(), width: 1.5 };
//! let plot = Plot { marks: vec![line], ..Plot::default() };
//! let plot_size = [300.0, 200.0];
//! let chart = Chart { columns: 1, plots: vec![plot], plot_size, ..Chart::default() };
//!
//! let svg = chart.svg("height", &Typeface::new(Faces::built_in()?), &paper());
//! assert!(svg.starts_with("<svg"));
//! assert_eq!(chart.csv().lines().count(), 1 + 60);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod export;
pub mod figure;
pub mod sweep;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
