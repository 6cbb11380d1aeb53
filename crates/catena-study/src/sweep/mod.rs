//! What a sweep finds: measures of runs, the table of their values, and how variants are dealt to
//! shards.

pub mod deal;
pub mod estimate;
pub mod measure;
pub mod table;
