//! A peer that says sensible things in any order: each request is answered once at most, and nothing else is; nobody is
//! asked who can't be, and nobody is told what they did not ask for.

#![no_main]

use libfuzzer_sys::fuzz_target;
use mcp_fuzz::{Books, Plan, Step, message, serve};

fuzz_target!(|input: (Vec<Step>, Plan)| {
    let (steps, plan) = input;
    let mut text = String::new();
    let mut books = Books::default();
    for (at, step) in steps.iter().enumerate() {
        let message = message(step, at, 0);
        books.note(&message, false);
        text += &message.to_string();
        text.push('\n');
    }
    books.check(&serve(text.as_bytes(), &plan), &plan);
});
