//! Bodies that candidates simulate: the bodies of the scene, and variants without damping.

use super::data::Data;
use super::named::{GivenValues, Variant};
use super::{IdentifyError, IdentifyOptions};
use catena_base::text::number::counted;
use catena_scene::recorded::{Hint, Placement, Recorded};
use catena_scene::{Body, Patch, Scene, load_whole};
use catena_sim::identity::identity_of;
use catena_sim::method::SemiImplicitEuler;
use catena_sim::method::control::Fixed;
use catena_sim::named::OptionInfo;
use catena_sim::{Budget, Method, Setup};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// Fields that damp a motion, with the values that disable them. A program may lack damping that
/// the scene has.
const WITHOUT: [(&str, &str); 5] = [
    ("drag", "0"),
    ("rope.damping", "0"),
    ("rope.friction", "0"),
    ("velocity_factor", "1"),
    ("position_factor", "1"),
];

/// Entries in the stepping of a body that are not options of its method.
const STEPS: [&str; 2] = ["step_control", "max_dt"];

/// A body that candidates combine with any method and number of steps.
pub(super) struct Base {
    pub(super) setup: Arc<Setup>,
    /// Changes of the scene that give this body, as `PATH=VALUE`.
    pub(super) changes: Vec<String>,
    /// Index of the panel of the scene.
    pub(super) panel: usize,
    /// Label of the panel. Empty if the scene has only one panel.
    pub(super) label: String,
    pub(super) data: Arc<Data>,
    /// Whether the run begins at the first positions of the file.
    pub(super) from_data: bool,
}

/// A body of the scene with its own method and steps.
pub(super) struct Own {
    pub(super) base: usize,
    pub(super) setup: Arc<Setup>,
    /// Index of the panel of the scene.
    pub(super) panel: usize,
    pub(super) label: String,
    /// Options of the method and its steps, as names and values in scene syntax.
    pub(super) stepping: Vec<(String, String)>,
}

/// Bodies, and values in the panels, from which candidates are made.
pub(super) struct Bases {
    pub(super) all: Vec<Base>,
    pub(super) own: Vec<Own>,
    /// Values of method options in the panels.
    pub(super) given: GivenValues,
    /// Numbers of substeps in the panels.
    pub(super) substeps: BTreeSet<u64>,
    /// Names of the methods of the panels.
    pub(super) methods: BTreeSet<&'static str>,
    /// The scene itself.
    pub(super) scene: Scene,
}

/// Returns the identity of a setup without its method, steps, slips and limits.
fn key(setup: &Setup) -> Vec<u8> {
    let plain = Setup {
        method: Arc::new(SemiImplicitEuler {}),
        substeps: 1,
        strain_limit: 1.0,
        slips: Vec::new(),
        budget: Budget::UNLIMITED,
        ..setup.clone()
    };
    identity_of(&plain)
}

/// Reads a scene again with further changes on top of its own.
pub(super) fn changed(
    scene: &Scene,
    changes: &[String],
    options: &IdentifyOptions,
) -> Option<Scene> {
    let all = scene.changes().into_iter().chain(changes.iter().cloned());
    let patches: Vec<Patch> = all.map(|change| change.parse().ok()).collect::<Option<_>>()?;
    load_whole(&scene.source_text(), &patches, &options.limits).ok()
}

/// Returns the sets of changes that give the bodies to simulate.
fn changes(scene: &Scene, options: &IdentifyOptions) -> Vec<Vec<String>> {
    let bodies = || scene.panels.iter().flat_map(|panel| &panel.bodies);
    let keys = |scene: &Scene| -> Vec<Vec<u8>> {
        scene.panels.iter().flat_map(|panel| &panel.bodies).map(|body| key(&body.setup)).collect()
    };
    let slips = bodies().any(|body| !body.setup.slips.is_empty());
    let correct: Vec<String> = slips.then(|| "slips=[]".to_owned()).into_iter().collect();
    let mut all = vec![correct.clone()];
    let plain = keys(scene);
    let mut effective = Vec::new();
    for (field, value) in WITHOUT {
        let change = format!("{field}={value}");
        let with = [&correct[..], std::slice::from_ref(&change)].concat();
        if changed(scene, &with, options).is_some_and(|scene| keys(&scene) != plain) {
            all.push(with);
            effective.push(change);
        }
    }
    if effective.len() > 1 {
        all.push([correct, effective].concat());
    }
    all
}

