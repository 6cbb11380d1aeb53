//! Samples of a recorded motion. Each is the position of a node at a time, unchanged from the file.

use super::columns::{Source, are_names, by_position, roles};
use super::guess::Hint;
use super::table::{Cell, Table, TableRow};
use super::{Placed, Placement, RecordedError};
use crate::decode::decode_text;
use crate::file::no_text;
use crate::recorded::role::Role;
use crate::separator::Separator;
use crate::shape::data_file::{DataError, check_rows};
use catena_base::text::number::counted;
use catena_sim::Setup;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of positions in a file. They take about 200 MB.
pub(super) const MAX_SAMPLES: usize = 4_000_000;

/// Unit of the times in the rows of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    Frames,
    Steps,
    Times,
    /// No column has frames, steps or times, so each row or block of rows is a frame.
    Rows,
}

/// Position of a node at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// Panel and body that the file names, as an index of [`Recorded::groups`].
    pub(super) group: u32,
    /// Frame, step or time.
    pub(super) at: f64,
    pub(super) node: u32,
    pub(super) line: u32,
    pub(super) place: [f64; 3],
}

/// Motion unchanged from a file, with its numbers of nodes and frames and its direction of y.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub(super) name: String,
    pub(super) clock: Clock,
    /// Whether the file describes one point without a number.
    pub(super) is_point: bool,
    /// Number of coordinates.
    pub(super) axes: usize,
    /// Panels and bodies of the file; a single `[None, None]` if it names none.
    pub(super) groups: Vec<[Option<u64>; 2]>,
    /// Positions by group, time and node.
    pub(super) samples: Vec<Sample>,
    /// Time per frame, if the file has both frames and times.
    pub(super) frame_time: Option<f64>,
    /// Description of the layout.
    pub(super) layout: String,
    /// List of the columns in the syntax of the field `columns`.
    pub(super) columns: String,
}

impl Hint {
    /// Returns the facts about a body that help to read a file without column names.
    pub fn of(setup: &Setup) -> Self {
        Self { nodes: Some(setup.model.nodes()), axes: Some(setup.model.axes) }
    }
}

impl Recorded {
    /// Reads the bytes of a file. `columns` lists the meaning of the columns, such as
    /// `frame,node,x,y`, or `frame=Bild,x=px,y=py` by name. For `None`, the names and numbers of
    /// the columns decide.
    ///
    /// # Errors
    /// Returns an error with line and column when the file cannot be understood.
    pub fn read(
        bytes: &[u8],
        name: &str,
        columns: Option<&str>,
        hint: Hint,
    ) -> Result<Arc<Self>, RecordedError> {
        let recorded = decoded(bytes).and_then(|text| read(&text, columns, hint));
        let recorded = recorded.map_err(|error| RecordedError::new(name, error))?;
        Ok(Arc::new(Self { name: name.into(), ..recorded }))
    }

    /// Matches the motion with the nodes and frames of a body.
    ///
    /// # Errors
    /// Returns an error when the file describes nodes that the body does not have, or several
    /// bodies of which none is chosen.
    pub fn place(
        self: &Arc<Self>,
        setup: &Setup,
        placement: &Placement,
    ) -> Result<Placed, RecordedError> {
        let placed = super::placed::place(self, setup, placement);
        placed.map_err(|error| RecordedError::new(&self.name, error))
    }

    /// Returns the name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Decodes text in UTF-16 with a byte-order mark, which redirection in PowerShell writes.
fn of_utf16(bytes: &[u8]) -> Option<String> {
    let read: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return None,
    };
    let units = bytes[2..].chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
    let letters = char::decode_utf16(units);
    Some(letters.map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect())
}

/// Decodes the bytes of a text file.
pub(super) fn decoded(bytes: &[u8]) -> Result<String, DataError> {
    if let Some(text) = of_utf16(bytes) {
        check_rows(&text)?;
        return Ok(text);
    }
    if let Some((what, help)) = no_text(bytes) {
        let wrong = DataError::at(String::new(), format!("this is {what}, not a text file"));
        return Err(wrong.help(help.unwrap_or("specify a CSV file")));
    }
    let text = decode_text(bytes);
    check_rows(&text)?;
    Ok(text)
}

