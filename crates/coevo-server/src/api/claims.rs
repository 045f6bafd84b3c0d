//! Claims: the list, one with its history, and decisions about it.

use crate::names;
use crate::parameters::Parameters;
use crate::problem::{Handled, Problem};
use crate::state::Server;
use crate::{views, wire};
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, Uri};
use coevo_memory::{ClaimFilter, Status};
use oxrdf::NamedNodeRef;

/// Who decides when a request does not say who.
const SOMEBODY: NamedNodeRef<'static> = NamedNodeRef::new_unchecked("urn:coevo:agent:rest");

/// `GET /api/v1/claims?status=&about=&run=&limit=&offset=`.
pub(crate) async fn list(State(server): State<Server>, uri: Uri) -> Handled<Json<wire::ClaimsResponse>> {
    let parameters = Parameters::of_uri(&uri)?;
    let optional = |name: &str| parameters.one(name)?.map(names::resolve).transpose();
    let status = parameters.one("status")?.map(str::parse::<Status>).transpose();
    let filter = ClaimFilter {
        status: status.map_err(Problem::parameter)?,
        run: optional("run")?,
        about: optional("about")?,
        limit: parameters.number("limit", 50, 1, 1_000)?,
        offset: parameters.number("offset", 0, 0, usize::MAX)?,
    };
    Ok(Json(views::claims(&server.engine, &filter).await?))
}

/// `GET /api/v1/claims/{iri}`, the IRI percent-encoded.
pub(crate) async fn show(
    State(server): State<Server>,
    Path(iri): Path<String>,
) -> Handled<Json<wire::ClaimDetail>> {
    let iri = names::resolve(&iri)?;
    Ok(Json(views::claim(&server.engine, &iri).await?))
}

/// `POST /api/v1/claims/{iri}/decision`, the IRI percent-encoded: 409 when the claim no longer has the body's revision.
pub(crate) async fn decide(
    State(server): State<Server>,
    Path(iri): Path<String>,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Handled<Json<wire::DecideResponse>> {
    let iri = names::resolve(&iri)?;
    let body: wire::DecideBody = super::json(&server, &headers, body)?;
    let by = match &body.by {
        Some(by) => names::absolute(by)?,
        None => SOMEBODY.into_owned(),
    };
    Ok(Json(
        views::decide(&server.engine, &iri, body.decision, &by, body.revision).await?,
    ))
}
