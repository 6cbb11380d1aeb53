//! Encoding of OpenEXR files with 32 bits per channel.

use exr::prelude::{
    AnyChannel, AnyChannels, Blocks, Compression, Encoding, FlatSamples, Image, Layer,
    LayerAttributes, LineOrder, ReadChannels, ReadLayers, SmallVec, WritableImage, read,
};
use std::io::{self, Cursor};

/// A channel of a picture. Its name may begin with the name of a layer, as in `N.X`.
#[derive(Clone, Debug)]
pub struct ExrChannel {
    name: String,
    samples: FlatSamples,
}

impl ExrChannel {
    /// Channel of real numbers, row by row.
    pub fn real(name: &str, samples: Vec<f32>) -> Self {
        Self { name: name.into(), samples: FlatSamples::F32(samples) }
    }

    /// Channel of whole numbers, row by row.
    pub fn whole(name: &str, samples: Vec<u32>) -> Self {
        Self { name: name.into(), samples: FlatSamples::U32(samples) }
    }
}

/// Encodes channels as an OpenEXR file. `size` is width and height in pixels.
///
/// # Errors
/// Returns an error if the encoder fails, such as for a channel of another size.
pub fn encode(size: [u32; 2], channels: Vec<ExrChannel>) -> io::Result<Vec<u8>> {
    let channel = |channel: ExrChannel| AnyChannel::new(&*channel.name, channel.samples);
    let channels: SmallVec<[AnyChannel<FlatSamples>; 4]> =
        channels.into_iter().map(channel).collect();
    let encoding = Encoding {
        compression: Compression::ZIP16,
        blocks: Blocks::ScanLines,
        line_order: LineOrder::Increasing,
    };
    let size = size.map(|side| side as usize);
    let attributes = LayerAttributes::default();
    let layer = Layer::new((size[0], size[1]), attributes, encoding, AnyChannels::sort(channels));
    let mut bytes = Cursor::new(Vec::new());
    // More threads would not change the file, and one is enough here.
    Image::from_layer(layer)
        .write()
        .non_parallel()
        .to_buffered(&mut bytes)
        .map_err(io::Error::other)?;
    Ok(bytes.into_inner())
}

/// Whether these bytes are an intact OpenEXR file.
pub(super) fn is_whole(bytes: &[u8]) -> bool {
    let layers = read().no_deep_data().largest_resolution_level().all_channels().all_layers();
    layers.all_attributes().non_parallel().from_buffered(Cursor::new(bytes)).is_ok()
}
