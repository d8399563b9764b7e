//! The macros of `mcp-core`, which re-exports them. Use them from there: `use mcp_core::tool;`.
//!
//! | macro | on | makes |
//! |---|---|---|
//! | [`#[tool]`](macro@tool) | a function | a tool of the function's name, its parameters the arguments |
//! | [`#[tools]`](macro@tools) | an `impl` block | tools of the methods with `#[tool]`, which share one value |
//! | [`derive(Tool)`](macro@Tool) | a struct | a tool whose fields are the arguments; `Run` says what it does |
//! | [`#[data]`](macro@data) | a struct or an enum | what a type needs to be an argument or a structured result |
//!
//! Every mistake in an item is reported at once, each under what has to change.

mod arguments;
mod closest;
mod data;
mod docs;
mod expand;
mod form;
mod function;
mod generics;
mod json;
mod kind;
mod mistakes;
mod options;
mod set;
mod signature;
#[cfg(test)]
mod snapshots;
mod struct_tool;
mod template;
mod tokens;

use proc_macro::TokenStream;

use kind::Kind;

/// Makes a tool of a function.
///
/// The function stays as it is, and a type of the same name stands beside it. One `use` brings both: `add(1, 2)` calls
/// the function, `.tool::<add>()` registers the tool, and `add::with(1, 2)` is the call that a client can send.
///
/// ```
/// use mcp_core::{Server, tool};
///
/// /// Adds two integers.
/// #[tool]
/// fn add(/** The left operand. */ a: i64, /** The right operand. */ b: i64) -> i64 {
///     a + b
/// }
///
/// assert_eq!(add(1, 2), 3);
/// assert_eq!(add::with(1, 2).name(), "add");
/// let server = Server::new("calculator", "1.0.0").tool::<add>().build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
///
/// The doc comment, up to its first heading, is the description that models read; those of parameters describe the
/// arguments.
///
/// # Settings
///
/// Flags stand alone or take `true` or `false`: `read_only`, `read_only = false`.
///
/// | setting | what it says |
/// |---|---|
/// | `name = "find_files"` | the name on the wire, 1 to 64 of `A-Za-z0-9_.-`; else that of the function |
/// | `title = "Find files"` | a name for people |
/// | `description = "…"` | instead of the doc comment; also a constant or `include_str!("find.md")` |
/// | `read_only` | hint: it changes nothing |
/// | `destructive` | hint: it may destroy |
/// | `idempotent` | hint: calling it again with the same arguments changes nothing more |
/// | `open_world` | hint: it deals with the world outside |
/// | `icon = "https://…"` | an icon, also as `data:` URI; more than one is possible |
/// | `flow("network-out", …)` | where the data goes: `local-only`, `filesystem-read`, `filesystem-write`, `network-out`, `third-party`. Contradictions among these and the hints are errors |
/// | `meta("vendor/rank" = 1)` | more members for `_meta`, their values JSON |
/// | `open` | unknown arguments are ignored; else they are refused |
/// | `strict` | arguments are not mended where it is clear what is meant (`"5"` for `5`) |
/// | `blocking` | a function without `async` runs on a thread that may block |
/// | `deadline = "30s"` | a call that takes longer is ended with an error; units are `ms`, `s`, `m`, `h`. A function that runs in place can't be ended, so it is refused there |
/// | `finishes` | a cancelled call runs on to its end, to clean up; else its future is dropped |
/// | `type = FindTool` | the name of the type beside the function |
/// | `crate = my_framework::mcp_core` | where mcp-core is, when it is no dependency of its own |
///
/// # Arguments
///
/// Each parameter that is no reference is an argument: any type that is `Deserialize` and `JsonSchema`, which
/// [`#[data]`](macro@data) derives. `Option<T>` is optional; absent and `null` are the same. `&str` is an argument as
/// well, borrowed from the message when it can be, and so are `&[T]`, `Option<&str>`, `Option<&[T]>` and `Vec<&str>`.
///
/// Any other `&T` is lent by the server and not shown to clients: `&Context`, and whatever `Server::lend` was given.
///
/// | `#[arg(…)]` on a parameter | what it says |
/// |---|---|
/// | `default = 50` | what a missing argument is, shown in the schema; `default` alone takes that of the type |
/// | `range = 1..=500` | bounds of a number; `1..500`, `1..` and `..=500` as well |
/// | `length = 1..=80` | bounds of the letters of a text or the elements of a list |
/// | `pattern = "^[a-z]+$"` | a regular expression that a text matches |
/// | `rename = "type"` | the name on the wire |
/// | `description = "…"` | instead of the doc comment |
///
/// `#[serde(…)]` and `#[schemars(…)]` on parameters work as they do on fields. `#[args]` on the one parameter that is
/// no reference takes a whole struct of arguments.
///
/// ```
/// use mcp_core::{Context, Json, Server, data, tool};
///
/// /// A note, as stored.
/// #[data]
/// struct Note {
///     id: u64,
///     title: String,
/// }
///
/// struct Db;
///
/// /// Saves a note and returns it.
/// #[tool(idempotent, flow("filesystem-write"))]
/// async fn save(
///     cx: &Context,
///     db: &Db,
///     /// Shown in lists.
///     #[arg(length = 1..=80)]
///     title: String,
///     body: &str,
///     tags: Option<Vec<String>>,
/// ) -> Result<Json<Note>, std::io::Error> {
///     cx.progress(1, 2);
///     # let _ = (db, body, tags);
///     Ok(Json(Note { id: 1, title }))
/// }
///
/// let server = Server::new("notes", "1.0.0").lend(Db).tool::<save>().build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
///
/// # Results
///
/// A tool returns text, numbers and the like, `()`, content, `Json<T>` for a structured value with a schema, a
/// `ToolResult`, anything else that is `Serialize` as one JSON text, or a `Result` of these. An `Err` is a result that
/// the model reads, with the causes of the error; an `ErrorObject` in it is a JSON-RPC error.
///
/// # Running
///
/// An `async` function may wait; its future is `Send` and dropped when the call is cancelled. A function without
/// `async` runs in place and must not block; with `blocking` it may.
///
/// Generic functions are registered for one type at a time: `.tool::<convert<f64>>()`. What their arguments need
/// (`Deserialize`, `JsonSchema`, `Send`) is asked for there, not in their own bounds.
///
/// A module of the function's name meets the type (error E0428): give the type another by `type = …`.
#[proc_macro_attribute]
pub fn tool(settings: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(Kind::Tool, settings.into(), item.into()).into()
}

