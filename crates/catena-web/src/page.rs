//! One HTML file with scenes, the player and the WebAssembly module, which needs no server.
//!
//! A content security policy in the page allows two scripts, identified by their hashes, and no
//! connection. Scenes are embedded as data and only displayed as text.

use crate::BUILD;
use crate::module::build_of;
use base64::{Engine, engine::general_purpose::STANDARD};
use catena_scene::{Scene, UsedFile};
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// HTML of a page, with placeholders for its parts.
const FRAME: &str = include_str!("../page/page.html");
/// Style sheet of a page.
const STYLE: &str = include_str!("../page/page.css");
/// Code editor CodeMirror, bundled by `page/bundle`.
const EDITOR: &str = include_str!("../page/editor.bundle.js");
/// Script that starts the worker.
const FIRST: &str = include_str!("../page/first.js");
/// Script of a page. [`EDITOR`] follows it, so that the module is compiled meanwhile.
const PAGE: &str = include_str!("../page/page.js");
/// Script of the worker that runs the WebAssembly module.
const WORKER: &str = concat!(include_str!("../page/module.js"), include_str!("../page/worker.js"));

/// Number of bytes before the sections of a module.
const HEAD: usize = 8;

/// Compression level: slow but small, since a page is written once.
const LEVEL: u8 = 9;

/// A scene of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageScene {
    /// Name of the scene.
    pub name: String,
    /// Title of the scene, for the list of scenes.
    pub title: String,
    /// Text of the scene.
    pub text: String,
    /// Changes by `--set`.
    pub set: Vec<String>,
    /// Files that the scene names, in base64.
    pub files: BTreeMap<String, String>,
    /// Whether the page shows the scene above the default limits.
    pub unlimited: bool,
}

impl PageScene {
    /// Creates the entry of a scene, with its changes and the files that it names.
    pub fn of(scene: &Scene, is_unlimited: bool) -> Self {
        let source = scene.source_text();
        let encoded = |file: &UsedFile| (file.name.clone(), STANDARD.encode(&file.bytes));
        Self {
            title: scene.title.clone().unwrap_or_else(|| source.name.clone()),
            name: source.name,
            text: source.text,
            set: scene.changes(),
            files: scene.files.iter().map(encoded).collect(),
            unlimited: is_unlimited,
        }
    }
}

/// Returns a page that shows scenes, with a WebAssembly module inside. `poster` is frame 0 of the
/// first scene as a PNG file, which the page shows until the module has drawn a frame.
///
/// # Errors
/// The bytes are not a module of this build of catena.
pub fn page(scenes: &[PageScene], module: &[u8], poster: Option<&[u8]>) -> Result<String, String> {
    match build_of(module) {
        Some(BUILD) => {}
        Some(other) => {
            return Err(format!(
                "the module is from another build: {other}; this program is {BUILD}"
            ));
        }
        None => return Err("this is not a WebAssembly module of catena".into()),
    }
    let script = format!("{PAGE}\n{EDITOR}");
    let [first, second] = [FIRST, &script].map(|script| STANDARD.encode(Sha256::digest(script)));
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{first}' 'sha256-{second}' 'wasm-unsafe-eval'; \
         worker-src blob:; style-src 'unsafe-inline'; img-src blob: data:; base-uri 'none'; \
         form-action 'none'",
    );
    let title = match scenes {
        [one] => one.title.as_str(),
        _ => "catena",
    };
    let module = STANDARD.encode(compress_to_vec_zlib(&stripped(module), LEVEL));
    let scenes = serde_json::to_string(scenes).map_err(|error| error.to_string())?;
    let poster = poster.map_or(String::new(), |png| {
        let data = STANDARD.encode(png);
        format!("<img id=\"poster\" alt=\"Frame 0\" src=\"data:image/png;base64,{data}\">\n    ")
    });
    let parts = [
        ("@POLICY@", policy.as_str()),
        ("@TITLE@", &escaped(title)),
        ("@STYLE@", STYLE),
        ("@POSTER@", &poster),
        ("@WORKER@", WORKER),
        ("@FIRST@", FIRST),
        ("@SCENES@", &as_data(&scenes)),
        ("@MODULE@", &module),
        ("@SCRIPT@", &script),
    ];
    Ok(filled(FRAME, &parts))
}

/// Removes the custom sections of a module, such as function names, which browsers do not need.
fn stripped(module: &[u8]) -> Vec<u8> {
    let (head, mut rest) = module.split_at(HEAD.min(module.len()));
    let mut all = head.to_vec();
    while let Some(kind) = rest.first() {
        // The size follows in groups of seven bits.
        let groups = rest[1..].iter().take(5).position(|byte| byte & 0x80 == 0).unwrap_or(4) + 1;
        let size = rest[1..].iter().take(groups).rev();
        let size = size.fold(0_usize, |size, byte| (size << 7) | usize::from(byte & 0x7f));
        let (section, tail) = rest.split_at((1 + groups + size).min(rest.len()));
        if *kind != 0 {
            all.extend_from_slice(section);
        }
        rest = tail;
    }
    all
}

/// Replaces the placeholders of a frame in order, so that no placeholder inside an inserted part is
/// replaced.
fn filled(frame: &str, parts: &[(&str, &str)]) -> String {
    let mut all =
        String::with_capacity(frame.len() + parts.iter().map(|(_, it)| it.len()).sum::<usize>());
    let mut rest = frame;
    for (mark, part) in parts {
        if let Some((before, after)) = rest.split_once(mark) {
            all += before;
            all += part;
            rest = after;
        }
    }
    all + rest
}

/// Escapes a text for the content of an element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Escapes JSON for the content of a script element. An end tag would end the element even within a
/// string.
fn as_data(json: &str) -> String {
    json.replace('<', "\\u003c")
}
