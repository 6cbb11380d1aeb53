//! Options of `catena identify`.

use super::SceneArgs;
use super::value::{Origin, whole};
use crate::cli::Failure;
use crate::job::{IdentifyOptions, MAX_FRAMES};
use crate::scene::recorded::{NodeOrder, YAxis};
use crate::text::shell;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct IdentifyArgs {
    /// Numbers of the program as CSV: frame, node, x, y; or one row per frame; or t, x, y of one
    /// point; - reads standard input.
    pub(in crate::cli) data: PathBuf,
    #[command(flatten)]
    pub(in crate::cli) scene: SceneArgs,
    /// Meaning of the columns, such as frame,node,x,y, with - for a column to skip; or by name:
    /// frame=Bild,x=px,y=py [default: from their names or numbers].
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    columns: Option<String>,
    /// Node that a file of one point describes [default: the last].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=999_999_999))]
    node: Option<u64>,
    /// Node of the scene that is the lowest node number in the file [default: from the start].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=999_999_999))]
    first_node: Option<u64>,
    /// Order of the nodes in the file: as in the scene, or from the other end [default: from the
    /// start].
    #[arg(long, value_enum, value_name = "ORDER")]
    node_order: Option<Order>,
    /// Frame of the scene at the earliest time in the file [default: from the file].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=MAX_FRAMES))]
    first_frame: Option<u64>,
    /// Direction of y in the file [default: from the start].
    #[arg(long, value_enum, value_name = "WHERE")]
    y: Option<Direction>,
    /// Factor for the positions in the file, such as 100 for metres in a scene in centimetres.
    #[arg(long, value_name = "F", allow_negative_numbers = true, default_value = "1")]
    scale: Factor,
    /// Position of the file's origin in the scene, after --y and --scale, such as -320,240 for
    /// pixels.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    translate: Option<Origin>,
    /// Try only the bodies of this panel of the scene, given by its label or by its number, counted
    /// from 1.
    #[arg(long, value_name = "PANEL", allow_hyphen_values = true)]
    pub(in crate::cli) panel: Option<String>,
    /// Compare up to this frame after the first one of the file [default: 600].
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MAX_FRAMES))]
    frames: Option<u64>,
    /// Additional numbers of steps per frame to try, such as 300 or 24,48. Common numbers from 1 to
    /// 1024 and the scene's own numbers are always tried.
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', value_parser = whole::<u64>(1..=1_000_000))]
    substeps: Vec<u64>,
    /// Try only the steps per frame of --substeps and of the scene.
    #[arg(long)]
    only: bool,
    /// Number of candidates to list.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole::<u16>(1..=1000))]
    pub(in crate::cli) top: u16,
    /// Print the result as JSON.
    #[arg(long)]
    pub(in crate::cli) json: bool,
    /// Number of threads [default: one per processor]. The result does not depend on it.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(in crate::cli) threads: Option<u16>,
}

/// Direction of y.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Direction {
    /// Upwards, as in a scene.
    Up,
    /// Downwards, as in windows and pictures.
    Down,
}

/// Order of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Order {
    /// The order of the scene.
    Forward,
    /// From the other end.
    Reversed,
}

impl From<Order> for NodeOrder {
    fn from(order: Order) -> Self {
        match order {
            Order::Forward => Self::Forward,
            Order::Reversed => Self::Reversed,
        }
    }
}

/// A factor other than 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Factor(pub(super) f64);

impl std::str::FromStr for Factor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse::<f64>().map_err(|_| "expected a number such as 0.01 or 100")?;
        match number.abs() {
            0.0 => Err("a factor of 0 would move all positions to one point".into()),
            size if (1e-12..=1e12).contains(&size) => Ok(Self(number)),
            _ => Err("expected a factor with a magnitude from 1e-12 to 1e12".into()),
        }
    }
}

/// Options about a file of positions, for proposing a command.
pub(super) struct TypedReading<'a> {
    pub(super) columns: Option<&'a str>,
    pub(super) y: Option<Direction>,
    pub(super) scale: f64,
    pub(super) translate: Option<Origin>,
    pub(super) node: Option<u64>,
    pub(super) first_node: Option<u64>,
    pub(super) node_order: Option<Order>,
    pub(super) first_frame: Option<u64>,
}

impl TypedReading<'_> {
    /// Returns the options, each after a space.
    pub(super) fn words(&self) -> String {
        let number = |option: &str, value: Option<u64>| value.map(|it| format!(" {option} {it}"));
        let [x, y, z] = self.translate.unwrap_or_default().0;
        let all = [
            self.columns.map(|list| format!(" --columns={}", shell::quoted(list))),
            self.y.map(|y| format!(" --y {}", if y == Direction::Up { "up" } else { "down" })),
            (self.scale != 1.0).then(|| format!(" --scale={}", self.scale)),
            self.translate.map(|_| format!(" --translate={x},{y},{z}")),
            number("--node", self.node),
            number("--first-node", self.first_node),
            self.node_order.map(|order| {
                let is_reversed = order == Order::Reversed;
                format!(" --node-order {}", if is_reversed { "reversed" } else { "forward" })
            }),
            number("--first-frame", self.first_frame),
        ];
        all.into_iter().flatten().collect()
    }
}

impl IdentifyArgs {
    /// Returns the options about the file as typed, each after a space.
    pub(in crate::cli) fn reading(&self) -> String {
        TypedReading {
            columns: self.columns.as_deref(),
            y: self.y,
            scale: self.scale.0,
            translate: self.translate,
            node: self.node,
            first_node: self.first_node,
            node_order: self.node_order,
            first_frame: self.first_frame,
        }
        .words()
    }

    /// Returns the options of the job.
    ///
    /// # Errors
    /// The file and the scene are in the wrong order.
    pub(in crate::cli) fn options(&self) -> Result<IdentifyOptions, Failure> {
        let is = |path: &PathBuf, ending: &str| {
            path.extension().is_some_and(|it| it.eq_ignore_ascii_case(ending))
        };
        let (data, scene) = (&self.data, &self.scene.scene);
        if is(data, "ron") && !is(scene, "ron") {
            let (data, scene) = (data.display(), scene.display());
            let what = format!("the numbers come first: catena identify {scene} {data}");
            return Err(Failure::Usage(what));
        }
        let node = |number: Option<u64>| number.map(|number| number as usize);
        Ok(IdentifyOptions {
            name: data.display().to_string(),
            columns: self.columns.clone(),
            node: node(self.node),
            first_node: node(self.first_node),
            node_order: self.node_order.map(NodeOrder::from),
            first_frame: self.first_frame,
            y: self.y.map(|y| match y {
                Direction::Up => YAxis::Up,
                Direction::Down => YAxis::Down,
            }),
            scale: self.scale.0,
            translate: self.translate.unwrap_or_default().0,
            frames: self.frames,
            substeps: self.substeps.clone(),
            only_given_substeps: self.only,
            limits: self.scene.limit.limits(),
            ..IdentifyOptions::default()
        })
    }
}
