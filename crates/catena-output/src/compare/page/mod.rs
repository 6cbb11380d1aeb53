//! Page of failures: an HTML file with separate style sheet, script and sheets.
//!
//! Servers of build results block inline styles and scripts. So both are separate files, no element
//! has inline style, and pictures are cropped from their sheets without style.

use super::{ComparisonEntry, PairOutcome, Tolerance, finding, sheet, summary, tolerance_in_words};
use catena_base::text::{link, markup::escape};
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Files that the page refers to, each as name and content.
pub const FILES: [(&str, &str); 2] = [("page.css", STYLE), ("page.js", SCRIPT)];

const GENERATOR: &str = "<meta name=\"generator\" content=\"catena diff\">";

/// Formats the page as HTML, with all pictures that fail.
pub fn html(entries: &[ComparisonEntry], tolerance: &Tolerance) -> String {
    let failures: Vec<&ComparisonEntry> = entries.iter().filter(|entry| !entry.passes).collect();
    let title = match failures.len() {
        1 => "1 picture fails".into(),
        count => format!("{count} pictures fail"),
    };
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{GENERATOR}\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<link rel=\"stylesheet\" href=\"page.css\">\n</head>\n\
         <body>\n<main>\n<h1>{title}</h1>\n<p>{}.</p>\n<p class=\"muted\">Tolerance: {}.</p>\n",
        escape(&summary(entries, tolerance)),
        escape(&tolerance_in_words(tolerance)),
    );
    let (shown, named): (Vec<&ComparisonEntry>, Vec<&ComparisonEntry>) =
        failures.iter().partition(|entry| entry.has_sheet);
    out += &list(&named, tolerance);
    if !shown.is_empty() {
        out += &legend(&shown, tolerance);
        shown.iter().for_each(|entry| out += &article(entry, tolerance));
        out += DIALOG;
    }
    let _ = write!(
        out,
        "<p class=\"muted\">catena {}</p>\n</main>\n<script src=\"page.js\"></script>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
    );
    out
}

/// Table of failures that have no sheet.
fn list(entries: &[&ComparisonEntry], tolerance: &Tolerance) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let row = |entry: &&ComparisonEntry| {
        format!(
            "<tr><th scope=\"row\"><code>{}</code></th><td>{}</td></tr>\n",
            escape(&entry.shown_name()),
            escape(&finding(&entry.outcome, tolerance))
        )
    };
    let rows: String = entries.iter().map(row).collect();
    format!(
        "<section aria-labelledby=\"named\">\n<h2 id=\"named\">Missing, extra or unreadable</h2>\n\
         <div class=\"scroll\"><table>\n<tbody>\n{rows}</tbody></table></div>\n</section>\n"
    )
}

fn legend(entries: &[&ComparisonEntry], tolerance: &Tolerance) -> String {
    let is_tolerant = tolerance.max_channel > 0;
    let tolerated = if is_tolerant {
        "<span class=\"key blue\"></span> differs within the tolerance, "
    } else {
        ""
    };
    let has_sizes = entries.iter().any(|entry| matches!(entry.outcome, PairOutcome::Sizes(_)));
    let sizes = if has_sizes {
        ", <span class=\"key none\"></span> no pixel, where sizes differ"
    } else {
        ""
    };
    format!(
        "<p class=\"muted legend\">In the middle: the expected picture in dark grey, {tolerated}<span class=\"key ramp\"></span> \
         from a small difference to the greatest one of the picture, <span class=\"key frame\"></span> a frame around them{sizes}. \
         <span class=\"live\" hidden>Click a picture to enlarge, blend and flip.</span></p>\n"
    )
}

fn article(entry: &ComparisonEntry, tolerance: &Tolerance) -> String {
    let (size, bounds) = match &entry.outcome {
        PairOutcome::Compared(numbers) => (numbers.size, numbers.bounds),
        PairOutcome::Sizes(sizes) => (sheet::part_size(*sizes), None),
        _ => return String::new(),
    };
    let [width, height] = size;
    let focus = bounds.map_or([0, 0, width, height], |bounds| {
        [bounds.corner[0], bounds.corner[1], bounds.size[0], bounds.size[1]]
    });
    let focus = focus.map(|number| number.to_string()).join(" ");
    let (name, source) =
        (escape(&entry.shown_name()), link::encoded(&sheet::file_name(&entry.name)));
    let amplified = match &entry.outcome {
        PairOutcome::Compared(numbers) if numbers.greatest > 0.0 => {
            let factor = (2550.0 / numbers.greatest).round() / 10.0;
            format!(" <span class=\"muted\">amplified {factor}&#xd7;</span>")
        }
        _ => String::new(),
    };
    let gap = sheet::GAP;
    let is_small = width <= MAX_SMALL;
    // Small pictures are enlarged, so that their pixels are visible.
    let shown = if is_small { (2 * width).clamp(160, 416) } else { width };
    let high = (u64::from(height) * u64::from(shown)).div_ceil(u64::from(width.max(1)));
    // Viewport onto one of the three pictures of a sheet.
    let part = |index: u32, class: &str, more: &str| {
        format!(
            "<figure><a class=\"view\" href=\"{source}\" data-part=\"{index}\"><svg width=\"{shown}\" height=\"{high}\" \
             viewBox=\"0 0 {width} {height}\"><foreignObject x=\"-{}\" y=\"0\" width=\"{sheet}\" height=\"{height}\"><img \
             src=\"{source}\" width=\"{sheet}\" height=\"{height}\" loading=\"lazy\" alt=\"{class} picture of {name}\">\
             </foreignObject></svg></a><figcaption>{class}{more}</figcaption></figure>\n",
            index * (width + gap),
            sheet = 3 * width + 2 * gap,
        )
    };
    let small = if is_small { " small" } else { "" };
    format!(
        "<article>\n<h2><code>{name}</code></h2>\n<p>{}</p>\n\
         <div class=\"views{small}\" data-size=\"{width} {height} {gap}\" data-focus=\"{focus}\">\n\
         {}{}{}</div>\n</article>\n",
        escape(&finding(&entry.outcome, tolerance)),
        part(0, "expected", ""),
        part(1, "difference", &amplified),
        part(2, "actual", ""),
    )
}

/// Maximum width of enlarged pictures, in pixels.
const MAX_SMALL: u32 = 400;

const DIALOG: &str = r#"<dialog id="zoom" aria-labelledby="zoom-name">
<header>
<strong id="zoom-name"></strong>
<span class="group" role="group" aria-label="picture"><button type="button" data-show="0">expected</button><button type="button" data-show="1">difference</button><button type="button" data-show="2">actual</button></span>
<label>expected <input type="range" id="blend" min="0" max="100" value="0" aria-label="from expected to actual"> actual</label>
<span class="group" role="group" aria-label="size"><button type="button" id="out" aria-label="smaller">&#x2212;</button><output id="scale"></output><button type="button" id="in" aria-label="larger">+</button><button type="button" id="fit">fit</button><button type="button" id="focus">to the difference</button></span>
<button type="button" id="close" aria-label="close">&#x2715;</button>
</header>
<div class="stage" tabindex="0"><div class="canvas views"><span class="view"><img alt=""></span><span class="view"><img alt=""></span><span class="view"><img alt=""></span></div></div>
<p class="muted keys">space: flip between expected and actual &#183; 1 2 3: expected, difference, actual &#183; + &#x2212; f d: size &#183; Esc: back</p>
</dialog>
"#;
