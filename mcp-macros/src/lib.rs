//! The macros of `mcp-core`, which re-exports them. Use them from there: `use mcp_core::tool;`.
//!
//! | macro | on | makes |
//! |---|---|---|
//! | [`#[tool]`](macro@tool) | a function | a tool of the function's name, its parameters the arguments |
//! | [`#[prompt]`](macro@prompt) | a function | a prompt of the function's name |
//! | [`#[resource("…")]`](macro@resource) | a function | a resource, or a family of them by a template of URIs |
//! | [`#[tools]`](macro@tools), [`#[prompts]`](macro@prompts), [`#[resources]`](macro@resources) | an `impl` block | tools, prompts or resources of its methods, which share one value |
//! | [`derive(Tool)`](macro@Tool) | a struct | a tool whose fields are the arguments; `Run` says what it does |
//! | [`#[data]`](macro@data) | a struct or an enum | what a type needs to be an argument, a structured result or a form |
//! | [`derive(Form)`](macro@Form) | a struct or an enum | what a person can fill in; `#[data]` derives it too |
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
/// the function, `.tool::<add>()` registers the tool, and `client.call(add::with(1, 2))` calls it from elsewhere.
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
/// # Calling
///
/// `with` takes the arguments in their order, without what is lent, and makes a `TypedToolCall` that `Client::call` gets
/// typed results of: a `Result` gives its value, a `Json` what is in it. What is `None` is left out.
///
/// Each argument is given as the function takes it, but for two: a `String` as anything that becomes one, such as `&str`;
/// and an argument with a default as its value or as `None`, which leaves it to the server. The arguments have to be
/// `Serialize` and the return type `Returned`, which [`#[data]`](macro@data) sees to. A tool whose types are not works all
/// the same; only a client can't call it so.
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
/// | `client = pub NotesClient` | makes a typed client, see below |
/// | `crate = my_framework::mcp_core` | where mcp-core is, when it is no dependency of its own |
///
/// # A typed client
///
/// `client = pub NotesClient` makes a struct around a `Client`, with a method for each tool: it has the tool's name in
/// Rust and its documentation, takes what `with` would take, and gives a future of the result. `NotesClient::new(client)`
/// takes a connection, `NotesClient::connect(transport, runtime)` makes one, and `.client()` lends it. Types of arguments
/// and results have to be as visible as the client is.
///
/// ```
/// use mcp_core::{ClientError, tools};
///
/// struct Notes;
///
/// #[tools(client = pub NotesClient)]
/// impl Notes {
///     /// Finds the titles of notes.
///     #[tool]
///     fn find(&self, text: &str, #[arg(default = 20)] limit: usize) -> mcp_core::Json<Vec<String>> {
///         # let _ = (text, limit);
///         mcp_core::Json(Vec::new())
///     }
/// }
///
/// async fn first(notes: &NotesClient) -> Result<Option<String>, ClientError> {
///     let found: Vec<String> = notes.find("tea", 1).await?;
///     Ok(found.into_iter().next())
/// }
/// # let _ = first;
/// ```
///
/// # Methods
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
/// A struct that is `Serialize` is its own call: `client.call(FindFiles { pattern, limit: None })`.
///
/// `#[tool(…)]`, below the derive, takes the settings of [`#[tool]`](macro@tool) but for `blocking` and `type`. Fields
/// take `#[serde(…)]` and `#[schemars(…)]`.
#[proc_macro_derive(Tool, attributes(tool))]
pub fn derive_tool(item: TokenStream) -> TokenStream {
    struct_tool::expand(item.into()).into()
}

/// Derives what a type needs to be an argument, a structured result or a form: `Serialize`, `Deserialize`, `JsonSchema` and
/// [`Form`](macro@Form). It also implements `mcp_core::client::Returned`, so that clients read what a tool returns as the
/// type.
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

