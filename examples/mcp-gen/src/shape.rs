//! What a value looks like in Rust.

use crate::names::Names;

/// More types than this are none that a person would use; the rest is `serde_json::Value`.
const MAX_TYPES: usize = 10_000;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Null,
    Bool,
    Signed,
    Unsigned,
    Float,
    Text,
    /// Nothing is known of it.
    Any,
    List(Box<Shape>),
    Map(Box<Shape>),
    Optional(Box<Shape>),
    /// One of the types that were made, and whether it stands inside of itself.
    Named {
        index: usize,
        is_recursive: bool,
    },
}

impl Shape {
    pub(crate) fn optional(self) -> Self {
        match self {
            Self::Optional(_) | Self::Null => self,
            shape => Self::Optional(Box::new(shape)),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Type {
    pub(crate) name: String,
    pub(crate) docs: String,
    pub(crate) kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Struct(Struct),
    /// One of some strings.
    Choice(Vec<Variant>),
    /// One of some shapes, the first that fits.
    Union(Vec<(String, Shape)>),
}

#[derive(Debug, Default)]
pub(crate) struct Struct {
    pub(crate) fields: Vec<Field>,
    /// What members have that are not named.
    pub(crate) rest: Option<Shape>,
    /// There are no others. It matters where it tells alternatives apart.
    pub(crate) is_closed: bool,
}

#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) ident: String,
    pub(crate) wire: String,
    pub(crate) docs: Option<String>,
    pub(crate) shape: Shape,
    pub(crate) is_required: bool,
}

#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) ident: String,
    pub(crate) wire: String,
    pub(crate) docs: Option<String>,
}

/// All types of a module.
#[derive(Debug)]
pub(crate) struct Types {
    pub(crate) all: Vec<Type>,
    names: Names,
}

impl Types {
    pub(crate) fn new(client: &str) -> Self {
        Self {
            all: Vec::new(),
            names: Names::of_types(client),
        }
    }

    /// A place for a type, which is filled later, so that it may mention itself.
    pub(crate) fn reserve(&mut self, name: &str, docs: String) -> Option<usize> {
        if self.all.len() >= MAX_TYPES {
            return None;
        }
        self.all.push(Type {
            name: self.names.take(name),
            docs,
            kind: Kind::Struct(Struct::default()),
        });
        Some(self.all.len() - 1)
    }

    pub(crate) fn fill(&mut self, index: usize, kind: Kind) {
        self.all[index].kind = kind;
    }

    /// How many members a value of this shape has to have.
    pub(crate) fn required(&self, shape: &Shape) -> usize {
        match shape {
            Shape::Named { index, .. } => match &self.all[*index].kind {
                Kind::Struct(shape) => shape
                    .fields
                    .iter()
                    .filter(|field| field.is_required)
                    .count(),
                Kind::Choice(_) | Kind::Union(_) => 0,
            },
            _ => 0,
        }
    }

    /// Whether its values are objects, as far as can be told.
    pub(crate) fn is_object(&self, shape: &Shape) -> bool {
        match shape {
            Shape::Map(_) => true,
            Shape::Named { index, .. } => match &self.all[*index].kind {
                Kind::Struct(_) => true,
                Kind::Choice(_) => false,
                Kind::Union(variants) => variants.iter().all(|(_, shape)| self.is_object(shape)),
            },
            _ => false,
        }
    }

    /// Its members that are not named are refused.
    pub(crate) fn close(&mut self, shape: &Shape) {
        if let Shape::Named { index, .. } = shape
            && let Kind::Struct(shape) = &mut self.all[*index].kind
        {
            shape.is_closed = shape.rest.is_none();
        }
    }
}
