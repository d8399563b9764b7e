use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, ExprPath, Lit, LitStr, Path, Token, Visibility};

use super::flow;
use super::parse::{Form, Setting};
use super::resource::ResourceOptions;
use crate::closest::suggestion;
use crate::json;
use crate::kind::Kind;
use crate::mistakes::Mistakes;

/// What the settings are written on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Function,
    Method,
    Struct,
}

/// The hints to clients.
#[derive(Default)]
pub(crate) struct Annotations {
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
}

impl Annotations {
    pub(crate) const fn is_empty(&self) -> bool {
        self.read_only.is_none()
            && self.destructive.is_none()
            && self.idempotent.is_none()
            && self.open_world.is_none()
    }
}

/// The crate that expansions find their paths in.
pub(crate) struct CrateOption(pub(crate) Path);

impl Default for CrateOption {
    fn default() -> Self {
        Self(syn::parse_quote!(::mcp_core))
    }
}

/// Everything that `#[tool(…)]`, `#[prompt(…)]` or `#[resource(…)]` says.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) kind: Kind,
    pub(crate) name: Option<LitStr>,
    pub(crate) title: Option<Expr>,
    pub(crate) description: Option<Expr>,
    pub(crate) annotations: Annotations,
    pub(crate) icons: Vec<LitStr>,
    /// Variants of `Flow`.
    pub(crate) flow: Vec<&'static str>,
    pub(crate) meta: Vec<json::Pair>,
    pub(crate) open: bool,
    pub(crate) strict: bool,
    pub(crate) blocking: Option<Span>,
    pub(crate) finishes: Option<Span>,
    pub(crate) deadline: Option<(Span, u64)>,
    pub(crate) type_name: Option<Ident>,
    pub(crate) krate: CrateOption,
    pub(crate) resource: ResourceOptions,
}

/// What all three take.
const SHARED: [&str; 10] = [
    "name",
    "title",
    "description",
    "icon",
    "meta",
    "blocking",
    "finishes",
    "deadline",
    "type",
    "crate",
];
const OF_TOOLS: [&str; 7] = [
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "flow",
    "open",
    "strict",
];
const OF_RESOURCES: [&str; 5] = ["mime_type", "audience", "priority", "last_modified", "size"];

impl Options {
    pub(crate) fn check(
        settings: Vec<Setting>,
        kind: Kind,
        place: Place,
        mistakes: &mut Mistakes,
    ) -> Self {
        let mut options = Self {
            kind,
            ..Self::default()
        };
        let mut flows = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        let mut destructive = Span::call_site();
        for setting in settings {
            let key = match setting.key.to_string() {
                short if short == "mime" => "mime_type".to_owned(),
                key => key,
            };
            if key == "destructive" {
                destructive = setting.key.span();
            }
            if seen.contains(&key) && key != "icon" && key != "meta" {
                mistakes.under(&setting.key, format!("`{key}` is given twice"));
                continue;
            }
            if kind == Kind::Tool && key == "flow" {
                if let Some(list) = list(&setting, "flow(\"network-out\")", mistakes) {
                    flows = flow::flows(setting.key.span(), list, mistakes);
                }
            } else {
                options.set(&key, setting, place, mistakes);
            }
            seen.push(key);
        }
        if options.annotations.read_only == Some(true)
            && options.annotations.destructive == Some(true)
        {
            mistakes.at(
                destructive,
                "`destructive` contradicts `read_only`, which says that the tool changes nothing",
            );
        }
        flow::lint(&flows, &options.annotations, mistakes);
        options.flow = flows.iter().map(flow::variant).collect();
        options
    }

