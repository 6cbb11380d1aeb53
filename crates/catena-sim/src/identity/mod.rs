//! Identity of values: bytes that are equal for equal values and differ for different ones.
//!
//! [`Identity`] feeds every part of a value into an [`Identifier`]. [`identity!`](crate::identity!)
//! implements it from the names of all fields, so that a missing field is a compile error. Traits
//! of forces, methods, laws, curves, colliders and events require it: two setups with equal bytes
//! therefore have the same run.

mod values;

use std::any::type_name;

/// A value that has an identity: bytes that differ from the bytes of all different values of its
/// kind.
pub trait Identity {
    /// Feeds all parts that determine the behaviour of the value.
    fn identify(&self, to: &mut Identifier<'_>);

    /// Path of the type. Trait objects of different types have different paths.
    fn type_path(&self) -> &'static str {
        type_name::<Self>()
    }
}

/// Receiver of the bytes of a value, in blocks.
pub struct Identifier<'a> {
    block: Vec<u8>,
    receive: &'a mut dyn FnMut(&[u8]),
}

/// Number of bytes after which a block is passed on.
const BLOCK: usize = 1 << 13;

impl Identifier<'_> {
    /// Adds bytes. Values of variable length must add their length first.
    pub fn add(&mut self, bytes: &[u8]) {
        self.block.extend_from_slice(bytes);
        if self.block.len() >= BLOCK {
            self.pass_on();
        }
    }

    fn pass_on(&mut self) {
        (self.receive)(&self.block);
        self.block.clear();
    }
}

/// Passes the bytes of a value and its type to `receive`, for instance a hash.
pub fn identify<T: Identity + ?Sized>(value: &T, receive: &mut dyn FnMut(&[u8])) {
    let mut to = Identifier { block: Vec::new(), receive };
    // The bytes of a reference begin with the type of its value.
    Identity::identify(&value, &mut to);
    to.pass_on();
}

/// Returns the bytes of a value and its type.
pub fn identity_of<T: Identity + ?Sized>(value: &T) -> Vec<u8> {
    let mut all = Vec::new();
    identify(value, &mut |bytes| all.extend_from_slice(bytes));
    all
}

/// Whether two objects have one type and the same parts.
pub fn is_same<T: Identity + ?Sized>(one: &T, other: &T) -> bool {
    identity_of(one) == identity_of(other)
}

/// Implements [`Identity`] from the names of all fields or variants. Fields after `;` are omitted,
/// because the other fields determine them.
///
/// ```
/// use catena_sim::identity::identity_of;
///
/// struct Push {
///     node: usize,
///     strength: f64,
/// }
/// catena_sim::identity!(Push { node, strength });
///
/// enum Side {
///     Left,
///     Right { share: f64 },
///     Both(f64, f64),
/// }
/// catena_sim::identity!(enum Side { Left, Right { share }, Both(left, right) });
///
/// let push = |strength| Push { node: 3, strength };
/// assert_eq!(identity_of(&push(1.0)), identity_of(&push(1.0)));
/// assert_ne!(identity_of(&push(0.0)), identity_of(&push(-0.0)));
/// assert_ne!(identity_of(&Side::Left), identity_of(&Side::Right { share: 0.5 }));
/// assert_ne!(identity_of(&Side::Both(1.0, 2.0)), identity_of(&Side::Both(2.0, 1.0)));
/// ```
///
/// A missing field does not compile:
///
/// ```compile_fail,E0027
/// struct Push {
///     node: usize,
///     strength: f64,
/// }
/// catena_sim::identity!(Push { node });
/// ```
#[macro_export]
macro_rules! identity {
    (
        enum $([$($generic:tt)*])? $name:ident $([$($argument:tt)*])? {
            $($variant:ident $(($($item:ident),+))? $({ $($field:ident),+ })?),+ $(,)?
        }
    ) => {
        impl $(<$($generic)*>)? $crate::identity::Identity for $name $(<$($argument)*>)? {
            fn identify(&self, to: &mut $crate::identity::Identifier<'_>) {
                match self {
                    $(Self::$variant $(($($item),+))? $({ $($field),+ })? => {
                        $crate::identity::Identity::identify(stringify!($variant), to);
                        $($($crate::identity::Identity::identify($item, to);)+)?
                        $($($crate::identity::Identity::identify($field, to);)+)?
                    })+
                }
            }
        }
    };
    (
        $([$($generic:tt)*])? $name:ident $([$($argument:tt)*])? {
            $($field:ident),* $(,)? $(; $($decided:ident),+)?
        }
    ) => {
        impl $(<$($generic)*>)? $crate::identity::Identity for $name $(<$($argument)*>)? {
            fn identify(&self, to: &mut $crate::identity::Identifier<'_>) {
                let Self { $($field,)* $($($decided: _),+)? } = self;
                let _ = &to;
                $($crate::identity::Identity::identify($field, to);)*
            }
        }
    };
    ($([$($generic:tt)*])? $name:ident $([$($argument:tt)*])? (
        $($item:ident),+ $(; $($decided:ident),+)?
    )) => {
        impl $(<$($generic)*>)? $crate::identity::Identity for $name $(<$($argument)*>)? {
            fn identify(&self, to: &mut $crate::identity::Identifier<'_>) {
                let Self($($item,)+ $($($decided),+)?) = self;
                $($(let _ = $decided;)+)?
                $($crate::identity::Identity::identify($item, to);)+
            }
        }
    };
}
