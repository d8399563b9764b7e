//! What the macros take. Each case is a module of its own, so that one build does for all of them.
#![expect(
    clippy::needless_pass_by_value,
    reason = "tools take their arguments by value"
)]
#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]
#![expect(
    clippy::too_many_arguments,
    reason = "some tools have an argument of every kind"
)]

use std::sync::Arc;

use mcp_core::ToolSet;
use mcp_core::client::IntoToolCall;

#[path = "ui/pass/adds_two_numbers.rs"]
mod adds_two_numbers;
#[path = "ui/pass/arguments_that_only_deserialise.rs"]
mod arguments_that_only_deserialise;
#[path = "ui/pass/async_function.rs"]
mod async_function;
#[path = "ui/pass/attributes.rs"]
mod attributes;
#[path = "ui/pass/blocking_function.rs"]
mod blocking_function;
#[path = "ui/pass/borrowed_arguments.rs"]
mod borrowed_arguments;
#[path = "ui/pass/bounds.rs"]
mod bounds;
#[path = "ui/pass/calls_by_clients.rs"]
mod calls_by_clients;
#[path = "ui/pass/context_of_ones_own.rs"]
mod context_of_ones_own;
#[path = "ui/pass/crate_under_another_name.rs"]
mod crate_under_another_name;
#[path = "ui/pass/data.rs"]
mod data;
#[path = "ui/pass/defaults.rs"]
mod defaults;
#[path = "ui/pass/documented.rs"]
mod documented;
#[path = "ui/pass/every_setting.rs"]
mod every_setting;
#[path = "ui/pass/forms.rs"]
mod forms;
#[path = "ui/pass/generic_function.rs"]
mod generic_function;
#[path = "ui/pass/generic_tool_set.rs"]
mod generic_tool_set;
#[path = "ui/pass/inside_a_function.rs"]
mod inside_a_function;
#[path = "ui/pass/lent_values.rs"]
mod lent_values;
#[path = "ui/pass/lifetimes.rs"]
mod lifetimes;
#[path = "ui/pass/made_by_a_macro.rs"]
mod made_by_a_macro;
#[path = "ui/pass/names_of_arguments.rs"]
mod names_of_arguments;
#[path = "ui/pass/names_that_meet_ours.rs"]
mod names_that_meet_ours;
#[path = "ui/pass/no_arguments.rs"]
mod no_arguments;
#[path = "ui/pass/no_prelude.rs"]
mod no_prelude;
#[path = "ui/pass/optional_arguments.rs"]
mod optional_arguments;
#[path = "ui/pass/own_names.rs"]
mod own_names;
#[path = "ui/pass/prompts.rs"]
mod prompts;
#[path = "ui/pass/prompts_and_resources_of_one_value.rs"]
mod prompts_and_resources_of_one_value;
#[path = "ui/pass/prompts_by_cfg.rs"]
mod prompts_by_cfg;
#[path = "ui/pass/prompts_crate_under_another_name.rs"]
mod prompts_crate_under_another_name;
#[path = "ui/pass/prompts_inside_a_function.rs"]
mod prompts_inside_a_function;
#[path = "ui/pass/prompts_made_by_a_macro.rs"]
mod prompts_made_by_a_macro;
#[path = "ui/pass/prompts_no_prelude.rs"]
mod prompts_no_prelude;
#[path = "ui/pass/prompts_of_a_generic_set.rs"]
mod prompts_of_a_generic_set;
#[path = "ui/pass/prompts_own_names.rs"]
mod prompts_own_names;
#[path = "ui/pass/prompts_strict_lints.rs"]
mod prompts_strict_lints;
#[path = "ui/pass/prompts_that_borrow.rs"]
mod prompts_that_borrow;
#[path = "ui/pass/resources.rs"]
mod resources;
#[path = "ui/pass/returns.rs"]
mod returns;
#[path = "ui/pass/returns_what_serialises.rs"]
mod returns_what_serialises;
#[path = "ui/pass/strict_lints.rs"]
mod strict_lints;
#[path = "ui/pass/struct_form.rs"]
mod struct_form;
#[path = "ui/pass/tool_set.rs"]
mod tool_set;
#[path = "ui/pass/tool_set_with_a_client.rs"]
mod tool_set_with_a_client;
#[path = "ui/pass/type_beside_a_module.rs"]
mod type_beside_a_module;
#[path = "ui/pass/visibility.rs"]
mod visibility;
#[path = "ui/pass/whole_struct.rs"]
mod whole_struct;

/// The arguments of a call as a client sends them.
fn json(call: impl IntoToolCall) -> String {
    serde_json::to_string(call.into_tool_call().arguments()).unwrap()
}

/// The names of the tools of a set.
fn names<T: ToolSet>(set: T) -> Vec<String> {
    let definitions = T::definitions(Arc::new(set));
    definitions
        .iter()
        .map(|definition| definition.name().to_owned())
        .collect()
}
