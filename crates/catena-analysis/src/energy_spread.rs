//! Range and oscillation of a run's energy, relative to a reference.

/// Spread of the energy of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergySpread {
    /// Maximum minus minimum energy.
    pub range: f64,
    /// Amplitude of the oscillation: half the range about the best-fitting straight line.
    pub oscillation: f64,
    /// Change of the best-fitting line from the first moment to the last.
    pub drift: f64,
}

impl EnergySpread {
    /// Spread of `moments`, each a time and an energy. `None` for fewer than three moments.
    ///
    /// ```
    /// use catena_analysis::energy_spread::EnergySpread;
    ///
    /// let swing = |t: f64| [t, 5.0 + 0.01 * t + if t % 2.0 == 0.0 { 0.2 } else { -0.2 }];
    /// let moments: Vec<[f64; 2]> = (0..101).map(|t| swing(f64::from(t))).collect();
    /// let spread = EnergySpread::of(&moments).ok_or("too few moments")?;
    /// assert!((spread.range - 1.39).abs() < 1e-9);
    /// assert!((spread.oscillation - 0.2).abs() < 1e-3);
    /// assert!((spread.drift - 1.0).abs() < 1e-2);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn of(moments: &[[f64; 2]]) -> Option<Self> {
        let ([from, ..], [.., to]) = (moments, moments) else { return None };
        if moments.len() < 3 {
            return None;
        }
        let slope = slope(moments);
        let range_of = |values: &mut dyn Iterator<Item = f64>| {
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
                [low.min(value), high.max(value)]
            })
        };
        let [low, high] = range_of(&mut moments.iter().map(|[_, energy]| *energy));
        let [below, above] =
            range_of(&mut moments.iter().map(|[t, energy]| energy - slope * (t - from[0])));
        Some(Self {
            range: high - low,
            oscillation: 0.5 * (above - below),
            drift: slope * (to[0] - from[0]),
        })
    }

    /// Spread in per cent of a reference energy.
    #[must_use]
    pub fn per_cent_of(self, reference: f64) -> Self {
        let share = |value: f64| 100.0 * value / reference;
        Self {
            range: share(self.range),
            oscillation: share(self.oscillation),
            drift: share(self.drift),
        }
    }
}

/// Slope of points by least squares.
fn slope(points: &[[f64; 2]]) -> f64 {
    let count = points.len() as f64;
    let mean = [0, 1].map(|axis| points.iter().map(|point| point[axis]).sum::<f64>() / count);
    let [mut xx, mut xy] = [0.0; 2];
    for point in points {
        let [x, y] = [point[0] - mean[0], point[1] - mean[1]];
        xx += x * x;
        xy += x * y;
    }
    if xx > 0.0 { xy / xx } else { 0.0 }
}