    fn set(&mut self, key: &str, setting: Setting, place: Place, mistakes: &mut Mistakes) {
        let at = setting.key.span();
        if let Some(message) = self.elsewhere(key) {
            mistakes.at(at, message);
            return;
        }
        match key {
            "name" => {
                self.name = text(setting, "search", mistakes)
                    .filter(|name| check_name(self.kind, &name.value(), name.span(), mistakes));
            }
            "title" => self.title = words(setting, mistakes),
            "description" => self.description = words(setting, mistakes),
            "read_only" => self.annotations.read_only = flag(&setting, mistakes),
            "destructive" => self.annotations.destructive = flag(&setting, mistakes),
            "idempotent" => self.annotations.idempotent = flag(&setting, mistakes),
            "open_world" => self.annotations.open_world = flag(&setting, mistakes),
            "icon" => self.icons.extend(icon(setting, mistakes)),
            "meta" => self.add_meta(&setting, mistakes),
            "open" => self.open = flag(&setting, mistakes) == Some(true),
            "strict" => self.strict = flag(&setting, mistakes) == Some(true),
            "blocking" if place == Place::Struct => {
                mistakes.at(
                    at,
                    "`run` is async; `blocking` is for functions and methods",
                );
            }
            "blocking" => self.blocking = (flag(&setting, mistakes) == Some(true)).then_some(at),
            "finishes" => self.finishes = (flag(&setting, mistakes) == Some(true)).then_some(at),
            "deadline" => self.deadline = deadline(setting, mistakes).map(|limit| (at, limit)),
            "type" if place == Place::Function => {
                self.type_name = type_name(&setting, "type = SearchTool", mistakes)
            }
            "type" => mistakes.at(
                at,
                "`type` names the type beside a function; there is none here",
            ),
            "crate" if place == Place::Method => {
                let words = self.kind.words();
                mistakes.at(at, format!("`crate` goes to `#[{words}(crate = …)]`"));
            }
            "crate" => self.krate = crate_path(&setting, mistakes),
            _ if OF_RESOURCES.contains(&key) => self.resource.set(key, setting, mistakes),
            _ => {
                let known: Vec<&str> = match self.kind {
                    Kind::Tool => [&SHARED[..], &OF_TOOLS].concat(),
                    Kind::Prompt => SHARED.to_vec(),
                    Kind::Resource => [&SHARED[..], &OF_RESOURCES].concat(),
                };
                mistakes.at(
                    at,
                    format!("unknown setting `{key}`; {}", suggestion(key, &known)),
                );
            }
        }
    }

    /// What to say of a setting that only others have.
    fn elsewhere(&self, key: &str) -> Option<String> {
        let word = self.kind.word();
        if self.kind != Kind::Resource && OF_RESOURCES.contains(&key) {
            return Some(format!(
                "`{key}` is for resources; leave it out of a {word}"
            ));
        }
        if self.kind == Kind::Tool || !OF_TOOLS.contains(&key) {
            return None;
        }
        let why = match (key, self.kind) {
            ("open", Kind::Resource) => "a resource takes the variables of its template",
            ("open", _) => "a prompt takes the arguments that it shows",
            ("strict", _) => "clients send text here, which is read as what it means",
            (_, Kind::Resource) => "reading a resource changes nothing",
            _ => "a prompt says something and does nothing",
        };
        Some(format!("`{key}` is for tools; {why}"))
    }

    /// Whether unknown arguments are refused. A resource has none: its URI is of its template or it is not.
    pub(crate) fn is_closed(&self) -> bool {
        !self.open && self.kind != Kind::Resource
    }

    /// The size of a family, which is not one.
    pub(crate) fn refuse_size(&self, is_template: bool, mistakes: &mut Mistakes) {
        if let Some((at, _)) = &self.resource.size
            && is_template
        {
            mistakes.at(
                *at,
                "the resources of a template are of all sizes; `size` is for a URI without variables",
            );
        }
    }

    fn add_meta(&mut self, setting: &Setting, mistakes: &mut Mistakes) {
        let Some(list) = list(setting, "meta(\"vendor/rank\" = 1)", mistakes) else {
            return;
        };
        let pairs = Punctuated::<json::Pair, Token![,]>::parse_terminated.parse2(list);
        for pair in mistakes.keep(pairs).into_iter().flatten() {
            if self
                .meta
                .iter()
                .any(|known| known.key.value() == pair.key.value())
            {
                mistakes.under(&pair.key, format!("`{}` is given twice", pair.key.value()));
            } else {
                self.meta.push(pair);
            }
        }
    }
}

