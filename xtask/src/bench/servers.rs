//! The servers that are measured.

/// Where a server's figures stand. Two servers of one column give the better figure of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Column {
    Ours,
    Floor,
    /// rmcp at its best: pipes that do not block, a router built once, the better of both runtimes.
    Rmcp,
    /// rmcp as its examples show it: `stdio()` on the multi-thread runtime.
    RmcpAsShown,
}

/// Who builds a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// The package mcp-benches.
    Benches,
    /// benches/peers/rmcp.
    Peers,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) name: &'static str,
    pub(crate) column: Column,
    pub(crate) home: Home,
    pub(crate) binary: &'static str,
    pub(crate) env: &'static [(&'static str, &'static str)],
}

pub(crate) static OURS: Server = Server {
    name: "ours",
    column: Column::Ours,
    home: Home::Benches,
    binary: "ours",
    env: &[],
};

/// Families of resources.
pub(crate) static OUR_FAMILIES: Server = Server {
    name: "ours, with families of resources",
    binary: "ours-resources",
    ..OURS
};

/// Resources that have a URI each.
pub(crate) static OUR_RESOURCES: Server = Server {
    name: "ours, with resources",
    binary: "ours-resources",
    env: &[("MCP_OFFERS", "fixed")],
    ..OURS
};

pub(crate) static FLOOR: Server = Server {
    name: "floor",
    column: Column::Floor,
    home: Home::Benches,
    binary: "floor",
    env: &[],
};

pub(crate) static FLOOR_TOKIO: Server = Server {
    name: "floor on tokio",
    column: Column::Floor,
    home: Home::Benches,
    binary: "floor-tokio",
    env: &[],
};

pub(crate) static RMCP_ONE_THREAD: Server = Server {
    name: "rmcp, current-thread",
    column: Column::Rmcp,
    home: Home::Peers,
    binary: "peer-rmcp",
    env: &[("MCP_STDIO", "pipes"), ("MCP_RT", "ct")],
};

pub(crate) static RMCP_THREADS: Server = Server {
    name: "rmcp, multi-thread",
    column: Column::Rmcp,
    home: Home::Peers,
    binary: "peer-rmcp",
    env: &[("MCP_STDIO", "pipes"), ("MCP_RT", "mt")],
};

pub(crate) static RMCP_AS_SHOWN: Server = Server {
    name: "rmcp, as its examples show it",
    column: Column::RmcpAsShown,
    home: Home::Peers,
    binary: "peer-rmcp",
    env: &[("MCP_STDIO", "std"), ("MCP_RT", "mt")],
};

/// The clients. They are told what the load generator is told, and start the floor's server.
pub(crate) static OUR_CLIENT: Server = Server {
    name: "our client",
    column: Column::Ours,
    home: Home::Benches,
    binary: "client",
    env: &[],
};

pub(crate) static FLOOR_CLIENT: Server = Server {
    name: "the floor's client",
    column: Column::Floor,
    home: Home::Benches,
    binary: "floor-client",
    env: &[],
};

pub(crate) static RMCP_CLIENT: Server = Server {
    name: "rmcp's client, current-thread",
    column: Column::Rmcp,
    home: Home::Peers,
    binary: "peer-rmcp-client",
    env: &[("MCP_RT", "ct")],
};

pub(crate) static CLIENTS: &[&Server] = &[&OUR_CLIENT, &FLOOR_CLIENT, &RMCP_CLIENT];

/// For what is timed.
pub(crate) static TIMED: &[&Server] = &[
    &OURS,
    &FLOOR,
    &RMCP_ONE_THREAD,
    &RMCP_THREADS,
    &RMCP_AS_SHOWN,
];

/// For what depends on how a runtime waits and starts: the floor is the one on tokio.
pub(crate) static ON_TOKIO: &[&Server] = &[
    &OURS,
    &FLOOR_TOKIO,
    &RMCP_ONE_THREAD,
    &RMCP_THREADS,
    &RMCP_AS_SHOWN,
];

/// For what is counted: counts hardly differ between the runtimes, and valgrind is slow.
pub(crate) static COUNTED: &[&Server] = &[&OURS, &FLOOR, &RMCP_ONE_THREAD];

/// For counts of the plain call, where the examples' form is worth its time.
pub(crate) static COUNTED_AS_SHOWN: &[&Server] = &[&OURS, &FLOOR, &RMCP_ONE_THREAD, &RMCP_AS_SHOWN];
