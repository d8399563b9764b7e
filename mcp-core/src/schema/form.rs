//! Temporary.
use super::{SchemaProfile, generator, root_of};
use crate::protocol::{FormSchema, ProtocolVersion, RawJson};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
#[derive(Debug)]
pub(crate) struct FormError(String);
impl std::fmt::Display for FormError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
#[derive(Debug)]
pub(crate) struct Form(RawJson);
impl Form {
    pub(crate) fn of<T: JsonSchema>() -> Result<Self, FormError> {
        {
            let mut r = root_of::<T>(generator(SchemaProfile::Portable));
            r.remove("description");
            Ok(Self(RawJson::from_value(&r).unwrap()))
        }
    }
    pub(crate) fn from_schema(s: &FormSchema) -> Result<Self, FormError> {
        Ok(Self(RawJson::from_value(s).unwrap()))
    }
    pub(crate) fn json(&self, _v: ProtocolVersion) -> Result<RawJson, FormError> {
        Ok(self.0.clone())
    }
    pub(crate) fn read<T: DeserializeOwned>(&self, c: &str) -> Result<T, String> {
        serde_json::from_str(c).map_err(|e| e.to_string())
    }
    pub(crate) fn check(&self, _c: &str) -> Result<(), String> {
        Ok(())
    }
}
