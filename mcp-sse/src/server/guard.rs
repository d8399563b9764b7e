//! Who may call: what a request says of the host it means, and of the page it comes from.
//!
//! A web page can send requests to this machine, and a name of its owner's can be made to mean this machine (DNS
//! rebinding). So the host must be one that this server is known by, and a page one that was allowed.

use http::header::{HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use http::uri::Authority;

use super::options::Options;
use super::refusal::Refusal;

/// Refuses what comes from a page, or means a host, that was not allowed.
pub(super) fn check(
    headers: &HeaderMap,
    target: Option<&Authority>,
    options: &Options,
) -> Result<(), Refusal> {
    let host = host(headers, target)?;
    if !options.any_host && !is_allowed(&host, options) {
        return Err(Refusal::forbidden(
            "the `Host` of this request is not one that this server is known by: `HttpService::allow_host` adds it",
        ));
    }
    let Some(origin) = only(headers, ORIGIN)? else {
        return Ok(());
    };
    let origin = origin.to_str().unwrap_or_default();
    let is_own = origin.split_once("://").is_some_and(|(scheme, rest)| {
        matches!(scheme, "http" | "https")
            && rest
                .parse()
                .is_ok_and(|page: Authority| same(&page, &host, scheme))
    });
    let is_listed = (options.origins.iter()).any(|listed| listed.eq_ignore_ascii_case(origin));
    if is_own || is_listed {
        return Ok(());
    }
    Err(Refusal::forbidden(
        "the `Origin` of this request is not allowed: `HttpService::allow_origin` adds it",
    ))
}

/// HTTP/2 names the host in its target instead.
fn host(headers: &HeaderMap, target: Option<&Authority>) -> Result<Authority, Refusal> {
    let named = only(headers, HOST)?.map(|host| {
        let text = host.to_str().unwrap_or_default();
        text.parse::<Authority>()
            .ok()
            .filter(|host| !host.as_str().contains('@'))
            .ok_or_else(|| Refusal::bad("the `Host` of this request is none"))
    });
    match (named.transpose()?, target) {
        (Some(host), None) => Ok(host),
        (Some(host), Some(target)) if host == *target => Ok(host),
        (None, Some(target)) => Ok(target.clone()),
        (Some(_), Some(_)) => Err(Refusal::bad("this request names two hosts")),
        (None, None) => Err(Refusal::bad("this request names no `Host`")),
    }
}

fn only(headers: &HeaderMap, name: HeaderName) -> Result<Option<&HeaderValue>, Refusal> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        (_, Some(_)) => Err(Refusal::bad("a header of this request occurs twice")),
    }
}

fn is_allowed(host: &Authority, options: &Options) -> bool {
    let name = host.host();
    is_this_machine(name)
        || options.hosts.iter().any(|allowed| {
            allowed.eq_ignore_ascii_case(name) || allowed.eq_ignore_ascii_case(host.as_str())
        })
}

/// Names that nobody else can have.
fn is_this_machine(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || name == "127.0.0.1" || name == "[::1]"
}

/// Whether a page comes from this host. Without a port, a scheme has its own.
fn same(page: &Authority, host: &Authority, scheme: &str) -> bool {
    let default = if scheme == "https" { 443 } else { 80 };
    page.host().eq_ignore_ascii_case(host.host())
        && page.port_u16().unwrap_or(default) == host.port_u16().unwrap_or(default)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(host: &str, origin: Option<&str>, options: &Options) -> Option<u16> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        let refused = check(&headers, None, options).err();
        refused.map(|refusal| refusal.status().as_u16())
    }

    /// SEC-01.
    #[test]
    fn only_this_machine_is_known_until_another_name_is_allowed() {
        let options = Options::default();
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:80", "[::1]:8080"] {
            assert_eq!(verdict(host, None, &options), None, "{host}");
        }
        for host in [
            "attacker.test:8080",
            "127.0.0.1.attacker.test",
            "localhost.attacker.test",
            "0.0.0.0:80",
        ] {
            assert_eq!(verdict(host, None, &options), Some(403), "{host}");
        }
        for host in ["a b", "me@localhost", ""] {
            assert_eq!(verdict(host, None, &options), Some(400), "{host}");
        }
        let mut named = options.clone();
        named.hosts = vec!["mcp.example.com".to_owned()];
        assert_eq!(verdict("MCP.example.com:443", None, &named), None);
        assert_eq!(
            verdict("mcp.example.com.attacker.test", None, &named),
            Some(403)
        );
        named.any_host = true;
        assert_eq!(verdict("attacker.test", None, &named), None);
        assert_eq!(
            verdict("attacker.test", Some("http://elsewhere.test"), &named),
            Some(403)
        );
    }

    /// SEC-01.
    #[test]
    fn a_page_may_call_where_it_comes_from_or_was_allowed() {
        let mut options = Options::default();
        for origin in [
            "http://localhost:8080",
            "HTTP://localhost:8080",
            "http://LOCALHOST:8080",
        ] {
            let allowed = verdict("localhost:8080", Some(origin), &options);
            let expected = (!origin.starts_with("http")).then_some(403);
            assert_eq!(allowed, expected, "{origin}");
        }
        for origin in [
            "http://localhost:3000",
            "http://attacker.test",
            "null",
            "file://",
            "http://localhost:8080/x",
        ] {
            assert_eq!(
                verdict("localhost:8080", Some(origin), &options),
                Some(403),
                "{origin}"
            );
        }
        assert_eq!(
            verdict("localhost", Some("http://localhost"), &options),
            None
        );
        assert_eq!(
            verdict("localhost", Some("http://localhost:80"), &options),
            None
        );
        options.origins = vec!["http://localhost:3000".to_owned()];
        assert_eq!(
            verdict("localhost:8080", Some("http://localhost:3000"), &options),
            None
        );
        assert_eq!(
            verdict("localhost:8080", Some("http://localhost:3001"), &options),
            Some(403)
        );
    }
}
