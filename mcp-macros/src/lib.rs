//! Macros of `mcp-core`.
