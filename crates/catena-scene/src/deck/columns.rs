//! Columns of the tables of a deck, for versions 1 and 2.
//!
//! MoorDyn reads values by position and ignores the names above them. A name at a wrong position is
//! therefore an error: MoorDyn would read the column as another quantity.

use crate::deck::row::Row;
use crate::diagnostic::Fault;

/// Columns of a table in order. Each column has the names that decks use, in lower case and
/// without punctuation; messages show the first name.
pub(super) struct ColumnLayout {
    /// Version of MoorDyn decks with this layout.
    pub version: u8,
    pub columns: &'static [&'static [&'static str]],
    /// Number of required columns; the columns after them are optional.
    pub needed: usize,
}

const NAME: &[&str] = &["TypeName", "linetype", "name", "type"];
const DIAMETER: &[&str] = &["Diam", "d", "diameter"];
const MASS: &[&str] = &["Mass/m", "massden", "massdeninair", "massm", "mass", "w"];
const EA: &[&str] = &["EA"];
const BA: &[&str] = &["BA/-zeta", "bazeta", "ba", "cint"];
const EI: &[&str] = &["EI"];
const CD: &[&str] = &["Cd", "cdn"];
const CA: &[&str] = &["Ca", "can"];
const CDT: &[&str] = &["CdAx", "cdt"];
const CAT: &[&str] = &["CaAx", "cat"];

/// Columns of line types.
pub(super) const LINE_TYPES: &[ColumnLayout] = &[
    ColumnLayout {
        version: 2,
        columns: &[NAME, DIAMETER, MASS, EA, BA, EI, CD, CA, CDT, CAT, &["Cl"], &["dF"], &["cF"]],
        needed: 10,
    },
    ColumnLayout {
        version: 1,
        columns: &[NAME, DIAMETER, MASS, EA, BA, CA, CAT, CD, CDT],
        needed: 9,
    },
];

const ID: &[&str] = &["ID", "node", "point", "number", "body", "line", "n"];
const ATTACHMENT: &[&str] = &["Attachment", "type", "attach"];
const X: &[&str] = &["X", "x0"];
const Y: &[&str] = &["Y", "y0"];
const Z: &[&str] = &["Z", "z0"];
const POINT_MASS: &[&str] = &["Mass", "m"];
const VOLUME: &[&str] = &["Volume", "v", "vol"];
const CDA: &[&str] = &["CdA"];
const POINT_CA: &[&str] = &["Ca"];

/// Columns of points.
pub(super) const POINTS: &[ColumnLayout] = &[
    ColumnLayout {
        version: 2,
        columns: &[ID, ATTACHMENT, X, Y, Z, POINT_MASS, VOLUME, CDA, POINT_CA],
        needed: 9,
    },
    ColumnLayout {
        version: 1,
        columns: &[
            ID,
            ATTACHMENT,
            X,
            Y,
            Z,
            POINT_MASS,
            VOLUME,
            &["FX"],
            &["FY"],
            &["FZ"],
            CDA,
            POINT_CA,
        ],
        needed: 12,
    },
];

/// Columns of bodies.
pub(super) const BODIES: &[ColumnLayout] = &[ColumnLayout {
    version: 2,
    columns: &[
        ID,
        ATTACHMENT,
        X,
        Y,
        Z,
        &["r0", "roll"],
        &["p0", "pitch"],
        &["y0", "yaw"],
        POINT_MASS,
        &["CG"],
        &["I"],
        VOLUME,
        CDA,
        POINT_CA,
    ],
    needed: 14,
}];

const LINE_TYPE: &[&str] = &["LineType", "typename", "type"];
const LENGTH: &[&str] = &["UnstrLen", "length", "len"];
const SEGMENTS: &[&str] = &["NumSegs", "segs", "nseg", "nsegs"];
const OUTPUTS: &[&str] = &["LineOutputs", "flagsoutputs", "outputs", "flags", "channels"];

/// Columns of lines.
pub(super) const LINES: &[ColumnLayout] = &[
    ColumnLayout {
        version: 2,
        columns: &[
            ID,
            LINE_TYPE,
            &["AttachA", "nodea", "nodeanch", "enda", "pointa"],
            &["AttachB", "nodeb", "nodefair", "endb", "pointb"],
            LENGTH,
            SEGMENTS,
            OUTPUTS,
        ],
        needed: 7,
    },
    ColumnLayout {
        version: 1,
        columns: &[
            ID,
            LINE_TYPE,
            LENGTH,
            SEGMENTS,
            &["NodeAnch", "nodea", "attacha"],
            &["NodeFair", "nodeb", "attachb"],
            OUTPUTS,
        ],
        needed: 7,
    },
];

/// Returns a name in lower case without punctuation.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

fn fits(column: &[&str], name: &str) -> bool {
    column.iter().any(|known| plain(known) == plain(name))
}

/// Returns the layout of a row of names.
///
/// # Errors
/// Returns the fault of the first wrong column, compared with the layout that shares the most
/// columns with the row.
pub(super) fn layout_of(
    section: &str,
    names: &Row<'_>,
    layouts: &'static [ColumnLayout],
) -> Result<&'static ColumnLayout, Fault> {
    let fitting = |layout: &ColumnLayout| {
        let pairs = layout.columns.iter().zip(&names.words);
        pairs.take_while(|(column, word)| fits(column, word.text)).count()
    };
    let count = names.words.len();
    let is_whole = |layout: &&ColumnLayout| {
        let maximum = layout.columns.len();
        fitting(layout) == count && (layout.needed..=maximum).contains(&count)
    };
    if let Some(layout) = layouts.iter().find(is_whole) {
        return Ok(layout);
    }
    // Version 2 is first in the list and preferred; `max_by_key` returns the last maximum.
    let Some(best) = layouts.iter().rev().max_by_key(|layout| fitting(layout)) else {
        return Err(Fault::new(format!("{section} has no columns")));
    };
    let at = fitting(best);
    let all: Vec<&str> = best.columns.iter().map(|column| column[0]).collect();
    let help = format!("the columns of version {} are: {}", best.version, all.join(", "));
    let Some(word) = names.words.get(at) else {
        let message =
            format!("{section} has only {count} columns: the next one, {}, is missing", all[at]);
        return Err(Fault::with_help(names.span(), message, help));
    };
    let number = at + 1;
    Err(match best.columns.get(at) {
        Some(column) => word.fault(
            format!(
                "column {number} of {section} is called `{}`, but MoorDyn reads it as {}",
                word.text, column[0]
            ),
            help,
        ),
        None => {
            word.fault(format!("column {number} of {section}, `{}`, is unknown", word.text), help)
        }
    })
}

