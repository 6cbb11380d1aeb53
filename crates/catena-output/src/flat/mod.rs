//! PNG files of pictures that differ little from a template, such as the frames of a film.
//!
//! With the filter Up nearly every byte of such a picture is zero. In areas that neither the
//! template nor the changes touch, the encoder knows this without reading pixels. A run of zeros of
//! any length takes a few match codes, and a product gives its share of the checksum. Rows equal to
//! the template's are encoded once (`rows`). All pictures share one Huffman table ([`huffman`]),
//! made from a sample picture. A file therefore depends only on template, sample and picture. The
//! result is an ordinary PNG file.
//!
//! Sources: RFC 1950, RFC 1951 and the PNG specification, second edition.

pub mod bits;
pub mod huffman;
mod rows;

pub use self::rows::{Changed, Span};

use super::chunks::{self, HEADER_BYTES, SIGNATURE};
use bits::BitWriter;
use catena_sim::instructions::Instructions;
use huffman::HuffmanCode;
use image::RgbImage;
use pulp::NullaryFnOnce;
use rayon::prelude::*;
use rows::{AdlerSums, RowWriter, SymbolCounter, TemplateRow};

/// Encoder of pictures that differ little from a template.
pub struct FlatEncoder {
    width: u32,
    height: u32,
    code: HuffmanCode,
    /// Encoded rows of the template.
    rows: Vec<TemplateRow>,
}

impl FlatEncoder {
    /// Prepares the template. `sample` is a typical picture, whose frequent bytes get short codes.
    /// Any picture of the template's size can be encoded, whatever the sample.
    pub fn new(template: &RgbImage, sample: Changed<'_>) -> Self {
        let (width, height) = template.dimensions();
        // Rows are independent of each other.
        let known: Vec<_> = (0..height).into_par_iter().map(|y| rows::spans(template, y)).collect();
        let code =
            HuffmanCode::new(&SymbolCounter::of(template, &known, sample).counts, width as usize);
        let row =
            |(y, known): (usize, &Vec<Span>)| TemplateRow::new(template, y as u32, known, &code);
        let rows = known.par_iter().enumerate().map(row).collect();
        Self { width, height, rows, code }
    }

    /// Encodes a picture as a PNG file into `bytes`, replacing its content. Reusing the buffer
    /// saves allocations.
    pub fn encode(&self, picture: Changed<'_>, bytes: &mut Vec<u8>) {
        let (image, changes) = picture;
        bytes.clear();
        bytes.extend_from_slice(&SIGNATURE);
        let mut header = Vec::with_capacity(HEADER_BYTES as usize);
        header.extend_from_slice(&self.width.to_be_bytes());
        header.extend_from_slice(&self.height.to_be_bytes());
        // Eight bits per channel, truecolour, deflate, adaptive filters, not interlaced.
        header.extend_from_slice(&[8, 2, 0, 0, 0]);
        chunks::append(bytes, *b"IHDR", |bytes| bytes.extend_from_slice(&header));
        chunks::append(bytes, *b"IDAT", |bytes| {
            *bytes = Instructions::best().run(DeflateTask {
                encoder: self,
                image,
                changes,
                bytes: std::mem::take(bytes),
            });
        });
        chunks::append(bytes, *b"IEND", |_| {});
    }
}

/// Task that appends the zlib stream of a picture to bytes, compiled for several instruction sets.
struct DeflateTask<'a> {
    encoder: &'a FlatEncoder,
    image: &'a RgbImage,
    changes: &'a [Vec<Span>],
    bytes: Vec<u8>,
}

impl NullaryFnOnce for DeflateTask<'_> {
    type Output = Vec<u8>;

    #[inline(always)]
    fn call(mut self) -> Vec<u8> {
        let encoder = self.encoder;
        // A window of 32 KiB, the fastest level, no dictionary.
        self.bytes.extend_from_slice(&[0x78, 0x01]);
        let mut bits = BitWriter::new(self.bytes);
        encoder.code.write_header(&mut bits);
        let mut writer = RowWriter { code: &encoder.code, bits };
        let (mut sums, mut stretches, mut filtered) =
            (AdlerSums::default(), Vec::new(), Vec::new());
        let row_bytes = 3 * u64::from(encoder.width) + 1;
        let total = row_bytes * u64::from(encoder.height);
        for (y, row) in encoder.rows.iter().enumerate() {
            let left = total - row_bytes * y as u64;
            let [above, here] = rows::changes_near(self.changes, y);
            if above.is_empty() && here.is_empty() {
                writer.bits.append(&row.bits);
                sums.add(row.sums, left);
                continue;
            }
            rows::fill_stretches(&mut stretches, &row.parts, [above, here]);
            let y = y as u32;
            let own = rows::code_row(self.image, y, &stretches, &mut writer, &mut filtered);
            sums.add(own, left);
        }
        let RowWriter { mut bits, .. } = writer;
        encoder.code.write_end(&mut bits);
        let mut bytes = bits.finish();
        bytes.extend_from_slice(&sums.adler(total).to_be_bytes());
        bytes
    }
}
