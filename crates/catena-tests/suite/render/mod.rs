//! From states to pixels: shapes, letters, labels, cameras.

mod arrows;
mod canvas;
mod colors;
mod composition;
mod coverage;
mod depth;
mod frames;
mod labels;
mod mask;
mod motion_blur;
mod motion_core;
mod moving_camera;
mod moving_colliders;
mod numbers;
mod rasterizers;
mod shadows;
mod shaping;
mod shown;
mod smooth;
mod smooth_lines;
mod space;
mod surroundings;
mod text;
mod translucent;
mod transparent;
mod view;