/// Columns of a table by their use.
pub(super) struct Use {
    pub(super) clock: Option<(usize, Role)>,
    time: Option<usize>,
    pub(super) node: Option<usize>,
    pub(super) panel: Option<usize>,
    pub(super) body: Option<usize>,
    /// Node and columns of each position of a row.
    pub(super) places: Vec<(Option<u32>, [Option<usize>; 3])>,
}

impl Use {
    pub(super) fn of(roles: &[Role]) -> Self {
        let find = |is: fn(&Role) -> bool| roles.iter().position(is);
        let frame = find(|role| *role == Role::Frame);
        let time = find(|role| matches!(role, Role::Time(_)));
        let step = find(|role| *role == Role::Step);
        let clock = frame.or(time).or(step).map(|index| (index, roles[index]));
        let mut places: Vec<(Option<u32>, [Option<usize>; 3])> = Vec::new();
        let mut place_of = BTreeMap::new();
        for (index, role) in roles.iter().enumerate() {
            let Role::Coordinate { axis, node } = *role else { continue };
            let place = *place_of.entry(node).or_insert_with(|| {
                places.push((node, [None; 3]));
                places.len() - 1
            });
            places[place].1[axis] = Some(index);
        }
        Self {
            clock,
            time: time.filter(|_| frame.is_some()),
            node: find(|role| *role == Role::Node),
            panel: find(|role| *role == Role::Panel),
            body: find(|role| *role == Role::Body),
            places,
        }
    }

    pub(super) fn axes(&self) -> usize {
        if self.places.iter().any(|(_, axes)| axes[2].is_some()) { 3 } else { 2 }
    }
}

/// Row that is being read.
pub(super) struct SampleRow<'a, 'b> {
    pub(super) table: &'b Table<'a>,
    pub(super) roles: &'b [Role],
    pub(super) at: TableRow<'a>,
    pub(super) cells: &'b [&'a str],
}

impl SampleRow<'_, '_> {
    pub(super) fn wrong(&self, index: usize, what: &str) -> DataError {
        let cell = self.cells[index];
        let place = self.at.place(cell);
        let what = format!("column {} ({}): {what}", index + 1, self.roles[index].word());
        let wrong = DataError::at(place, what).found(cell);
        match self.table.separator {
            Separator::Comma => wrong,
            other => wrong.help(format!("columns are separated by {} in this file", other.name())),
        }
    }

    /// Returns the number in a cell; `None` if the number is missing.
    pub(super) fn number(&self, index: usize) -> Result<Option<f64>, DataError> {
        match Cell::of(self.cells[index]) {
            Cell::Number(value) => Ok(Some(value)),
            Cell::Missing => Ok(None),
            Cell::Text => Err(self.wrong(index, "expected a number from -1e100 to 1e100")),
        }
    }

    fn time(&self, index: usize) -> Result<f64, DataError> {
        self.number(index)?.ok_or_else(|| self.wrong(index, "expected a number"))
    }

    fn whole(&self, index: usize, maximum: u64) -> Result<u64, DataError> {
        let number = match Cell::of(self.cells[index]) {
            Cell::Number(value) => Some(value),
            Cell::Missing | Cell::Text => None,
        };
        let is_fine =
            |value: &f64| *value >= 0.0 && value.fract() == 0.0 && *value <= maximum as f64;
        let what = format!("expected a whole number from 0 to {maximum}");
        number.filter(is_fine).map(|value| value as u64).ok_or_else(|| self.wrong(index, &what))
    }
}

/// Maximum number of a frame or step.
const MAX_FRAME: u64 = 1 << 52;

