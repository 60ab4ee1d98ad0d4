//! What turns pages into vectors: a table of word pieces, and an interface over HTTP that may fail
//! without failing a page.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use http::{HeaderMap, StatusCode};
use parking_lot::Mutex;
use proscenium::config::{Config, EmbedderKind};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::Pages;
use super::finding::slugs;
use crate::elsewhere::{listener, serve};
use crate::process::{failed, proscenium};
use crate::world::PATIENCE;

/// Words that mean the same, by the number of the vector in which they have their one.
const MEANINGS: [&[&str]; 3] = [
    &["dog", "canine", "hound"],
    &["cat", "feline"],
    &["is", "the", "loyal"],
];

/// A table of these words, in the files of model2vec.
fn write_table(folder: &Path) {
    let words: Vec<_> = MEANINGS
        .iter()
        .enumerate()
        .flat_map(|(axis, words)| words.iter().map(move |word| (axis, *word)))
        .collect();
    let vocabulary: serde_json::Map<_, _> = words
        .iter()
        .enumerate()
        .map(|(row, (_, word))| ((*word).to_owned(), json!(row)))
        .collect();
    let tokenizer = json!({
        "normalizer": {"type": "BertNormalizer", "lowercase": true},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "vocab": vocabulary},
    });
    let vectors: Vec<u8> = words
        .iter()
        .flat_map(|(axis, _)| (0..MEANINGS.len()).map(move |at| f32::from(u8::from(at == *axis))))
        .flat_map(f32::to_le_bytes)
        .collect();
    let header = json!({"embeddings": {
        "dtype": "F32", "shape": [words.len(), MEANINGS.len()], "data_offsets": [0, vectors.len()],
    }})
    .to_string();
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend_from_slice(header.as_bytes());
    file.extend_from_slice(&vectors);
    fs::write(folder.join("model.safetensors"), file).expect("a file");
    fs::write(folder.join("tokenizer.json"), tokenizer.to_string()).expect("a file");
}

fn by_table(config: &mut Config, folder: &Path) {
    config.brain.embedder = EmbedderKind::Table;
    config.brain.embedder_path = folder.to_owned();
}

/// Waits until every page has its vectors.
async fn embedded(pages: &Pages) {
    let all = async { while depth(pages).await > 0 {} };
    timeout(PATIENCE, all).await.expect("all vectors");
}

async fn depth(pages: &Pages) -> i64 {
    let rows = pages.json("brain_collections", json!({})).await;
    rows[0]["embedding_queue_depth"].as_i64().expect("a depth")
}

async fn queried(pages: &Pages, query: &str) -> Value {
    pages.json("brain_query", json!({"query": query})).await
}

#[tokio::test]
async fn a_table_finds_what_means_the_same_without_a_common_word() {
    let folder = tempfile::tempdir().expect("a folder");
    write_table(folder.path());
    let pages = Pages::start_with(|config| by_table(config, folder.path())).await;
    pages.put("animals/one", "The dog is loyal. Dog!").await;
    pages.put("animals/two", "The cat is not.").await;
    assert_eq!(depth(&pages).await, 0, "they are written together");
    let found = pages.json("brain_search", json!({"query": "canine"})).await;
    assert_eq!(found, json!([]));
    let found = queried(&pages, "Canine").await;
    assert_eq!(slugs(&found), ["default::animals/one"]);
    let model = pages.json("brain_stats", json!({})).await["active_model"].take();
    assert!(
        model
            .as_str()
            .is_some_and(|name| name.starts_with("table-")),
        "{model}"
    );
}

