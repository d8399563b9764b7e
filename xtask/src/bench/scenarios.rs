//! What is done to the servers, and the rows that come of it. Budgets are those of the design.

use crate::bench::{
    metric::{Budget, Metric},
    servers::{
        CLIENTS, COUNTED, COUNTED_AS_SHOWN, ON_TOKIO, OUR_FAMILIES, OUR_RESOURCES, Server, TIMED,
    },
};

/// How a scenario is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// Calls for some time.
    Timed,
    /// From the start of the process to its first answer.
    Started,
    /// Under callgrind, twice; what the additional calls cost is divided by their number.
    Counted(Twice),
    /// Under strace, likewise.
    Traced(Twice),
}

impl Method {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Timed => "timing",
            Self::Started => "starting",
            Self::Counted(_) => "counting instructions",
            Self::Traced(_) => "counting system calls",
        }
    }
}

/// Two numbers of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Twice {
    pub(crate) few: usize,
    pub(crate) many: usize,
}

/// What the load generator is told; `call` and `size` are its options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) call: &'static str,
    pub(crate) size: usize,
    pub(crate) depth: usize,
    pub(crate) modern: bool,
    /// Whether it is clients that are measured.
    pub(crate) by_client: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) method: Method,
    pub(crate) load: Load,
    /// How many tools the server has, or resources.
    pub(crate) tools: usize,
    pub(crate) servers: &'static [&'static Server],
    pub(crate) rows: &'static [(Metric, Budget)],
}

/// A row computed from two others: (`row` - `minus`) / `divisor`.
#[derive(Debug)]
pub(crate) struct Derived {
    pub(crate) name: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) row: &'static str,
    pub(crate) minus: &'static str,
    pub(crate) divisor: f64,
    pub(crate) budget: Budget,
}

impl Scenario {
    pub(crate) fn row_name(&self, metric: Metric) -> String {
        format!("{}: {}", self.name, metric.label())
    }
}

const fn echo(size: usize, depth: usize) -> Load {
    Load {
        call: "echo",
        size,
        depth,
        modern: false,
        by_client: false,
    }
}

const fn modern_echo(size: usize, depth: usize) -> Load {
    Load {
        modern: true,
        ..echo(size, depth)
    }
}

const fn escapes(size: usize, depth: usize) -> Load {
    Load {
        call: "escapes",
        ..echo(size, depth)
    }
}

const fn list(tools: usize) -> Load {
    Load {
        call: "list",
        ..echo(tools, 2)
    }
}

const fn read(families: usize) -> Load {
    Load {
        call: "read",
        ..echo(families, 2)
    }
}

const fn progress(events: usize) -> Load {
    Load {
        call: "progress",
        ..echo(events, 1)
    }
}

const fn client(size: usize, depth: usize) -> Load {
    Load {
        by_client: true,
        ..echo(size, depth)
    }
}

const CLIENT: &[(Metric, Budget)] = &[
    (Metric::Instructions, Budget::AtMost(12e3)),
    (Metric::Allocations, Budget::None),
    (Metric::Copies, Budget::None),
];

const fn timed(name: &'static str, load: Load, rows: &'static [(Metric, Budget)]) -> Scenario {
    Scenario {
        name,
        method: Method::Timed,
        load,
        tools: 5,
        servers: TIMED,
        rows,
    }
}

const fn counted(
    name: &'static str,
    load: Load,
    (few, many): (usize, usize),
    rows: &'static [(Metric, Budget)],
) -> Scenario {
    let method = Method::Counted(Twice { few, many });
    Scenario {
        name,
        method,
        load,
        tools: 5,
        servers: COUNTED,
        rows,
    }
}

const fn traced(name: &'static str, depth: usize, rows: &'static [(Metric, Budget)]) -> Scenario {
    let method = Method::Traced(Twice {
        few: 1000,
        many: 4000,
    });
    Scenario {
        method,
        ..timed(name, echo(20, depth), rows)
    }
}

const fn started(name: &'static str, tools: usize, rows: &'static [(Metric, Budget)]) -> Scenario {
    let method = Method::Started;
    Scenario {
        method,
        tools,
        servers: ON_TOKIO,
        ..timed(name, echo(20, 1), rows)
    }
}

impl Scenario {
    const fn with_tools(self, tools: usize) -> Self {
        Self { tools, ..self }
    }

    const fn of(self, servers: &'static [&'static Server]) -> Self {
        Self { servers, ..self }
    }
}

const RATE: &[(Metric, Budget)] = &[
    (Metric::CallsPerSecond, Budget::None),
    (Metric::CpuPerCall, Budget::None),
    (Metric::P50, Budget::None),
    (Metric::P99, Budget::None),
];

