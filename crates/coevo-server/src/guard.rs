//! Against pages of other origins: [`guard`] refuses names that this server does not go by (DNS rebinding) and writes that
//! come from a page elsewhere (cross-site request forgery). Programs that send no `Origin` are not its business.

use crate::code::Code;
use crate::problem::{Handled, Problem};
use crate::state::Server;
use crate::{Exposure, ServerOptions};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{Ipv4Addr, Ipv6Addr};

pub(crate) async fn guard(State(server): State<Server>, request: Request, next: Next) -> Response {
    let host = host_of(request.headers(), request.uri());
    let checked = check_host(host.as_deref(), &server.options).and_then(|()| {
        check_origin(
            request.method(),
            request.headers(),
            host.as_deref(),
            &server.options,
        )
    });
    match checked {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// Host and port that the client asked for. A browser always says it.
pub(crate) fn host_of(headers: &HeaderMap, uri: &Uri) -> Option<String> {
    headers
        .get(header::HOST)
        .map(|host| String::from_utf8_lossy(host.as_bytes()).into_owned())
        .or_else(|| uri.authority().map(ToString::to_string))
}

fn check_host(host: Option<&str>, options: &ServerOptions) -> Handled<()> {
    let Some(host) = host.filter(|_| options.exposure == Exposure::Loopback) else {
        return Ok(());
    };
    let name = without_port(host).to_ascii_lowercase();
    let is_address = name.parse::<Ipv4Addr>().is_ok()
        || name
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    let is_known = is_address
        || name == "localhost"
        || name.ends_with(".localhost")
        || options
            .allowed_hosts
            .iter()
            .any(|known| known.eq_ignore_ascii_case(&name));
    if is_known {
        return Ok(());
    }
    let name: String = name.chars().take(100).collect();
    Err(Problem::new(
        Code::HostRefused,
        format!("`{name}` is not a name of this server"),
    )
    .with_hint("use 127.0.0.1 or localhost, or allow the name in the server's settings".to_owned()))
}

fn check_origin(
    method: &Method,
    headers: &HeaderMap,
    host: Option<&str>,
    options: &ServerOptions,
) -> Handled<()> {
    if matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    let Some(origin) = headers.get(header::ORIGIN) else {
        let is_cross_site = headers
            .get("sec-fetch-site")
            .is_some_and(|site| site.as_bytes() == b"cross-site");
        return if is_cross_site {
            Err(foreign("another site"))
        } else {
            Ok(())
        };
    };
    let origin = String::from_utf8_lossy(origin.as_bytes());
    let is_own = origin
        .split_once("://")
        .zip(host)
        .is_some_and(|((_, from), host)| from.eq_ignore_ascii_case(host));
    let is_allowed = options
        .allowed_origins
        .iter()
        .any(|known| known.eq_ignore_ascii_case(&origin));
    if is_own || is_allowed {
        Ok(())
    } else {
        let origin: String = origin.chars().take(100).collect();
        Err(foreign(&format!("`{origin}`")))
    }
}

fn foreign(origin: &str) -> Problem {
    Problem::new(
        Code::OriginRefused,
        format!("a page of {origin} may change nothing here"),
    )
    .with_hint(
        "open the page that this server serves, or allow the origin in the server's settings".to_owned(),
    )
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    //! Hosts and origins.
    use super::{check_host, check_origin};
    use crate::{Exposure, ServerOptions};
    use axum::http::{HeaderMap, HeaderValue, Method};

    #[test]
    fn names_of_this_machine() {
        let loopback = ServerOptions {
            allowed_hosts: vec!["box.lan".to_owned()],
            ..ServerOptions::default()
        };
        for (host, taken) in [
            (None, true),
            (Some("127.0.0.1:7878"), true),
            (Some("192.168.1.2"), true),
            (Some("[::1]:7878"), true),
            (Some("localhost:7878"), true),
            (Some("a.localhost"), true),
            (Some("BOX.lan:80"), true),
            (Some("evil.example"), false),
            (Some("evil.example:7878"), false),
            (Some("127.0.0.1.evil.example"), false),
            (Some("localhost.evil.example"), false),
            (Some(""), false),
        ] {
            assert_eq!(check_host(host, &loopback).is_ok(), taken, "{host:?}");
        }
        let network = ServerOptions {
            exposure: Exposure::Network,
            ..ServerOptions::default()
        };
        assert!(check_host(Some("anything.example"), &network).is_ok());
    }

    #[test]
    fn pages_elsewhere() {
        let options = ServerOptions {
            allowed_origins: vec!["https://ui.example".to_owned()],
            ..ServerOptions::default()
        };
        let check = |method: Method, name: &'static str, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_static(value));
            check_origin(&method, &headers, Some("127.0.0.1:7878"), &options).is_ok()
        };
        for (origin, taken) in [
            ("http://127.0.0.1:7878", true),
            ("https://127.0.0.1:7878", true),
            ("https://ui.example", true),
            ("http://127.0.0.1:9999", false),
            ("http://evil.example", false),
            ("null", false),
        ] {
            for method in [Method::POST, Method::PUT, Method::DELETE] {
                assert_eq!(check(method, "origin", origin), taken, "{origin}");
            }
            assert!(check(Method::GET, "origin", origin), "{origin}");
        }
        assert!(!check(Method::POST, "sec-fetch-site", "cross-site"));
        assert!(check(Method::POST, "sec-fetch-site", "same-origin"));
        assert!(check(Method::POST, "accept", "*/*"));
    }
}
