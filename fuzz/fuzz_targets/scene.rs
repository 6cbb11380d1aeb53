#![no_main]

use catena_fuzz::{mutate, targets};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|data: &[u8]| {
    targets::scene(data);
});

// Half of all mutations replace names and numbers of the format by others, which byte mutations
// rarely do.
fuzz_mutator!(|data: &mut [u8], size: usize, maximum: usize, seed: u32| {
    if seed % 2 == 0 {
        return fuzzer_mutate(data, size, maximum);
    }
    let mut random = mutate::Random::new(u64::from(seed));
    let mut bytes = data[..size].to_vec();
    let other = bytes.clone();
    mutate::mutate(&mut bytes, &other, true, maximum.min(data.len()), &mut random);
    data[..bytes.len()].copy_from_slice(&bytes);
    bytes.len()
});
