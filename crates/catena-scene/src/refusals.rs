//! Errors of the physics in terms of the scene. Nodes have their names in the scene, and errors of
//! contacts refer to the part that sets the contact.

use super::assembly::PartLayers;
use super::contact;
use super::diagnostic::Fault;
use super::entries::AnchorEntry;
use super::error::SceneError;
use super::events::EventEntry;
use super::node::NodeName;
use super::schema::Settings;
use super::stack::{Stack, refuse};
use catena_sim::{BadSetup, Part};

/// Nodes of the body with their names in the scene.
type NodeNames = Vec<(usize, String)>;

/// Data for rewording errors of the physics.
pub(super) struct Refusals<'a> {
    stack: &'a Stack<'a>,
    settings: &'a Settings,
    /// Index of the list entry of each part; empty for a body without parts.
    part_entries: Vec<usize>,
    /// Nodes that each event names.
    events: Vec<NodeNames>,
    /// Index of the list entry and the node of each moving pin.
    anchors: Vec<(usize, NodeNames)>,
}

impl<'a> Refusals<'a> {
    /// Collects the names of a body with these layers and parts. `anchor_entries` holds the list
    /// index of each anchor of the setup.
    pub(super) fn new(
        stack: &'a Stack<'a>,
        settings: &'a Settings,
        parts: &[Part],
        part_entries: Vec<usize>,
        anchor_entries: &[usize],
    ) -> Self {
        let events = settings.events.as_ref().map_or(&[][..], |list| &list.0);
        let anchors = settings.anchors.as_ref().map_or(&[][..], |list| &list.0);
        let of_event = |EventEntry { when, r#do: action, .. }: &EventEntry| {
            let mut names = action.named_nodes(parts);
            names.extend(when.iter().flat_map(|when| when.named_nodes(parts)));
            names
        };
        let of_anchor = |AnchorEntry { node, .. }: &AnchorEntry| {
            let named = |node: &NodeName| Some((node.of(parts).ok()?, node.to_string()));
            node.as_ref().and_then(named).into_iter().collect()
        };
        let held = anchor_entries.iter().filter_map(|&index| Some((index, anchors.get(index)?)));
        let anchors = held.map(|(index, entry)| (index, of_anchor(entry))).collect();
        let events = events.iter().map(of_event).collect();
        Self { stack, settings, part_entries, events, anchors }
    }

    /// Returns the error of a setup that the physics rejected.
    pub(super) fn error(&self, bad: &BadSetup) -> SceneError {
        let fault = Fault::new(self.message(bad));
        let Some((part, field)) = entry_of(&bad.field, "contact.parts") else {
            return refuse(self.stack, &self.field(bad), fault);
        };
        let advised = |fault: Fault, settings: &Settings| match contact::hangs(settings) {
            true => fault.help(contact::HANGING),
            false => fault,
        };
        let field = format!("contact{field}");
        let list = self.settings.parts.iter().flat_map(|list| &list.0);
        // The springs of joins are a part without an entry.
        match self.part_entries.get(part).and_then(|&index| list.enumerate().nth(index)) {
            Some((index, entry)) => {
                let layers = PartLayers::new(self.stack);
                let fault = advised(fault, &layers.settings(entry));
                refuse(&layers.stack(index, entry), &field, fault)
            }
            None => refuse(self.stack, &field, advised(fault, self.settings)),
        }
    }

    /// Returns the path of the field in the scene.
    fn field(&self, bad: &BadSetup) -> String {
        let anchor = entry_of(&bad.field, "anchors");
        let entry = anchor.and_then(|(index, rest)| Some((self.anchors.get(index)?.0, rest)));
        entry.map_or_else(|| bad.field.clone(), |(index, rest)| format!("anchors[{index}]{rest}"))
    }

    fn message(&self, bad: &BadSetup) -> String {
        let event = entry_of(&bad.field, "events").and_then(|(index, _)| self.events.get(index));
        let anchor = entry_of(&bad.field, "anchors").and_then(|(index, _)| self.anchors.get(index));
        let named = event.or(anchor.map(|(_, names)| names));
        named.map_or_else(|| bad.message.clone(), |names| with_names(&bad.message, names))
    }
}

/// Splits the path of a list entry into its index and the rest.
fn entry_of<'a>(field: &'a str, list: &str) -> Option<(usize, &'a str)> {
    let (index, rest) = field.strip_prefix(list)?.strip_prefix('[')?.split_once(']')?;
    Some((index.parse().ok()?, rest))
}

/// Replaces the node indices after `node` and `nodes` in a message by names.
fn with_names(message: &str, names: &NodeNames) -> String {
    let words: Vec<&str> = message.split(' ').collect();
    let is_node =
        |index: usize| matches!(words[..index], [.., "node" | "nodes"] | [.., "nodes", _, "and"]);
    let name = |index: usize| {
        let number: usize = words[index].parse().ok().filter(|_| is_node(index))?;
        names.iter().find(|(node, _)| *node == number).map(|(_, name)| name.as_str())
    };
    let named: Vec<&str> =
        (0..words.len()).map(|index| name(index).unwrap_or(words[index])).collect();
    named.join(" ")
}