/// What `#[tools(…)]` and its like say.
#[derive(Default)]
pub(crate) struct SetOptions {
    pub(crate) prefix: String,
    pub(crate) krate: CrateOption,
    /// The typed client to make.
    pub(crate) client: Option<(Visibility, Ident)>,
}

impl SetOptions {
    pub(crate) fn check(settings: Vec<Setting>, kind: Kind, mistakes: &mut Mistakes) -> Self {
        let mut options = Self::default();
        for setting in settings {
            let at = setting.key.span();
            match setting.key.to_string().as_str() {
                "prefix" if kind == Kind::Resource => {
                    mistakes.at(at, "resources are read by their URIs, which have no prefix");
                }
                "prefix" => {
                    if let Some(prefix) = text(setting, "notes_", mistakes)
                        && check_name(kind, &prefix.value(), prefix.span(), mistakes)
                    {
                        options.prefix = prefix.value();
                    }
                }
                "crate" => options.krate = crate_path(&setting, mistakes),
                "client" if kind == Kind::Tool => {
                    let name = type_name(&setting, "client = pub NotesClient", mistakes);
                    options.client = name.map(|name| (setting.visibility, name));
                }
                key => {
                    let known: &[&str] = match kind {
                        Kind::Resource => &["crate"],
                        Kind::Prompt => &["prefix", "crate"],
                        Kind::Tool => &["prefix", "client", "crate"],
                    };
                    mistakes.at(
                        at,
                        format!("unknown setting `{key}`; {}", suggestion(key, known)),
                    );
                }
            }
        }
        options
    }
}

impl CrateOption {
    /// Reads settings of which `crate` is the only one.
    pub(crate) fn check(settings: &[Setting], mistakes: &mut Mistakes) -> Self {
        let mut krate = Self::default();
        for setting in settings {
            if setting.key == "crate" {
                krate = crate_path(setting, mistakes);
            } else {
                mistakes.under(
                    &setting.key,
                    format!("unknown setting `{}`; known is `crate`", setting.key),
                );
            }
        }
        krate
    }
}

/// Whether a tool or a prompt may be called this. The protocol asks for 1 to 128 of these; many clients and models take
/// 64. The name of a resource is for programs to show, and may be anything.
pub(crate) fn check_name(kind: Kind, name: &str, at: Span, mistakes: &mut Mistakes) -> bool {
    let word = kind.word();
    let odd = name
        .chars()
        .find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.'))
        .filter(|_| kind != Kind::Resource);
    let may_hold = format!("{word} names may hold letters, digits, `_`, `-` and `.`");
    let message = match odd {
        Some(' ') => format!("{may_hold}; `{name}` has a space"),
        Some(odd) => format!("{may_hold}; `{name}` has `{}`", odd.escape_debug()),
        None if name.is_empty() => format!("{word} names have at least one letter"),
        None if name.len() > 64 && kind != Kind::Resource => format!(
            "{word} names have at most 64 letters; this one has {}",
            name.len()
        ),
        None => return true,
    };
    mistakes.at(at, message);
    false
}

/// Whether a function's own name may be that of what it becomes.
pub(crate) fn check_own_name(kind: Kind, ident: &Ident, name: &str, mistakes: &mut Mistakes) {
    if name.is_ascii() || kind == Kind::Resource {
        check_name(kind, name, ident.span(), mistakes);
    } else {
        let word = kind.word();
        let message = format!(
            "{word} names may hold letters, digits, `_`, `-` and `.` of ASCII; choose one with `#[{word}(name = \"…\")]`"
        );
        mistakes.under(ident, message);
    }
}

pub(super) fn flag(setting: &Setting, mistakes: &mut Mistakes) -> Option<bool> {
    match &setting.form {
        Form::Word => return Some(true),
        Form::Value(value) => {
            if let Expr::Lit(ExprLit {
                lit: Lit::Bool(flag),
                ..
            }) = &**value
            {
                return Some(flag.value);
            }
            mistakes.under(
                value,
                format!("`{}` stands alone or is `true` or `false`", setting.key),
            );
        }
        Form::List(_) => {
            mistakes.under(
                &setting.key,
                format!("`{}` stands alone or is `true` or `false`", setting.key),
            );
        }
    }
    None
}

