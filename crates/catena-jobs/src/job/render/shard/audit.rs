//! A share of the neighbour's frames, computed once more.

use crate::job::{
    frames::{FrameEncoder, FramePipeline},
    render::{RenderError, task::Task},
};
use crate::shard::{ShardAudit, ShardChoice};
use catena_base::read;
use catena_output::{OutputError, atomic, folder::Folder, hash};
use std::io;

/// The file of an audit that is finished, in the private folder.
const AUDIT: &str = "audit";

/// Draws frames of the neighbour and hashes them, unless that is done.
pub(super) fn audited(
    task: &Task<'_>,
    folder: &Folder,
    neighbour: ShardChoice,
    frames: &[u64],
) -> Result<ShardAudit, RenderError> {
    let path = folder.private().join(AUDIT);
    let there = read::file(&path, read::LARGE).ok();
    let there = there.as_deref().and_then(|bytes| {
        let text = hash::decode_line(&task.key, bytes.strip_suffix(b"\n")?)?;
        serde_json::from_str::<ShardAudit>(text).ok()
    });
    let is_same = |audit: &ShardAudit| audit.hashes.iter().map(|(at, _)| at).eq(frames);
    if let Some(audit) = there.filter(|audit| is_same(audit)) {
        return Ok(audit);
    }
    // Other checkpoints than those of this folder may be another machine's.
    let mut simulator = task.simulator(folder);
    let encoder = FrameEncoder::new(task.painter, &simulator.panels(), &());
    let mut hashes = Vec::new();
    let interruption = task.interruption;
    let pipeline = FramePipeline { progress: &(), interruption, on_failure: &|| {} };
    pipeline.encode(&encoder, &mut simulator, frames, |entry, _| {
        hashes.push((entry.frame, entry.sha256));
        Ok(())
    })?;
    if task.interruption.is_set() {
        let all = task.range.end - task.range.start;
        return Err(RenderError::Interrupted { there: all, frames: all });
    }
    if let Some(refusal) = simulator.refusal() {
        return Err(refusal.into());
    }
    let audit = ShardAudit { number: neighbour.number(), hashes };
    let text = serde_json::to_string(&audit).map_err(io::Error::other);
    let text = text.map_err(|cause| OutputError::new("write", &path, cause))?;
    atomic::write(&path, hash::encode_line(&task.key, &text).as_bytes())?;
    Ok(audit)
}
