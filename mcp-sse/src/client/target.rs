//! Where a server is.

use std::fmt;

use http::{HeaderMap, Uri, header};
use url::{Host, Url};

use super::error::HttpErrorKind;

/// A URL that messages are sent to.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) url: Url,
    pub(super) uri: Uri,
    pub(super) origin: String,
}

impl Target {
    /// # Errors
    ///
    /// When it is no URL of HTTP, or holds credentials. The error does not show it.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        let url = Url::parse(text).map_err(|_| "it is no URL")?;
        Self::new(url)
    }

    fn new(mut url: Url) -> Result<Self, &'static str> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err("it is no URL of HTTP");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("it holds credentials; give them as a header");
        }
        url.set_fragment(None);
        let uri = url.as_str().parse().map_err(|_| "it can't be asked for")?;
        let origin = url.origin().ascii_serialization();
        Ok(Self { url, uri, origin })
    }

    /// Another URL of the same origin, as a server names it: relative to this one.
    pub(super) fn join(&self, reference: &str) -> Result<Self, HttpErrorKind> {
        let url = self.url.join(reference);
        let url =
            url.map_err(|_| HttpErrorKind::Misled("the server names a place that is no URL"))?;
        if url.origin() != self.url.origin() {
            return Err(HttpErrorKind::Redirected(
                url.origin().ascii_serialization(),
            ));
        }
        Self::new(url).map_err(HttpErrorKind::Misled)
    }

    /// Where a response sends us, if it does.
    pub(super) fn redirect(&self, headers: &HeaderMap) -> Option<Result<Self, HttpErrorKind>> {
        let location = headers.get(header::LOCATION)?;
        Some(match location.to_str() {
            Ok(location) => self.join(location),
            Err(_) => Err(HttpErrorKind::Misled(
                "the server names a place that is no URL",
            )),
        })
    }

    /// Whether it is on this machine, where no proxy leads.
    pub(super) fn is_loopback(&self) -> bool {
        match self.url.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LEG-01.
    #[test]
    fn places_are_resolved_as_references_are() {
        let base = Target::parse("https://h/a/b/sse?k=1").unwrap();
        for (reference, expected) in [
            ("/messages?sid=1", "https://h/messages?sid=1"),
            ("messages?sid=1", "https://h/a/b/messages?sid=1"),
            ("https://h/x?sid=1", "https://h/x?sid=1"),
            ("?sid=1", "https://h/a/b/sse?sid=1"),
            ("../m", "https://h/a/m"),
            ("https://h:443/x", "https://h/x"),
        ] {
            let joined = base.join(reference).unwrap();
            assert_eq!(joined.url.as_str(), expected);
            assert_eq!(joined.uri.to_string(), expected);
        }
    }

    /// LEG-02.
    #[test]
    fn places_elsewhere_are_refused() {
        let base = Target::parse("https://h/a/b/sse?k=1").unwrap();
        for (reference, origin) in [
            ("https://evil.test/collect?sid=1", "https://evil.test"),
            ("//evil.test/x", "https://evil.test"),
            ("http://h/x", "http://h"),
            ("https://h:8443/x", "https://h:8443"),
        ] {
            match base.join(reference) {
                Err(HttpErrorKind::Redirected(to)) => assert_eq!(to, origin),
                other => panic!("{other:?}"),
            }
        }
        assert!(base.join("https://user:pass@h/x").is_err());
        assert!(base.join("http://[").is_err());
    }

    #[test]
    fn only_urls_of_http_without_credentials_are_taken() {
        for text in [
            "",
            "h",
            "file:///etc/passwd",
            "ws://h",
            "https://u:p@h/",
            "http://u@h/",
            "http://",
        ] {
            let why = Target::parse(text).unwrap_err();
            assert!(!why.contains("p@"), "{why}");
        }
        let target = Target::parse("HTTP://LocalHost:8080/mcp?key=secret#part").unwrap();
        assert_eq!(target.url.as_str(), "http://localhost:8080/mcp?key=secret");
        assert_eq!(format!("{target:?}"), "http://localhost:8080");
    }

    #[test]
    fn this_machine_is_known_by_its_names() {
        for (text, expected) in [
            ("http://localhost/", true),
            ("http://a.localhost/", true),
            ("http://127.0.0.2/", true),
            ("http://[::1]/", true),
            ("http://example.com/", false),
            ("http://10.0.0.1/", false),
        ] {
            assert_eq!(
                Target::parse(text).unwrap().is_loopback(),
                expected,
                "{text}"
            );
        }
    }
}
