//! Places text, figures and tables on pages, from top to bottom and in columns.

use super::{
    COLUMN, MARGIN, PAGE, WIDE,
    table::{TableLayout, lay_out, natural_width},
};
use crate::figure::page::paper::text_size::TextSize;
use crate::figure::{
    chart::{PaperPage, Typeface},
    study::NumberTable,
};
use catena_base::text::direction::isolated;
use catena_draw::is_right_to_left;

/// Gap between a figure and the next, in CSS pixels.
const GAP: f64 = 16.0;

/// Indentation of items of a list.
const INDENT: f64 = 12.0;

/// Height below a heading that must be free, so that the heading is not the last line of a page.
const BELOW_HEADING: f64 = 60.0;

/// Height of the gaps above and below a heading.
const HEADING_GAPS: f64 = 11.0;

/// Pages that are filled from top to bottom.
pub(super) struct Flow<'a> {
    typeface: &'a Typeface,
    pages: Vec<PaperPage>,
    /// Height at which free space begins, in each column. Both are equal outside of columns.
    free: [f64; 2],
    /// Column that the next figure begins with.
    column: usize,
}

/// Left end of a block, and index of its column.
#[derive(Clone, Copy)]
struct ColumnPlace {
    left: f64,
    column: usize,
}

/// Block that is not divided: a figure with its lines of text.
pub(super) struct FigureBlock {
    svg: String,
    height: f64,
    /// Whether the block spans the page.
    is_wide: bool,
    lines: Vec<(String, TextSize)>,
}

/// Table with its name, laid out.
struct TableSize {
    /// Whether it fits into a column.
    is_narrow: bool,
    width: f64,
    name: Vec<String>,
    layout: TableLayout,
    /// Height including the name.
    total_height: f64,
}

impl FigureBlock {
    fn total_height(&self) -> f64 {
        let lines = self.lines.iter().map(|(_, size)| size.line()).sum::<f64>();
        self.height + 4.0 + lines
    }
}

impl<'a> Flow<'a> {
    pub fn new(typeface: &'a Typeface) -> Self {
        let mut flow = Self { typeface, pages: Vec::new(), free: [MARGIN; 2], column: 0 };
        flow.turn();
        flow
    }

    /// Returns the pages as SVG, each with its number.
    pub fn pages(self, title: &str) -> Vec<String> {
        let Self { typeface, mut pages, .. } = self;
        let count = pages.len();
        for (index, page) in pages.iter_mut().enumerate() {
            let number = format!("{} / {count}", index + 1);
            let at = [PAGE[0] - MARGIN - 30.0, PAGE[1] - 0.55 * MARGIN];
            page.add_line(at, TextSize::Small.pixels(), true, &number);
        }
        pages.iter().map(|page| page.svg(PAGE, typeface, title)).collect()
    }

    /// Begins a page.
    fn turn(&mut self) {
        self.pages.push(PaperPage::new(format!("p{}", self.pages.len() + 1)));
        (self.free, self.column) = ([MARGIN; 2], 0);
    }

    fn page(&mut self) -> &mut PaperPage {
        if self.pages.is_empty() {
            self.turn();
        }
        let last = self.pages.len() - 1;
        &mut self.pages[last]
    }

    /// Ends the columns; subsequent content spans the page.
    pub fn end_columns(&mut self) {
        self.free = [self.free[0].max(self.free[1]); 2];
        self.column = 0;
    }

    /// Begins a page if less than a height is free below the columns.
    fn need(&mut self, height: f64) {
        self.end_columns();
        let is_used = self.free[0] > MARGIN;
        if is_used && self.free[0] + height > PAGE[1] - MARGIN {
            self.turn();
        }
    }

    fn advance(&mut self, height: f64) {
        self.free = [self.free[0] + height; 2];
    }

    /// Adds a heading, on the same page as the content after it.
    pub fn heading(&mut self, text: &str) {
        self.need(TextSize::Heading.line() + BELOW_HEADING);
        if self.free[0] > MARGIN {
            self.advance(8.0);
        }
        self.text(text, TextSize::Heading);
        self.advance(3.0);
    }

    /// Adds a heading over a table, on the page of the table.
    pub fn heading_of(
        &mut self,
        text: &str,
        name: Option<&str>,
        table: &NumberTable,
        maximum: usize,
    ) {
        let TableSize { total_height, .. } = self.size_of(name, table, maximum);
        self.need(TextSize::Heading.line() + HEADING_GAPS + total_height);
        self.heading(text);
    }

    /// Adds a paragraph across the page.
    pub fn text(&mut self, text: &str, size: TextSize) {
        self.indented(text, size, 0.0);
    }

    /// Adds an item of a list.
    pub fn item(&mut self, text: &str) {
        let size = TextSize::Text;
        self.need(size.line());
        let y = self.free[0] + size.pixels();
        self.page().add_line([MARGIN, y], size.pixels(), false, "–");
        self.indented(text, size, INDENT);
        self.advance(2.0);
    }

    fn indented(&mut self, text: &str, size: TextSize, indent: f64) {
        let text = isolated(text);
        let is_mirrored = is_right_to_left(&text);
        for line in self.typeface.wrap(&text, size.pixels(), WIDE - indent) {
            self.need(size.line());
            let x = match is_mirrored {
                true => MARGIN + WIDE - self.typeface.width(&line, size.pixels()),
                false => MARGIN + indent,
            };
            let at = [x, self.free[0] + size.pixels()];
            self.page().add_line(at, size.pixels(), size == TextSize::Small, &line);
            self.advance(size.line());
        }
    }

