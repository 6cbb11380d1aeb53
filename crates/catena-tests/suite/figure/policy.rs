//! Pages on servers with a strict content security policy: they show the files in their folder, and
//! need no inline content.

use super::report::{chromium, report};
use crate::{catena, film::content::png};
use catena::threads::spawn;
use image::{Rgb, RgbImage, RgbaImage, imageops::crop_imm};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
};

/// Policy of published pages in Jenkins.
const JENKINS: &str =
    "sandbox allow-same-origin; default-src 'none'; img-src 'self'; style-src 'self';";
/// Policies that allow less, and more.
const NO_STYLE: &str = "sandbox allow-same-origin; default-src 'none'; img-src 'self';";
const SCRIPTS: &str = "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'";
/// Policy of the page around other pages.
const AROUND: &str = "default-src 'unsafe-inline'; frame-src http:";

/// Serves the files of a folder under a policy until the process ends. Returns the address.
fn serve(folder: PathBuf, policy: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let serve = move || {
        for stream in listener.incoming().flatten() {
            let folder = folder.clone();
            spawn("answer", move || answer(&stream, &folder, policy)).unwrap();
        }
    };
    spawn("server", serve).unwrap();
    address
}

fn answer(mut stream: &TcpStream, folder: &Path, policy: &str) {
    let mut line = String::new();
    let mut reader = BufReader::new(stream);
    reader.read_line(&mut line).unwrap();
    while reader.read_line(&mut String::new()).is_ok_and(|count| count > 2) {}
    let path = line.split(' ').nth(1).unwrap_or("/").trim_start_matches('/').replace("%20", " ");
    let kind = match path.rsplit('.').next() {
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("png") => "image/png",
        _ => "text/html; charset=utf-8",
    };
    let found = fs::read(folder.join(if path.is_empty() { "index.html" } else { &path }));
    let (status, body) = found.map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nX-Content-Type-Options: nosniff\r\n\
         Content-Security-Policy: {policy}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(&[head.into_bytes(), body].concat());
}

/// Pictures of pages of one size, which one browser shows side by side. `None` without a browser.
///
/// The surrounding page comes from the same site, so that one process draws all pages: a picture is
/// taken when this process has drawn, and does not wait for another.
fn screenshots(addresses: &[String], [width, height]: [u32; 2]) -> Option<Vec<RgbImage>> {
    let frame = |address: &String| {
        format!("<iframe src=\"{address}\" width={width} height={height}></iframe>")
    };
    let style = "<style>iframe { border: 0; flex: none } body { margin: 0; display: flex }</style>";
    let folder = tempfile::tempdir().unwrap();
    let frames = addresses.iter().map(frame).collect::<String>();
    fs::write(folder.path().join("index.html"), format!("{style}<body>{frames}</body>")).unwrap();
    let count = addresses.len() as u32;
    let around = serve(folder.path().to_path_buf(), AROUND);
    let all = screenshot(&around, [count * width, height])?;
    let one = |index| crop_imm(&all, index * width, 0, width, height).to_image();
    Some((0..count).map(one).collect())
}

/// A picture of a page. `None` without a browser.
fn screenshot(address: &str, size: [u32; 2]) -> Option<RgbImage> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.png");
    let mut browser = chromium(&folder.path().join("profile"))?;
    let run = browser
        .args(["--hide-scrollbars", "--blink-settings=preferredColorScheme=1"])
        .arg(format!("--window-size={},{}", size[0], size[1]))
        .arg(format!("--screenshot={}", file.display()))
        .arg(address)
        .output()
        .unwrap();
    let image = image::open(&file).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    Some(image.into_rgb8())
}

/// The document after its scripts have run. `None` without a browser.
fn dom(address: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = chromium(folder.path())?;
    let run =
        browser.args(["--virtual-time-budget=20000", "--dump-dom", address]).output().unwrap();
    Some(String::from_utf8_lossy(&run.stdout).into_owned())
}

/// Bounds of the pixels of a colour in a picture (first and last column and row), and their count.
fn area(image: &RgbImage, color: [u8; 3]) -> ([u32; 4], usize) {
    let near = |pixel: &Rgb<u8>| pixel.0.iter().zip(color).all(|(a, b)| a.abs_diff(b) <= 2);
    let found: Vec<(u32, u32)> = image
        .enumerate_pixels()
        .filter(|(.., pixel)| near(pixel))
        .map(|(x, y, _)| (x, y))
        .collect();
    let of = |pick: fn(&(u32, u32)) -> u32| {
        let all = || found.iter().map(pick);
        (all().min().unwrap_or(0), all().max().unwrap_or(0))
    };
    let ((left, right), (top, bottom)) = (of(|place| place.0), of(|place| place.1));
    ([left, right, top, bottom], found.len())
}

