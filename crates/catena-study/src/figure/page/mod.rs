//! The page of a report: an HTML file with its style, its script and its pictures beside it, which
//! needs no network.
//!
//! Servers of build results refuse style and scripts within a page, and pictures that are written
//! as addresses. So each is a file, and no element has a style of its own.

mod pictures;
mod settings;
mod table;

pub use pictures::{PagePicture, without_pictures};
pub use settings::{SettingsCell, SettingsRow, settings};

use super::study::NumberTable;
use catena_base::text::markup::escape;
use std::fmt::Write;

/// The style of pages, and of the player in them.
pub const STYLE: &str = include_str!("page.css");
/// The function `player`, which gives the controls of [`controls`] their work.
pub const PLAYER: &str = include_str!("player.js");
const SCRIPT: &str = include_str!("page.js");

/// The content of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportPage {
    /// Its heading.
    pub title: String,
    /// The names of the columns in the table of settings.
    pub columns: Vec<&'static str>,
    /// The rows of that table, one for each body.
    pub rows: Vec<SettingsRow>,
    /// What was found, in sentences, above the figures.
    pub findings: Vec<String>,
    /// Cautions that stand above everything else.
    pub notes: Vec<String>,
    /// The frames of the player: number of each, and path of its PNG file as a link.
    pub frames: Vec<(u64, String)>,
    /// Simulated seconds from a frame of the scene to the next.
    pub frame_time: f64,
    /// Width and height of a frame in pixels.
    pub frame_size: [u32; 2],
    /// Whether frames have a light background, which a dark page turns over.
    pub light_frames: bool,
    /// Why the player ends before the last frame of the scene, where it does.
    pub frames_left_out: Option<String>,
    /// The figures, in order.
    pub figures: Vec<PageFigure>,
    /// What the runs behind figures may take, in a sentence; it may be empty.
    pub budget: String,
    /// The names of the parts that have yet to be made; none on a page that is whole.
    pub coming: Vec<&'static str>,
    /// The text of the scene.
    pub scene: String,
    /// The command that repeats this report.
    pub command: String,
    /// The program and its version.
    pub program: String,
}

/// A figure of the page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageFigure {
    /// The name of its files without extension.
    pub name: String,
    /// Its heading.
    pub title: String,
    /// The figure as SVG, whose pictures are files beside the page.
    pub svg: String,
    /// What it shows, in a sentence or two.
    pub caption: String,
    /// What is to be said beside it; it may be empty.
    pub remarks: String,
    /// The numbers behind it.
    pub table: NumberTable,
    /// What did not fit into its budget, or has no place in it, a sentence each.
    pub left_out: Vec<String>,
}

/// Name of the style beside the page.
pub const STYLE_FILE: &str = "page.css";
/// Name of the script beside the page.
pub const SCRIPT_FILE: &str = "page.js";

/// Files beside the page that it refers to, without its pictures: name and content of each.
pub fn files() -> [(&'static str, String); 2] {
    [(STYLE_FILE, STYLE.into()), (SCRIPT_FILE, format!("{PLAYER}{SCRIPT}"))]
}

/// The page as HTML.
pub fn html(page: &ReportPage) -> String {
    let title = escape(&page.title);
    let frames = if page.light_frames { "" } else { " class=\"dark-frames\"" };
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<link rel=\"stylesheet\" href=\"{STYLE_FILE}\">\n</head>\n<body{frames}>\n\
         <main>\n<h1>{title}</h1>\n"
    );
    out += &command(page);
    out += &coming(page);
    out += &player(page);
    out += &sentences("notes", "To know first", &page.notes);
    out += &sentences("findings", "Findings", &page.findings);
    out += &table::settings_table(page);
    out += &figures(page);
    let _ = write!(
        out,
        "<section aria-labelledby=\"scene\">\n<h2 id=\"scene\">The scene</h2>\n\
         <pre tabindex=\"0\" aria-label=\"text of the scene\"><code>{}</code></pre>\n\
         <p class=\"muted\">{}</p>\n</section>\n</main>\n<script src=\"{SCRIPT_FILE}\"></script>\n</body>\n</html>\n",
        escape(&page.scene),
        escape(&page.program),
    );
    out
}

/// The command that makes the report again; a click selects all of it.
fn command(page: &ReportPage) -> String {
    if page.command.is_empty() {
        return String::new();
    }
    let command = escape(&page.command);
    format!(
        "<p class=\"repeat\">This command makes the report again:</p>\n\
         <pre class=\"command\" tabindex=\"0\" aria-label=\"command\"><code>{command}</code></pre>\n"
    )
}

/// What a page says that has not all of its figures yet.
fn coming(page: &ReportPage) -> String {
    if page.coming.is_empty() {
        return String::new();
    }
    format!(
        "<p class=\"coming\" role=\"status\">This report is not whole. Still to come: {}. The page is written anew \
         whenever a figure is done, so reload it; if catena has been ended, run the command again.</p>\n",
        escape(&page.coming.join(", "))
    )
}

