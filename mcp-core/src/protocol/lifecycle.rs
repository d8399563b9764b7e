use super::wire::{notification, open_enum, request, wire};
use super::{ClientCapabilities, NotificationParams, ServerCapabilities};

request! {
    /// `initialize`: opens a session of the legacy era.
    Initialize = "initialize", InitializeParams => InitializeResult
}

notification! {
    /// `notifications/initialized`: the client is ready (legacy).
    Initialized = "notifications/initialized", NotificationParams
}

wire! {
    /// What a client offers when it opens a session.
    pub struct InitializeParams {
        /// The revision it would like to speak, as a string: it may be one we do not know.
        pub protocol_version: String,
        /// What it can do.
        pub capabilities: ClientCapabilities,
        /// Who it is.
        pub client_info: Implementation,
    }
    _meta as meta
}

wire! {
    /// What a server answers.
    pub struct InitializeResult {
        /// The revision both will speak, unless the client cannot.
        pub protocol_version: String,
        /// What the server can do.
        pub capabilities: ServerCapabilities,
        /// Who it is.
        pub server_info: Implementation,
    }
    lenient {
        /// How to use the server, for the model.
        pub instructions: String, with_instructions;
    }
    _meta as meta
}

wire! {
    /// Who is at one end: for display and logs, not for decisions.
    pub struct Implementation {
        /// The name for programs.
        pub name: String,
        /// Its version.
        #[serde(default)]
        pub version: String,
    }
    lenient {
        /// The name for people (2025-06-18).
        pub title: String, with_title;
        /// What it is (2025-11-25).
        pub description: String, with_description;
        /// Its site (2025-11-25).
        pub website_url: String, with_website_url;
        /// Pictures of it (2025-11-25).
        pub icons: Vec<Icon>, with_icons;
    }
}

wire! {
    /// A picture of a thing, for people.
    pub struct Icon {
        /// Where it is: an `https:` or `data:` URI.
        pub src: String,
    }
    lenient {
        /// Its media type.
        pub mime_type: String, with_mime_type;
        /// The sizes it is good for, such as `48x48` or `any`.
        pub sizes: Vec<String>, with_sizes;
        /// The background it is meant for.
        pub theme: Theme, with_theme;
    }
}

open_enum! {
    /// The background an icon is meant for.
    pub enum Theme {
        /// A light one.
        Light = "light",
        /// A dark one.
        Dark = "dark",
    }
}
