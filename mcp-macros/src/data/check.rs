use proc_macro2::TokenStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Generics, Ident, Path, Token};

use super::parse::Parsed;
use crate::mistakes::Mistakes;
use crate::options::CrateOption;

/// A type that goes over the wire.
pub(super) struct Data {
    pub(super) krate: Path,
    pub(super) attributes: Vec<Attribute>,
    pub(super) ident: Ident,
    pub(super) generics: Generics,
    pub(super) item: TokenStream,
    /// What the user derives by hand, which is a mistake and not derived again.
    pub(super) derived: Vec<&'static str>,
}

/// What `#[data]` derives.
pub(super) const DERIVED: [&str; 4] = ["Serialize", "Deserialize", "JsonSchema", "Form"];

impl Data {
    pub(super) fn check(parsed: Parsed, mistakes: &mut Mistakes) -> Self {
        let Parsed {
            settings,
            attributes,
            ident,
            generics,
            item,
        } = parsed;
        let krate = CrateOption::check(&settings, mistakes).0;
        let mut derived = Vec::new();
        for attribute in attributes
            .iter()
            .filter(|attribute| attribute.path().is_ident("derive"))
        {
            let paths = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated);
            // What is no list of paths is for rustc to report.
            for path in paths.into_iter().flatten() {
                let last = path.segments.last().map(|last| last.ident.to_string());
                if let Some(name) = DERIVED.iter().find(|name| last.as_deref() == Some(**name)) {
                    mistakes.under(
                        &path,
                        format!("`#[data]` derives `{name}` already; take one of them out"),
                    );
                    derived.push(*name);
                }
            }
        }
        Self {
            krate,
            attributes,
            ident,
            generics,
            item,
            derived,
        }
    }
}