const RATE_WITH_BUDGET: &[(Metric, Budget)] = &[
    (Metric::CallsPerSecond, Budget::AtLeastOfFloor(0.55)),
    (Metric::CpuPerCall, Budget::None),
    (Metric::P50, Budget::None),
    (Metric::P99, Budget::None),
];

const CLIENT_RATE: &[(Metric, Budget)] = &[
    (Metric::CallsPerSecond, Budget::None),
    (Metric::CpuPerCall, Budget::None),
];

const CPU: &[(Metric, Budget)] = &[(Metric::CpuPerCall, Budget::None)];
const IR: &[(Metric, Budget)] = &[(Metric::Instructions, Budget::None)];

const PAGE: &[(Metric, Budget)] = &[
    (Metric::Instructions, Budget::AtMost(150e3)),
    (Metric::Allocations, Budget::AtMost(40.0)),
];

/// Nobody else has such a server here: what is looked at is how ours grows.
const FAMILIES: &[&Server] = &[&OUR_FAMILIES];
const RESOURCES: &[&Server] = &[&OUR_RESOURCES];

const LEGACY: &[(Metric, Budget)] = &[
    (Metric::Instructions, Budget::AtMost(10e3)),
    (Metric::Allocations, Budget::AtMost(8.0)),
    (Metric::Copies, Budget::None),
];

const MODERN: &[(Metric, Budget)] = &[
    (Metric::Instructions, Budget::AtMost(14e3)),
    (Metric::Allocations, Budget::AtMost(8.0)),
    (Metric::Copies, Budget::None),
];

/// Every scenario, in the order of the table.
pub(crate) static ALL: &[Scenario] = &[
    counted("echo 20 B, depth 1", echo(20, 1), (500, 2500), LEGACY).of(COUNTED_AS_SHOWN),
    counted("echo 20 B, depth 32", echo(20, 32), (500, 2500), LEGACY).of(COUNTED_AS_SHOWN),
    counted(
        "echo 20 B, 2026-07-28, depth 1",
        modern_echo(20, 1),
        (500, 2500),
        MODERN,
    ),
    counted(
        "echo 20 B, 2026-07-28, depth 32",
        modern_echo(20, 32),
        (500, 2500),
        MODERN,
    ),
    counted(
        "add two numbers, depth 32",
        Load {
            call: "add",
            ..echo(0, 32)
        },
        (500, 2500),
        IR,
    ),
    counted(
        "echo 10 KB",
        echo(10 << 10, 4),
        (100, 500),
        &[(Metric::Instructions, Budget::AtMost(70e3))],
    ),
    counted(
        "echo 10 KB of escapes",
        escapes(10 << 10, 4),
        (50, 250),
        &[(Metric::Instructions, Budget::AtMost(400e3))],
    ),
    counted(
        "echo 1 MB",
        echo(1 << 20, 2),
        (4, 14),
        &[(Metric::Instructions, Budget::AtMost(7e6))],
    ),
    counted("tools/list of 1", list(1), (20, 120), IR).with_tools(1),
    counted("tools/list of 100", list(100), (20, 70), IR).with_tools(100),
    counted(
        "tools/list of 1000",
        list(1000),
        (10, 40),
        &[(Metric::Instructions, Budget::AtMost(300e3))],
    )
    .with_tools(1000),
    counted("echo 20 B with 5 tools", echo(20, 2), (200, 1200), IR),
    counted("echo 20 B with 100 tools", echo(20, 2), (200, 1200), IR).with_tools(100),
    counted("echo 20 B with 1000 tools", echo(20, 2), (200, 1200), IR).with_tools(1000),
    counted("read of 10 families", read(10), (200, 1200), IR)
        .with_tools(10)
        .of(FAMILIES),
    counted("read of 1000 families", read(1000), (200, 1200), IR)
        .with_tools(1000)
        .of(FAMILIES),
    counted(
        "page of 100 of 10 000 resources",
        Load {
            call: "page",
            ..echo(100, 2)
        },
        (20, 120),
        PAGE,
    )
    .with_tools(10_000)
    .of(RESOURCES),
    counted(
        "progress, 200 a call",
        progress(200),
        (5, 15),
        &[(Metric::InstructionsPerEvent, Budget::AtMost(2e3))],
    ),
    counted(
        "client, echo 20 B, depth 1",
        client(20, 1),
        (500, 2500),
        CLIENT,
    )
    .of(CLIENTS),
    counted(
        "client, echo 20 B, depth 16",
        client(20, 16),
        (500, 2500),
        CLIENT,
    )
    .of(CLIENTS),
    counted(
        "client, echo 20 B, depth 256",
        client(20, 256),
        (500, 2500),
        CLIENT,
    )
    .of(CLIENTS),
    counted("client, echo 10 KB", client(10 << 10, 4), (100, 500), IR).of(CLIENTS),
    counted("client, echo 1 MB", client(1 << 20, 2), (4, 14), IR).of(CLIENTS),
    timed("client, echo 20 B, depth 1", client(20, 1), CLIENT_RATE).of(CLIENTS),
    timed("client, echo 20 B, depth 64", client(20, 64), CLIENT_RATE).of(CLIENTS),
    traced(
        "echo 20 B, depth 1",
        1,
        &[(Metric::SystemCalls, Budget::AtMost(4.0))],
    ),
    traced(
        "echo 20 B, depth 64",
        64,
        &[(Metric::SystemCalls, Budget::AtMost(0.2))],
    ),
    timed("echo 20 B, depth 1", echo(20, 1), RATE).of(ON_TOKIO),
    timed("echo 20 B, depth 16", echo(20, 16), RATE),
    timed("echo 20 B, depth 64", echo(20, 64), RATE_WITH_BUDGET),
    timed("echo 20 B, depth 256", echo(20, 256), RATE),
    timed("echo 20 B, 2026-07-28, depth 64", modern_echo(20, 64), RATE),
    timed("echo 10 KB, depth 8", echo(10 << 10, 8), CPU),
    timed("echo 10 KB of escapes, depth 8", escapes(10 << 10, 8), CPU),
    timed("echo 1 MB, depth 2", echo(1 << 20, 2), CPU),
    timed(
        "answer of 1 MB, depth 4",
        Load {
            call: "big",
            ..echo(1 << 20, 4)
        },
        CPU,
    ),
    timed("tools/list of 1", list(1), CPU).with_tools(1),
    timed("tools/list of 100", list(100), CPU).with_tools(100),
    timed("tools/list of 1000", list(1000), CPU).with_tools(1000),
    timed(
        "progress, 1000 a call",
        progress(1000),
        &[
            (Metric::CpuPerEvent, Budget::None),
            (Metric::EventsLost, Budget::AtMost(0.0)),
        ],
    ),
    timed(
        "100 sleeps of 50 ms at once",
        Load {
            call: "sleep",
            ..echo(50, 100)
        },
        &[
            (Metric::CallsPerSecond, Budget::None),
            (Metric::P99, Budget::None),
        ],
    ),
    started(
        "cold start",
        5,
        &[
            (Metric::FirstAnswer, Budget::AtMostOfFloor(1.1)),
            (Metric::Idle, Budget::AtMost(3.0)),
        ],
    ),
    started(
        "cold start with 1000 tools",
        1000,
        &[
            (Metric::FirstAnswer, Budget::AtMostOfFloor(1.5)),
            (Metric::Idle, Budget::None),
        ],
    ),
];

