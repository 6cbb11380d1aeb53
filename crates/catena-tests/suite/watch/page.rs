//! The page of `catena watch --serve` in a browser.
#![cfg(unix)]

use super::{browser::Browser, watching::Watching};
use crate::{rendered::Bench, scene_of};
use catena::{job::draw, output::hash::sha256};
use serde_json::json;
use std::fs;

/// Hash of the pixels that the page shows.
const SHOWN: &str = "(async () => {
    const image = document.getElementById('frame');
    if (image.hidden) return null;
    // A picture that is replaced while it is decoded is an error; the new one is decoded then.
    await image.decode().catch(() => image.decode());
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const rgb = data.filter((_, index) => index % 4 !== 3);
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', rgb));
    return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
})()";
const ERROR: &str = "document.getElementById('error').hidden ? null : document.getElementById('message').textContent";
const NUMBER: &str = "document.getElementById('number').textContent";
const PLAY: &str = "document.getElementById('play').textContent";
const STATE: &str = "document.getElementById('state').textContent";

fn scene(nodes: usize) -> String {
    format!(
        "Scene(base: (size: (320, 240), frames: 12, substeps: 16, rope: (nodes: {nodes})), panels: [(label: \"one\")])"
    )
}

/// Hash of the pixels of a frame.
fn pixels(scene: &str, frame: u64) -> String {
    sha256(draw(&scene_of(scene), frame).unwrap().as_raw())
}

fn press(browser: &mut Browser, key: &str) {
    browser.value(&format!(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true, cancelable: true }}))"
    ));
}

/// A page that shows the first frame of a scene; `None` without Chromium.
fn shown(bench: &Bench) -> Option<(Watching, Browser)> {
    // A separate port, since tests run in parallel.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut watching = Watching::start(bench, &["--threads", "2", "--serve", &port.to_string()]);
    let mut browser = Browser::open(&watching.url())?;
    browser.until(SHOWN, pixels(&scene(4), 0));
    Some((watching, browser))
}

#[test]
fn a_page_shows_each_save_by_itself() {
    let bench = Bench::new(&scene(4));
    let save = |text: &str| fs::write(bench.path("scene.ron"), text).unwrap();
    let Some((watching, mut browser)) = shown(&bench) else { return };
    assert_eq!(browser.value(ERROR), json!(null));
    // Another frame is selected, and stays selected after saves.
    press(&mut browser, "End");
    press(&mut browser, "ArrowLeft");
    browser.until(SHOWN, pixels(&scene(4), 10));
    save(&scene(7));
    browser.until(SHOWN, pixels(&scene(7), 10));
    assert_eq!(browser.value(NUMBER), "frame 10, 10.0 s");
    // A message is shown over the picture, which stays and can be stepped through.
    save(&scene(7).replace("nodes", "nods"));
    browser.until(&format!("({ERROR} ?? '').includes('there is no field `nods`')"), true);
    assert_eq!(browser.value(SHOWN), pixels(&scene(7), 10));
    browser.until(STATE, "12 frames");
    press(&mut browser, "ArrowLeft");
    browser.until(SHOWN, pixels(&scene(7), 9));
    save(&scene(7).replace("substeps", "substepps"));
    browser.until(&format!("({ERROR} ?? '').includes('did you mean `substeps`')"), true);
    save(&scene(5));
    browser.until(ERROR, json!(null));
    browser.until(SHOWN, pixels(&scene(5), 9));
    // With fewer frames, the last one is shown.
    let short = scene(5).replace("frames: 12", "frames: 4");
    save(&short);
    browser.until(SHOWN, pixels(&short, 3));
    browser.until(STATE, "4 frames");
    let (code, message) = watching.interrupt();
    assert_eq!(code, Some(130), "{message}");
    browser.until(&format!("{STATE}.includes('has ended')"), true);
    assert_eq!(browser.value(SHOWN), pixels(&short, 3), "the last picture stays");
}

