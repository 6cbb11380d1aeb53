//! Identity of numbers, text, lists and objects behind traits.

use super::{Identifier, Identity};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// Implements [`Identity`] for numbers by their bits: 0 and -0 differ, and so do different NaN
/// values.
macro_rules! numbers {
    ($($number:ident: $bits:expr;)+) => {
        $(impl Identity for $number {
            fn identify(&self, to: &mut Identifier<'_>) {
                let bits: fn($number) -> _ = $bits;
                to.add(&bits(*self).to_le_bytes());
            }
        })+
    };
}

numbers! {
    f64: f64::to_bits;
    bool: u8::from;
    u8: |number| number;
    u32: |number| number;
    u64: |number| number;
    usize: |number| number as u64;
}

impl Identity for str {
    fn identify(&self, to: &mut Identifier<'_>) {
        self.len().identify(to);
        to.add(self.as_bytes());
    }
}

impl Identity for String {
    fn identify(&self, to: &mut Identifier<'_>) {
        self.as_str().identify(to);
    }
}

/// Identifies the value together with its type, because the value may be a trait object.
impl<T: Identity + ?Sized> Identity for &T {
    fn identify(&self, to: &mut Identifier<'_>) {
        (**self).type_path().identify(to);
        (**self).identify(to);
    }
}

/// Identifies the value together with its type, because the value may be a trait object.
impl<T: Identity + ?Sized> Identity for Arc<T> {
    fn identify(&self, to: &mut Identifier<'_>) {
        (**self).type_path().identify(to);
        (**self).identify(to);
    }
}

impl<T: Identity> Identity for Option<T> {
    fn identify(&self, to: &mut Identifier<'_>) {
        self.is_some().identify(to);
        if let Some(value) = self {
            value.identify(to);
        }
    }
}

impl<T: Identity> Identity for [T] {
    fn identify(&self, to: &mut Identifier<'_>) {
        self.len().identify(to);
        self.iter().for_each(|value| value.identify(to));
    }
}

impl<T: Identity> Identity for Vec<T> {
    fn identify(&self, to: &mut Identifier<'_>) {
        self.as_slice().identify(to);
    }
}

impl<T: Identity, const N: usize> Identity for [T; N] {
    fn identify(&self, to: &mut Identifier<'_>) {
        self.iter().for_each(|value| value.identify(to));
    }
}

/// Implements [`Identity`] for tuples.
macro_rules! tuples {
    ($(($($name:ident)+))+) => {
        $(impl<$($name: Identity),+> Identity for ($($name,)+) {
            #[expect(non_snake_case, reason = "values are named as their types")]
            fn identify(&self, to: &mut Identifier<'_>) {
                let ($($name,)+) = self;
                $($name.identify(to);)+
            }
        })+
    };
}

tuples! { (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }

impl Identity for DVec3 {
    fn identify(&self, to: &mut Identifier<'_>) {
        self.to_array().identify(to);
    }
}

impl Identity for DQuat {
    fn identify(&self, to: &mut Identifier<'_>) {
        self.to_array().identify(to);
    }
}