/// Makes tools of the methods of an `impl` block that have `#[tool]` on them.
///
/// They share one value, which is given to `Server::tools`. Methods without the attribute stay what they are. Inside of
/// the block `#[tool]` needs no import.
///
/// ```
/// use std::sync::Mutex;
///
/// use mcp_core::{Server, tools};
///
/// struct Notes {
///     titles: Mutex<Vec<String>>,
/// }
///
/// #[tools(prefix = "notes_")]
/// impl Notes {
///     /// Adds a note and says how many there are.
///     #[tool]
///     fn add(&self, #[arg(length = 1..=80)] title: String) -> usize {
///         let mut titles = self.titles.lock().unwrap();
///         titles.push(title);
///         titles.len()
///     }
///
///     /// Counts the notes.
///     #[tool(read_only)]
///     async fn count(&self) -> usize {
///         self.titles.lock().unwrap().len()
///     }
/// }
///
/// let notes = Notes { titles: Mutex::default() };
/// let server = Server::new("notes", "1.0.0").tools(notes).build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
///
/// # Settings
///
/// | setting | what it says |
/// |---|---|
/// | `prefix = "notes_"` | stands before the name of each tool |
/// | `crate = my_framework::mcp_core` | where mcp-core is, when it is no dependency of its own |
///
/// Methods take the settings, parameters and results that functions do, see [`#[tool]`](macro@tool), but for `type` and
/// `crate`. They take `&self`, `self: Arc<Self>`, `self: &Arc<Self>` or no `self`; calls run side by side, so that there
/// is no `&mut self`. The block may be generic, methods may not. A type has one such block.
#[proc_macro_attribute]
pub fn tools(settings: TokenStream, item: TokenStream) -> TokenStream {
    set::expand(Kind::Tool, settings.into(), item.into()).into()
}

