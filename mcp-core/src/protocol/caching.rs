use super::wire::open_enum;

open_enum! {
    /// Who may share a kept result (2026-07-28).
    pub enum CacheScope {
        /// Everyone.
        Public = "public",
        /// Those with the same authorization.
        Private = "private",
    }
}
