//! A template as the steps that match it.

use std::borrow::Cow;

use super::chars::{
    ANY, Authority, Chars, RESERVED, SEGMENT, UNRESERVED, authority, lowered, normalise,
};
use super::parse::{Operator, Part};

/// One step. It begins at a place in the URI and leads to another step at a later place.
#[derive(Debug)]
pub(super) enum Step {
    /// These bytes.
    Literal(Box<str>),
    /// The value of a variable that must be there; it is not empty.
    Required(Slot),
    /// The lead and the value of a variable that may be left out.
    Optional(Optional),
    /// The parameters of a query, all that are there.
    Query,
}

/// Where the value of a variable stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub(super) variable: usize,
    /// What the value may hold without an escape.
    pub(super) class: Chars,
    /// What the expansion of a value may hold without an escape.
    pub(super) expanded: Chars,
    /// The place of the expression in the template.
    pub(super) offset: usize,
}

#[derive(Debug)]
pub(super) struct Optional {
    /// `/`, `.`, `#` or `,`; for parameters `;` and their name.
    pub(super) lead: Box<str>,
    /// Whether the value follows a `=`, which an empty one does not have.
    pub(super) named: bool,
    pub(super) slot: Slot,
    /// The step after it where it is left out.
    pub(super) skip: usize,
}

/// The parameters that a query may have.
#[derive(Debug)]
pub(super) struct Query {
    /// `?` or `&`.
    pub(super) first: u8,
    /// How many `first` stand in literals before it. Values before it end at the first that is not one of these.
    pub(super) earlier: usize,
    /// Whether a fragment follows.
    pub(super) fragment: bool,
    /// Names, normalised, and their variables.
    pub(super) parameters: Vec<(Box<str>, usize)>,
}

#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    pub(super) query: Option<Query>,
    /// The bytes at the beginning of the first literal whose case does not count: of scheme and host.
    caseless: usize,
}

/// A name is letters, digits, `_`, dots and escapes, and literals hold no bad escapes: there is a normal spelling.
pub(super) fn normal(text: &str) -> Box<str> {
    normalise(text).map_or_else(|| text.into(), |normal| normal.into_owned().into())
}

impl Program {
    /// `variable` gives the number of a name.
    pub(super) fn new(
        template: &str,
        parts: &[Part],
        mut variable: impl FnMut(&str) -> usize,
    ) -> Self {
        let mut program = Self::default();
        for part in parts {
            match part {
                Part::Literal(range) => {
                    let text = normal(&template[range.clone()]);
                    program.steps.push(Step::Literal(text));
                }
                Part::Expression(operator, names) => {
                    // The brace and the operator stand before the first name.
                    let before = 1 + usize::from(*operator != Operator::Simple);
                    let offset = names.first().map_or(0, |name| name.start - before);
                    let names = names.iter().map(|range| {
                        let name = &template[range.clone()];
                        (name, variable(name))
                    });
                    if operator.is_query() {
                        let parameters = names.map(|(name, variable)| (normal(name), variable));
                        program.push_query(*operator, parameters.collect());
                    } else {
                        program.push_expression(*operator, names, offset);
                    }
                }
            }
        }
        program.narrow();
        program.fold();
        program
    }

    fn fold(&mut self) {
        let is_all = self.steps.len() == 1;
        if let Some(Step::Literal(text)) = self.steps.first_mut() {
            let Authority { start, end } = authority(text);
            // In front of an `@` stands the name of a user, and one may come in a variable.
            let is_host = (is_all || end < text.len()) && !text[start..end].contains('@');
            self.caseless = if is_host { end } else { start };
            *text = (lowered(&text[..self.caseless]) + &text[self.caseless..]).into();
        }
    }