/// Returns the rows below the row of units. MoorDyn skips the row of units.
pub(super) fn below_units<'r, 'a>(rows: &'r [Row<'a>]) -> Result<&'r [Row<'a>], Fault> {
    let Some((units, rest)) = rows.split_first() else { return Ok(&[]) };
    match units.words.iter().all(|word| word.text.starts_with(['(', '['])) {
        true => Ok(rest),
        false => Err(Fault::with_help(
            units.span(),
            "the second row of a section must contain units: MoorDyn skips this row, but it \
             contains values",
            "write a row of units below the names, such as (name) (m) (kg/m) (N)",
        )),
    }
}

impl ColumnLayout {
    /// Returns the fault of a row with fewer or more words than its section has columns.
    fn check_count(&self, columns: usize, row: &Row<'_>) -> Option<Fault> {
        let count = row.words.len();
        if let Some(word) = row.words.get(columns) {
            let message =
                format!("`{}` is value {} in a row for {columns} columns", word.text, columns + 1);
            return Some(word.fault(message, "remove the value, or begin a comment with #"));
        }
        let missing = self.columns.get(count).filter(|_| count < columns)?;
        let message =
            format!("the row has {count} values for {columns} columns: {} is missing", missing[0]);
        Some(Fault::with_help(
            row.span(),
            message,
            "write a value for every column, such as 0 or -",
        ))
    }

    /// Rejects a row that does not fit the columns.
    pub fn check(&self, columns: usize, row: &Row<'_>) -> Result<(), Fault> {
        self.check_count(columns, row).map_or(Ok(()), Err)
    }
}
