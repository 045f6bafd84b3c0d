//! Reading and showing URLs: [`parse`] accepts absolute `http` and `https` only, [`public_url`] is how errors show one.

use std::net::IpAddr;

use reqwest::Url;

use crate::{Error, Result};

/// The form of a URL that may be shown: no user information, no query, no fragment (any of them may hold a key).
pub fn public_url(url: &str) -> String {
    match Url::parse(url) {
        Ok(url) if url.has_host() => shown(&url),
        _ => {
            let bare = url.split(['?', '#']).next().unwrap_or_default();
            bare.rsplit('@')
                .next()
                .unwrap_or_default()
                .chars()
                .take(200)
                .collect()
        }
    }
}

/// Like [`public_url`], of a URL that was read already.
pub(crate) fn shown(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    format!(
        "{}://{}{port}{}",
        url.scheme(),
        url.host_str().unwrap_or_default(),
        url.path()
    )
}

/// An absolute `http` or `https` URL with a host.
pub(crate) fn parse(text: &str) -> Result<Url> {
    let bad = |reason: String| Error::BadUrl {
        url: public_url(text),
        reason,
    };
    let url = Url::parse(text).map_err(|error| bad(error.to_string()))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(bad(format!(
            "the scheme is {other}, only http and https are fetched"
        ))),
    }
}

/// The address, when the host is written as one instead of a name.
pub(crate) fn literal_address(url: &Url) -> Option<IpAddr> {
    url.host_str()?
        .trim_start_matches('[')
        .trim_end_matches(']')
        .parse()
        .ok()
}

/// Where a redirect leads. The target obeys the same scheme rule, and never steps down from `https` to `http`.
pub(crate) fn redirected(from: &Url, location: &str) -> Result<Url> {
    let bad = |reason: &str| Error::BadRedirect {
        url: shown(from),
        reason: reason.to_owned(),
    };
    let to = from
        .join(location)
        .map_err(|_| bad("its target cannot be read as a URL"))?;
    match (from.scheme(), to.scheme()) {
        ("https", "http") => Err(bad("it steps down from https to http")),
        (_, "http" | "https") => Ok(to),
        _ => Err(bad("its target is neither http nor https")),
    }
}

/// Whether both URLs have the same scheme, host and port, so that a key meant for one may be sent to the other.
pub(crate) fn same_origin(left: &Url, right: &Url) -> bool {
    left.scheme() == right.scheme()
        && left.host_str() == right.host_str()
        && left.port_or_known_default() == right.port_or_known_default()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "tests")]

    use reqwest::Url;

    use super::{parse, public_url, redirected, same_origin};

    #[test]
    fn shows_no_secret_part() {
        let cases = [
            (
                "http://me:pass@host:8080/v1/models?key=s#f",
                "http://host:8080/v1/models",
            ),
            ("https://[::1]:81/x", "https://[::1]:81/x"),
            ("not a url://u:p@host?key=s", "host"),
            ("mailto:someone", "mailto:someone"),
        ];
        for (url, expected) in cases {
            assert_eq!(public_url(url), expected);
        }
    }

    #[test]
    fn other_schemes_are_refused() {
        assert!(parse("http://host/").is_ok());
        for url in ["file:///etc/passwd", "ftp://host/x", "host/path", ""] {
            assert!(parse(url).is_err(), "{url}");
        }
    }

    #[test]
    fn redirect_targets() {
        let from = Url::parse("https://host/a/b").unwrap();
        assert_eq!(redirected(&from, "../c").unwrap().as_str(), "https://host/c");
        assert!(redirected(&from, "http://host/c").is_err());
        assert!(redirected(&from, "file:///etc/passwd").is_err());
        let other = redirected(&from, "//other/c").unwrap();
        assert!(!same_origin(&from, &other));
        assert!(same_origin(&from, &Url::parse("https://host:443/").unwrap()));
    }
}