    /// A normalised URI with scheme and host as the template spells them, as far as it does.
    pub(super) fn respell<'u>(&self, uri: &'u str) -> Cow<'u, str> {
        let (prefix, caseless) = (self.prefix(), self.caseless);
        match (uri.get(..caseless), prefix.get(..caseless)) {
            (Some(given), Some(spelled))
                if given != spelled && given.eq_ignore_ascii_case(spelled) =>
            {
                Cow::Owned(format!("{spelled}{}", &uri[caseless..]))
            }
            _ => Cow::Borrowed(uri),
        }
    }

    /// The literal at the beginning, normalised.
    pub(super) fn prefix(&self) -> &str {
        match self.steps.first() {
            Some(Step::Literal(text)) => text,
            _ => "",
        }
    }

    /// The literal at the end, normalised.
    pub(super) fn suffix(&self) -> &str {
        match self.steps.last() {
            Some(Step::Literal(text)) => text,
            _ => "",
        }
    }

    fn push_query(&mut self, operator: Operator, parameters: Vec<(Box<str>, usize)>) {
        let first = operator.first().as_bytes()[0];
        let literals = self.steps.iter().filter_map(|step| match step {
            Step::Literal(text) => Some(text.bytes()),
            _ => None,
        });
        let earlier = literals.flatten().filter(|byte| *byte == first).count();
        self.steps.push(Step::Query);
        self.query = Some(Query {
            first,
            earlier,
            fragment: false,
            parameters,
        });
    }

    fn push_expression<'a>(
        &mut self,
        operator: Operator,
        names: impl ExactSizeIterator<Item = (&'a str, usize)>,
        offset: usize,
    ) {
        let many = names.len() > 1;
        let end = self.steps.len() + names.len();
        let (mut class, expanded) = if operator.is_wide() {
            (ANY, ANY)
        } else {
            (SEGMENT, UNRESERVED)
        };
        // Parts of a list end at the separator. It is left to fragments and `{+x,y}`, whose values may hold commas.
        if !operator.is_wide() && (many || operator == Operator::Parameter) {
            class = class.but(Chars::of(operator.separator()));
        }
        for (place, (name, variable)) in names.enumerate() {
            let slot = Slot {
                variable,
                class,
                expanded,
                offset,
            };
            let lead = match place {
                0 => operator.first(),
                _ => operator.separator(),
            };
            if matches!(operator, Operator::Simple | Operator::Reserved) {
                if place > 0 {
                    self.steps.push(Step::Literal(lead.into()));
                }
                self.steps.push(Step::Required(slot));
                continue;
            }
            let named = operator == Operator::Parameter;
            self.steps.push(Step::Optional(Optional {
                lead: if named {
                    format!("{lead}{}", normal(name)).into()
                } else {
                    lead.into()
                },
                named,
                slot,
                // Parameters are left out one by one, items of a list from the end.
                skip: if named { self.steps.len() + 1 } else { end },
            }));
        }
    }

    /// Takes from each value the reserved characters that the template itself has after it: there they delimit.
    fn narrow(&mut self) {
        let mut later = Chars::NONE;
        for step in self.steps.iter_mut().rev() {
            match step {
                Step::Literal(text) => later = later.and(Chars::of(text).both(RESERVED)),
                Step::Query => {
                    let query = self.query.as_mut();
                    if let Some(query) = query {
                        query.fragment = later.has(b'#');
                        later = later
                            .and(Chars::from_byte(query.first))
                            .and(Chars::of("&="));
                    }
                }
                Step::Required(slot) => slot.narrow(later),
                Step::Optional(optional) => {
                    optional.slot.narrow(later);
                    later = later.and(Chars::of(&optional.lead).both(RESERVED));
                    if optional.named {
                        later = later.and(Chars::of("="));
                    }
                }
            }
        }
    }
}

impl Slot {
    pub(super) fn is_wide(&self) -> bool {
        self.class.has(b'/')
    }

    fn narrow(&mut self, later: Chars) {
        // Of a path only the query and the fragment are no part; its slashes are.
        let ends = if self.is_wide() {
            Chars::of("?#")
        } else {
            RESERVED
        };
        self.without(later.both(ends));
    }

    fn without(&mut self, chars: Chars) {
        self.class = self.class.but(chars);
        self.expanded = self.expanded.but(chars);
    }
}
