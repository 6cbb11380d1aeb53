//! Views of the shapes in the comparison.

use super::columns::{ColumnKind, SteadyColumn};
use catena_analysis::settle::Ending;
use catena_draw::{
    PanelPainter, Rect,
    camera::{self, Camera},
    theme::Theme,
};
use catena_scene::{Scene, View};

/// Common properties of the columns' views.
pub(super) enum SharedView {
    /// All columns show the same part of the plane.
    Plane(View),
    /// Each column shows space as its panel does, with this aspect ratio (width over height).
    Space(f64),
}

impl SharedView {
    /// Chooses the view for these columns of a scene.
    pub(super) fn of(scene: &Scene, columns: &[SteadyColumn<'_>]) -> Self {
        if scene.axes < 3 {
            return Self::Plane(common_view(columns));
        }
        let is_given = columns.iter().any(|column| column.panel.viewpoint.is_some());
        let fitted = || camera::fit_viewpoint(scene, 1.0).1.clamp(0.5, 2.0);
        Self::Space(if is_given { 4.0 / 3.0 } else { fitted() })
    }

    /// Ratio of a view's width to its height.
    pub(super) fn aspect(&self) -> f64 {
        match self {
            Self::Plane(view) => view.extent[0] / view.extent[1],
            Self::Space(aspect) => *aspect,
        }
    }

    /// Creates the painter that draws a column into a rectangle.
    pub(super) fn painter(
        &self,
        scene: &Scene,
        column: &SteadyColumn<'_>,
        plot: Rect,
        theme: &Theme,
    ) -> PanelPainter {
        match self {
            Self::Plane(view) => PanelPainter::planar(column.panel, Camera::planar(*view, plot)),
            Self::Space(_) => {
                let aspect = f64::from(plot.w) / f64::from(plot.h);
                let fitted = || camera::fit_viewpoint(scene, aspect).0;
                let own = column.panel.viewpoint.map(|own| own.upright(aspect));
                let viewpoint = own.unwrap_or_else(fitted);
                PanelPainter::spatial(column.panel, &viewpoint, plot, (theme, theme.panel))
            }
        }
    }
}

/// View that contains all shapes. Bodies that diverged or still move count only if they are not
/// much larger than the others. Otherwise they extend beyond the picture, which keeps the others
/// visible.
fn common_view(columns: &[SteadyColumn<'_>]) -> View {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let is_lost = |column: &&SteadyColumn<'_>| {
        !matches!(column.kind, ColumnKind::Reference | ColumnKind::Run(Ending::AtRest { .. }))
    };
    let (lost, sound): (Vec<_>, Vec<_>) = columns.iter().partition(is_lost);
    for column in sound.into_iter().chain(lost) {
        let (mut new_low, mut new_high) = (low, high);
        for (axis, values) in column.x.chunks_exact(column.model.nodes()).enumerate().take(2) {
            new_low[axis] = values.iter().copied().fold(low[axis], f64::min);
            new_high[axis] = values.iter().copied().fold(high[axis], f64::max);
        }
        let side = |low: [f64; 2], high: [f64; 2]| (high[0] - low[0]).max(high[1] - low[1]);
        if is_lost(&column)
            && side(low, high) > 0.0
            && side(new_low, new_high) > 2.5 * side(low, high)
        {
            continue;
        }
        (low, high) = (new_low, new_high);
    }
    let size = [0, 1].map(|axis| high[axis] - low[axis]);
    let largest = size[0].max(size[1]).max(f64::MIN_POSITIVE);
    View {
        center: [0, 1].map(|axis| low[axis] + size[axis] / 2.0),
        // A rope that hangs straight has no width.
        extent: size.map(|side| side.max(0.16 * largest) + 0.08 * largest),
    }
}
