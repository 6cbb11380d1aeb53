//! Drawing of simulated frames on reusable canvases, encoding in each format, and writing them into
//! a folder.

use crate::job::progress::{Progress, Stage, time};
use catena_draw::data::FrameData;
use catena_draw::frames::SimulatedFrame;
use catena_draw::motion_blur::light_of;
use catena_draw::{
    Painter, PanelFrame,
    canvas::{Canvas, Picture},
};
use catena_output::{
    OutputError,
    atomic::Durability,
    exr::{self, ExrChannel},
    flat::FlatEncoder,
    folder::Folder,
    hash::sha256,
    journal::Journal,
    manifest::FrameEntry,
    names::{FrameFormat, FrameNames},
    png, webp,
};
use image::RgbImage;
use std::io;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Encodes frames as files.
pub(in crate::job) struct FrameEncoder<'a> {
    painter: FramePainter<'a>,
    encoder: FlatEncoder,
    names: &'a FrameNames,
    /// Picture of frame 0, until the first frame is encoded.
    first: Mutex<Option<Pooled<Canvas>>>,
    /// Reusable buffers for encoded files.
    buffers: Pool<Vec<u8>>,
    progress: &'a dyn Progress,
}

/// A frame's entry in the manifest, and the bytes of its file.
pub(super) struct EncodedFrame {
    pub(super) entry: FrameEntry,
    pub(super) bytes: Pooled<Vec<u8>>,
}

impl<'a> FrameEncoder<'a> {
    /// Creates an encoder. `first` must be frame 0, even if it is not encoded. It determines the
    /// encoder's table, and files must not depend on the range of frames.
    pub(in crate::job) fn new(
        painter: &'a Painter<'a>,
        first: &[PanelFrame],
        names: &'a FrameNames,
        progress: &'a dyn Progress,
    ) -> Self {
        let painter = FramePainter::new(painter, progress);
        let canvas = painter.draw(first, &[]);
        let encoder = time(progress, Stage::Encode, || {
            FlatEncoder::new(painter.template(), canvas.value.changes())
        });
        let first = Mutex::new(Some(canvas));
        Self { painter, encoder, names, first, buffers: Pool::default(), progress }
    }

    /// Draws a frame. The picture of frame 0 from [`FrameEncoder::new`] is used if frame 0 comes
    /// first and is not blurred.
    fn draw(&self, frame: &SimulatedFrame) -> Pooled<Canvas> {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
        match first {
            Some(canvas) if frame.frame == 0 && frame.moments.is_empty() => return canvas,
            Some(canvas) => self.painter.give_back(canvas),
            None => (),
        }
        self.painter.draw(&frame.panels, &frame.moments)
    }

    /// Draws and encodes a frame. Pass the buffer to [`FrameEncoder::give_back`] for reuse.
    pub(super) fn encode(&self, frame: &SimulatedFrame) -> Result<EncodedFrame, OutputError> {
        let progress = self.progress;
        let mut canvas = self.draw(frame);
        let mut bytes = self.buffers.take(Vec::new);
        let file = self.names.file(frame.frame);
        let data = (self.names.format() == FrameFormat::Exr).then(|| {
            let before = frame.before.as_deref().unwrap_or(&frame.panels);
            self.painter.data(&frame.panels, before)
        });
        time(progress, Stage::Encode, || match (self.names.format(), &data) {
            (FrameFormat::Png, _) => self.encode_png(&mut canvas.value, &mut bytes.value),
            (FrameFormat::WebP, _) => encode_webp(canvas.value.picture(), &mut bytes.value),
            (FrameFormat::Exr, data) => {
                encode_exr(canvas.value.picture(), data.as_ref(), &mut bytes.value)
            }
        })
        .map_err(|cause| OutputError::new("encode", &file, cause))?;
        self.painter.give_back(canvas);
        let sha256 = time(progress, Stage::Hash, || sha256(&bytes.value));
        let state_sha256 = frame.state_sha256.clone();
        let entry = FrameEntry { frame: frame.frame, file, sha256, state_sha256 };
        Ok(EncodedFrame { entry, bytes })
    }

