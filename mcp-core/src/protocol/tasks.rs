use super::wire::{notification, open_enum, request, wire};
use super::{Cursor, PaginatedParams, RawJson};

request! {
    /// `tasks/get`: how a task stands (2025-11-25, both ways).
    GetTask = "tasks/get", TaskParams => Task
}

request! {
    /// `tasks/result`: what a task gave; waits for it to end. The result is that of the request which became the
    /// task.
    GetTaskPayload = "tasks/result", TaskParams => RawJson
}

request! {
    /// `tasks/cancel`: stops a task.
    CancelTask = "tasks/cancel", TaskParams => Task
}

request! {
    /// `tasks/list`: which tasks there are.
    ListTasks = "tasks/list", PaginatedParams => ListTasksResult
}

notification! {
    /// `notifications/tasks/status`: a task stands differently now.
    TaskStatusChanged = "notifications/tasks/status", Task
}

wire! {
    /// Asks that a request becomes a task.
    #[derive(Default)]
    pub struct TaskMetadata {}
    lenient {
        /// How long to keep it from its creation, in milliseconds.
        pub ttl: u64, with_ttl exact;
    }
}

wire! {
    /// Names the task that a message belongs to, in `_meta`.
    #[derive(Eq)]
    pub struct RelatedTask {
        /// The task.
        pub task_id: String,
    }
}

wire! {
    /// Which task.
    pub struct TaskParams {
        /// The task.
        pub task_id: String,
    }
    _meta as meta
}

wire! {
    /// The first answer to a request that became a task.
    pub struct CreateTaskResult {
        /// How it stands.
        pub task: Task,
    }
    _meta as meta
}

wire! {
    /// One page of tasks.
    pub struct ListTasksResult {
        /// The tasks.
        #[serde(deserialize_with = "super::wire::nullable")]
        pub tasks: Vec<Task>,
    }
    strict {
        /// Where the next page begins, when there is one.
        pub next_cursor: Cursor, with_next_cursor;
    }
    _meta as meta
}

wire! {
    /// How a task stands.
    pub struct Task {
        /// Its id.
        pub task_id: String,
        /// How it stands.
        pub status: TaskStatus,
        /// When it was created, in ISO 8601.
        pub created_at: String,
        /// When it last changed, in ISO 8601.
        pub last_updated_at: String,
    }
    exact {
        /// How long it is kept from its creation, in milliseconds; null is for ever.
        #[serde(default)]
        pub ttl: Option<u64>,
    }
    lenient {
        /// How long to wait between two looks, in milliseconds.
        pub poll_interval: u64, with_poll_interval exact;
        /// How it stands, for people.
        pub status_message: String, with_status_message;
    }
    _meta as meta
}

open_enum! {
    /// How a task stands.
    pub enum TaskStatus {
        /// It runs.
        Working = "working",
        /// It waits for the other side.
        InputRequired = "input_required",
        /// It has a result.
        Completed = "completed",
        /// It has an error, or a result that is one.
        Failed = "failed",
        /// It was stopped.
        Cancelled = "cancelled",
    }
}

impl TaskStatus {
    /// Whether it will not change any more.
    #[must_use]
    pub const fn is_terminal(&self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Cancelled)
    }
}
