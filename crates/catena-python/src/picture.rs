//! Pictures as arrays that notebooks can show.

use crate::{
    errors,
    waiting::{guarded, wait_for},
};
use catena::output::{atomic, png};
use image::RgbImage;
use numpy::{IntoPyArray, PyArray3, PyArrayMethods, ndarray::Array3};
use pyo3::{
    exceptions::{PyOSError, PyValueError},
    prelude::*,
    types::PyBytes,
};
use std::path::PathBuf;

/// A picture. Notebooks show it, and numpy.asarray(picture) or picture.pixels returns its array.
#[pyclass(frozen, module = "catena")]
pub(crate) struct Picture {
    pixels: Py<PyArray3<u8>>,
}

impl Picture {
    /// Transfers the pixels of an image to NumPy without a copy.
    pub(crate) fn new(py: Python<'_>, image: RgbImage) -> PyResult<Self> {
        let (width, height) = image.dimensions();
        let shape = (height as usize, width as usize, 3);
        let pixels = Array3::from_shape_vec(shape, image.into_raw());
        let pixels = pixels.map_err(|error| PyValueError::new_err(error.to_string()))?;
        guarded(|| Ok(Self { pixels: pixels.into_pyarray(py).unbind() }))
    }

    /// Encodes the picture as a PNG file.
    pub(crate) fn encoded(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        let pixels = self.pixels.bind(py);
        let (height, width) = sides(pixels);
        // The array may have been modified.
        let raw = pixels.try_readonly()?.as_array().iter().copied().collect();
        let image = RgbImage::from_raw(width as u32, height as u32, raw).ok_or_else(|| {
            PyValueError::new_err("the array no longer has the shape of a picture")
        })?;
        wait_for(py, move |_| png::encode(&image))?
            .map_err(|error| PyOSError::new_err(error.to_string()))
    }
}

/// Height and width of an array of pixels.
fn sides(pixels: &Bound<'_, PyArray3<u8>>) -> (usize, usize) {
    let sides = pixels.dims();
    (sides[0], sides[1])
}

#[pymethods]
impl Picture {
    /// Red, green and blue of each pixel, row by row from the top: uint8 of shape (height, width,
    /// 3). The array is not a copy, so drawing on it changes the picture.
    #[getter]
    fn pixels(&self, py: Python<'_>) -> Py<PyArray3<u8>> {
        self.pixels.clone_ref(py)
    }

    /// Width and height in pixels.
    #[getter]
    fn size(&self, py: Python<'_>) -> (usize, usize) {
        let (height, width) = sides(self.pixels.bind(py));
        (width, height)
    }

    /// Returns the bytes of the picture as a PNG file.
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.encoded(py)?))
    }

    /// Writes the picture as a PNG file, replacing an existing one. An incomplete file is never
    /// visible.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let bytes = self.encoded(py)?;
        let written = wait_for(py, move |_| atomic::write(&path, &bytes))?;
        written.map_err(|error| errors::of_output(&error))
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.png(py)
    }

    /// Returns the pixels, for numpy.asarray and other functions that take arrays.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pixels = self.pixels.bind(py).as_any();
        match (dtype, copy) {
            (Some(dtype), _) if !pixels.getattr("dtype")?.eq(&dtype)? => {
                if copy == Some(false) {
                    let what = "pixels are uint8: another dtype needs a copy";
                    return Err(PyValueError::new_err(what));
                }
                pixels.call_method1("astype", (dtype,))
            }
            (_, Some(true)) => pixels.call_method0("copy"),
            _ => Ok(pixels.clone()),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (width, height) = self.size(py);
        format!("<catena.Picture {width}x{height}>")
    }
}
