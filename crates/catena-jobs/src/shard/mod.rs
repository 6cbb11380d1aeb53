//! Shards: parts of a render or a sweep that machines compute apart from each other, and the
//! reports by which they are put together again.
//!
//! What is in shard I of N follows from the source, I and N alone. A shard takes no lock that
//! another needs. It reads no other shard's files but some reports, once, to see whether what it
//! begins belongs to them. In a folder DIR, shard 3 of 64 has
//!
//! - its product, `DIR/shards/0003-of-0064` as a folder or a file with an ending,
//! - while it works a journal, a hash a line, of which whole lines count after a kill,
//! - and at last its report, `DIR/shards/0003-of-0064.json`, which alone says that it is finished.

mod choice;
mod foreign;
mod found;
mod journal;
mod occupied;
mod place;
mod refusal;
mod report;
mod source;

pub use choice::{MOST_SHARDS, ShardChoice};
pub use found::{FoundReport, ShardSet};
pub use journal::ShardJournal;
pub use occupied::{IsOurs, refuse_occupied, refuse_other};
pub use place::{SHARDS, ShardPlace};
pub use refusal::{Damage, Disagreement, Example, MergeRefusal, numbers};
pub use report::{RanOn, ShardAudit, ShardFile, ShardKind, ShardReport};
pub use source::ShardSource;