/// Checks that a page needs nothing that a policy refuses, and that all files that it names exist.
fn check_alone(page: &Path) {
    let text = fs::read_to_string(page).unwrap();
    for refused in ["style=", "<style", "<script>", "type=\"application/json\"", "data:", "onclick"]
    {
        assert!(!text.contains(refused), "{}: {refused}", page.display());
    }
    let mut files = 0;
    for name in [" src=\"", " href=\""] {
        let places = text.match_indices(name);
        // Links within SVG refer to its own parts, or to pictures.
        for (at, _) in places {
            let link = text[at + name.len()..].split('"').next().unwrap();
            let link = link.replace("%20", " ");
            assert!(link.starts_with('#') || page.with_file_name(&link).is_file(), "{link}");
            files += 1;
        }
    }
    assert!(files > 2);
    let images = text.split("data-images=\"").nth(1).and_then(|rest| rest.split('"').next());
    for image in images.into_iter().flat_map(|all| all.split(' ')) {
        assert!(page.with_file_name(image).is_file(), "{image}");
    }
}

#[test]
fn each_caption_of_a_failure_has_its_own_picture() {
    let folder = tempfile::tempdir().unwrap();
    let (red, blue) = ([200, 0, 0], [0, 0, 200]);
    let (small, large) = ([300, 200], [500, 100]);
    for (name, color) in [("e", red), ("a", blue)] {
        fs::create_dir(folder.path().join(name)).unwrap();
        for (file, [width, height]) in [("small picture.png", small), ("large.png", large)] {
            let image = RgbImage::from_pixel(width, height, Rgb(color));
            fs::write(folder.path().join(name).join(file), png(&image)).unwrap();
        }
    }
    let args = ["diff", "e", "a", "--out", "failures"];
    catena().current_dir(&folder).args(args).assert().code(1);
    let failures = folder.path().join("failures");
    check_alone(&failures.join("index.html"));
    let policies = [JENKINS, NO_STYLE, SCRIPTS];
    let addresses = policies.map(|policy| serve(failures.clone(), policy));
    let Some(images) = screenshots(&addresses, [1700, 3000]) else { return };
    for (policy, image) in policies.into_iter().zip(&images) {
        let ([red_left, ..], red_count) = area(image, red);
        let ([blue_left, ..], blue_count) = area(image, blue);
        // Both pictures, once each. The small one is enlarged to 416 pixels; the large one fills
        // its column, or keeps its size without style.
        let minimum = 416 * 276 + 490 * 97;
        for (count, name) in [(red_count, "expected"), (blue_count, "actual")] {
            assert!((minimum..2 * minimum).contains(&count), "{policy}: {count} pixels of {name}");
        }
        // With style, pictures are in one row.
        assert_eq!(blue_left > red_left + 800, policy != NO_STYLE, "{policy}");
    }
    // A click enlarges a picture if scripts may run, without inline style.
    let page = dom(&serve(failures, SCRIPTS));
    assert!(page.is_none_or(|page| page.contains("--part: 2")), "the script has run");
}

#[test]
fn a_report_is_shown_without_anything_within_its_page() {
    let scene = "Scene(base: (size: (320, 240), frames: 6, substeps: 8, rest: (limit: 20), rope: (nodes: 3),
        background: \"#c81e1e\"), panels: [(label: \"A\"), (label: \"B\", with: (drag: 0.1))])";
    let folder = report(scene, &["--quiet", "--study-time", "0.2"]);
    let report = folder.path().join("report");
    check_alone(&report.join("index.html"));
    let policies = [JENKINS, SCRIPTS];
    let addresses = policies.map(|policy| serve(report.clone(), policy));
    let Some(images) = screenshots(&addresses, [1000, 6000]) else { return };
    for ((policy, address), image) in policies.into_iter().zip(&addresses).zip(&images) {
        // Rows with much visible background of the frame: the player, and the contact sheet.
        let is_red = |y: u32| {
            let row = (0..image.width()).filter(|x| image.get_pixel(*x, y).0 == [200, 30, 30]);
            row.count() > 100
        };
        let rows: Vec<u32> = (0..image.height()).filter(|y| is_red(*y)).collect();
        let groups = 1 + rows.windows(2).filter(|two| two[1] - two[0] > 150).count();
        assert!(rows.len() > 400 && groups >= 2, "{policy}: {} rows in {groups}", rows.len());
        let Some(dom) = dom(address) else { return };
        assert_eq!(dom.contains("<div class=\"controls\">"), policy == SCRIPTS, "{policy}");
    }
}

/// A picture with alpha also has its own window.
#[test]
fn sheets_with_alpha_are_cut_out_as_well() {
    let folder = tempfile::tempdir().unwrap();
    for (name, alpha) in [("e.png", 255), ("a.png", 254)] {
        let image = RgbaImage::from_pixel(120, 90, image::Rgba([0, 150, 0, alpha]));
        image.save(folder.path().join(name)).unwrap();
    }
    let args = ["diff", "e.png", "a.png", "--out", "failures"];
    catena().current_dir(&folder).args(args).assert().code(1);
    let address = serve(folder.path().join("failures"), JENKINS);
    let Some(image) = screenshot(&address, [1400, 900]) else { return };
    let (_, count) = area(&image, [0, 150, 0]);
    // Two pictures of 240x180: expected and actual.
    assert!((80_000..90_000).contains(&count), "{count}");
}