#[tokio::test]
async fn a_table_or_an_address_that_cannot_be_used_stops_the_start_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("config.toml");
    let path = folder.path().to_str().expect("text");
    for (settings, code, words) in [
        (
            "embedder = \"table\"".to_owned(),
            78,
            "brain.embedder_path: is needed",
        ),
        (
            format!("embedder = \"table\"\nembedder_path = \"{path}\""),
            66,
            "model.safetensors",
        ),
        (
            "embedder_cosine_min = 1.5".to_owned(),
            78,
            "brain.embedder_cosine_min: 1.5 is not from 0 to 1",
        ),
        (
            "embedder = \"http\"".to_owned(),
            78,
            "brain.embedder_model: is needed",
        ),
        (
            "embedder = \"http\"\nembedder_model = \"m\"\nembedder_url = \"http://example.org\""
                .to_owned(),
            78,
            "brain.embedder_url: \"http://example.org\" is neither https nor on this machine",
        ),
    ] {
        fs::write(&config, format!("[brain]\n{settings}\n")).expect("a file");
        let arguments = [
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--config",
            config.to_str().expect("text"),
        ];
        let (exit, lines) = failed(&arguments).await;
        assert_eq!(exit, code, "{lines:?}");
        assert!(lines.iter().any(|line| line.contains(words)), "{lines:?}");
    }
}

/// Where no certificate is trusted there is no connection, and nothing takes the place of the interface.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn an_interface_to_which_no_connection_can_be_made_stops_the_start() {
    let folder = tempfile::tempdir().expect("a folder");
    let (config, none) = (
        folder.path().join("config.toml"),
        folder.path().join("none"),
    );
    fs::write(&none, "").expect("a file");
    let drawing = "[model]\nprovider = \"openai\"\nname = \"m\"\nurl = \"http://127.0.0.1:9\"\n";
    let embedding = "[brain]\nembedder = \"http\"\nembedder_model = \"m\"\n\
                     embedder_url = \"http://127.0.0.1:9\"\n";
    for (settings, named) in [
        (drawing, "model.provider makes no connections"),
        (embedding, "brain.embedder: \"http\" makes no connections"),
    ] {
        fs::write(&config, settings).expect("a file");
        let config = config.to_str().expect("text");
        let mut serve = proscenium(&["serve", "--ephemeral", "--config", config]);
        serve.args(["--listen", "127.0.0.1:0"]);
        serve.env("SSL_CERT_FILE", &none);
        serve.env("SSL_CERT_DIR", folder.path().join("nowhere"));
        let ended = timeout(PATIENCE, serve.output()).await.expect("an end");
        let ended = ended.expect("a process");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(78), "{said}");
        assert!(said.contains(named), "{said}");
    }
}

#[tokio::test]
async fn how_alike_a_page_has_to_be_is_configured() {
    let folder = tempfile::tempdir().expect("a folder");
    write_table(folder.path());
    for (min, found) in [(0.0, 1), (0.6, 1), (0.9, 0)] {
        let pages = Pages::start_with(|config| {
            by_table(config, folder.path());
            config.brain.embedder_cosine_min = min;
        });
        let pages = pages.await;
        // Half of it means what is asked for: the cosine is 0.7.
        pages
            .put("animals/one", "---\ntitle: Dog\n---\nDog cat cat.")
            .await;
        let count = slugs(&queried(&pages, "hound").await).len();
        assert_eq!(count, found, "{min}");
    }
}

#[tokio::test]
async fn pages_get_the_vectors_of_another_model_behind_its_change() {
    let folder = tempfile::tempdir().expect("a folder");
    write_table(folder.path());
    let file = folder.path().join("pages.db");
    {
        let file = file.clone();
        let pages = Pages::start_with(|config| config.brain.path = file).await;
        pages.put("animals/one", "The dog is loyal.").await;
    }
    let pages = Pages::start_with(|config| {
        config.brain.path = file;
        by_table(config, folder.path());
    })
    .await;
    embedded(&pages).await;
    let found = queried(&pages, "hound").await;
    assert_eq!(slugs(&found), ["default::animals/one"]);
    assert_eq!(
        pages.json("brain_stats", json!({})).await["embedding_count"],
        1
    );
}

/// An interface of embeddings that answers or fails, as a test says.
#[derive(Clone, Default)]
struct Interface(Arc<Inner>);

#[derive(Default)]
struct Inner {
    is_failing: AtomicBool,
    asked: Mutex<Vec<(HeaderMap, Value)>>,
}

