//! The engine's choices as strings, for serde. Their TypeScript types are in `types.rs`.

use raster::Choice;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::Serializer;

/// Writes a choice as its name; for `#[serde(with = "names")]`.
pub(crate) fn serialize<C: Choice, S: Serializer>(choice: &C, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(choice.name())
}

/// Reads a choice by its name; for `#[serde(with = "names")]`.
pub(crate) fn deserialize<'de, C: Choice, D: Deserializer<'de>>(deserializer: D) -> Result<C, D::Error> {
    let name = String::deserialize(deserializer)?;
    C::from_name(&name).ok_or_else(|| Error::unknown_variant(&name, C::NAMES))
}