#[test]
fn place_and_playing_stay_when_a_page_is_loaded_anew() {
    let bench = Bench::new(&scene(4));
    let Some((_watching, mut browser)) = shown(&bench) else { return };
    browser.until(STATE, "12 frames");
    for _ in 0..3 {
        press(&mut browser, "ArrowRight");
    }
    browser.until(SHOWN, pixels(&scene(4), 3));
    browser.value("window.old = true");
    browser.call("Page.reload", json!({}));
    browser.until("window.old === undefined && document.getElementById('frame') !== null", true);
    browser.until(SHOWN, pixels(&scene(4), 3));
    assert_eq!(browser.value(NUMBER), "frame 3, 3.0 s");
    // The player runs to the end and stops there.
    press(&mut browser, " ");
    browser.until(NUMBER, "frame 11, 11.0 s");
    browser.until(PLAY, "play");
    browser.until(SHOWN, pixels(&scene(4), 11));
    // One key toggles full screen.
    for filled in ["player", "none"] {
        press(&mut browser, "f");
        browser.until("document.fullscreenElement?.id ?? 'none'", filled);
        let fits =
            "document.getElementById('number').getBoundingClientRect().bottom <= innerHeight";
        browser.until(fits, true);
    }
}

#[test]
fn a_page_fits_its_window_dark_and_light() {
    let bench = Bench::new(&scene(4));
    let Some((_watching, mut browser)) = shown(&bench) else { return };
    fs::write(bench.path("scene.ron"), scene(4).replace("nodes", "nods")).unwrap();
    browser.until(&format!("{ERROR} !== null"), true);
    for (width, height) in [(1280, 800), (800, 700), (390, 800)] {
        for (scheme, filter) in [("light", "none"), ("dark", "invert(0.92) hue-rotate(180deg)")] {
            let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
            browser.call("Emulation.setDeviceMetricsOverride", size);
            let media =
                json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
            browser.call("Emulation.setEmulatedMedia", media);
            browser.until("innerWidth", width);
            browser.until("getComputedStyle(document.getElementById('frame')).filter", filter);
            let fits = "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight";
            browser.until(fits, true);
            // The message does not cover the whole picture.
            browser.until(
                "document.getElementById('error').getBoundingClientRect().top > document.getElementById('frame').getBoundingClientRect().top",
                true,
            );
        }
    }
}

#[test]
fn a_slider_renders_again_and_is_written_into_the_file() {
    let bench = Bench::new(&scene(4));
    let Some((_watching, mut browser)) = shown(&bench) else { return };
    let slider = "document.querySelector('.number[data-path=\"base.rope.nodes\"] input')";
    browser.until(&format!("Boolean({slider})"), true);
    let move_to = |browser: &mut Browser, value: u32| {
        browser.value(&format!(
            "{{ const range = {slider}; range.value = {value}; range.dispatchEvent(new Event('input')); }}"
        ));
    };
    press(&mut browser, "End");
    browser.until(SHOWN, pixels(&scene(4), 11));
    move_to(&mut browser, 7);
    browser.until(SHOWN, pixels(&scene(7), 11));
    let set = "document.getElementById('set').textContent";
    assert_eq!(browser.value(set), json!("--set rope.nodes=7"));
    let file = || fs::read_to_string(bench.path("scene.ron")).unwrap();
    assert_eq!(file(), scene(4));
    browser.value("document.getElementById('write').click()");
    browser.until("document.getElementById('changes').hidden", true);
    assert_eq!(file(), scene(7));
    browser.until(SHOWN, pixels(&scene(7), 11));
    // An invalid number is refused with a message, and the picture stays.
    browser.value(
        "{ const entry = document.querySelectorAll('.number[data-path=\"base.rope.nodes\"] input')[1]; entry.value = 0; entry.dispatchEvent(new Event('change')); }",
    );
    browser.until("document.getElementById('refused').textContent.includes('nodes')", true);
    assert_eq!(browser.value(SHOWN), pixels(&scene(7), 11));
    assert_eq!(file(), scene(7));
}
