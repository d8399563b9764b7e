//! The HTTP library that is used where no other is given.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response, Uri};
use mcp_core::runtime::BoxFuture;
use reqwest::redirect::Policy;
use url::Url;

use super::auth::BoxError;
use super::http::{HttpBody, HttpClient, SendError};
use super::target::Target;

/// How long a connection may take to come about, TLS included.
const CONNECT: Duration = Duration::from_secs(15);

pub(super) struct Reqwest {
    client: reqwest::Client,
    /// The place that was asked last, nearly always the same.
    last: Mutex<Option<(Uri, Url)>>,
}

impl Reqwest {
    /// A client for this server.
    ///
    /// # Errors
    ///
    /// When a root certificate can't be read.
    pub(super) fn new(target: &Target, roots: &[Vec<u8>]) -> Result<Self, BoxError> {
        let mut builder = reqwest::Client::builder()
            .redirect(Policy::none())
            .connect_timeout(CONNECT)
            .tcp_nodelay(true)
            .tls_backend_preconfigured(tls(roots)?);
        if target.is_loopback() {
            // What a proxy finds there is not what we would.
            builder = builder.no_proxy();
        }
        Ok(Self {
            client: builder.build().map_err(reqwest::Error::without_url)?,
            last: Mutex::default(),
        })
    }

    fn url(&self, uri: &Uri) -> Result<Url, BoxError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, url)) = &*last
            && known == uri
        {
            return Ok(url.clone());
        }
        let url = Url::parse(&uri.to_string())?;
        *last = Some((uri.clone(), url.clone()));
        Ok(url)
    }
}

/// The certificates that browsers trust come along, so that no machine lacks them.
fn tls(roots: &[Vec<u8>]) -> Result<rustls::ClientConfig, BoxError> {
    let mut store = rustls::RootCertStore {
        roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
    };
    for root in roots {
        store.add(root.clone().into())?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(store)
        .with_no_client_auth())
}

impl HttpClient for Reqwest {
    fn send(
        &self,
        request: Request<Bytes>,
    ) -> BoxFuture<'static, Result<Response<HttpBody>, SendError>> {
        let (head, body) = request.into_parts();
        let url = match self.url(&head.uri) {
            Ok(url) => url,
            Err(why) => return Box::pin(std::future::ready(Err(SendError::not_sent(why)))),
        };
        let mut request = reqwest::Request::new(head.method, url);
        *request.headers_mut() = head.headers;
        if !body.is_empty() {
            *request.body_mut() = Some(body.into());
        }
        let sending = self.client.execute(request);
        Box::pin(async move {
            match sending.await {
                Ok(response) => Ok(Response::from(response).map(HttpBody::new)),
                Err(error) => {
                    let sent = !error.is_connect() && !error.is_builder();
                    // Paths and queries may hold secrets.
                    let source = error.without_url().into();
                    Err(SendError { sent, source })
                }
            }
        })
    }
}
