use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, ExprPath, Lit, LitStr, Path, Token};

use super::flow;
use super::parse::{Form, Setting};
use crate::closest::suggestion;
use crate::json;
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

/// Everything that `#[tool(…)]` says.
#[derive(Default)]
pub(crate) struct ToolOptions {
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
}

const KNOWN: [&str; 17] = [
    "name",
    "title",
    "description",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "icon",
    "flow",
    "meta",
    "open",
    "strict",
    "blocking",
    "finishes",
    "deadline",
    "type",
    "crate",
];

impl ToolOptions {
    pub(crate) fn check(settings: Vec<Setting>, place: Place, mistakes: &mut Mistakes) -> Self {
        let mut options = Self::default();
        let mut flows = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        let mut destructive = Span::call_site();
        for setting in settings {
            let key = setting.key.to_string();
            if key == "destructive" {
                destructive = setting.key.span();
            }
            if seen.contains(&key) && key != "icon" && key != "meta" {
                mistakes.under(&setting.key, format!("`{key}` is given twice"));
                continue;
            }
            if key == "flow" {
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
        match key {
            "name" => {
                self.name = text(setting, "search", mistakes)
                    .filter(|name| check_name(&name.value(), name.span(), mistakes));
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
            "type" if place == Place::Function => self.type_name = type_name(&setting, mistakes),
            "type" => mistakes.at(
                at,
                "`type` names the type beside a function; there is none here",
            ),
            "crate" if place == Place::Method => {
                mistakes.at(at, "`crate` goes to `#[tools(crate = …)]`")
            }
            "crate" => self.krate = crate_path(&setting, mistakes),
            _ => mistakes.at(
                at,
                format!("unknown setting `{key}`; {}", suggestion(key, &KNOWN)),
            ),
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

/// What `#[tools(…)]` and `#[data(…)]` say.
#[derive(Default)]
pub(crate) struct SetOptions {
    pub(crate) prefix: String,
    pub(crate) krate: CrateOption,
}

impl SetOptions {
    /// Reads the settings of `#[tools(…)]`.
    pub(crate) fn check(settings: Vec<Setting>, mistakes: &mut Mistakes) -> Self {
        let mut options = Self::default();
        for setting in settings {
            let at = setting.key.span();
            match setting.key.to_string().as_str() {
                "prefix" => {
                    if let Some(prefix) = text(setting, "notes_", mistakes)
                        && check_name(&prefix.value(), prefix.span(), mistakes)
                    {
                        options.prefix = prefix.value();
                    }
                }
                "crate" => options.krate = crate_path(&setting, mistakes),
                "client" => mistakes.at(
                    at,
                    "typed clients are not supported yet; leave `client` out and call the tools by name",
                ),
                key => mistakes.at(
                    at,
                    format!("unknown setting `{key}`; {}", suggestion(key, &["prefix", "crate"])),
                ),
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

/// Whether a tool may be called this. The protocol asks for 1 to 128 of these; many clients and models take 64.
pub(crate) fn check_name(name: &str, at: Span, mistakes: &mut Mistakes) -> bool {
    let odd = name
        .chars()
        .find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.'));
    let message = match odd {
        Some(' ') => {
            format!("tool names may hold letters, digits, `_`, `-` and `.`; `{name}` has a space")
        }
        Some(odd) => format!(
            "tool names may hold letters, digits, `_`, `-` and `.`; `{name}` has `{}`",
            odd.escape_debug()
        ),
        None if name.is_empty() => "tool names have at least one letter".to_owned(),
        None if name.len() > 64 => format!(
            "tool names have at most 64 letters; this one has {}",
            name.len()
        ),
        None => return true,
    };
    mistakes.at(at, message);
    false
}

fn flag(setting: &Setting, mistakes: &mut Mistakes) -> Option<bool> {
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

fn text(setting: Setting, example: &str, mistakes: &mut Mistakes) -> Option<LitStr> {
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
fn words(setting: Setting, mistakes: &mut Mistakes) -> Option<Expr> {
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

fn type_name(setting: &Setting, mistakes: &mut Mistakes) -> Option<Ident> {
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
        "`type` needs a name, as in `type = SearchTool`",
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

fn list(setting: &Setting, example: &str, mistakes: &mut Mistakes) -> Option<TokenStream> {
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
