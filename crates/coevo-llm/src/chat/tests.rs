#![expect(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use coevo_http::{HttpClient, HttpOptions, Secret, recordings};
use futures::StreamExt;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::ChatModel;
use crate::fake::{Fake, Step, cut, event, refuses, says};
use crate::{
    Budget, BudgetPart, Call, Delta, Error, Finish, Ledger, ModelSettings, Outcome, Prices, ReplySchema,
    Tokens, discover_at,
};

impl ChatModel {
    /// The same model with pauses too short to notice.
    pub(crate) fn impatient(self) -> Self {
        let Ok(mut inner) = Arc::try_unwrap(self.inner) else {
            panic!("a model that nobody shares yet");
        };
        inner.retry.first_pause = Duration::from_millis(2);
        Self {
            inner: Arc::new(inner),
        }
    }
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Reply {
    answer: String,
    #[serde(default)]
    labels: Vec<Label>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
enum Label {
    P1,
    P2,
}

fn call() -> Call {
    Call {
        purpose: "test",
        system: "Be brief.".to_owned(),
        user: "Who?".to_owned(),
        temperature: 0.4,
        max_tokens: 100,
    }
}

fn ledger() -> Ledger {
    Ledger::new(Budget::default())
}

fn outcomes(ledger: &Ledger) -> Vec<(Outcome, bool)> {
    ledger
        .entries()
        .iter()
        .map(|entry| (entry.outcome, entry.repaired))
        .collect()
}

fn good() -> Step {
    says(r#"{"answer":"Ada","labels":["P1"]}"#)
}

fn ada() -> Reply {
    Reply {
        answer: "Ada".to_owned(),
        labels: vec![Label::P1],
    }
}

#[tokio::test]
async fn completes_and_enters_the_call() {
    let fake = Fake::start(vec![says("<think>hm</think> Ada.\n")]).await;
    let prices = Some(Prices {
        prompt: 1.0e6,
        completion: 2.0e6,
    });
    let model = fake.model_with(|settings| settings.prices = prices).await;
    assert_eq!((model.name(), model.endpoint()), ("small", fake.base.clone()));
    let ledger = ledger();
    let completion = model.complete(&call(), &ledger).await.unwrap();
    assert_eq!(
        (completion.text.as_str(), completion.finish),
        ("Ada.", Finish::Stop)
    );
    assert_eq!(
        completion.usage,
        Tokens {
            prompt: 11,
            completion: 7,
            estimated: false
        }
    );
    let entry = ledger.entries().remove(0);
    assert_eq!(
        (entry.purpose.as_str(), entry.outcome, entry.cost),
        ("test", Outcome::Ok, 25.0)
    );
    assert!((ledger.usage().seconds - completion.seconds).abs() < 1e-9);
    assert_eq!(
        fake.seen()[0],
        json!({
            "model": "small",
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Who?"}],
            "temperature": 0.4,
            "max_tokens": 100
        })
    );
}

#[tokio::test]
async fn texts_that_are_not_there_are_errors() {
    let thoughts = json!({"choices": [{"message": {"content": "", "reasoning_content": "hm"}, "finish_reason": "stop"}]});
    let cases = [
        (says(" \n"), Outcome::Empty),
        (Step::Body(thoughts), Outcome::Empty),
        (cut("<think>on and on"), Outcome::Truncated),
        (Step::Body(json!({"answer": "Ada"})), Outcome::NotCompatible),
        (
            Step::Body(json!({"error": {"message": "overloaded"}})),
            Outcome::Refused,
        ),
        (refuses(404, "no such model"), Outcome::Refused),
    ];
    for (step, outcome) in cases {
        let fake = Fake::start(vec![step]).await;
        let ledger = ledger();
        let error = fake.model().await.complete(&call(), &ledger).await.unwrap_err();
        assert_eq!(outcomes(&ledger), [(outcome, false)], "{error}");
        assert!(!error.to_string().contains('\n'));
    }
}

#[tokio::test]
async fn a_text_that_is_cut_off_says_so() {
    let fake = Fake::start(vec![cut("Ada was")]).await;
    let completion = fake.model().await.complete(&call(), &ledger()).await.unwrap();
    assert_eq!(
        (completion.text.as_str(), completion.finish),
        ("Ada was", Finish::Length)
    );
}

#[tokio::test]
async fn json_is_asked_for_with_its_schema_and_typed() {
    let fake = Fake::start(vec![good()]).await;
    let ledger = ledger();
    let reply: Reply = fake.model().await.json(&call(), &ledger).await.unwrap();
    assert_eq!(reply, ada());
    assert_eq!(outcomes(&ledger), [(Outcome::Ok, false)]);
    let format = &fake.seen()[0]["response_format"];
    assert_eq!(
        (&format["type"], &format["json_schema"]["name"]),
        (&json!("json_schema"), &json!("Reply"))
    );
    assert_eq!(format["json_schema"]["strict"], json!(true));
    assert_eq!(
        format["json_schema"]["schema"]["required"],
        json!(["answer", "labels"])
    );
}

#[tokio::test]
async fn a_schema_made_at_run_time_is_enforced() {
    let schema = ReplySchema::new("choice", json!({"enum": ["P1", "P2"]})).unwrap();
    let fake = Fake::start(vec![says("\"P3\""), says("\"P2\"")]).await;
    let chosen: Value = fake
        .model()
        .await
        .json_as(&schema, &call(), &ledger())
        .await
        .unwrap();
    assert_eq!(chosen, json!("P2"));
}

#[tokio::test]
async fn one_repair_turn_mends_what_can_be_mended() {
    let cases = [
        (says("I think it is Ada."), Outcome::NotJson),
        (
            says(r#"{"answer":"Ada","labels":["P3"]}"#),
            Outcome::SchemaMismatch,
        ),
        (says(r#"{"result":{"answer":"Ada"}}"#), Outcome::SchemaMismatch),
        (says(""), Outcome::Empty),
        (says("<think>hm"), Outcome::Empty),
        (says(r#"{"answer":"Ad"#), Outcome::Truncated),
        (cut(r#"{"answer":"Ada","labels":["P1","#), Outcome::Truncated),
        (cut("Well, let me see"), Outcome::Truncated),
    ];
    for (first, outcome) in cases {
        let fake = Fake::start(vec![first, good()]).await;
        let ledger = ledger();
        let reply: Reply = fake.model().await.json(&call(), &ledger).await.unwrap();
        assert_eq!(reply, ada());
        assert_eq!(outcomes(&ledger), [(outcome, false), (Outcome::Ok, true)]);
    }
}

type Expected = fn(&Error) -> bool;

#[tokio::test]
async fn a_second_bad_reply_is_a_typed_failure() {
    let cases: [(Step, Expected); 4] = [
        (
            says("no idea"),
            |error| matches!(error, Error::NotJson { excerpt, .. } if excerpt == "no idea"),
        ),
        (
            says("{}"),
            |error| matches!(error, Error::SchemaMismatch { pointer, .. } if pointer.is_empty()),
        ),
        (says(" "), |error| matches!(error, Error::Empty { .. })),
        (cut("{"), |error| matches!(error, Error::Truncated { .. })),
    ];
    for (second, expected) in cases {
        let fake = Fake::start(vec![says("what?"), second, good()]).await;
        let ledger = ledger();
        let error = fake
            .model()
            .await
            .json::<Reply>(&call(), &ledger)
            .await
            .unwrap_err();
        assert!(
            expected(&error) && error.is_malformed_reply() && error.hint().is_some(),
            "{error:?}"
        );
        assert_eq!(ledger.usage().calls, 2, "exactly one repair turn");
    }
}

#[tokio::test]
async fn the_repair_turn_shows_the_reply_and_the_problem() {
    let long = format!("{{\"answer\": [{}1]}}", "1,".repeat(4500));
    let fake = Fake::start(vec![says(&long), good(), says(""), good()]).await;
    let model = fake.model().await;
    model.json::<Reply>(&call(), &ledger()).await.unwrap();
    let messages = fake.seen()[1]["messages"].clone();
    assert_eq!(messages[2]["role"], json!("assistant"));
    let shown = messages[2]["content"].as_str().unwrap();
    assert!(shown.starts_with("{\"answer\": [1") && shown.chars().count() < 4100);
    assert!(
        messages[3]["content"].as_str().unwrap().contains("At /answer: "),
        "{messages}"
    );

    // Without a word to show, roles still take turns.
    model.json::<Reply>(&call(), &ledger()).await.unwrap();
    let messages = fake.seen()[3]["messages"].clone();
    assert_eq!(messages.as_array().unwrap().len(), 2);
    assert!(
        messages[1]["content"]
            .as_str()
            .unwrap()
            .starts_with("Who?\n\nYour reply was empty."),
        "{messages}"
    );
}

#[tokio::test]
async fn a_reply_that_was_cut_off_gets_more_room_once() {
    let fake = Fake::start(vec![
        cut("{\"answer\":"),
        good(),
        says("?"),
        good(),
        cut("{"),
        good(),
    ])
    .await;
    let model = fake.model_with(|settings| settings.max_tokens = 80).await;
    for _ in 0..2 {
        model.json::<Reply>(&call(), &ledger()).await.unwrap();
    }
    let narrow = fake
        .model_with(|settings| settings.context_tokens = Some(70))
        .await;
    narrow.json::<Reply>(&call(), &ledger()).await.unwrap();
    let room: Vec<u64> = fake
        .seen()
        .iter()
        .map(|body| body["max_tokens"].as_u64().unwrap())
        .collect();
    assert_eq!(room, [80, 160, 80, 80, 66, 64]);
    assert!(
        fake.seen()[1]["messages"][3]["content"]
            .as_str()
            .unwrap()
            .contains("shorter")
    );
}

#[tokio::test]
async fn huge_replies_are_refused_without_a_repair_turn() {
    for size in [10 << 20, 2 << 20] {
        let fake = Fake::start(vec![says(&"x".repeat(size)), good()]).await;
        let ledger = ledger();
        let error = fake
            .model()
            .await
            .json::<Reply>(&call(), &ledger)
            .await
            .unwrap_err();
        assert!(matches!(error, Error::TooLarge { .. }), "{error:?}");
        assert_eq!(outcomes(&ledger), [(Outcome::TooLarge, false)]);
    }
}

#[tokio::test]
async fn an_endpoint_without_schemas_is_asked_more_plainly_and_remembered() {
    let fake = Fake::start(vec![
        refuses(400, "response_format: json_schema is not supported"),
        refuses(422, "response_format is not permitted"),
        good(),
        good(),
    ])
    .await;
    let model = fake.model().await;
    let ledger = ledger();
    for _ in 0..2 {
        assert_eq!(model.json::<Reply>(&call(), &ledger).await.unwrap(), ada());
    }
    let refused = (Outcome::Refused, false);
    let ok = (Outcome::Ok, false);
    assert_eq!(outcomes(&ledger), [refused, refused, ok, ok]);
    let formats: Vec<Value> = fake
        .seen()
        .iter()
        .map(|body| body["response_format"]["type"].clone())
        .collect();
    assert_eq!(
        formats,
        [
            json!("json_schema"),
            json!("json_object"),
            Value::Null,
            Value::Null
        ]
    );
    assert!(
        fake.seen()[2]["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("\"enum\":[\"P1\",\"P2\"]")
    );
}

#[tokio::test]
async fn passing_trouble_is_waited_out() {
    let later = Step::Status(429, vec![("retry-after", "0")], String::new());
    for step in [refuses(500, "loading"), refuses(503, "busy"), later] {
        let fake = Fake::start(vec![step, good()]).await;
        let ledger = ledger();
        assert_eq!(
            fake.model().await.json::<Reply>(&call(), &ledger).await.unwrap(),
            ada()
        );
        assert_eq!((ledger.usage().calls, ledger.entries()[0].attempts), (1, 2));
    }
    let fake = Fake::start((0..3).map(|_| refuses(500, "broken")).collect()).await;
    let error = fake
        .model()
        .await
        .json::<Reply>(&call(), &ledger())
        .await
        .unwrap_err();
    assert!(
        matches!(&error, Error::Refused { status: 500, body, .. } if body == "broken"),
        "{error:?}"
    );
    assert_eq!(fake.seen().len(), 3);
}

#[tokio::test]
async fn silence_ends_at_the_deadline_of_the_call_or_of_the_budget() {
    let fake = Fake::start(vec![Step::Hang, Step::Hang]).await;
    let hasty = |settings: &mut ModelSettings| settings.deadline = Duration::from_millis(100);
    let free = ledger();
    let error = fake
        .model_with(hasty)
        .await
        .complete(&call(), &free)
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Deadline { .. }), "{error:?}");
    let model = fake.model().await;
    let half_a_second = Budget {
        seconds: Some(0.5),
        ..Budget::default()
    };
    let short = Ledger::new(half_a_second);
    let error = model.complete(&call(), &short).await.unwrap_err();
    let Error::BudgetSpent { which } = error else {
        panic!("{error:?}")
    };
    assert_eq!(which, BudgetPart::Seconds);
    for ledger in [free, short] {
        assert_eq!(outcomes(&ledger), [(Outcome::Deadline, false)]);
        assert!(ledger.entries()[0].estimated && ledger.entries()[0].prompt_tokens == 4);
    }
}

#[tokio::test]
async fn budgets_stop_before_the_call_and_before_the_repair() {
    let fake = Fake::start(vec![says("no JSON"), good()]).await;
    let ledger = Ledger::new(Budget {
        calls: Some(1),
        ..Budget::default()
    });
    let error = fake
        .model()
        .await
        .json::<Reply>(&call(), &ledger)
        .await
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::BudgetSpent {
                which: BudgetPart::Calls
            }
        ),
        "{error:?}"
    );
    assert!(!error.is_malformed_reply());
    assert_eq!(
        (fake.seen().len(), outcomes(&ledger)),
        (1, vec![(Outcome::NotJson, false)])
    );
}

#[tokio::test]
async fn usage_that_is_missing_is_estimated() {
    let body = json!({"choices": [{"message": {"content": "12345"}, "finish_reason": "stop"}]});
    let fake = Fake::start(vec![Step::Body(body)]).await;
    let ledger = ledger();
    let completion = fake.model().await.complete(&call(), &ledger).await.unwrap();
    assert_eq!(
        completion.usage,
        Tokens {
            prompt: 4,
            completion: 2,
            estimated: true
        }
    );
    assert!(ledger.usage().estimated);
}

async fn streamed(model: &ChatModel, ledger: &Ledger) -> Vec<Result<Delta, Error>> {
    match model.stream(&call(), ledger).await {
        Ok(deltas) => deltas.collect().await,
        Err(error) => vec![Err(error)],
    }
}

fn events() -> Vec<String> {
    vec![
        event(&json!({"role": "assistant", "reasoning_content": "hm"}), None),
        event(&json!({"content": "<thi"}), None),
        event(&json!({"content": "nk>so</think>A"}), None),
        event(&json!({"content": "da"}), Some("stop")),
        json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 9}}).to_string(),
        "[DONE]".to_owned(),
    ]
}

#[tokio::test]
async fn streams_yield_pieces_then_the_whole() {
    let fake = Fake::start(vec![Step::Events(events(), true)]).await;
    let ledger = ledger();
    let deltas: Vec<Delta> = streamed(&fake.model().await, &ledger)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    let thinking = |text: &str| Delta::Thinking(text.to_owned());
    let text = |text: &str| Delta::Text(text.to_owned());
    assert_eq!(
        deltas[..4],
        [thinking("hm"), thinking("so"), text("A"), text("da")]
    );
    let Delta::Done(whole) = &deltas[4] else {
        panic!("{deltas:?}")
    };
    assert_eq!(
        (whole.text.as_str(), whole.finish, whole.usage.completion),
        ("Ada", Finish::Stop, 9)
    );
    assert_eq!(outcomes(&ledger), [(Outcome::Ok, false)]);
    assert_eq!(fake.seen()[0]["stream"], json!(true));
}

#[tokio::test]
async fn streams_that_fail_end_with_an_error() {
    let start = || event(&json!({"content": "Ad"}), None);
    let error = || json!({"error": {"message": "out of memory"}}).to_string();
    let cases = [
        (Step::Events(vec![start()], false), Outcome::Broken),
        (Step::Events(vec![start()], true), Outcome::Broken),
        (Step::Events(vec![start(), error()], true), Outcome::Refused),
        (
            Step::Events(vec![start(), "not JSON".to_owned()], true),
            Outcome::NotCompatible,
        ),
        (Step::Events(vec!["[DONE]".to_owned()], true), Outcome::Empty),
        (
            Step::Events(vec![event(&json!({}), Some("length"))], true),
            Outcome::Truncated,
        ),
        (
            Step::Events(vec![event(&json!({"content": "x".repeat(2 << 20)}), None)], true),
            Outcome::TooLarge,
        ),
    ];
    for (step, outcome) in cases {
        let fake = Fake::start(vec![step]).await;
        let ledger = ledger();
        let deltas = streamed(&fake.model().await, &ledger).await;
        assert!(matches!(deltas.last(), Some(Err(_))), "{deltas:?}");
        assert_eq!(outcomes(&ledger), [(outcome, false)]);
    }
}

#[tokio::test]
async fn a_stream_without_done_or_usage_is_whole_when_it_says_why_it_ended() {
    let fake = Fake::start(vec![Step::Events(
        vec![event(&json!({"content": "Ada"}), Some("stop"))],
        true,
    )])
    .await;
    let deltas = streamed(&fake.model().await, &ledger()).await;
    let Some(Ok(Delta::Done(whole))) = deltas.last() else {
        panic!("{deltas:?}")
    };
    assert_eq!(
        whole.usage,
        Tokens {
            prompt: 4,
            completion: 1,
            estimated: true
        }
    );
}

#[tokio::test]
async fn an_endpoint_that_knows_no_stream_options_is_asked_without() {
    let fake = Fake::start(vec![
        refuses(400, "unknown field: stream_options"),
        Step::Events(events(), true),
    ])
    .await;
    let deltas = streamed(&fake.model().await, &ledger()).await;
    assert!(matches!(deltas.last(), Some(Ok(Delta::Done(_)))), "{deltas:?}");
    assert_eq!(fake.seen()[1].get("stream_options"), None);
}

#[tokio::test]
async fn a_caller_who_leaves_is_entered() {
    let fake = Fake::start(vec![Step::Events(events(), true)]).await;
    let ledger = ledger();
    let mut deltas = fake.model().await.stream(&call(), &ledger).await.unwrap();
    deltas.next().await.unwrap().unwrap();
    drop(deltas);
    assert_eq!(outcomes(&ledger), [(Outcome::Cancelled, false)]);
}

#[tokio::test]
async fn an_unreachable_model_is_one_line_with_a_hint_and_no_secret() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let mut settings = ModelSettings::new(format!("http://me:hidden@{closed}/v1"));
    settings.api_key = Some(Secret::new("hidden-key"));
    let error = ChatModel::connect(settings, HttpClient::new(&HttpOptions::default()).unwrap())
        .await
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with(&format!("no model at http://{closed}/v1/models: ")),
        "{text}"
    );
    assert!(!text.contains('\n') && error.hint().is_some());
    assert!(!format!("{error:?}").contains("hidden"));
}

#[tokio::test]
async fn a_refused_key_is_not_repeated() {
    let fake = Fake::start(vec![refuses(401, "Incorrect API key: sk-hidden-1234")]).await;
    let model = fake
        .model_with(|settings| settings.api_key = Some(Secret::new("sk-hidden-1234")))
        .await;
    let error = model.complete(&call(), &ledger()).await.unwrap_err();
    assert!(error.to_string().ends_with("Incorrect API key: ***"), "{error}");
    assert!(!format!("{error:?} {model:?}").contains("hidden"));
}

#[tokio::test]
async fn models_are_discovered_where_they_are() {
    let fake = Fake::start(Vec::new()).await;
    let http = HttpClient::new(&HttpOptions::default()).unwrap();
    let found = discover_at(&http, &["http://127.0.0.1:1/v1", &fake.base]).await;
    assert_eq!(found.len(), 1);
    assert_eq!(
        (&found[0].base_url, found[0].models.as_slice()),
        (&fake.base, ["nomic-embed", "small"].map(String::from).as_slice())
    );
}

/// A conversation with everything in it.
async fn conversation(model: &ChatModel) -> (Reply, Vec<Delta>, Ledger) {
    let ledger = ledger();
    let reply = model.json(&call(), &ledger).await.unwrap();
    let deltas = streamed(model, &ledger)
        .await
        .into_iter()
        .map(Result::unwrap)
        .collect();
    (reply, deltas, ledger)
}

#[tokio::test]
async fn a_recorded_conversation_replays_with_the_same_ledger() {
    let dir = tempfile::tempdir().unwrap();
    let steps = || {
        vec![
            refuses(400, "response_format is unknown"),
            says("not JSON, sk-hidden-1234"),
            good(),
            Step::Events(events(), true),
        ]
    };
    let fake = Fake::start(steps()).await;
    let change = |settings: &mut ModelSettings| {
        settings.api_key = Some(Secret::new("sk-hidden-1234"));
        settings.max_tokens = 90;
        settings.prices = Some(Prices {
            prompt: 2.0,
            completion: 3.0,
        });
    };
    let live = fake.model_with(change).await.record(dir.path());
    let (reply, deltas, ledger) = conversation(&live).await;
    assert_eq!(fake.seen().len(), 4);

    let replayed = ChatModel::replay(dir.path()).unwrap();
    assert_eq!(replayed.name(), "small");
    let again = conversation(&replayed).await;
    assert_eq!(
        (again.0, without_seconds(again.1)),
        (reply, without_seconds(deltas))
    );
    let entries = |ledger: &Ledger| {
        let entries = ledger.entries().into_iter();
        entries
            .map(|entry| {
                (
                    entry.outcome,
                    entry.prompt_tokens,
                    entry.completion_tokens,
                    entry.cost,
                    entry.repaired,
                )
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(entries(&again.2), entries(&ledger));

    let texts = all_text(dir.path());
    assert!(!texts.contains("hidden"), "{texts}");
    let kept = recordings(dir.path()).unwrap();
    assert_eq!(kept.len(), 4);
    let last = kept
        .iter()
        .find(|recording| recording.reply != kept[0].reply && recording.date.is_some())
        .unwrap();
    assert_eq!(last.extra["purpose"], json!("test"));
    assert_eq!(
        last.extra["settings"],
        json!({"max_tokens": 90, "prices": [2.0, 3.0]})
    );
}

fn without_seconds(deltas: Vec<Delta>) -> Vec<String> {
    let text = |delta| match delta {
        Delta::Done(whole) => format!("{} {:?} {:?}", whole.text, whole.usage, whole.finish),
        other => format!("{other:?}"),
    };
    deltas.into_iter().map(text).collect()
}

fn all_text(dir: &Path) -> String {
    let read =
        |entry: std::io::Result<fs_err::DirEntry>| fs_err::read_to_string(entry.unwrap().path()).unwrap();
    fs_err::read_dir(dir).unwrap().map(read).collect()
}

#[tokio::test]
async fn a_replay_in_another_order_finds_what_was_learned_later() {
    let dir = tempfile::tempdir().unwrap();
    let fake = Fake::start(vec![refuses(400, "response_format is unknown"), good(), good()]).await;
    let live = fake.model().await.record(dir.path());
    let second = Call {
        user: "Who else?".to_owned(),
        ..call()
    };
    live.json::<Reply>(&call(), &ledger()).await.unwrap();
    live.json::<Reply>(&second, &ledger()).await.unwrap();
    let replayed = ChatModel::replay(dir.path()).unwrap();
    assert_eq!(replayed.json::<Reply>(&second, &ledger()).await.unwrap(), ada());
    assert_eq!(replayed.json::<Reply>(&call(), &ledger()).await.unwrap(), ada());
}

#[tokio::test]
async fn what_was_not_recorded_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let error = ChatModel::replay(dir.path()).unwrap_err();
    assert!(
        matches!(&error, Error::BadRecordings { dir: named, .. } if named == dir.path()),
        "{error:?}"
    );
    let fake = Fake::start(vec![good()]).await;
    let live = fake.model().await.record(dir.path());
    live.json::<Reply>(&call(), &ledger()).await.unwrap();
    let replayed = ChatModel::replay(dir.path()).unwrap();
    let other = Call {
        user: "Where?".to_owned(),
        ..call()
    };
    let ledger = ledger();
    let error = replayed.json::<Reply>(&other, &ledger).await.unwrap_err();
    assert!(
        matches!(&error, Error::NoRecording { hash, dir: named, .. } if hash.len() == 32 && named == dir.path()),
        "{error:?}"
    );
    assert!(ledger.entries().is_empty() && ledger.remaining() == Budget::default());
}

#[tokio::test]
async fn recordings_of_two_models_are_not_replayed() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["small", "large"] {
        let fake = Fake::start(vec![good()]).await;
        let model = fake
            .model_with(|settings| settings.model = Some(name.to_owned()))
            .await
            .record(dir.path());
        model.complete(&call(), &ledger()).await.unwrap();
    }
    let error = ChatModel::replay(dir.path()).unwrap_err();
    assert!(
        error.to_string().ends_with("several models: large and small"),
        "{error}"
    );
}

/// Servers spawn these; fails to compile when one of them cannot move between threads.
#[tokio::test]
async fn calls_may_move_between_threads() {
    fn movable<F: Send>(future: F) -> F {
        future
    }
    let fake = Fake::start(vec![good(), says("a"), Step::Events(events(), true)]).await;
    let call = call();
    let (model, ledger, http) = (
        fake.model().await,
        ledger(),
        HttpClient::new(&HttpOptions::default()).unwrap(),
    );
    movable(model.json::<Reply>(&call, &ledger)).await.unwrap();
    movable(model.complete(&call, &ledger)).await.unwrap();
    drop(movable(model.stream(&call, &ledger)).await.unwrap());
    let settings = ModelSettings::new(fake.base.clone());
    movable(ChatModel::connect(settings, http.clone())).await.unwrap();
    assert_eq!(movable(discover_at(&http, &[])).await, []);
}
