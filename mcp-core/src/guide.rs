//! The guide: a page for each task. All of its code is run by the tests.
//!
//! | page | read it to |
//! |---|---|
//! | [`tools`] | write a tool: its name, description, result, the state it shares |
//! | [`arguments`] | say what a tool takes, and what a model is told when it gets that wrong |
//! | [`context`] | report progress, log, notice cancellation, borrow what the server has |
//! | [`resources`] | let clients read and watch things by their URIs |
//! | [`prompts`] | write what people have said to the model, and complete what they type |
//! | [`asking`] | ask the person, the client's model, or where the client works |
//! | [`calling`] | call servers, typed and by name, and answer what they ask |
//! | [`eras`] | know what clients of old and new revisions see of the same server |
//! | [`composing`] | wrap calls in layers, mount servers in servers, change what there is while serving, show it to some |
#![cfg_attr(
    feature = "fs",
    doc = "| [`directories`] | serve the files of a folder as resources |"
)]
#![cfg_attr(
    feature = "testing",
    doc = "| [`testing`](crate::testing) | test a server without processes, threads or waiting |"
)]
//!
//! How a server is run, over standard input and output or a socket, is in the guide of `mcp-stdio`.
//!
//! The examples call their servers by the `TestClient` of the feature `testing`.

#[cfg_attr(
    any(not(doctest), all(feature = "macros", feature = "testing")),
    doc = include_str!("../docs/tools.md")
)]
pub mod tools {}

#[cfg_attr(
    any(not(doctest), all(feature = "macros", feature = "testing")),
    doc = include_str!("../docs/arguments.md")
)]
pub mod arguments {}

#[cfg_attr(
    any(not(doctest), all(feature = "macros", feature = "testing")),
    doc = include_str!("../docs/context.md")
)]
pub mod context {}

#[cfg_attr(
    any(not(doctest), all(feature = "macros", feature = "testing")),
    doc = include_str!("../docs/resources.md")
)]
pub mod resources {}

#[cfg_attr(
    any(not(doctest), all(feature = "macros", feature = "testing")),
    doc = include_str!("../docs/prompts.md")
)]
pub mod prompts {}

#[cfg_attr(
    any(not(doctest), all(feature = "macros", feature = "testing")),
    doc = include_str!("../docs/asking.md")
)]
pub mod asking {}

#[cfg_attr(
    any(not(doctest), all(feature = "macros", feature = "testing")),
    doc = include_str!("../docs/calling.md")
)]
pub mod calling {}

#[cfg_attr(
    any(not(doctest), all(feature = "macros", feature = "testing")),
    doc = include_str!("../docs/eras.md")
)]
pub mod eras {}

#[cfg_attr(
    any(not(doctest), all(feature = "macros", feature = "testing")),
    doc = include_str!("../docs/composing.md")
)]
pub mod composing {}

#[cfg(feature = "fs")]
#[cfg_attr(
    any(not(doctest), all(feature = "macros", feature = "testing")),
    doc = include_str!("../docs/directories.md")
)]
pub mod directories {}
