//! From states to pixels: shapes, letters, labels, cameras.

mod arrows;
mod canvas;
mod depth;
mod labels;
mod mask;
mod numbers;
mod shown;
mod space;
mod text;
mod view;