/// State while a file is read: the samples so far, and counters that replace missing columns.
#[derive(Default)]
pub(super) struct Reading {
    samples: Vec<Sample>,
    pub(super) groups: Vec<[Option<u64>; 2]>,
    /// Indices of the groups.
    known: BTreeMap<[Option<u64>; 2], u32>,
    missing: u64,
    /// Number of positions that are left out because of a number beyond 1e100, and the time of the
    /// first such position.
    beyond: Option<(u64, f64)>,
    /// Frame of the current row, if no column has it.
    row: u64,
    previous: Option<(f64, u32)>,
    /// Number of rows per frame, if rows list the nodes in order.
    rows_per_frame: Option<u32>,
    /// Line of the previous row, if empty lines divide frames.
    line: Option<usize>,
    /// Names of nodes, if the column of nodes has names.
    names: Vec<String>,
    has_node_numbers: bool,
    /// First and last pair of frame and time.
    ends: Option<[(f64, f64); 2]>,
}

/// Returns the message about data without a position. `is_beyond` tells whether some numbers are
/// too large to be read.
fn without_positions(is_beyond: bool) -> &'static str {
    match is_beyond {
        true => "no row has a position with numbers from -1e100 to 1e100",
        false => "no row has a position",
    }
}

fn read(text: &str, columns: Option<&str>, hint: Hint) -> Result<Recorded, DataError> {
    let table = Table::of(text, are_names)?;
    let (roles, source) = roles(&table, columns, hint)?;
    let used = Use::of(&roles);
    let repeats = used.node.is_none() && used.places.len() == 1 && repeats(&table, &used)?;
    // Without a column for the frame, blocks are frames only if they have all nodes.
    let is_of_nodes = || hint.nodes.is_none_or(|nodes| table.block() == Some(nodes));
    let repeats = repeats && (used.clock.is_some() || is_of_nodes());
    let rows_per_frame = rows_per_frame(&table, &used, hint);
    let repeats = repeats || rows_per_frame.is_some();
    let (mut reading, mut cells) = (Reading { rows_per_frame, ..Reading::default() }, Vec::new());
    for at in table.rows() {
        table.cells(at, &mut cells)?;
        let row = SampleRow { table: &table, roles: &roles, at, cells: &cells };
        reading.take(&row, &used, repeats)?;
    }
    let Reading { mut samples, groups, missing, beyond, ends, names, .. } = reading;
    if samples.is_empty() {
        return Err(DataError::at(String::new(), without_positions(beyond.is_some())));
    }
    let key = |it: &Sample| (it.group, it.node);
    samples.sort_by(|a, b| {
        a.group.cmp(&b.group).then(a.at.total_cmp(&b.at)).then(a.node.cmp(&b.node))
    });
    let all = samples.len();
    samples.dedup_by(|b, a| key(a) == key(b) && a.at == b.at && a.place == b.place);
    let repeated = (all - samples.len()) as u64;
    check_once(&samples)?;
    let clock = match used.clock {
        Some((_, Role::Frame)) => Clock::Frames,
        Some((_, Role::Step)) => Clock::Steps,
        Some(_) => Clock::Times,
        None => Clock::Rows,
    };
    let is_point =
        used.node.is_none() && used.places.len() == 1 && !repeats && used.places[0].0.is_none();
    let frame_time = ends.and_then(|[(f0, t0), (f1, t1)]| (f1 > f0).then(|| (t1 - t0) / (f1 - f0)));
    let mut recorded = Recorded {
        name: String::new(),
        clock,
        is_point,
        axes: used.axes(),
        groups,
        samples,
        frame_time,
        layout: String::new(),
        columns: String::new(),
    };
    let order = Order { repeats, rows_per_frame };
    recorded.layout = layout(&recorded, &table, &roles, source, order)
        + &named_nodes(&names)
        + &left_out(missing, beyond, clock);
    if repeated > 0 {
        recorded.layout += &format!("; {} found twice, used once", counted(repeated, "position"));
    }
    recorded.columns = by_position(&roles);
    Ok(recorded)
}

