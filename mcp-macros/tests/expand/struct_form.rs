/// Finds files by name.
#[derive(Tool)]
#[tool(read_only)]
struct FindFiles {
    /// Glob.
    pattern: String,
}
