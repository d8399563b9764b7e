//! Schemas of tools, and arguments checked against them.