/// Returns an error if two samples have the same node and time. Samples must be in order.
fn check_once(samples: &[Sample]) -> Result<(), DataError> {
    let key = |it: &Sample| (it.group, it.node);
    let twice = samples.windows(2).find(|it| key(&it[0]) == key(&it[1]) && it[0].at == it[1].at);
    if let Some([first, second]) = twice {
        let what = format!("the same node and time as in line {}", first.line);
        let wrong = DataError::new(second.line as usize, what);
        return Err(
            wrong.help("a file may have each node only once per frame; were two runs appended?")
        );
    }
    Ok(())
}

/// Returns the number of rows per frame if neither a column nor an empty line divides frames, and
/// the rows list the nodes of the body in order. Otherwise returns `None`.
fn rows_per_frame(table: &Table<'_>, used: &Use, hint: Hint) -> Option<u32> {
    let is_bare = used.clock.is_none() && used.node.is_none() && table.block().is_none();
    let is_of_one = used.places.len() == 1 && used.places[0].0.is_none();
    let nodes = hint.nodes.filter(|nodes| is_bare && is_of_one && table.lists_nodes(*nodes))?;
    u32::try_from(nodes).ok()
}

/// Whether several rows have the same frame, so that rows without a column for nodes list the nodes
/// in order. Without a column for frames, this requires blocks of equal size between empty lines.
pub(super) fn repeats(table: &Table<'_>, used: &Use) -> Result<bool, DataError> {
    let Some((clock, _)) = used.clock else { return Ok(table.block().is_some()) };
    let sample = table.sample()?;
    Ok(sample.windows(2).any(|rows| rows[0][clock].is_some() && rows[0][clock] == rows[1][clock]))
}

impl Reading {
    /// Returns group, time and node of a row. Without a column for nodes, the rows of one time are
    /// the nodes in order.
    pub(super) fn numbers(
        &mut self,
        row: &SampleRow<'_, '_>,
        used: &Use,
        repeats: bool,
    ) -> Result<(u32, f64, u32), DataError> {
        let named = used.node.map(|index| self.node(row, index)).transpose()?;
        let named = named.or_else(|| self.node_of_block(row, used, repeats));
        let at = self.clock(row, used, named)?;
        let counted = match self.previous {
            Some((before, node)) if repeats && before == at => node + 1,
            _ => 0,
        };
        let node = named.unwrap_or(counted);
        self.previous = Some((at, node));
        Ok((self.group(row, used)?, at, node))
    }

    /// Returns the node that a cell names by number or by name. Names are numbered in the order of
    /// their first appearance.
    fn node(&mut self, row: &SampleRow<'_, '_>, index: usize) -> Result<u32, DataError> {
        let cell = row.cells[index];
        if self.has_node_numbers || Cell::of(cell) != Cell::Text {
            self.has_node_numbers = true;
            return Ok(row.whole(index, u64::from(u32::MAX))? as u32);
        }
        let place = self.names.iter().position(|name| name == cell);
        if place.is_none() && self.names.len() >= MAX_NODE_NAMES {
            let wrong = row.wrong(index, "too many node names");
            return Err(wrong.help("number the nodes from 0"));
        }
        Ok(place.unwrap_or_else(|| {
            self.names.push(cell.to_owned());
            self.names.len() - 1
        }) as u32)
    }

    /// Returns the node of a row in a file without numbers of frames, steps or times. Frames are
    /// blocks between empty lines, or blocks of `rows_per_frame` rows.
    fn node_of_block(&mut self, row: &SampleRow<'_, '_>, used: &Use, repeats: bool) -> Option<u32> {
        if !repeats || used.clock.is_some() {
            return None;
        }
        if let Some(nodes) = self.rows_per_frame {
            return Some(self.previous.map_or(0, |(_, node)| (node + 1) % nodes));
        }
        let is_next =
            self.line.replace(row.at.line).is_some_and(|before| row.at.line == before + 1);
        Some(self.previous.filter(|_| is_next).map_or(0, |(_, node)| node + 1))
    }

