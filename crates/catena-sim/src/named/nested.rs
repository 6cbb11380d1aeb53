//! Named objects as options of other objects, such as the curve of a shape.

use serde::de::{self, EnumAccess, MapAccess, VariantAccess, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer};
use std::{fmt, marker::PhantomData, sync::Arc};

/// A kind of object that can be an option of another object.
pub trait Nested {
    /// Name of the kind in messages.
    const KIND: &'static str;
    /// All names of this kind.
    const NAMES: &'static [&'static str];

    /// Reads the options of the object called `name`; `None` if the name is unknown.
    fn read<'de, D: Deserializer<'de>>(
        name: &str,
        options: D,
    ) -> Option<Result<Box<Self>, D::Error>>;
}

/// An object as written in a scene: its name, followed by its options in parentheses.
pub struct Named<T: ?Sized>(pub Arc<T>);
crate::identity!([T: ?Sized + crate::identity::Identity] Named[T](value));

impl<T: ?Sized> Clone for Named<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Named<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de, T: Nested + ?Sized> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum(T::KIND, T::NAMES, NameVisitor(PhantomData))
    }
}

/// Visitor that reads the name and then the options.
struct NameVisitor<T: ?Sized>(PhantomData<T>);

impl<'de, T: Nested + ?Sized> de::Visitor<'de> for NameVisitor<T> {
    type Value = Named<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {} and its options", T::KIND)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Named<T>, A::Error> {
        let (name, options) = access.variant::<Name<T>>()?;
        options.struct_variant(&[], OptionsVisitor(name))
    }
}

/// A valid name.
struct Name<T: ?Sized>(String, PhantomData<T>);

impl<'de, T: Nested + ?Sized> Deserialize<'de> for Name<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T: ?Sized>(PhantomData<T>);

        impl<T: Nested + ?Sized> de::Visitor<'_> for Visitor<T> {
            type Value = Name<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "the name of a {}", T::KIND)
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Name<T>, E> {
                match T::NAMES.contains(&name) {
                    true => Ok(Name(name.into(), PhantomData)),
                    false => Err(E::unknown_variant(name, T::NAMES)),
                }
            }
        }

        deserializer.deserialize_identifier(Visitor(PhantomData))
    }
}

/// Visitor that reads the options of the object with this name.
struct OptionsVisitor<T: ?Sized>(Name<T>);

impl<'de, T: Nested + ?Sized> de::Visitor<'de> for OptionsVisitor<T> {
    type Value = Named<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the options of a {} in parentheses", T::KIND)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Named<T>, A::Error> {
        let Name(name, _) = self.0;
        match T::read(&name, MapAccessDeserializer::new(map)) {
            Some(thing) => thing.map(|thing| Named(thing.into())),
            None => Err(de::Error::unknown_variant(&name, T::NAMES)),
        }
    }
}
