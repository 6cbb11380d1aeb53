//! Shards: independent parts of a render or a sweep, and the reports from which they are merged.
//!
//! The content of shard I of N depends only on the source, I and N. Shards share no locks. A
//! starting shard reads some reports of other shards to check that they have the same source. It
//! reads none of their other files.
//!
//! In a folder DIR, shard 3 of 64 has these files. The product is `DIR/shards/0003-of-0064`, a
//! folder or a file with an extension. While the shard works, it has a journal of hashed lines.
//! After a kill, the intact lines are reused. The report `DIR/shards/0003-of-0064.json` is written
//! last, and only the report marks the shard as finished.

mod choice;
mod found;
mod journal;
mod occupied;
mod place;
mod refusal;
mod report;

pub use choice::{MAX_SHARDS, ShardChoice};
pub use found::{FoundReport, ShardSet};
pub use journal::ShardJournal;
pub use occupied::{IsOurs, refuse_occupied, refuse_other};
pub use place::{SHARDS, ShardPlace};
pub use refusal::{Damage, Disagreement, Example, MergeRefusal, numbers};
pub use report::ShardSource;
pub use report::{RanOn, ShardAudit, ShardFile, ShardKind, ShardReport};