pub(super) fn text(setting: Setting, example: &str, mistakes: &mut Mistakes) -> Option<LitStr> {
    let key = setting.key;
    if let Form::Value(value) = setting.form {
        if let Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) = *value
        {
            return Some(text);
        }
        mistakes.under(
            value,
            format!("`{key}` is a string, as in `{key} = \"{example}\"`"),
        );
    } else {
        mistakes.under(
            &key,
            format!("`{key}` needs a string, as in `{key} = \"{example}\"`"),
        );
    }
    None
}

/// A string, or what makes one: a constant, or a macro such as `include_str!`.
pub(super) fn words(setting: Setting, mistakes: &mut Mistakes) -> Option<Expr> {
    let key = setting.key;
    let Form::Value(value) = setting.form else {
        mistakes.under(
            &key,
            format!("`{key}` needs a string, as in `{key} = \"Find files\"`"),
        );
        return None;
    };
    match &*value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) if text.value().trim().is_empty() => {
            mistakes.under(text, format!("this `{key}` is empty; leave it out"));
            None
        }
        Expr::Lit(ExprLit {
            lit: Lit::Str(_), ..
        })
        | Expr::Macro(_)
        | Expr::Path(_) => Some(*value),
        other => {
            mistakes.under(
                other,
                format!("`{key}` is a string, a constant or a macro such as `include_str!`"),
            );
            None
        }
    }
}

fn icon(setting: Setting, mistakes: &mut Mistakes) -> Option<LitStr> {
    let icon = text(setting, "https://example.com/icon.svg", mistakes)?;
    let uri = icon.value();
    if uri.starts_with("https://") || uri.starts_with("data:") {
        return Some(icon);
    }
    mistakes.under(&icon, "an icon is an `https:` or a `data:` URI");
    None
}

fn deadline(setting: Setting, mistakes: &mut Mistakes) -> Option<u64> {
    let written = text(setting, "30s", mistakes)?;
    let value = written.value();
    let digits = value.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let unit = match &value[digits.len()..] {
        "ms" => Some(1),
        "s" => Some(1_000),
        "m" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    };
    let millis = unit.and_then(|unit| digits.parse::<u64>().ok()?.checked_mul(unit));
    match millis {
        Some(0) => mistakes.under(
            &written,
            "a deadline of nothing ends every call; leave it out for none",
        ),
        None => mistakes.under(
            &written,
            "a deadline is a number with `ms`, `s`, `m` or `h`, as in `deadline = \"30s\"`",
        ),
        Some(millis) => return Some(millis),
    }
    None
}

fn type_name(setting: &Setting, example: &str, mistakes: &mut Mistakes) -> Option<Ident> {
    if let Form::Value(value) = &setting.form
        && let Expr::Path(ExprPath {
            qself: None, path, ..
        }) = &**value
        && let Some(name) = path.get_ident()
    {
        return Some(name.clone());
    }
    mistakes.under(
        &setting.key,
        format!("`{}` needs a name, as in `{example}`", setting.key),
    );
    None
}

fn crate_path(setting: &Setting, mistakes: &mut Mistakes) -> CrateOption {
    if let Form::Value(value) = &setting.form
        && let Expr::Path(ExprPath {
            qself: None, path, ..
        }) = &**value
    {
        return CrateOption(path.clone());
    }
    mistakes.under(
        &setting.key,
        "`crate` needs a path, as in `crate = my_framework::mcp_core`",
    );
    CrateOption::default()
}

pub(super) fn list(
    setting: &Setting,
    example: &str,
    mistakes: &mut Mistakes,
) -> Option<TokenStream> {
    match &setting.form {
        Form::List(list) => return Some(list.clone()),
        Form::Word => mistakes.under(
            &setting.key,
            format!("`{}` needs a list, as in `{example}`", setting.key),
        ),
        Form::Value(value) => mistakes.under(
            value.to_token_stream(),
            format!("`{}` takes a list, as in `{example}`", setting.key),
        ),
    }
    None
}