/// One instruction a tool is allowed for: the two runs reach different sizes of a buffer.
const NO_GROWTH: Budget = Budget::AtMost(1.0);

/// Rows computed from those above.
pub(crate) static DERIVED: &[Derived] = &[
    Derived {
        name: "growth of a call, 5 to 100 tools: Ir a tool",
        unit: "Ir",
        row: "echo 20 B with 100 tools: Ir",
        minus: "echo 20 B with 5 tools: Ir",
        divisor: 95.0,
        budget: NO_GROWTH,
    },
    Derived {
        name: "growth of a call, 5 to 1000 tools: Ir a tool",
        unit: "Ir",
        row: "echo 20 B with 1000 tools: Ir",
        minus: "echo 20 B with 5 tools: Ir",
        divisor: 995.0,
        budget: NO_GROWTH,
    },
    Derived {
        name: "growth of a read, 10 to 1000 families: Ir a family",
        unit: "Ir",
        row: "read of 1000 families: Ir",
        minus: "read of 10 families: Ir",
        divisor: 990.0,
        budget: NO_GROWTH,
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_row_has_a_name_of_its_own_and_derived_rows_find_theirs() {
        let mut names = BTreeSet::new();
        for scenario in ALL {
            for (metric, _) in scenario.rows {
                let name = scenario.row_name(*metric);
                assert!(names.insert(name.clone()), "{name} twice");
            }
        }
        for derived in DERIVED {
            assert!(
                names.contains(derived.row) && names.contains(derived.minus),
                "{}",
                derived.name
            );
        }
    }

    #[test]
    fn a_list_is_asked_for_as_many_tools_as_the_server_has() {
        for scenario in ALL.iter().filter(|scenario| scenario.load.call == "list") {
            assert_eq!(scenario.load.size, scenario.tools, "{}", scenario.name);
        }
    }
}