impl Bases {
    /// Whether a panel of the scene sets an option of this name to this value.
    pub(super) fn gives(&self, info: &OptionInfo, value: &str) -> bool {
        self.given.get(info.name).is_some_and(|values| values.contains(value))
    }

    /// Whether the panels set all non-default options of a method. Other options are printed
    /// variants, and a slip in addition to them would be a second fault.
    pub(super) fn gives_all(&self, method: &Variant<dyn Method>) -> bool {
        method.options.iter().all(|(info, value)| self.gives(info, value))
    }

    /// Reads the file as a motion of each body in the scene.
    ///
    /// # Errors
    /// The file fits no body.
    pub(super) fn of(
        scene: &Scene,
        bytes: &[u8],
        options: &IdentifyOptions,
    ) -> Result<Self, IdentifyError> {
        // Panels that `--set` makes equal are still counted.
        let changed_scene = changed(scene, &[], options);
        let scene = changed_scene.as_ref().unwrap_or(scene);
        let mut bases = Self {
            all: Vec::new(),
            own: Vec::new(),
            given: GivenValues::new(),
            substeps: BTreeSet::new(),
            methods: BTreeSet::new(),
            scene: scene.clone(),
        };
        let (mut known, mut refused) = (HashSet::new(), None);
        let mut files = Files { bytes, read: Vec::new() };
        for changes in changes(scene, options) {
            let varied = match changes.is_empty() {
                true => Some(scene.clone()),
                false => changed(scene, &changes, options),
            };
            for (panel, index, body) in varied.iter().flat_map(bodies_of) {
                if options.panel.is_some_and(|wanted| wanted != panel as u64) {
                    continue;
                }
                let read = |files: &mut Files| files.data(body, [panel, index], options);
                let added = bases.add(body, panel, &changes, &mut known, || read(&mut files));
                refused = refused.or(added.err());
            }
        }
        match refused {
            Some(error) if bases.all.is_empty() => Err(error),
            None if bases.all.is_empty() => {
                let panels = counted(scene.panels.len() as u64, "panel");
                let wanted = options.panel.unwrap_or(0).saturating_add(1);
                let what = format!("--panel {wanted}: the scene has {panels}, counted from 1");
                Err(IdentifyError::Usage(what))
            }
            _ => {
                bases.add_own(scene, options);
                Ok(bases)
            }
        }
    }

    /// Adds the setups of a body that are not in `known`, together with the data that `read`
    /// returns. `panel` is the index of the body's panel.
    fn add(
        &mut self,
        body: &Body,
        panel: usize,
        changes: &[String],
        known: &mut HashSet<Vec<u8>>,
        read: impl FnOnce() -> Result<Arc<Data>, IdentifyError>,
    ) -> Result<(), IdentifyError> {
        // A base has no slips. One of the sets of changes removes them.
        if !body.setup.slips.is_empty() {
            return Ok(());
        }
        let mut setups = vec![Arc::clone(&body.setup)];
        if body.setup.step_control.chooses_steps() {
            let fixed = Setup { step_control: Arc::new(Fixed {}), ..(*body.setup).clone() };
            setups.push(Arc::new(fixed));
        }
        setups.retain(|setup| known.insert(key(setup)));
        if setups.is_empty() {
            return Ok(());
        }
        let data = read()?;
        let label = self.scene.panels.get(panel).filter(|_| self.scene.panels.len() > 1);
        let label = label.map_or(String::new(), |panel| panel.label.clone());
        for setup in setups {
            let start = data.start_of(&setup);
            let base = |setup: Arc<Setup>, from_data: bool| Base {
                setup,
                changes: changes.to_vec(),
                panel,
                label: label.clone(),
                data: Arc::clone(&data),
                from_data,
            };
            self.all.push(base(setup, false));
            self.all.extend(start.map(|setup| base(Arc::new(setup), true)));
        }
        Ok(())
    }