/// Makes a tool of a struct: its fields are the arguments, and `Run` says what the tool does.
///
/// The name is that of the struct in snake case, unless `#[tool(name = "…")]` says otherwise. The doc comment is the
/// description. The struct also has to be `Deserialize` and `JsonSchema`, which [`#[data]`](macro@data) derives.
///
/// ```
/// use mcp_core::{Context, Json, Run, Server, Tool, data};
///
/// /// Finds files by name.
/// #[data]
/// #[derive(Tool)]
/// #[tool(read_only)]
/// struct FindFiles {
///     /// Glob, `**` crosses folders.
///     pattern: String,
///     limit: Option<u32>,
/// }
///
/// impl Run for FindFiles {
///     type Output = Json<Vec<String>>;
///
///     async fn run(self, cx: &Context) -> Self::Output {
///         cx.progress(1, 1);
///         # let _ = self.limit;
///         Json(vec![self.pattern])
///     }
/// }
///
/// assert_eq!(FindFiles::NAME, "find_files");
/// let server = Server::new("files", "1.0.0").tool::<FindFiles>().build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
///
/// `#[tool(…)]`, below the derive, takes the settings of [`#[tool]`](macro@tool) but for `blocking` and `type`. Fields
/// take `#[serde(…)]` and `#[schemars(…)]`.
#[proc_macro_derive(Tool, attributes(tool))]
pub fn derive_tool(item: TokenStream) -> TokenStream {
    struct_tool::expand(item.into()).into()
}

/// Derives what a type needs to be an argument or a structured result: `Serialize`, `Deserialize` and `JsonSchema`.
///
/// The crates `serde` and `schemars` need not be dependencies. Their attributes work as ever. `Debug`, `Clone` and
/// others are derived by hand.
///
/// ```
/// use mcp_core::data;
///
/// /// How to sort.
/// #[data]
/// #[derive(Clone, Copy, Debug)]
/// #[serde(rename_all = "snake_case")]
/// enum Order {
///     /// The latest first.
///     ByDate,
///     ByName,
/// }
/// # let _ = [Order::ByDate, Order::ByName];
/// ```
///
/// The one setting is `crate = my_framework::mcp_core`, for where mcp-core is when it is no dependency of its own.
#[proc_macro_attribute]
pub fn data(settings: TokenStream, item: TokenStream) -> TokenStream {
    data::expand(settings.into(), item.into()).into()
}

/// Makes a prompt of a function.
#[proc_macro_attribute]
pub fn prompt(settings: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(Kind::Prompt, settings.into(), item.into()).into()
}

/// Makes prompts of the methods of an `impl` block that have `#[prompt]` on them.
#[proc_macro_attribute]
pub fn prompts(settings: TokenStream, item: TokenStream) -> TokenStream {
    set::expand(Kind::Prompt, settings.into(), item.into()).into()
}

/// Makes a resource, or a family of them, of a function.
#[proc_macro_attribute]
pub fn resource(settings: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(Kind::Resource, settings.into(), item.into()).into()
}

/// Makes resources of the methods of an `impl` block that have `#[resource(…)]` on them.
#[proc_macro_attribute]
pub fn resources(settings: TokenStream, item: TokenStream) -> TokenStream {
    set::expand(Kind::Resource, settings.into(), item.into()).into()
}

/// Says that a person can be asked to fill in a struct, or to choose from an enum. [`#[data]`](macro@data) derives it.
///
/// A struct whose fields are all plain is a `Form`: text, numbers, booleans, enums without data, lists of such enums, and
/// `Option`s of these. With any other field it is none, and no error until a person is asked for it.
///
/// ```
/// use mcp_core::{Context, Form, Refused};
/// use mcp_core::__private::{JsonSchema, Deserialize};
///
/// #[derive(Deserialize, JsonSchema, Form)]
/// # #[serde(crate = "mcp_core::__private::serde")]
/// # #[schemars(crate = "mcp_core::__private::schemars")]
/// struct Confirmation {
///     /// Whether to go on.
///     sure: bool,
/// }
///
/// async fn is_sure(cx: &Context) -> Result<bool, Refused> {
///     let Confirmation { sure } = cx.elicit("sure", "Go on?").await?;
///     Ok(sure)
/// }
/// ```
///
/// A struct that serde writes as its one field is what that is. `#[serde(flatten)]` puts the fields of another form into
/// this one. `#[form(crate = my_framework::mcp_core)]` says where mcp-core is, when it is no dependency of its own.
#[proc_macro_derive(Form, attributes(form))]
pub fn derive_form(item: TokenStream) -> TokenStream {
    form::expand(item.into()).into()
}
