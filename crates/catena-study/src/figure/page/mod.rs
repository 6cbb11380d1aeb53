//! Page of a report: an HTML file with separate style sheet, script and pictures, which needs no
//! network.
//!
//! Servers of build results block inline styles, scripts and pictures. So each of them is a
//! separate file, and no element has inline style.

pub mod paper;
mod settings;

pub use settings::{SettingsCell, SettingsRow, settings};

use super::findings::HEADINGS;
use super::study::{NumberTable, Study};
use catena_base::text::direction::isolated;
use catena_base::text::markup::{base64, escape};
use std::fmt::Write;

/// Style sheet of pages, including the player.
pub const STYLE: &str = include_str!("page.css");
/// Script with the function `player`, which activates the controls of [`controls`].
pub const PLAYER: &str = include_str!("player.js");
/// Script of a report's page, which follows [`PLAYER`] in the file.
const SCRIPT: &str = include_str!("page.js");

/// Content of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportPage {
    /// Heading of the page.
    pub title: String,
    /// Column names of the table of settings.
    pub columns: Vec<&'static str>,
    /// Rows of the table of settings, one per body.
    pub rows: Vec<SettingsRow>,
    /// Findings as sentences, shown first.
    pub findings: Vec<String>,
    /// Sentences about what cannot be concluded, shown after the findings.
    pub open: Vec<String>,
    /// Cautions, shown after the findings.
    pub notes: Vec<String>,
    /// Sentences about figures that are missing, shown in the appendix.
    pub gaps: Vec<String>,
    /// Frames of the player: number and link to the PNG file.
    pub frames: Vec<(u64, String)>,
    /// Simulated time between frames of the scene.
    pub frame_time: f64,
    /// Width and height of a frame in pixels.
    pub frame_size: [u32; 2],
    /// Whether frames have a light background, which a dark page inverts.
    pub light_frames: bool,
    /// Reason why the player ends before the last frame of the scene, if it does.
    pub frames_left_out: Option<String>,
    /// Figures, in order.
    pub figures: Vec<PageFigure>,
    /// Sentence about the budget of the runs behind figures; may be empty.
    pub budget: String,
    /// Names of the parts that are not made yet; empty for a complete page.
    pub coming: Vec<&'static str>,
    /// Text of the scene.
    pub scene: String,
    /// Command that repeats this report.
    pub command: String,
    /// Name and version of the program.
    pub program: String,
}

/// Figure of the page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageFigure {
    /// Name of the figure's files, without extension.
    pub name: String,
    /// Heading of the figure.
    pub title: String,
    /// Figure as SVG, whose pictures are separate files.
    pub svg: String,
    /// Path of the figure for narrow screens and for paper, as an SVG file of the width of a
    /// column. `None` if the page has only the wide figure.
    pub narrow: Option<String>,
    /// Description of the figure in one or two sentences.
    pub caption: String,
    /// Additional remarks; may be empty.
    pub remarks: String,
    /// Numbers behind the figure.
    pub table: NumberTable,
    /// Sentences about content that is omitted because of its cost or cannot be shown.
    pub left_out: Vec<String>,
}

/// File name of the style sheet.
pub const STYLE_FILE: &str = "page.css";
/// File name of the script.
pub const SCRIPT_FILE: &str = "page.js";

