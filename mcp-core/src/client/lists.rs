//! Lists, page by page and whole.

use std::any::Any;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use super::cache::Listed;
use super::error::{ClientError, ClientErrorKind};
use super::handle::Client;
use super::params::Params;
use super::result::{self, Outcome, PageFacts, Plain};
use crate::jsonrpc::ErrorCode;
use crate::protocol::{
    Cursor, ListPrompts, ListResourceTemplates, ListResources, ListTools, PaginatedParams, Prompt,
    RawJson, Request, Resource, ResourceTemplate, ServerCapabilities, Tool,
};
use crate::session::client::Change;

/// The most pages of one list that are fetched.
const MAX_PAGES: usize = 1_000;
/// The most elements of one list that are kept.
const MAX_ELEMENTS: usize = 100_000;
/// And the bytes that they come in.
const MAX_BYTES: usize = 64 << 20;
/// What a server says about keeping is taken for up to a day.
const MAX_TTL: Duration = Duration::from_secs(86_400);

/// One page of a list.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Page<T> {
    /// What is on it. Elements that can't be read are left out.
    pub items: Vec<T>,
    /// Where the next page begins, if there is one: opaque.
    pub next_cursor: Option<Cursor>,
    /// How long it may be kept, as the server says (2026-07-28).
    pub ttl: Option<Duration>,
}

/// A list of the protocol.
trait List: Request {
    type Item: DeserializeOwned + Send + Sync + 'static;
    const LISTED: Listed;
    /// The member of the result that holds it.
    const MEMBER: &'static str;

    /// Whether it is one that can be used.
    fn accepts(item: &Self::Item) -> bool;
}

macro_rules! lists {
    ($($request:ident of $item:ident in $member:literal if $accepts:expr, as $listed:ident: $page:ident, $all:ident, $what:literal;)+) => {
        $(impl List for $request {
            type Item = $item;
            const LISTED: Listed = Listed::$listed;
            const MEMBER: &'static str = $member;

            fn accepts(item: &$item) -> bool {
                let accepts: fn(&$item) -> bool = $accepts;
                accepts(item)
            }
        })+

        impl Client {$(
            #[doc = concat!("One page of the ", $what, ": the first, or the one that `cursor` names.")]
            ///
            /// # Errors
            ///
            /// When the server does not offer such a list, or does not know the cursor.
            pub async fn $page(&self, cursor: Option<&Cursor>) -> Result<Page<$item>, ClientError> {
                self.page::<$request>(cursor).await
            }

            #[doc = concat!("All ", $what, ". They are kept as long as the server says they may be (2026-07-28), for a day at most, and until it tells of a change.")]
            ///
            /// A server that does not offer such a list has an empty one.
            ///
            /// # Errors
            ///
            /// When the server does not answer as it should, or its list has more than 1,000 pages, 100,000 elements or 64 MiB.
            pub async fn $all(&self) -> Result<Arc<[$item]>, ClientError> {
                self.all::<$request>().await
            }
        )+}
    };
}

lists! {
    ListTools of Tool in "tools" if |tool| tool.input_schema.is_object(), as Tools: list_tools, list_all_tools, "tools";
    ListPrompts of Prompt in "prompts" if |_| true, as Prompts: list_prompts, list_all_prompts, "prompts";
    ListResources of Resource in "resources" if |_| true, as Resources: list_resources, list_all_resources, "resources";
    ListResourceTemplates of ResourceTemplate in "resourceTemplates" if |_| true, as Templates: list_resource_templates, list_all_resource_templates, "resource templates";
}

impl Client {
    async fn page<L: List>(&self, cursor: Option<&Cursor>) -> Result<Page<L::Item>, ClientError> {
        self.sized_page::<L>(cursor).await.map(|(page, _)| page)
    }

    /// A page, and in how many bytes it came.
    async fn sized_page<L: List>(
        &self,
        cursor: Option<&Cursor>,
    ) -> Result<(Page<L::Item>, usize), ClientError> {
        self.expect_offer::<L>(|offered| offers(offered, L::LISTED))?;
        let params = PaginatedParams {
            cursor: cursor.cloned(),
            ..PaginatedParams::default()
        };
        let params = Params::written(&params).map_err(|why| {
            self.shared()
                .error(L::METHOD, ClientErrorKind::Unwritable(why))
        })?;
        let result = self.raw(L::METHOD, &params).await?;
        let read = result::read::<Plain<RawJson>>(&result, self.has_kinds());
        let page = read.and_then(|outcome| match outcome {
            Outcome::Complete(Plain(result)) => read_page::<L>(&result),
            Outcome::InputRequired(_) => Err("a list asks for nothing".to_owned()),
        });
        let mut page: Page<L::Item> = page.map_err(|why| self.malformed(L::METHOD, why))?;
        if !self.server().version.is_modern() {
            // Servers that have no way to leave a text out say so that there is no more.
            page.next_cursor = page
                .next_cursor
                .filter(|cursor| !cursor.as_str().is_empty());
        }
        if self.shared().mirrors_arguments() {
            page.items.retain(|item| self.can_use(item));
        }
        Ok((page, result.len()))
    }

    /// Whether an element can be used by HTTP. What its calls need there is kept.
    fn can_use(&self, item: &dyn Any) -> bool {
        let Some(tool) = item.downcast_ref::<Tool>() else {
            return true;
        };
        self.shared().lock().mirrors.learn(tool)
    }