    /// Adds the bodies of the scene without changes.
    fn add_own(&mut self, scene: &Scene, options: &IdentifyOptions) {
        let mut seen = HashSet::new();
        for (panel, _, body) in bodies_of(scene) {
            if options.panel.is_some_and(|wanted| wanted != panel as u64) {
                continue;
            }
            let of_method = |it: &&(String, String)| !STEPS.contains(&it.0.as_str());
            for (name, value) in body.stepping.iter().filter(of_method) {
                self.given.entry(name.clone()).or_default().insert(value.clone());
            }
            self.substeps.insert(body.setup.substeps);
            self.methods.insert(body.method.name);
            // A body with slips has other forces than any base; only the data of the base are used.
            let own = key(&body.setup);
            let place = self.all.iter().position(|base| !base.from_data && key(&base.setup) == own);
            let base = place.or_else(|| self.all.iter().position(|base| base.panel == panel));
            let Some(base) = base else { continue };
            let method = identity_of(&body.setup.method);
            let is_new = seen.insert((own, method, body.stepping.clone()));
            if is_new {
                let (setup, stepping) = (Arc::clone(&body.setup), body.stepping.clone());
                let label = scene.panels[panel].label.clone();
                self.own.push(Own { base, setup, panel, label, stepping });
            }
        }
    }
}

fn bodies_of(scene: &Scene) -> impl Iterator<Item = (usize, usize, &Body)> {
    let panels = scene.panels.iter().enumerate();
    panels.flat_map(|(panel, it)| {
        it.bodies.iter().enumerate().map(move |(index, body)| (panel, index, body))
    })
}

/// Bytes of the file, and its readings for earlier bodies.
struct Files<'a> {
    bytes: &'a [u8],
    read: Vec<(Hint, Arc<Recorded>)>,
}

impl Files<'_> {
    /// Reads the file as a motion of a body. `numbers` are the indices of the panel and of the
    /// body.
    fn data(
        &mut self,
        body: &Body,
        numbers: [usize; 2],
        options: &IdentifyOptions,
    ) -> Result<Arc<Data>, IdentifyError> {
        let setup = &body.setup;
        let recorded = self.recorded(Hint::of(setup), options)?;
        let placement = Placement {
            node: options.node,
            first_node: options.first_node,
            node_order: options.node_order,
            first_frame: options.first_frame,
            y: options.y,
            own: numbers.map(|number| number as u64),
            panel: options.file_panel,
            body: options.file_body,
            scale: options.scale,
            translate: options.translate,
        };
        let placed = recorded.place(setup, &placement);
        let placed = placed.map_err(|error| IdentifyError::Data(error.to_string()))?;
        Data::of(&placed, setup, options).map(Arc::new)
    }

    fn recorded(
        &mut self,
        hint: Hint,
        options: &IdentifyOptions,
    ) -> Result<Arc<Recorded>, IdentifyError> {
        if let Some((_, recorded)) = self.read.iter().find(|(known, _)| *known == hint) {
            return Ok(Arc::clone(recorded));
        }
        let columns = options.columns.as_deref();
        let recorded = Recorded::read(self.bytes, &options.name, columns, hint);
        let recorded = recorded.map_err(|error| IdentifyError::Data(error.to_string()))?;
        self.read.push((hint, Arc::clone(&recorded)));
        Ok(recorded)
    }
}