/// Makes a prompt of a function: what it returns is what a model is told, in the name of the person who picked the prompt.
///
/// As with [`#[tool]`](macro@tool), the function stays as it is, a type of the same name stands beside it, and the doc comment
/// is the description.
///
/// ```
/// use mcp_core::protocol::PromptMessage;
/// use mcp_core::{Server, prompt};
///
/// fn languages(typed: &str) -> Vec<&'static str> {
///     let known = ["go", "ruby", "rust"];
///     known.into_iter().filter(|name| name.starts_with(typed)).collect()
/// }
///
/// /// Reviews code.
/// #[prompt(title = "Review code")]
/// fn review(
///     /// What it is written in.
///     #[complete(languages)]
///     language: &str,
///     code: &str,
///     #[complete("bugs", "speed", "style")] focus: Option<&str>,
/// ) -> Vec<PromptMessage> {
///     let focus = focus.unwrap_or("everything");
///     vec![
///         PromptMessage::user(format!("Review this {language} code; look at {focus}.\n\n{code}")),
///         PromptMessage::assistant("Here is what I found:"),
///     ]
/// }
///
/// let server = Server::new("reviewer", "1.0.0").prompt::<review>().build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
///
/// # Settings
///
/// | setting | what it says |
/// |---|---|
/// | `name = "code-review"` | the name on the wire, 1 to 64 of `A-Za-z0-9_.-`; else that of the function |
/// | `title = "Review code"` | a name for people |
/// | `description = "…"` | instead of the doc comment; also a constant or `include_str!("review.md")` |
/// | `icon = "https://…"` | an icon, also as `data:` URI; more than one is possible |
/// | `meta("vendor/rank" = 1)` | members for `_meta`, their values JSON |
/// | `blocking` | a function without `async` runs on a thread that may block |
/// | `deadline = "30s"` | what takes longer is ended with an error; units are `ms`, `s`, `m`, `h`. Not for a function that runs in place |
/// | `finishes` | a cancelled request runs on to its end; else its future is dropped |
/// | `type = ReviewPrompt` | the name of the type beside the function |
/// | `crate = my_framework::mcp_core` | where mcp-core is, when it is no dependency of its own |
///
/// # Arguments
///
/// Parameters are what they are for [tools](macro@tool), with `#[arg(…)]`, `#[args]`, `#[serde(…)]`, `&str`, `Option<T>`,
/// and values that are lent. Clients send all arguments as text, which is read as what the parameter is: `5` as a number,
/// `true` as a `bool`.
///
/// # Completion
///
/// `#[complete(…)]` says how an argument goes on while a person types it.
///
/// | form | the values |
/// |---|---|
/// | `#[complete("rust", "go")]` | those of the list that fit what was typed, the best first |
/// | `#[complete(languages)]` | what a function returns |
/// | `#[complete(self.titles)]` | what a method returns, inside of [`#[prompts]`](macro@prompts) and [`#[resources]`](macro@resources) |
///
/// A function takes what was typed as `&str`, or as `&Completing`, which knows more: the arguments filled in so far, the
/// context, values that are lent. It is `async` or not, and returns a `Vec` or an array of texts, a `Completion`, or a `Result`
/// of these. `Self::titles` is an associated function, or a method of the same block. Enums under [`#[data]`](macro@data)
/// complete themselves.
///
/// ```
/// use mcp_core::protocol::Completion;
/// use mcp_core::{Completing, prompt};
///
/// struct Branches(Vec<String>);
///
/// async fn branches(typed: &Completing) -> Result<Completion, String> {
///     let of = typed.argument("repository").ok_or("which repository?")?;
///     let Branches(known) = typed.lent().ok_or("no branches")?;
///     Ok(Completion::matching(typed, known.iter().filter(|name| name.starts_with(of))))
/// }
///
/// /// Describes what changed.
/// #[prompt]
/// fn describe(repository: &str, #[complete(branches)] branch: &str) -> String {
///     format!("Describe the changes on {branch} of {repository}.")
/// }
/// ```
///
/// # Results
///
/// A prompt returns text or a piece of content, which is one message of the person, a `PromptMessage`, a `Vec` or an array of
/// them, a `GetPromptResult`, or a `Result` of these. An `Err` is a JSON-RPC error.
#[proc_macro_attribute]
pub fn prompt(settings: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(Kind::Prompt, settings.into(), item.into()).into()
}