/// Files that the page refers to, except pictures, each as name and content.
pub fn files() -> [(&'static str, String); 2] {
    [(STYLE_FILE, STYLE.into()), (SCRIPT_FILE, format!("{PLAYER}{SCRIPT}"))]
}

/// Formats the page as HTML.
pub fn html(page: &ReportPage) -> String {
    let title = escape(&page.title);
    let frames = if page.light_frames { "" } else { " class=\"dark-frames\"" };
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<link rel=\"stylesheet\" href=\"{STYLE_FILE}\">\n</head>\n<body{frames}>\n\
         <main>\n<h1 dir=\"auto\">{title}</h1>\n"
    );
    out += &coming(page);
    let [found, open] = HEADINGS;
    out += &sentences("findings", found, &page.findings);
    out += &sentences("open", open, &page.open);
    out += &sentences("notes", "Read this first", &page.notes);
    out += &contents(page);
    out += &player(page);
    out += &figures(page);
    out += "<section aria-labelledby=\"appendix\" class=\"appendix\">\n<h2 id=\"appendix\">Appendix</h2>\n";
    out += &settings::settings_table(page);
    out += &gaps(page);
    out += &command(page);
    out += "</section>\n";
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

/// Links to the parts of the page.
fn contents(page: &ReportPage) -> String {
    let link = |id: &str, text: &str| format!("<li><a href=\"#{id}\">{}</a></li>\n", escape(text));
    let figures: String = page
        .figures
        .iter()
        .enumerate()
        .map(|(index, it)| link(&escape(&it.name), &format!("{}. {}", index + 1, it.title)))
        .collect();
    let player = if page.frames.is_empty() { String::new() } else { link("player", "Film") };
    format!(
        "<nav aria-label=\"contents\">\n<h2>Contents</h2>\n<ol class=\"contents\">\n{player}{figures}{}{}</ol>\n</nav>\n",
        link("appendix", "Appendix: settings, missing figures, command"),
        link("scene", "The scene"),
    )
}

/// Missing figures, and the budget of the others.
fn gaps(page: &ReportPage) -> String {
    let budget = match page.budget.as_str() {
        "" => String::new(),
        text => format!("<p class=\"muted\">{}</p>\n", code(text)),
    };
    format!("{}{budget}", sentences("gaps", "Missing figures", &page.gaps))
}

/// Command that repeats the report; a click selects the whole command.
fn command(page: &ReportPage) -> String {
    if page.command.is_empty() {
        return String::new();
    }
    let command = escape(&page.command);
    format!(
        "<p class=\"repeat\">This command creates the report again:</p>\n\
         <pre class=\"command\" tabindex=\"0\" aria-label=\"command\"><code>{command}</code></pre>\n"
    )
}

/// Notice on a page whose figures are not complete yet.
fn coming(page: &ReportPage) -> String {
    if page.coming.is_empty() {
        return String::new();
    }
    format!(
        "<p class=\"coming\" role=\"status\">This report is incomplete. Still to come: {}. The page is updated \
         whenever a figure is finished, so reload it. If catena was stopped, run the command again.</p>\n",
        escape(&page.coming.join(", "))
    )
}

/// Section with a list of sentences; empty if there are no sentences.
fn sentences(id: &str, heading: &str, all: &[String]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let items: String = all.iter().map(|text| format!("<li>{}</li>\n", code(text))).collect();
    format!(
        "<section aria-labelledby=\"{id}\">\n<h2 id=\"{id}\">{heading}</h2>\n<ul class=\"notes\">\n{items}</ul>\n</section>\n"
    )
}

/// Figures, numbered from 1, each with its caption and its numbers.
fn figures(page: &ReportPage) -> String {
    let figure = |(index, figure): (usize, &PageFigure)| {
        let (name, number) = (escape(&figure.name), index + 1);
        let left_out = left_out(&figure.left_out);
        let svg = match is_small(&figure.svg) {
            true => figure.svg.replacen("<svg ", "<svg class=\"small\" ", 1),
            false => figure.svg.clone(),
        };
        let narrow = figure.narrow.as_ref().map_or(String::new(), |it| narrow(it, &figure.title));
        let remarks = match figure.remarks.as_str() {
            "" => String::new(),
            text => format!("<p class=\"remarks\">{}</p>\n", escape(&isolated(text))),
        };
        format!(
            "<figure id=\"{name}\">\n{svg}{narrow}\
             <figcaption><b>Figure {number}.</b> {}{left_out} <span class=\"files\"><a href=\"{name}.svg\">svg</a> <a href=\"{name}.pdf\">pdf</a> \
             <a href=\"{name}.png\">png</a> <a href=\"{name}.csv\">csv</a></span></figcaption>\n{}{remarks}</figure>\n",
            escape(&isolated(&figure.caption)),
            numbers(&figure.table, &format!("numbers of figure {number}")),
        )
    };
    let all: String = page.figures.iter().enumerate().map(figure).collect();
    format!(
        "<section aria-labelledby=\"figures\">\n<h2 id=\"figures\">Figures</h2>\n<div class=\"figures\">\n{all}</div>\n</section>\n"
    )
}

/// Width below which a figure keeps its own width on a page, in pixels.
const SMALL: f64 = 600.0;

/// Whether a figure is so small that its letters would be huge across a screen.
fn is_small(svg: &str) -> bool {
    let width = svg.split_once(" width=\"").and_then(|(_, rest)| rest.split_once('"'));
    width.and_then(|(width, _)| width.parse::<f64>().ok()).is_some_and(|width| width < SMALL)
}

/// Figure for narrow screens and for paper.
fn narrow(path: &str, title: &str) -> String {
    format!("<img class=\"narrow\" src=\"{}\" alt=\"{}\">\n", escape(path), escape(title))
}

/// Table of numbers; empty if there are no rows.
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
        "<details>\n<summary>{}</summary>\n\
         <div class=\"scroll numbers\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\"><table>\n\
         <thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n</details>\n",
        upper_first(label),
    )
}

fn upper_first(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// End of a caption that lists the omitted content.
fn left_out(sentences: &[String]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    format!(" <span class=\"left-out\">{}</span>", code(&sentences.join(" ")))
}

/// Frames with their controls. Without scripts the page shows the first frame.
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

/// Buttons and slider of a player, which a script makes visible. `last` is the index of the last
/// frame, `number` the number of the first.
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

/// Escapes a text, and converts sections between backticks into code.
fn code(text: &str) -> String {
    let text = isolated(text);
    let mut parts = text.split('`');
    let mut out = escape(parts.next().unwrap_or_default());
    for (index, part) in parts.enumerate() {
        out += if index % 2 == 0 { "<code>" } else { "</code>" };
        out += &escape(part);
    }
    if text.matches('`').count() % 2 == 1 { out + "</code>" } else { out }
}

/// Picture in a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PagePicture {
    /// File name.
    pub name: String,
    /// Content of its PNG file.
    pub png: Vec<u8>,
}

/// Replaces the pictures in a study's SVG by links to files, and returns the SVG and the files.
pub fn without_pictures(study: &Study, svg: &str) -> (String, Vec<PagePicture>) {
    let mut out = svg.to_owned();
    let mut pictures: Vec<PagePicture> = Vec::new();
    for png in study.chart.pictures() {
        let name = format!("{}_{}.png", study.name, pictures.len() + 1);
        // Equal pictures of a chart have equal addresses, so one replacement per picture suffices.
        let address = format!("data:image/png;base64,{}", base64(png));
        out = out.replacen(&address, &name, 1);
        pictures.push(PagePicture { name, png: png.to_vec() });
    }
    (out, pictures)
}
