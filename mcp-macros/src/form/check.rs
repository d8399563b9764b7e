use syn::meta::ParseNestedMeta;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Expr, Field, Fields, Generics, Ident, LitStr, Path,
    Type,
};

use crate::mistakes::Mistakes;
use crate::options::{CrateOption, settings};

/// A type, and what it is in a form.
pub(super) struct Form {
    pub(super) krate: Path,
    pub(super) ident: Ident,
    pub(super) generics: Generics,
    pub(super) shape: Shape,
}

/// What a type is in a form.
pub(super) enum Shape {
    /// The form itself, if these are fields.
    Whole(Vec<Part>),
    /// What this is.
    Like(Box<Type>),
    /// One of some values.
    Choice,
    /// Nothing that a form can hold.
    Other,
}

/// What stands in a form for a field.
pub(super) enum Part {
    Field(Type),
    /// All fields of another form.
    Flattened(Type),
}

impl Form {
    pub(super) fn check(input: DeriveInput, mistakes: &mut Mistakes) -> Self {
        let said = |attribute: &&Attribute| attribute.path().is_ident("form");
        let mut all = Vec::new();
        for attribute in input.attrs.iter().filter(said) {
            if let Some(list) = mistakes.keep(attribute.meta.require_list()) {
                all.extend(settings(list.tokens.clone(), mistakes));
            }
        }
        Self {
            krate: CrateOption::check(&all, mistakes).0,
            shape: Shape::of(&input),
            ident: input.ident,
            generics: input.generics,
        }
    }
}

impl Shape {
    fn of(input: &DeriveInput) -> Self {
        let serde = Serde::of(&input.attrs);
        if let Some(ty) = serde.from {
            return Self::Like(Box::new(ty));
        }
        match &input.data {
            Data::Struct(data) => match &data.fields {
                Fields::Named(_) | Fields::Unit if !serde.says(&["transparent"]) => {
                    Self::Whole(data.fields.iter().filter_map(Part::of).collect())
                }
                fields => Self::of_one(fields),
            },
            Data::Enum(data) if is_choice(data) && !serde.says(&["tag", "untagged"]) => {
                Self::Choice
            }
            Data::Enum(_) | Data::Union(_) => Self::Other,
        }
    }

    /// Serde writes a struct that holds one value as that value.
    fn of_one(fields: &Fields) -> Self {
        let mut held = fields
            .iter()
            .filter(|field| !Serde::of(&field.attrs).is_skipped());
        match (held.next(), held.next()) {
            (Some(field), None) => Self::Like(Box::new(field.ty.clone())),
            _ => Self::Other,
        }
    }
}

impl Part {
    fn of(field: &Field) -> Option<Self> {
        let serde = Serde::of(&field.attrs);
        if serde.is_skipped() || serde.is_converted() {
            None
        } else if serde.says(&["flatten"]) {
            Some(Self::Flattened(field.ty.clone()))
        } else {
            Some(Self::Field(field.ty.clone()))
        }
    }
}

fn is_choice(data: &DataEnum) -> bool {
    let unit = |fields: &Fields| matches!(fields, Fields::Unit);
    !data.variants.is_empty() && data.variants.iter().all(|variant| unit(&variant.fields))
}

/// What `#[serde]` and `#[schemars]` say, as far as a form goes.
#[derive(Default)]
struct Serde {
    from: Option<Type>,
    words: Vec<String>,
}

impl Serde {
    fn of(attributes: &[Attribute]) -> Self {
        let mut found = Self::default();
        let ours = |attribute: &&Attribute| {
            attribute.path().is_ident("serde") || attribute.path().is_ident("schemars")
        };
        for attribute in attributes.iter().filter(ours) {
            // What does not parse is for serde and schemars to report.
            let _ = attribute.parse_nested_meta(|meta| found.take(&meta));
        }
        found
    }

    fn says(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    fn is_skipped(&self) -> bool {
        self.says(&["skip", "skip_deserializing"])
    }

    /// The user says how it is decoded or shown, so that its type need not.
    fn is_converted(&self) -> bool {
        self.says(&["with", "deserialize_with", "schema_with"])
    }

    fn take(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        if meta.path.is_ident("from") || meta.path.is_ident("try_from") {
            self.from = meta.value()?.parse::<LitStr>()?.parse().ok();
            return Ok(());
        }
        self.words
            .extend(meta.path.get_ident().map(Ident::to_string));
        if meta.input.peek(syn::Token![=]) {
            meta.value()?.parse::<Expr>()?;
        } else if meta.input.peek(syn::token::Paren) {
            meta.input.parse::<proc_macro2::TokenTree>()?;
        }
        Ok(())
    }
}