/// Makes prompts of the methods of an `impl` block that have `#[prompt]` on them.
///
/// They share one value, which is given to `Server::prompts`. A type may have a block for its tools, one for its prompts and
/// one for its resources; in an `Arc` it is given to the server for each of them. One block may also have all three
/// attributes. Inside of the block `#[prompt]` needs no import.
///
/// ```
/// use std::sync::Arc;
///
/// use mcp_core::{Server, prompts, tools};
///
/// struct Notes {
///     titles: Vec<String>,
/// }
///
/// #[prompts(prefix = "notes_")]
/// impl Notes {
///     /// Sums a note up.
///     #[prompt]
///     async fn sum_up(&self, #[complete(self.titles)] title: &str) -> String {
///         format!("Sum up the note {title:?}.")
///     }
///
///     fn titles(&self, typed: &str) -> Vec<String> {
///         let titles = self.titles.iter();
///         titles.filter(|title| title.starts_with(typed)).cloned().collect()
///     }
/// }
///
/// #[tools]
/// impl Notes {
///     /// Counts the notes.
///     #[tool(read_only)]
///     fn count(&self) -> usize {
///         self.titles.len()
///     }
/// }
///
/// let notes = Arc::new(Notes { titles: vec![] });
/// let server = Server::new("notes", "1.0.0")
///     .prompts(Arc::clone(&notes))
///     .tools(notes)
///     .build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
///
/// # Settings
///
/// | setting | what it says |
/// |---|---|
/// | `prefix = "notes_"` | stands before the name of each prompt |
/// | `crate = my_framework::mcp_core` | where mcp-core is, when it is no dependency of its own |
///
/// Methods take the settings, parameters and results that functions do, see [`#[prompt]`](macro@prompt), but for `type` and
/// `crate`, and `self` as in [`#[tools]`](macro@tools).
#[proc_macro_attribute]
pub fn prompts(settings: TokenStream, item: TokenStream) -> TokenStream {
    set::expand(Kind::Prompt, settings.into(), item.into()).into()
}

