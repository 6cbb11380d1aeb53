//! Defines the `methods_without_options!` macro, which describes each method by one row.

/// Generates a struct, its `INFO` and its `Method` from each row. Scenes write the name of the
/// struct.
macro_rules! methods_without_options {
    ($(
        $(#[$doc:meta])*
        $name:ident {
            title: $title:expr,
            summary: $summary:expr,
            order: $order:expr,
            damped_order: $damped_order:expr,
            limit: $limit:expr,
            velocity_carries: $velocity_carries:expr,
            cost: $cost:expr,
            start: |$model:pat_param, $initial:pat_param| $start:expr $(,)?
        }
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {}
        $crate::identity!($name {});

        impl $name {
            pub(crate) const INFO: $crate::method::MethodInfo = $crate::method::MethodInfo {
                name: stringify!($name),
                title: $title,
                summary: $summary,
                order: Some($order),
                damped_order: Some($damped_order),
                limit: Some($limit),
                holds_lengths: false,
                velocity_carries: $velocity_carries,
                options: &[],
            };
        }

        impl $crate::method::Method for $name {
            fn info(&self) -> $crate::method::MethodInfo {
                Self::INFO
            }

            fn cost(&self) -> $crate::budget::Cost {
                $cost
            }

            fn side_by_side(&self) -> $crate::method::SideBySide {
                $crate::method::SideBySide::Interleaved
            }

            fn start(
                &self,
                $model: &$crate::body::Model,
                $initial: &$crate::body::State,
                _dt: f64,
            ) -> Box<dyn $crate::method::Integrator> {
                Box::new($start)
            }
        }
    )+};
}

pub(crate) use methods_without_options;