    /// Lays out a figure with its caption and remarks, across the page or for a column.
    pub fn block(
        &self,
        svg: String,
        height: f64,
        is_wide: bool,
        [caption, remarks]: [&str; 2],
    ) -> FigureBlock {
        let width = if is_wide { WIDE } else { COLUMN };
        let wrap = |text: &str, size: TextSize| -> Vec<(String, TextSize)> {
            let lines = self.typeface.wrap(&isolated(text), size.pixels(), width);
            lines.into_iter().map(|line| (line, size)).collect()
        };
        let lines = [wrap(caption, TextSize::Text), wrap(remarks, TextSize::Small)].concat();
        FigureBlock { svg, height, is_wide, lines }
    }

    /// Adds figures below a heading, which is on the page of the first figure.
    ///
    /// A wide figure that does not fit on a page moves to the next page, and later figures in
    /// columns fill the gap.
    pub fn figures(&mut self, heading: &str, blocks: Vec<FigureBlock>) {
        if blocks.is_empty() {
            return;
        }
        let top = TextSize::Heading.line() + HEADING_GAPS;
        self.end_columns();
        let first = blocks.first().into_iter();
        let mut nexts = first.chain(blocks.iter().find(|block| !block.is_wide));
        if !nexts.any(|block| self.has_room(0, top + block.total_height())) {
            self.need(PAGE[1]);
        }
        self.heading(heading);
        let mut waiting: Vec<FigureBlock> = Vec::new();
        for block in blocks {
            let height = block.total_height();
            if block.is_wide {
                let is_next = waiting.is_empty() && self.has_room_across(height);
                if is_next {
                    self.across(block);
                } else {
                    waiting.push(block);
                }
                continue;
            }
            if !(self.column..2).any(|column| self.has_room(column, height)) {
                waiting.drain(..).for_each(|block| self.across(block));
            }
            let place = self.column_for(height);
            self.put(block, place);
        }
        waiting.into_iter().for_each(|block| self.across(block));
    }

    /// Puts a block across the page, below the columns or on the next page.
    fn across(&mut self, block: FigureBlock) {
        self.need(block.total_height());
        self.put(block, ColumnPlace { left: MARGIN, column: 0 });
        self.free = [self.free[0]; 2];
    }

    /// Whether a height is free in a column of the page, or the column is empty.
    fn has_room(&self, column: usize, height: f64) -> bool {
        self.free[column] + height <= PAGE[1] - MARGIN || self.free[column] <= MARGIN
    }

    /// Whether a height is free below both columns.
    fn has_room_across(&self, height: f64) -> bool {
        (0..2).all(|column| self.has_room(column, height))
    }

    /// Place for a block in a column: the current one, the next, or the first of a new page.
    fn column_for(&mut self, height: f64) -> ColumnPlace {
        match (self.column..2).find(|column| self.has_room(*column, height)) {
            Some(column) => self.column = column,
            None => self.turn(),
        }
        let left = if self.column == 0 { MARGIN } else { PAGE[0] - MARGIN - COLUMN };
        ColumnPlace { left, column: self.column }
    }

    /// Puts a block at the free height of a column.
    fn put(&mut self, block: FigureBlock, ColumnPlace { left, column }: ColumnPlace) {
        let top = self.free[column];
        let FigureBlock { svg, height, lines, .. } = block;
        self.page().add_figure([left, top], svg);
        let mut y = top + height + 4.0;
        for (text, size) in lines {
            let at = [left, y + size.pixels()];
            self.page().add_line(at, size.pixels(), size == TextSize::Small, &text);
            y += size.line();
        }
        self.free[column] = y + GAP;
    }

    /// Lays out a table with its name.
    fn size_of(&self, name: Option<&str>, table: &NumberTable, maximum: usize) -> TableSize {
        let is_narrow = natural_width(table, maximum, self.typeface) <= COLUMN;
        let width = if is_narrow { COLUMN } else { WIDE };
        let layout = lay_out(table, maximum, width, self.typeface);
        let size = TextSize::Text;
        let name = name.map_or(Vec::new(), |name| self.typeface.wrap(name, size.pixels(), width));
        let total_height = name.len() as f64 * size.line() + layout.height;
        TableSize { is_narrow, width, name, layout, total_height }
    }

    /// Adds a table with at most `maximum` rows: in a column if it fits there, otherwise across the
    /// page. A table is never divided between pages.
    pub fn table(&mut self, name: Option<&str>, table: &NumberTable, maximum: usize) {
        let TableSize { is_narrow, width, name, layout, total_height } =
            self.size_of(name, table, maximum);
        let TableLayout { lines, height } = layout;
        let size = TextSize::Text;
        let ColumnPlace { left, column } = match is_narrow {
            true => self.column_for(total_height),
            false => {
                self.need(total_height);
                ColumnPlace { left: MARGIN, column: 0 }
            }
        };
        let mut top = self.free[column];
        for line in name {
            self.page().add_line([left, top + size.pixels()], size.pixels(), false, &line);
            top += size.line();
        }
        let size = TextSize::Small.pixels();
        for line in lines {
            let y = top + line.y;
            for (x, text) in line.cells {
                self.page().add_line([left + x, y], size, line.is_head, &text);
            }
            if line.is_head_end {
                self.page().add_rule([left, y + 3.5], width);
            }
        }
        self.free[column] = top + height + GAP / 2.0;
        if !is_narrow {
            self.free = [self.free[0]; 2];
        }
    }
}
