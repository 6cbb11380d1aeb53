#![no_main]

use catena_fuzz::{recipe, targets};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if std::env::var_os("CATENA_FUZZ_TEXT").is_some() {
        eprintln!("{}", recipe::scene(data));
    }
    targets::rendered_scene(data);
});