    fn take(
        &mut self,
        row: &SampleRow<'_, '_>,
        used: &Use,
        repeats: bool,
    ) -> Result<(), DataError> {
        let (group, at, node) = self.numbers(row, used, repeats)?;
        if let Some(time) = used.time {
            let pair = (at, row.time(time)? * factor(row.roles[time]));
            self.ends = Some([self.ends.map_or(pair, |[first, _]| first), pair]);
        }
        for (number, axes) in &used.places {
            let mut place = [0.0; 3];
            let (mut is_whole, mut is_beyond) = (true, false);
            for (axis, index) in axes.iter().enumerate() {
                let Some(index) = index else { continue };
                match row.number(*index)? {
                    Some(value) => place[axis] = value,
                    None => {
                        is_whole = false;
                        is_beyond |= Cell::is_beyond(row.cells[*index]);
                    }
                }
            }
            if is_beyond {
                let (count, first) = self.beyond.unwrap_or((0, at));
                self.beyond = Some((count + 1, first.min(at)));
                continue;
            }
            if !is_whole {
                self.missing += 1;
                continue;
            }
            if self.samples.len() >= MAX_SAMPLES {
                let what = format!("more than {MAX_SAMPLES} positions");
                let wrong = DataError::new(row.at.line, what);
                return Err(wrong.help("remove some frames or nodes"));
            }
            let line = u32::try_from(row.at.line).unwrap_or(u32::MAX);
            let node = number.unwrap_or(node);
            self.samples.push(Sample { group, at, node, line, place });
        }
        Ok(())
    }

    /// Returns the frame, step or time of a row.
    fn clock(
        &mut self,
        row: &SampleRow<'_, '_>,
        used: &Use,
        node: Option<u32>,
    ) -> Result<f64, DataError> {
        match used.clock {
            Some((index, role @ Role::Time(_))) => Ok(row.time(index)? * factor(role)),
            Some((index, _)) => Ok(row.whole(index, MAX_FRAME)? as f64),
            None => {
                let is_next = match (self.previous, node) {
                    (None, _) => false,
                    (Some((_, before)), Some(node)) => node <= before,
                    (Some(_), None) => true,
                };
                self.row += u64::from(is_next);
                Ok(self.row as f64)
            }
        }
    }

    /// Returns the index of the group of a row, which is its panel and body.
    fn group(&mut self, row: &SampleRow<'_, '_>, used: &Use) -> Result<u32, DataError> {
        let number =
            |index: Option<usize>| index.map(|index| row.whole(index, MAX_FRAME)).transpose();
        let key = [number(used.panel)?, number(used.body)?];
        let next = self.groups.len() as u32;
        let index = *self.known.entry(key).or_insert(next);
        if index == next {
            self.groups.push(key);
        }
        Ok(index)
    }
}

fn factor(role: Role) -> f64 {
    if let Role::Time(factor) = role { factor } else { 1.0 }
}

/// Order of rows without a column for nodes.
#[derive(Clone, Copy)]
struct Order {
    /// Whether the rows of one frame are the nodes in order.
    repeats: bool,
    rows_per_frame: Option<u32>,
}

/// Describes the layout of the file: counts, columns, separators and missing values.
fn layout(
    recorded: &Recorded,
    table: &Table<'_>,
    roles: &[Role],
    source: Source,
    Order { repeats, rows_per_frame }: Order,
) -> String {
    let mut times: Vec<f64> = recorded.samples.iter().map(|sample| sample.at).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let mut nodes: Vec<u32> = recorded.samples.iter().map(|sample| sample.node).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let unit = match recorded.clock {
        Clock::Times => "time",
        Clock::Steps => "step",
        Clock::Frames | Clock::Rows => "frame",
    };
    let count = counted(times.len() as u64, unit);
    let of = match recorded.is_point {
        true => "of one point".into(),
        false => format!("x {}", counted(nodes.len() as u64, "node")),
    };
    let mut text = format!("read {count} {of}, columns {}", listed(roles));
    if let Some(header) = &table.header {
        text += &names(roles, &header.names, source);
    } else if source == Source::Numbers {
        text += " (guessed from the numbers: there are no names)";
    }
    if table.separator != Separator::Comma {
        text += &format!(", separated by {}", table.separator.name());
    }
    if table.has_commas {
        text += ", with decimal commas";
    }
    if repeats {
        text += "; the rows of a frame are the nodes in order";
    }
    if let Some(lines @ 1..) = table.titles {
        text += &format!("; {} above the names ignored", counted(lines, "line"));
    }
    if table.has_units {
        text += "; the line of units below the names ignored";
    }
    if let Some(nodes) = rows_per_frame {
        text += &format!(
            "; every {nodes} rows are a frame, counted from 0, since one node is at rest in them"
        );
    } else if recorded.clock == Clock::Rows && repeats {
        text += "; empty lines divide frames, from 0";
    } else if recorded.clock == Clock::Rows {
        text += "; no column numbers the frames: they are counted from 0";
    }
    if roles.contains(&Role::Time(1e-3)) {
        text += "; times in ms";
    }
    text
}

