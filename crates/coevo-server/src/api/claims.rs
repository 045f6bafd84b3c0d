//! Claims, read: the list and one with its history.

use crate::code::Code;
use crate::convert::{self, Labels};
use crate::names;
use crate::parameters::Parameters;
use crate::problem::{Handled, Problem};
use crate::state::Server;
use crate::wire;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::Uri;
use coevo_memory::{ClaimFilter, Status};

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
    let page = server.engine.memory().list(&filter).await?;
    let labels = Labels::of_claims(&server.engine, &page.claims).await?;
    Ok(Json(wire::ClaimsResponse {
        claims: page.claims.into_iter().map(|claim| labels.claim(claim)).collect(),
        total: page.total,
        is_total_capped: page.is_total_capped,
    }))
}

/// `GET /api/v1/claims/{iri}`, the IRI percent-encoded.
pub(crate) async fn show(
    State(server): State<Server>,
    Path(iri): Path<String>,
) -> Handled<Json<wire::ClaimDetail>> {
    let iri = names::resolve(&iri)?;
    let detail = server.engine.memory().show(&iri).await?.ok_or_else(|| {
        let error = coevo_memory::Error::UnknownClaim { claim: iri };
        Problem::new(Code::NoClaim, error.to_string()).with_hint(error.hint())
    })?;
    let labels = Labels::of_claims(&server.engine, std::slice::from_ref(&detail.claim)).await?;
    Ok(Json(convert::claim_detail(detail, &labels)))
}