impl Interface {
    async fn start(&self) -> String {
        let listener = listener().await;
        let address = listener.local_addr().expect("its address");
        let routes = Router::new().route("/own/v1/embeddings", post(embed));
        serve(listener, routes.with_state(self.clone())).await;
        format!("http://{address}/own/")
    }

    fn fails(&self, is_failing: bool) {
        self.0.is_failing.store(is_failing, Ordering::SeqCst);
    }
}

async fn embed(
    State(interface): State<Interface>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let texts = body["input"].as_array().expect("texts").clone();
    interface.0.asked.lock().push((headers, body));
    if interface.0.is_failing.load(Ordering::SeqCst) {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let rows = texts.iter().enumerate().map(|(index, text)| {
        let text = text.as_str().expect("a text").to_lowercase();
        let count = |words: &&[&str]| words.iter().filter(|word| text.contains(**word)).count();
        let vector: Vec<_> = MEANINGS.iter().map(count).collect();
        json!({"index": index, "embedding": vector})
    });
    // Any order will do.
    let rows: Vec<_> = rows.rev().collect();
    Json(json!({"object": "list", "data": rows})).into_response()
}

async fn asking(interface: &Interface, folder: &Path) -> Pages {
    let url = interface.start().await;
    let key = folder.join("key");
    fs::write(&key, "sk-embedding\n").expect("a file");
    Pages::start_with(|config| {
        config.brain.embedder = EmbedderKind::Http;
        config.brain.embedder_url = url;
        config.brain.embedder_model = "small".to_owned();
        config.brain.embedder_key_file = key;
        config.limits.pages.embedding_retry_ms = 1;
        config.limits.pages.embedding_query_ms_max = 60_000;
        config.limits.pages.embedding_text_bytes_max = 100;
    })
    .await
}

#[tokio::test]
async fn an_interface_of_embeddings_is_asked_behind_the_page_with_its_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let interface = Interface::default();
    let pages = asking(&interface, folder.path()).await;
    pages
        .put("animals/one", &format!("The dog. {}", "x".repeat(400)))
        .await;
    embedded(&pages).await;
    assert_eq!(
        slugs(&queried(&pages, "canine").await),
        ["default::animals/one"]
    );
    let asked = interface.0.asked.lock();
    for (headers, body) in asked.iter() {
        assert_eq!(headers["authorization"], "Bearer sk-embedding");
        assert_eq!(body["model"], "small");
        let texts = body["input"].as_array().expect("texts");
        assert!(
            texts
                .iter()
                .all(|text| text.as_str().expect("a text").len() <= 100),
            "{body}"
        );
    }
    assert!(asked.len() >= 2, "a page and a query: {}", asked.len());
}

#[tokio::test]
async fn an_interface_that_fails_fails_no_page_and_the_vectors_follow() {
    let folder = tempfile::tempdir().expect("a folder");
    let interface = Interface::default();
    interface.fails(true);
    let pages = asking(&interface, folder.path()).await;
    pages.put("animals/one", "The dog is loyal.").await;
    assert_eq!(depth(&pages).await, 1);
    // Words are searched at once, and a query goes by them alone.
    let found = pages.json("brain_search", json!({"query": "loyal"})).await;
    assert_eq!(slugs(&found), ["default::animals/one"]);
    assert_eq!(
        slugs(&queried(&pages, "loyal dog").await),
        ["default::animals/one"]
    );
    assert_eq!(queried(&pages, "canine").await, json!([]));
    interface.fails(false);
    embedded(&pages).await;
    assert_eq!(
        slugs(&queried(&pages, "canine").await),
        ["default::animals/one"]
    );
    // A page that changed waits again for its own.
    let change = json!({"slug": "animals/one", "content": "The cat.", "expected_version": 1});
    pages.call("brain_put", change).await;
    embedded(&pages).await;
    assert_eq!(queried(&pages, "canine").await, json!([]));
    assert_eq!(
        slugs(&queried(&pages, "feline").await),
        ["default::animals/one"]
    );
}
