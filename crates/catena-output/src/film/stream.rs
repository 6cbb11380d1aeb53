//! Uncompressed formats: y4m and raw.

use super::{
    error::FilmError,
    options::FrameRate,
    sink::{FilmReport, FrameSink},
    writer::FilmWriter,
    yuv,
};
use image::RgbImage;
use std::io::Write;

/// YUV4MPEG2. Its header has no tag for a matrix; its manual and its readers assume BT.601.
pub(super) struct Y4mSink {
    out: FilmWriter,
    converter: yuv::YuvConverter,
    notes: Vec<String>,
}

impl Y4mSink {
    pub(super) fn open(
        mut out: FilmWriter,
        rate: FrameRate,
        size: [u32; 2],
    ) -> Result<Self, FilmError> {
        let [width, height] = yuv::padded(size);
        let (above, below) = (rate.numerator(), rate.denominator());
        // C420jpeg means that chroma is centred between four pixels.
        let header = format!(
            "YUV4MPEG2 W{width} H{height} F{above}:{below} Ip A1:1 C420jpeg XCOLORRANGE=LIMITED\n"
        );
        out.write_all(header.as_bytes()).map_err(|cause| out.refuse(cause))?;
        let notes = yuv::note(size).into_iter().collect();
        Ok(Self { out, converter: yuv::YuvConverter::new(yuv::ColorMatrix::BT601, size), notes })
    }
}

impl FrameSink for Y4mSink {
    fn add_frame(&mut self, image: &RgbImage) -> Result<(), FilmError> {
        let planes = self.converter.convert(image);
        let out = &mut self.out;
        out.write_all(b"FRAME\n")
            .and_then(|()| out.write_all(planes))
            .map_err(|cause| out.refuse(cause))
    }

    fn finish(self: Box<Self>) -> Result<FilmReport, FilmError> {
        self.out.finish()?;
        Ok(FilmReport { notes: self.notes, ..FilmReport::default() })
    }
}

/// Raw bytes of red, green and blue.
pub(super) struct RawSink {
    out: FilmWriter,
}

impl RawSink {
    pub(super) fn open(out: FilmWriter) -> Self {
        Self { out }
    }
}

impl FrameSink for RawSink {
    fn add_frame(&mut self, image: &RgbImage) -> Result<(), FilmError> {
        self.out.write_all(image.as_raw()).map_err(|cause| self.out.refuse(cause))
    }

    fn finish(self: Box<Self>) -> Result<FilmReport, FilmError> {
        self.out.finish()?;
        Ok(FilmReport::default())
    }
}
