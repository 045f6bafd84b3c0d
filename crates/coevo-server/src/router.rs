//! The table of addresses: [`router`].

use crate::state::Server;
use crate::{ServerOptions, api, guard, health, page, request, sparql, store};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use axum::routing::post;
use coevo_reason::Engine;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};

/// Everything that is served.
pub fn router(engine: Engine, options: ServerOptions) -> Router {
    let max_body = options.max_body_bytes;
    let cors = cors(&options);
    let server = Server::new(engine, options);

    let working = Router::new()
        .route("/query", get(sparql::query).post(sparql::query))
        .route("/update", post(sparql::update))
        .route("/sparql", get(sparql::both).post(sparql::both))
        .route(
            "/store",
            get(store::read)
                .head(store::read)
                .put(store::replace)
                .post(store::merge)
                .delete(store::drop_graph),
        )
        .route("/api/v1/status", get(api::status))
        .route("/api/v1/prefixes", get(api::prefixes))
        .route("/api/v1/link", get(api::graph::link))
        .route("/api/v1/search", get(api::graph::search))
        .route("/api/v1/khop", get(api::graph::khop))
        .route("/api/v1/paths", get(api::graph::paths))
        .route("/api/v1/describe", get(api::graph::describe))
        .route("/api/v1/ask", post(api::ask::ask))
        .route("/api/v1/ask/stream", post(api::ask::stream))
        .route("/api/v1/traces", get(api::traces::list))
        .route("/api/v1/traces/{id}", get(api::traces::show))
        .route("/api/v1/claims", get(api::claims::list))
        .route("/api/v1/claims/{iri}", get(api::claims::show))
        .route("/api/v1/claims/{iri}/decision", post(api::claims::decide))
        .route_layer(from_fn_with_state(server.clone(), request::admit));

    let mut router = working
        .route("/", get(page::html))
        .route("/ui/style.css", get(page::style))
        .route("/ui/app.js", get(page::script))
        .route("/ui/icon.svg", get(page::icon))
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready))
        .route("/version", get(api::version))
        .fallback(api::no_route)
        .method_not_allowed_fallback(api::wrong_method)
        .layer(DefaultBodyLimit::max(max_body))
        .layer(CatchPanicLayer::custom(request::panicked));
    if let Some(cors) = cors {
        router = router.layer(cors);
    }
    router
        .layer(from_fn_with_state(server.clone(), guard::guard))
        .layer(from_fn(request::finish))
        .with_state(server)
}

/// For pages of the origins that the options name; there is none by default.
fn cors(options: &ServerOptions) -> Option<CorsLayer> {
    let origins: Vec<HeaderValue> = options
        .allowed_origins
        .iter()
        .filter_map(|origin| HeaderValue::try_from(origin).ok())
        .collect();
    (!origins.is_empty()).then(|| {
        CorsLayer::new()
            .allow_origin(AllowOrigin::list(origins))
            .allow_methods([
                Method::GET,
                Method::HEAD,
                Method::POST,
                Method::PUT,
                Method::DELETE,
            ])
            .allow_headers([
                header::ACCEPT,
                header::CONTENT_TYPE,
                header::CONTENT_ENCODING,
                header::AUTHORIZATION,
            ])
            .expose_headers([HeaderName::from_static("x-request-id")])
    })
}