/// A section with a list of sentences; nothing where there is none.
fn sentences(id: &str, heading: &str, all: &[String]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let items: String = all.iter().map(|text| format!("<li>{}</li>\n", code(text))).collect();
    format!(
        "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{heading}</h2>\n<ul class=\"notes\">\n{items}</ul>\n</section>\n"
    )
}

/// The figures, numbered from 1, each with its caption and its numbers.
fn figures(page: &ReportPage) -> String {
    let figure = |(index, figure): (usize, &PageFigure)| {
        let (name, number) = (escape(&figure.name), index + 1);
        let left_out = left_out(&figure.left_out);
        let remarks = match figure.remarks.as_str() {
            "" => String::new(),
            text => format!("<p class=\"remarks\">{}</p>\n", escape(text)),
        };
        format!(
            "<figure id=\"{name}\">\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">{}</div>\n\
             <figcaption><b>Figure {number}.</b> {}{left_out} <span class=\"files\"><a href=\"{name}.svg\">svg</a> <a href=\"{name}.pdf\">pdf</a> \
             <a href=\"{name}.png\">png</a> <a href=\"{name}.csv\">csv</a></span></figcaption>\n{}{remarks}</figure>\n",
            escape(&figure.title),
            figure.svg,
            escape(&figure.caption),
            numbers(&figure.table, &format!("numbers of figure {number}")),
        )
    };
    let all: String = page.figures.iter().enumerate().map(figure).collect();
    let budget = match page.budget.as_str() {
        "" => String::new(),
        text => format!("<p class=\"muted\">{}</p>\n", code(text)),
    };
    format!(
        "<section aria-labelledby=\"figures\">\n<h2 id=\"figures\">Figures</h2>\n{budget}{all}</section>\n"
    )
}

/// A table of numbers; nothing where it has no rows.
fn numbers(table: &NumberTable, label: &str) -> String {
    if table.rows.is_empty() {
        return String::new();
    }
    let cells = |cells: &[String], around: &dyn Fn(usize, &str) -> String| -> String {
        cells.iter().enumerate().map(|(index, text)| around(index, &escape(text))).collect()
    };
    let head = cells(&table.head, &|_, text| format!("<th scope=\"col\">{text}</th>"));
    let row = |row: &Vec<String>| {
        let cells = cells(row, &|index, text| match index {
            0 => format!("<th scope=\"row\">{text}</th>"),
            _ => format!("<td>{text}</td>"),
        });
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.rows.iter().map(row).collect();
    format!(
        "<div class=\"scroll numbers\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\"><table>\n\
         <thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n"
    )
}

/// What is missing in a figure, as the end of its caption.
fn left_out(sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    format!(" <span class=\"left-out\">{}</span>", code(&sentences.join(" ")))
}

/// The frames with their controls. Without scripts the page shows the first frame.
fn player(page: &ReportPage) -> String {
    let Some((number, first)) = page.frames.first() else { return String::new() };
    let [width, height] = page.frame_size;
    let numbers: Vec<String> = page.frames.iter().map(|(number, _)| number.to_string()).collect();
    let images: Vec<&str> = page.frames.iter().map(|(_, path)| &**path).collect();
    let last = page.frames.len() - 1;
    let light = if page.light_frames { " class=\"light\"" } else { "" };
    let end = page.frames_left_out.as_slice();
    let end = match left_out(end) {
        text if text.is_empty() => text,
        text => format!("<p class=\"muted\">{text}</p>\n"),
    };
    format!(
        "<section class=\"player\" id=\"player\" aria-label=\"player\" data-seconds=\"{}\" data-numbers=\"{}\" \
         data-images=\"{}\">\n<img id=\"frame\"{light} width=\"{width}\" height=\"{height}\" alt=\"frame {number} of the scene\" src=\"{first}\">\n\
         {}{end}</section>\n",
        page.frame_time,
        numbers.join(" "),
        images.join(" "),
        controls(last, *number)
    )
}

/// The buttons and the slider of a player, which a script shows; `last` is the index of the last
/// frame, `number` is that of the first.
pub fn controls(last: usize, number: u64) -> String {
    format!(
        "<div class=\"controls\" hidden>\n\
         <button type=\"button\" id=\"back\" aria-label=\"one frame back\">&#x25c2;</button>\n\
         <button type=\"button\" id=\"play\" aria-pressed=\"false\">play</button>\n\
         <button type=\"button\" id=\"on\" aria-label=\"one frame on\">&#x25b8;</button>\n\
         <input type=\"range\" id=\"slider\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"frame\">\n\
         <output id=\"number\" for=\"slider\">frame {number}</output>\n\
         <button type=\"button\" id=\"screen\">full screen</button>\n</div>\n\
         <p class=\"muted keys\" hidden>space: play and pause &#183; &#x2190; &#x2192;: one frame &#183; home, end &#183; f: full screen</p>\n"
    )
}

/// Escapes a text, and turns what stands between backticks into code.
fn code(text: &str) -> String {
    let mut parts = text.split('`');
    let mut out = escape(parts.next().unwrap_or_default());
    for (index, part) in parts.enumerate() {
        out += if index % 2 == 0 { "<code>" } else { "</code>" };
        out += &escape(part);
    }
    if text.matches('`').count() % 2 == 1 { out + "</code>" } else { out }
}