/// Makes a resource of a function, or a family of them: what it returns is what is read at a URI.
///
/// As with [`#[tool]`](macro@tool), the function stays as it is, a type of the same name stands beside it, and the doc comment
/// is the description.
///
/// ```
/// use mcp_core::{Json, Server, data, resource};
///
/// #[data]
/// struct Hours {
///     from: u8,
///     to: u8,
/// }
///
/// /// When the shop is open.
/// #[resource("shop://hours")]
/// fn hours() -> Json<Hours> {
///     Json(Hours { from: 9, to: 17 })
/// }
///
/// /// What there is to know of an article.
/// #[resource("shop://articles/{number}{?language}", mime_type = "text/markdown", audience = [user])]
/// async fn article(number: u32, language: Option<&str>) -> Option<String> {
///     (number < 100).then(|| format!("# {number} in {}", language.unwrap_or("en")))
/// }
///
/// let server = Server::new("shop", "1.0.0")
///     .resource::<hours>()
///     .resource::<article>()
///     .build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
///
/// # The URI
///
/// It stands first and is written out: a URI, or a template of URIs as `UriTemplate` takes them (RFC 6570, levels 1 to 3).
/// What is wrong with it is an error of the compiler.
///
/// The parameters that are no references to lent values are the variables of the template, each by its name; `#[arg(rename =
/// "user.name")]` is for names that are none in Rust. Variables of `{x}` and `{+x}` always have a value. Those of all other
/// expressions, such as `{?x}` and `{/x}`, may be missing: they are an `Option`, or have a default by `#[arg(default = …)]`.
/// A URI whose values can't be read as what the parameters are names no resource.
///
/// A value is text that a stranger chose, and no path: see `UriTemplate` before opening a file by it.
///
/// `#[complete(…)]` on a parameter completes the variable, as for [prompts](macro@prompt#completion).
///
/// # Settings
///
/// | setting | what it says |
/// |---|---|
/// | `name = "hours"` | a name for programs; else that of the function |
/// | `title = "Opening hours"` | a name for people |
/// | `description = "…"` | instead of the doc comment; also a constant or `include_str!("hours.md")` |
/// | `mime_type = "text/markdown"` | the media type of what it holds, `mime` for short |
/// | `audience = [user, assistant]` | whom it is for |
/// | `priority = 0.8` | how much it matters, from 0 to 1 |
/// | `last_modified = "2026-07-28T12:00:00Z"` | when it last changed; also a constant |
/// | `size = 1024` | how many bytes it has; also a constant. Not for templates |
/// | `icon = "https://…"` | an icon, also as `data:` URI; more than one is possible |
/// | `meta("vendor/rank" = 1)` | members for `_meta`, their values JSON |
/// | `blocking` | a function without `async` runs on a thread that may block |
/// | `deadline = "30s"` | what takes longer is ended with an error; units are `ms`, `s`, `m`, `h`. Not for a function that runs in place |
/// | `finishes` | a cancelled request runs on to its end; else its future is dropped |
/// | `type = HoursResource` | the name of the type beside the function |
/// | `crate = my_framework::mcp_core` | where mcp-core is, when it is no dependency of its own |
///
/// # Results
///
/// A resource returns text, bytes, `Json<T>`, `ResourceContents` or a `Vec` of them, or an `Option` or a `Result` of these.
/// `None` is a resource that does not exist, an `Err` a JSON-RPC error.
#[proc_macro_attribute]
pub fn resource(settings: TokenStream, item: TokenStream) -> TokenStream {
    function::expand(Kind::Resource, settings.into(), item.into()).into()
}

/// Makes resources of the methods of an `impl` block that have `#[resource("…")]` on them.
///
/// They share one value, which is given to `Server::resources`. Inside of the block `#[resource]` needs no import.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use mcp_core::{Server, resources};
///
/// struct Notes {
///     texts: BTreeMap<String, String>,
/// }
///
/// #[resources]
/// impl Notes {
///     /// The titles of all notes.
///     #[resource("notes://all", mime_type = "text/plain")]
///     fn all(&self) -> String {
///         self.texts.keys().cloned().collect::<Vec<_>>().join("\n")
///     }
///
///     /// One note.
///     #[resource("notes://note/{title}")]
///     async fn note(&self, #[complete(self.titles)] title: &str) -> Option<String> {
///         self.texts.get(title).cloned()
///     }
///
///     fn titles(&self, typed: &str) -> Vec<&str> {
///         let titles = self.texts.keys().map(String::as_str);
///         titles.filter(|title| title.starts_with(typed)).collect()
///     }
/// }
///
/// let notes = Notes { texts: BTreeMap::new() };
/// let server = Server::new("notes", "1.0.0").resources(notes).build()?;
/// # Ok::<(), mcp_core::BuildError>(())
/// ```
///
/// The one setting is `crate = my_framework::mcp_core`, for where mcp-core is when it is no dependency of its own.
///
/// Methods take the settings, parameters and results that functions do, see [`#[resource]`](macro@resource), but for `type`
/// and `crate`, and `self` as in [`#[tools]`](macro@tools).
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
/// The docs of the fields are shown. `#[serde(default)]` on a field shows and fills in its default, `#[schemars(range(min = 1))]`
/// and the like show bounds, and `Option` is for what may be left out.
///
/// A struct that serde writes as its one field is what that is. `#[serde(flatten)]` puts the fields of another form into
/// this one. `#[form(crate = my_framework::mcp_core)]` says where mcp-core is, when it is no dependency of its own.
#[proc_macro_derive(Form, attributes(form))]
pub fn derive_form(item: TokenStream) -> TokenStream {
    form::expand(item.into()).into()
}
