//! Run that a command plans, and its product.

use crate::parts::{Body, Panel, Scene};
use catena_sim::Item;

/// Run that a command plans with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannedRun {
    /// Number of frames to simulate.
    pub frames: u64,
    /// First frame to write.
    pub from: u64,
    /// Output of the run.
    pub product: Product,
}

impl Product {
    /// Returns the size of the pictures; `None` for other products.
    pub(super) fn size(self) -> Option<[u32; 2]> {
        match self {
            Self::Pictures { size, .. } | Self::Film { size, .. } | Self::Shown { size } => {
                Some(size)
            }
            Self::Rows
            | Self::Energies
            | Self::Topology { .. }
            | Self::Export { .. }
            | Self::Numbers => None,
        }
    }
}

/// Encoding of a film, which determines the time per pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilmEncoding {
    /// H.264 by ffmpeg, the default in mp4, mov and mkv.
    H264,
    /// VP9 by ffmpeg, the default in webm.
    Vp9,
    /// A codec of ffmpeg for editing, which keeps more detail.
    Intermediate,
    /// Animated GIF.
    Gif,
    /// Animated PNG.
    Apng,
    /// Animated WebP.
    WebP,
    /// YUV4MPEG2, uncompressed.
    Y4m,
    /// Uncompressed pixels.
    Raw,
}

impl FilmEncoding {
    /// All encodings.
    pub const ALL: [Self; 8] = [
        Self::H264,
        Self::Vp9,
        Self::Intermediate,
        Self::Gif,
        Self::Apng,
        Self::WebP,
        Self::Y4m,
        Self::Raw,
    ];

    /// Returns the time to encode frames with this number of pixels, in nanoseconds of one core.
    pub fn work(self, pixels: u128) -> u128 {
        pixels.saturating_mul(self.pixel().price().into()) / 1000
    }

    /// Returns the operation for each pixel of a frame.
    pub(super) fn pixel(self) -> Item {
        match self {
            Self::H264 => Item::H264Pixel,
            Self::Vp9 => Item::Vp9Pixel,
            Self::Intermediate => Item::IntermediatePixel,
            Self::Gif => Item::GifPixel,
            Self::Apng => Item::ApngPixel,
            Self::WebP => Item::WebPPixel,
            Self::Y4m => Item::Y4mPixel,
            Self::Raw => Item::RawPixel,
        }
    }

    /// Whether another program encodes the film.
    pub(super) fn needs_encoder(self) -> bool {
        matches!(self, Self::H264 | Self::Vp9 | Self::Intermediate)
    }
}

/// Output of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// One picture per frame.
    Pictures {
        /// Width and height in pixels.
        size: [u32; 2],
        /// Whether the run also continues until bodies are at rest.
        settles: bool,
    },
    /// One film of all frames.
    Film {
        /// Width and height in pixels.
        size: [u32; 2],
        /// Encoding of the frames.
        encoding: FilmEncoding,
    },
    /// Pictures of all frames in memory.
    Shown {
        /// Width and height in pixels.
        size: [u32; 2],
    },
    /// One row per node and frame.
    Rows,
    /// One row of energies per body and frame. Energies are computed several times per step.
    Energies,
    /// Linking of ropes, per frame or step. Every step is checked for strands that pass through
    /// each other.
    Topology {
        /// Whether rows are written per step instead of per frame.
        each_step: bool,
    },
    /// Export with a known cost per frame.
    Export {
        /// Bytes per frame.
        bytes: u64,
        /// Nanoseconds of one core per frame.
        work: u64,
    },
    /// A few numbers of one run among many in a process. The start of the process is not counted.
    Numbers,
}

/// All bodies of a scene in order, with their indices and panels.
pub(crate) fn numbered(scene: &Scene) -> impl Iterator<Item = (usize, &Panel, &Body)> {
    let panels = scene.panels.iter();
    let all = panels.flat_map(|panel| panel.bodies.iter().map(move |body| (panel, body)));
    let all = all.enumerate();
    all.map(|(number, (panel, body))| (number, panel, body))
}

/// All bodies of a scene, in order.
pub(crate) fn bodies(scene: &Scene) -> impl Iterator<Item = &Body> {
    scene.panels.iter().flat_map(|panel| &panel.bodies)
}
