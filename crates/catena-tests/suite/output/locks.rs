//! Locks on folders and journals in a process that also starts other programs.

use catena::{
    output::lock::{Lock, LockMode},
    shard::{ShardChoice, ShardJournal, ShardPlace},
    threads::spawn_scoped,
};
use std::{
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

/// Runs `check` while another thread starts programs. Each of them has all files of this process
/// open until its own code begins.
fn while_programs_start(check: impl FnOnce()) {
    let is_done = AtomicBool::new(false);
    thread::scope(|threads| {
        let start = || {
            while !is_done.load(Ordering::Relaxed) {
                let _ = Command::new("true").status();
            }
        };
        spawn_scoped(threads, "starts", start).unwrap();
        check();
        is_done.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_lock_can_be_taken_as_soon_as_it_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    while_programs_start(|| {
        for attempt in 0..2000 {
            for mode in [LockMode::Exclusive, LockMode::Shared] {
                let lock = Lock::acquire(folder.path(), mode).unwrap();
                assert!(lock.is_some(), "{mode:?}, attempt {attempt}");
            }
            assert!(Lock::gate(folder.path()).unwrap().is_some(), "gate, attempt {attempt}");
        }
    });
}

#[test]
fn the_journal_of_a_shard_can_be_opened_as_soon_as_it_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let place = ShardPlace::new(folder.path(), "2/3".parse::<ShardChoice>().unwrap());
    while_programs_start(|| {
        for line in 0..300_u64 {
            let (journal, lines) = ShardJournal::open::<u64>(&place, "key").unwrap();
            assert_eq!(lines, (0..line).collect::<Vec<_>>());
            journal.add(&line).unwrap();
        }
    });
}