    /// Lists the tools anew, whatever was kept.
    pub(super) async fn relist_tools(&self) -> Result<(), ClientError> {
        self.shared().lock().cache.on_change(&Change::Tools);
        self.all::<ListTools>().await.map(drop)
    }

    async fn all<L: List>(&self) -> Result<Arc<[L::Item]>, ClientError> {
        if !offers(&self.server().capabilities, L::LISTED) {
            return Ok(Arc::from([]));
        }
        let shared = self.shared();
        let now = shared.runtime.now();
        let generation = {
            let state = shared.lock();
            if let Some(kept) = state.cache.get(L::LISTED, now) {
                return Ok(kept);
            }
            state.cache.generation(L::LISTED)
        };
        let (items, until) = match self.pages::<L>().await {
            // A cursor that is not known any more: what was fetched so far is of an older list.
            Err((error, true)) if is_cursor_gone(&error) => {
                self.pages::<L>().await.map_err(|(error, _)| error)?
            }
            fetched => fetched.map_err(|(error, _)| error)?,
        };
        let list: Arc<[L::Item]> = items.into();
        if let Some(until) = until {
            let mut state = shared.lock();
            state.cache.keep(L::LISTED, generation, until, &list);
        }
        Ok(list)
    }

    /// All pages, and until when they may be kept. An error says whether it came after the first page.
    async fn pages<L: List>(&self) -> Result<(Vec<L::Item>, Option<Instant>), (ClientError, bool)> {
        let mut items = Vec::new();
        let mut cursor: Option<Cursor> = None;
        let mut seen = HashSet::new();
        let mut fetched = Fetched::default();
        let mut until: Option<Option<Instant>> = None;
        let total = self.shared().options.patience.total;
        let deadline = self.shared().runtime.now().checked_add(total);
        for _ in 0..MAX_PAGES {
            if deadline.is_some_and(|deadline| deadline <= self.shared().runtime.now()) {
                let timeout = ClientErrorKind::Timeout {
                    after: total,
                    sent: true,
                };
                return Err((self.shared().error(L::METHOD, timeout), true));
            }
            let page = self.sized_page::<L>(cursor.as_ref()).await;
            let (page, size) = page.map_err(|error| (error, cursor.is_some()))?;
            let added = fetched.add(page.items.len(), size);
            added.map_err(|why| (self.endless::<L>(why), true))?;
            let fresh = page.ttl.filter(|ttl| !ttl.is_zero());
            let fresh =
                fresh.and_then(|ttl| self.shared().runtime.now().checked_add(ttl.min(MAX_TTL)));
            until = Some(match until {
                None => fresh,
                Some(before) => before.zip(fresh).map(|(before, fresh)| before.min(fresh)),
            });
            items.extend(page.items);
            let Some(next) = page.next_cursor else {
                return Ok((items, until.flatten()));
            };
            if !seen.insert(next.clone()) {
                return Err((self.endless::<L>("the same page comes again"), true));
            }
            cursor = Some(next);
        }
        Err((self.endless::<L>("it has too many pages"), true))
    }

    fn endless<L: List>(&self, why: &str) -> ClientError {
        self.malformed(L::METHOD, format!("the list does not end: {why}"))
    }
}

/// How much of a list has come.
#[derive(Debug, Default)]
struct Fetched {
    elements: usize,
    bytes: usize,
}

impl Fetched {
    fn add(&mut self, elements: usize, bytes: usize) -> Result<(), &'static str> {
        self.elements += elements;
        self.bytes += bytes;
        if self.elements > MAX_ELEMENTS {
            return Err("it has too many elements");
        }
        if self.bytes > MAX_BYTES {
            return Err("it has too many bytes");
        }
        Ok(())
    }
}

fn offers(offered: &ServerCapabilities, listed: Listed) -> bool {
    match listed {
        Listed::Tools => offered.tools.is_some(),
        Listed::Prompts => offered.prompts.is_some(),
        Listed::Resources | Listed::Templates => offered.resources.is_some(),
    }
}

fn is_cursor_gone(error: &ClientError) -> bool {
    (error.error_object()).is_some_and(|error| error.code == ErrorCode::INVALID_PARAMS)
}

fn read_page<L: List>(result: &RawJson) -> Result<Page<L::Item>, String> {
    let facts: PageFacts = result.parse().map_err(|fault| fault.to_string())?;
    let mut list = None;
    // It was read as an object just before.
    let _: Result<(), _> = crate::jsonrpc::Scanner::new(result.get()).object(|key, value| {
        if key == L::MEMBER {
            list = Some(value);
        }
        Ok(())
    });
    let list = list.ok_or_else(|| format!("`{}` is missing", L::MEMBER))?;
    Ok(Page {
        items: result::elements(list, L::accepts)?,
        next_cursor: facts.next_cursor,
        ttl: facts.ttl_ms.map(Duration::from_millis),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thousand pages may be as long as a line each.
    #[test]
    fn a_list_may_have_so_many_elements_and_bytes_and_no_more() {
        let mut fetched = Fetched::default();
        assert_eq!(fetched.add(MAX_ELEMENTS, MAX_BYTES), Ok(()));
        assert_eq!(fetched.add(0, 1), Err("it has too many bytes"));
        assert_eq!(fetched.add(1, 0), Err("it has too many elements"));
    }
}
