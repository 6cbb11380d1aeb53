//! Results of a sweep: measures of runs, the table of their values, and the assignment of variants
//! to shards.

pub mod deal;
pub mod estimate;
pub mod measure;
pub mod table;