    fn encode_png(&self, canvas: &mut Canvas, bytes: &mut Vec<u8>) -> io::Result<()> {
        match canvas.picture_with_alpha() {
            Some(image) => png::encode_translucent(&image, bytes).map_err(png::cause),
            None => {
                self.encoder.encode(canvas.changes(), bytes);
                Ok(())
            }
        }
    }

    pub(super) fn give_back(&self, bytes: Pooled<Vec<u8>>) {
        self.buffers.give_back(bytes);
    }
}

/// Writes frames into a folder.
pub(in crate::job) struct FrameWriter<'a> {
    encoder: FrameEncoder<'a>,
    folder: &'a Folder,
    care: Durability,
    progress: &'a dyn Progress,
}

impl<'a> FrameWriter<'a> {
    /// Creates a writer. `first` must be frame 0, as for [`FrameEncoder::new`].
    pub(in crate::job) fn new(
        painter: &'a Painter<'a>,
        first: &[PanelFrame],
        names: &'a FrameNames,
        folder: &'a Folder,
        care: Durability,
        progress: &'a dyn Progress,
    ) -> Self {
        let encoder = FrameEncoder::new(painter, first, names, progress);
        Self { encoder, folder, care, progress }
    }

    /// Draws a frame and writes its file. The entry is written to the journal before the file gets
    /// its final name.
    pub(super) fn write(
        &self,
        frame: &SimulatedFrame,
        journal: &Journal,
    ) -> Result<FrameEntry, OutputError> {
        let EncodedFrame { entry, bytes } = self.encoder.encode(frame)?;
        time(self.progress, Stage::Write, || {
            self.folder.write(&entry.file, &bytes.value, self.care, || journal.add(&entry))
        })?;
        self.encoder.give_back(bytes);
        Ok(entry)
    }
}

/// Pool of buffers or canvases. Each value returns to the thread that used it last, because data in
/// another core's caches is slow to access.
pub(crate) struct Pool<T>(Mutex<Shelf<T>>);

struct Shelf<T> {
    /// Number of values, in use or free.
    count: usize,
    /// Free values, each with the thread that used it last.
    spare: Vec<(Option<usize>, T)>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Mutex::new(Shelf { count: 0, spare: Vec::new() }))
    }
}

/// A value in use, and the thread that took it.
pub(crate) struct Pooled<T> {
    thread: Option<usize>,
    pub(crate) value: T,
}

impl<T> Pool<T> {
    /// Takes the value that this thread used last. Otherwise creates one, or takes any free value
    /// if there is already one per thread.
    pub(crate) fn take(&self, new: impl FnOnce() -> T) -> Pooled<T> {
        let thread = rayon::current_thread_index();
        let spare = {
            let mut shelf = self.lock();
            let own = shelf.spare.iter().rposition(|(owner, _)| *owner == thread);
            let is_enough = shelf.count >= rayon::current_num_threads();
            let any = shelf.spare.len().checked_sub(1).filter(|_| is_enough);
            let found = own.or(any).map(|place| shelf.spare.swap_remove(place).1);
            shelf.count += usize::from(found.is_none());
            found
        };
        Pooled { thread, value: spare.unwrap_or_else(new) }
    }

    /// Returns a value to the pool.
    pub(crate) fn give_back(&self, pooled: Pooled<T>) {
        self.lock().spare.push((pooled.thread, pooled.value));
    }

    fn lock(&self) -> MutexGuard<'_, Shelf<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Draws frames on reusable canvases.
pub(in crate::job) struct FramePainter<'a> {
    painter: &'a Painter<'a>,
    canvases: Pool<Canvas>,
    progress: &'a dyn Progress,
}

impl<'a> FramePainter<'a> {
    pub(in crate::job) fn new(painter: &'a Painter<'a>, progress: &'a dyn Progress) -> Self {
        Self { painter, canvases: Pool::default(), progress }
    }

