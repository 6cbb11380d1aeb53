//! Animations for notebooks: a self-contained page with all frames.

use crate::{errors, loaded::Loaded, progress::watched, waiting::wait_for};
use catena::job::{self, FrameError, FrameOptions, RunError};
use catena::output::{atomic, png};
use image::RgbImage;
use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use std::{path::PathBuf, sync::Arc};

/// Maximum size of all frames together, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// Parts of the page before and after the frames.
const PAGE: [&str; 2] = [include_str!("animation/head.html"), include_str!("animation/tail.html")];

/// Frames of a scene as a page with a player. Notebooks show the page, and save writes it as one
/// HTML file that needs no network.
#[pyclass(frozen, module = "catena")]
pub(crate) struct Animation {
    name: String,
    size: (u32, u32),
    /// Simulated time from one drawn frame to the next.
    interval: f64,
    frames: Vec<Vec<u8>>,
}

impl Animation {
    /// Draws every `every`-th frame.
    pub(crate) fn draw(
        py: Python<'_>,
        loaded: Arc<Loaded>,
        options: FrameOptions,
        every: u64,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if every == 0 {
            return Err(PyValueError::new_err("every: expected a number of at least 1, found 0"));
        }
        let (name, interval) =
            (loaded.scene.name.clone(), loaded.scene.frame_time() * every as f64);
        let size = options.size.unwrap_or(loaded.scene.size).into();
        let made: Result<Vec<Vec<u8>>, FrameError> = watched(
            py,
            progress,
            move |progress, interruption| {
                let (mut frames, mut bytes, mut number) = (Vec::new(), 0, 0);
                job::frames(
                    &loaded.scene,
                    &options,
                    progress,
                    interruption,
                    |_, image: &RgbImage| {
                        number += 1;
                        if !(number - 1_u64).is_multiple_of(every) {
                            return Ok(());
                        }
                        let frame = png::encode(image)
                            .map_err(|error| RunError::Option(format!("frames: {error}")))?;
                        bytes += frame.len();
                        if bytes > MAX_BYTES {
                            let what = format!(
                                "frames: more than {} MB of pictures; draw fewer with every=, or smaller \
                         ones with size=",
                                MAX_BYTES >> 20
                            );
                            return Err(FrameError::from(RunError::Option(what)));
                        }
                        frames.push(frame);
                        Ok::<(), FrameError>(())
                    },
                )?;
                Ok(frames)
            },
        )?;
        let frames: Vec<Vec<u8>> = made.map_err(|error| errors::of_frames(py, &error))?;
        Ok(Self { name, size, interval, frames })
    }

    /// Creates the page: a picture, a slider, a button, and the frames as text.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        let [head, tail] = PAGE;
        let encode = py.import("base64")?.getattr("b64encode")?;
        let escaped: String =
            py.import("html")?.call_method1("escape", (&self.name,))?.extract()?;
        let mut page = head.replace("{name}", &escaped);
        for (number, frame) in self.frames.iter().enumerate() {
            let text: Vec<u8> = encode.call1((PyBytes::new(py, frame),))?.extract()?;
            page.push_str(if number > 0 { ",\n\"" } else { "\"" });
            page.push_str(&String::from_utf8_lossy(&text));
            page.push('"');
        }
        // The player runs in simulated time, at 1 to 60 pictures per second.
        let milliseconds = (1000.0 * self.interval).clamp(1000.0 / 60.0, 1000.0);
        page.push_str(&tail.replace("{milliseconds}", &format!("{milliseconds:.3}")));
        Ok(page)
    }
}

#[pymethods]
impl Animation {
    /// Width and height in pixels.
    #[getter]
    fn size(&self) -> (u32, u32) {
        self.size
    }

    fn __len__(&self) -> usize {
        self.frames.len()
    }

    /// Returns the page as text.
    fn html(&self, py: Python<'_>) -> PyResult<String> {
        self.page(py)
    }

    /// Writes the page as an HTML file, replacing an existing one.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = self.page(py)?.into_bytes();
        let written = wait_for(py, move |_| atomic::write(&path, &bytes))?;
        written.map_err(|error| errors::of_output(&error))
    }

    /// Returns the page inside an iframe, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let page = self.page(py)?;
        let escaped: String = py.import("html")?.call_method1("escape", (page,))?.extract()?;
        let (width, height) = self.size;
        Ok(format!(
            "<iframe sandbox=\"allow-scripts\" width=\"{}\" height=\"{}\" \
             style=\"border:0;max-width:100%\" srcdoc=\"{escaped}\"></iframe>",
            width + 20,
            height + 70
        ))
    }

    fn __repr__(&self) -> String {
        let (width, height) = self.size;
        format!("<catena.Animation {} frames of {width}x{height}>", self.frames.len())
    }
}