/// Maximum number of names of nodes in a file.
const MAX_NODE_NAMES: usize = 1000;

/// Describes the names of nodes in a file.
fn named_nodes(all: &[String]) -> String {
    let shown = all.iter().take(MAX_NAMES).enumerate();
    let mut shown: Vec<String> = shown.map(|(node, name)| format!("{name} is {node}")).collect();
    if all.len() > MAX_NAMES {
        shown.push("…".into());
    }
    match all.is_empty() {
        true => String::new(),
        false => format!("; nodes by name, as they appear: {}", shown.join(", ")),
    }
}

/// Describes the positions that are left out: positions with empty cells, and positions beyond
/// 1e100 with the time of the first.
fn left_out(missing: u64, beyond: Option<(u64, f64)>, clock: Clock) -> String {
    let mut text = String::new();
    if missing > 0 {
        let positions = counted(missing, "position");
        text += &format!("; {positions} left out, with empty or infinite cells");
    }
    if let Some((count, first)) = beyond {
        let unit = match clock {
            Clock::Times => "time",
            Clock::Steps => "step",
            Clock::Frames | Clock::Rows => "frame",
        };
        let positions = counted(count, "position");
        text += &format!("; {positions} left out, beyond 1e100, from {unit} {first} on");
    }
    text
}

/// Lists the roles of columns. The coordinates of many nodes are shortened.
fn listed(roles: &[Role]) -> String {
    let words: Vec<String> =
        roles.iter().filter(|role| **role != Role::Ignored).map(|role| role.word()).collect();
    if words.len() <= 8 {
        return words.join(",");
    }
    let last = words.last().map_or("", String::as_str);
    format!("{},...,{last}", words[..5].join(","))
}

/// Maximum number of names in a description.
const MAX_NAMES: usize = 8;

/// Describes the names of columns that differ from their roles, and the unused columns.
fn names(roles: &[Role], names: &[String], source: Source) -> String {
    let short = |list: Vec<&str>| match list.len() {
        0..=MAX_NAMES => list.join(", "),
        count => format!("{}, … ({count} columns)", list[..MAX_NAMES / 2].join(", ")),
    };
    let pairs = || roles.iter().zip(names.iter().map(String::as_str));
    let differs = |(role, name): &(&Role, &str)| {
        let is_time = matches!(role, Role::Time(_)) && *name == "time";
        **role != Role::Ignored && role.word() != *name && !is_time
    };
    let renamed: Vec<&str> = match pairs().any(|pair| differs(&pair)) {
        true => pairs().filter(|(role, _)| **role != Role::Ignored).map(|it| it.1).collect(),
        false => Vec::new(),
    };
    let ignored: Vec<&str> = pairs()
        .filter(|(role, _)| **role == Role::Ignored)
        .map(|(_, name)| if name.is_empty() { "(no name)" } else { name })
        .collect();
    let mut text = String::new();
    if !renamed.is_empty() {
        let how = if source == Source::Given { "as given, over" } else { "called" };
        text += &format!(" ({how} {})", short(renamed));
    }
    if !ignored.is_empty() {
        text += &format!(", not used: {}", short(ignored));
    }
    text
}
