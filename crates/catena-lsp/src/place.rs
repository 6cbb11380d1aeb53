//! Meaning of a position in a document: the fields and the values that are allowed there.

use super::sweeps;
use catena_ron::{Context, Level, Slot, TokenKind, words};
use catena_scene::grammar::{Grammar, Member, PART_FIELDS};
use catena_scene::sweep::AXES;
use catena_scene::{Scope, default_of};
use std::ops::Range;

/// A position and its meaning.
pub(super) struct Place<'a> {
    pub(super) text: &'a str,
    /// Byte offset of the position.
    offset: usize,
    pub(super) context: Context<'a>,
    /// Fields that the innermost bracket allows.
    pub(super) members: Vec<Member>,
    /// Values that the current entry allows.
    pub(super) value: Grammar,
    /// Path of the innermost bracket among settings, such as `rope`; `None` outside of settings.
    pub(super) settings: Option<String>,
    /// Path of the settings themselves, such as `panels[1].with`.
    pub(super) layer: String,
    /// Lowest scope of fields that are allowed here.
    level: Scope,
    /// Whether the settings belong to a part of a body.
    is_part: bool,
    /// Path of the innermost bracket from the start of the document.
    path: String,
}

impl<'a> Place<'a> {
    pub(super) fn at(text: &'a str, offset: usize) -> Self {
        let offset = text.floor_char_boundary(offset.min(text.len()));
        let context = Context::at(text, offset);
        let levels = context.levels().to_vec();
        let mut place = Self {
            text,
            offset,
            members: Vec::new(),
            value: Grammar::Either(|| {
                let root = || Grammar::Fields(|| Grammar::scene().members());
                vec![Grammar::Things(|| vec![sweeps::SCENE, sweeps::SWEEP]), root()]
            }),
            settings: None,
            layer: String::new(),
            level: Scope::Scene,
            is_part: false,
            path: String::new(),
            context,
        };
        for pair in levels.windows(2) {
            place.enter(&pair[0], &pair[1]);
        }
        place.value = place.value_of(place.context.inner());
        place
    }

    /// Enters `inner`, a bracket of the current entry of the bracket `outer`.
    fn enter(&mut self, outer: &Level, inner: &Level) {
        let value = self.value_of(outer);
        if let Some(name) = &outer.name {
            let name = self.text.get(name.clone()).unwrap_or_default().trim_matches('"');
            self.step(name);
        } else if outer.bracket.is_some() {
            self.path += &format!("[{}]", outer.index);
        }
        let head = inner.head.clone().and_then(|head| self.text.get(head));
        if head.is_some_and(|head| head != sweeps::SCENE.name) {
            self.settings = None;
        }
        self.members = match head {
            Some(head) => {
                let thing = value.things().into_iter().find(|thing| thing.name == head);
                thing.map(|thing| thing.members()).unwrap_or_default()
            }
            None => value.members(),
        };
        self.value = value;
    }

    /// Enters a field.
    fn step(&mut self, name: &str) {
        self.path = match self.path.as_str() {
            "" => name.into(),
            path => format!("{path}.{name}"),
        };
        let member = self.members.iter().find(|member| member.name == name);
        let is_setting = member.is_some_and(|member| member.scope.is_some());
        match (&mut self.settings, name) {
            (_, "base" | "with") => {
                (self.settings, self.layer) = (Some(String::new()), self.path.clone());
                let is_inside = |list: &str| self.path.contains(&format!("{list}["));
                let is_of_part = is_inside("parts") || is_inside("part_changes");
                self.is_part = is_of_part && name == "with";
                self.level = match name {
                    "base" => Scope::Scene,
                    _ if is_inside("bodies") || is_of_part => Scope::Body,
                    _ => Scope::Panel,
                };
            }
            (Some(settings), _) if is_setting => {
                *settings =
                    if settings.is_empty() { name.into() } else { format!("{settings}.{name}") };
            }
            _ => self.settings = None,
        }
    }

    /// Values that an entry of the innermost bracket allows.
    fn value_of(&self, level: &Level) -> Grammar {
        let name = level.name.clone().and_then(|name| self.text.get(name));
        match (level.bracket, name) {
            (None, _) => self.value,
            (Some(('[', _)), _) => self.value.element(),
            (Some(('{', _)), Some(_)) => sweeps::intervals(),
            (_, Some(name)) => {
                let member = self.members.iter().find(|member| member.name == name);
                member.map_or(Grammar::Plain, |member| member.grammar)
            }
            _ => Grammar::Plain,
        }
    }

    /// Kind of text that is allowed here.
    pub(super) fn slot(&self) -> Slot {
        self.context.slot()
    }

    /// Whether the innermost bracket contains the axes of a sweep.
    pub(super) fn is_axes(&self) -> bool {
        let is_brace = self.context.inner().bracket.is_some_and(|(bracket, _)| bracket == '{');
        is_brace && self.path == AXES
    }

    /// Whether a field is allowed in this layer.
    pub(super) fn allows(&self, member: &Member) -> bool {
        let is_top = self.settings.as_deref() == Some("");
        let is_of_parts = !(self.is_part && is_top) || PART_FIELDS.contains(&member.name);
        member.scope.is_none_or(|scope| scope >= self.level) && is_of_parts
    }

    /// Path of a field of the innermost bracket, if the bracket is among settings.
    pub(super) fn setting(&self, name: &str) -> Option<String> {
        let settings = self.settings.as_ref()?;
        Some(if settings.is_empty() { name.into() } else { format!("{settings}.{name}") })
    }

    /// Default of a field of the innermost bracket, in the syntax of scenes.
    pub(super) fn default(&self, member: &Member) -> Option<&'static str> {
        let setting = || default_of(&self.setting(member.name)?);
        member.default.or_else(setting)
    }

    /// Field whose name or value contains the cursor.
    pub(super) fn member(&self) -> Option<&Member> {
        let name = match self.slot() {
            Slot::Name => self.context.touched.clone()?,
            _ => self.context.inner().name.clone()?,
        };
        let name = self.text.get(name)?;
        self.members.iter().find(|member| member.name == name)
    }

    /// Word that the cursor touches.
    #[cfg(feature = "server")]
    pub(super) fn word(&self) -> Option<&'a str> {
        self.text.get(self.context.touched.clone()?)
    }

    /// Byte range that a completion replaces.
    pub(super) fn replaced(&self) -> Range<usize> {
        self.context.touched.clone().unwrap_or(self.offset..self.offset)
    }

    /// First token after the range that a completion replaces; comments and spaces are skipped.
    pub(super) fn next_token(&self) -> Option<(TokenKind, &'a str)> {
        let (kind, at) = words(self.text, self.replaced().end).next()?;
        Some((kind, self.text.get(at)?))
    }
}
