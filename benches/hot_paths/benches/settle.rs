//! Simulation of a rope until it rests, for the steady-state comparison.

#![allow(clippy::unwrap_used, missing_docs)]

use catena::analysis::settle::{RestRule, settle};
use criterion::{Criterion, criterion_group, criterion_main};

fn settling(criterion: &mut Criterion) {
    for panel in &hot_paths::compare().panels {
        let body = &panel.bodies[0];
        let rule = RestRule::for_body(&body.setup, None, None, panel.rest.limit);
        criterion.bench_function(&format!("settle {}", panel.label), |bencher| {
            bencher.iter(|| settle(&body.setup, rule, &|_| true));
        });
    }
}

criterion_group!(benches, settling);
criterion_main!(benches);