    /// Picture of everything that all frames share.
    pub(crate) fn template(&self) -> &RgbImage {
        self.painter.template()
    }

    /// Draws the state of the panels, with motion blur if there are moments. Pass the canvas to
    /// [`FramePainter::give_back`] for reuse.
    pub(crate) fn draw(
        &self,
        panels: &[PanelFrame],
        moments: &[Vec<PanelFrame>],
    ) -> Pooled<Canvas> {
        time(self.progress, Stage::Draw, || {
            let mut canvas = self.canvases.take(|| self.painter.canvas());
            self.painter.draw_moments(&mut canvas.value, panels, moments);
            canvas
        })
    }

    /// Data channels of each pixel, including the motion since the previous frame.
    pub(crate) fn data(&self, panels: &[PanelFrame], before: &[PanelFrame]) -> FrameData {
        time(self.progress, Stage::Draw, || self.painter.data(panels, before))
    }

    pub(crate) fn give_back(&self, canvas: Pooled<Canvas>) {
        self.canvases.give_back(canvas);
    }
}

/// Amount of light for each channel value, from 0 to 1.
static LIGHT: LazyLock<[f32; 256]> = LazyLock::new(|| {
    let mut all = [0.0; 256];
    for (value, light) in (0_u8..=255).zip(&mut all) {
        *light = light_of(f64::from(value) / 255.0) as f32;
    }
    all
});

/// Encodes a picture as lossless WebP. Replaces the contents of `bytes`.
fn encode_webp(picture: Picture<'_>, bytes: &mut Vec<u8>) -> io::Result<()> {
    match picture {
        Picture::Opaque(image) => webp::encode(image, bytes),
        Picture::Translucent(image) => webp::encode_translucent(&image, bytes),
    }
}

/// Encodes a picture as OpenEXR. Replaces the contents of `bytes`. Colours are amounts of light,
/// multiplied by alpha. `data` adds further channels.
fn encode_exr(
    picture: Picture<'_>,
    data: Option<&FrameData>,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    let (size, mut channels): (_, Vec<(&str, Vec<f32>)>) = match picture {
        Picture::Opaque(image) => {
            let channel = |k: usize| image.pixels().map(|pixel| light(pixel.0[k])).collect();
            (image.dimensions(), ["R", "G", "B"].into_iter().zip((0..3).map(channel)).collect())
        }
        Picture::Translucent(image) => {
            let alpha = |pixel: &[u8; 4]| f32::from(pixel[3]) / 255.0;
            let channel = |k: usize| {
                image.pixels().map(|pixel| light(pixel.0[k]) * alpha(&pixel.0)).collect()
            };
            let colors = ["R", "G", "B"].into_iter().zip((0..3).map(channel));
            let mut all: Vec<(&str, Vec<f32>)> = colors.collect();
            all.push(("A", image.pixels().map(|pixel| alpha(&pixel.0)).collect()));
            (image.dimensions(), all)
        }
    };
    if !channels.iter().any(|(name, _)| *name == "A") {
        let count = channels.first().map_or(0, |(_, samples)| samples.len());
        channels.push(("A", vec![1.0; count]));
    }
    let mut all: Vec<ExrChannel> =
        channels.into_iter().map(|(name, samples)| ExrChannel::real(name, samples)).collect();
    if let Some(data) = data {
        let [x, y, z] = &data.normal;
        let [right, down] = &data.motion;
        let reals = [
            ("Z", &data.depth),
            ("N.X", x),
            ("N.Y", y),
            ("N.Z", z),
            ("motion.X", right),
            ("motion.Y", down),
        ];
        all.extend(reals.map(|(name, samples)| ExrChannel::real(name, samples.clone())));
        let wholes = [("id.body", &data.body), ("id.node", &data.node)];
        all.extend(wholes.map(|(name, samples)| ExrChannel::whole(name, samples.clone())));
    }
    *bytes = exr::encode([size.0, size.1], all)?;
    Ok(())
}

fn light(value: u8) -> f32 {
    LIGHT[usize::from(value)]
}
