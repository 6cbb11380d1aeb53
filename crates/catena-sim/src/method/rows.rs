//! Defines the `method_rows!` macro, which describes each method by one row.

/// Generates a struct, its `INFO` and its `Method` from each row. Scenes write the name of the
/// struct. A row may have an option, which is a field of the struct. `start` takes the method, the
/// model and the initial state.
macro_rules! method_rows {
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
            $(option: { $(#[$about:meta])* $field:ident: $type:ty = $option:expr },)?
            start: |$method:pat_param, $model:pat_param, $initial:pat_param| $start:expr $(,)?
        }
    )+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name {
            $($(#[$about])* pub $field: $type,)?
        }
        $crate::identity!($name { $($field)? });

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
                options: &[$($option)?],
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
                let $method = self;
                Box::new($start)
            }
        }
    )+};
}

pub(crate) use method_rows;
