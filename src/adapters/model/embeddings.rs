//! Embeddings over OpenAI's interface, which many local servers speak, too: asked at one address,
//! within bounds of time and size.

use std::time::Duration;

use async_trait::async_trait;
use reqwest::Response;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use serde::Deserialize;
use serde_json::json;
use tokio::time::timeout;

use super::connections;
use super::key::Key;
use super::unusable::ModelUnusable;
use crate::domain::brain::{Embedder, Likeness, NoVectors, Vector};
use crate::domain::limits::BrainLimits;

/// What asks for it in the configuration.
const SETTING: &str = "brain.embedder: \"http\"";
/// What is added to the address.
const PATH: &str = "/v1/embeddings";
/// Numbers of a vector at most: those of the largest models.
const COLUMNS_MAX: usize = 8_192;
/// Its ranks count as much as those of words: it was made to find what is meant. Below the cosine a
/// page has nothing to do with a query in any model that is known.
const LIKENESS: Likeness = Likeness {
    weight: 1.0,
    cosine_min: 0.3,
};

/// Asks one interface.
pub(crate) struct Embeddings {
    http: reqwest::Client,
    address: String,
    key: Option<Key>,
    name: String,
    model: String,
    limits: BrainLimits,
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    index: usize,
    embedding: Vec<f32>,
}

impl Embeddings {
    /// The interface at an address.
    ///
    /// # Errors
    ///
    /// Connections cannot be made.
    pub(crate) fn new(
        base: &str,
        name: &str,
        key: Option<Key>,
        limits: BrainLimits,
    ) -> Result<Self, ModelUnusable> {
        let http = connections::builder()
            .build()
            .map_err(|error| ModelUnusable::no_connections(SETTING, &error))?;
        Ok(Self {
            http,
            address: format!("{base}{PATH}"),
            key,
            name: name.to_owned(),
            model: format!("http-{name}"),
            limits,
        })
    }

    /// Vectors of as many texts as one question has room for.
    async fn some(&self, texts: &[String]) -> Result<Vec<Vector>, NoVectors> {
        let max = self.limits.embedding_text_bytes_max;
        let input: Vec<_> = texts.iter().map(|text| beginning(text, max)).collect();
        let body = json!({ "model": self.name, "input": input }).to_string();
        let mut request = self
            .http
            .post(&self.address)
            .header(CONTENT_TYPE, "application/json");
        if let Some(value) = self.key.as_ref().and_then(|key| key.header("Bearer ")) {
            request = request.header(AUTHORIZATION, value);
        }
        // What went wrong may repeat an address with what is secret in it, or the text of a page.
        let sent = request.body(body).send().await;
        let response =
            sent.map_err(|error| NoVectors::Unavailable(error.without_url().to_string()))?;
        let status = response.status();
        if !status.is_success() {
            let why = format!("HTTP {}", status.as_u16());
            return Err(match status.as_u16() {
                400 | 413 | 422 => NoVectors::Refused(why),
                _ => NoVectors::Unavailable(why),
            });
        }
        let body = self.whole(response).await?;
        read(&body, texts.len())
    }

    async fn whole(&self, mut response: Response) -> Result<Vec<u8>, NoVectors> {
        let max = self.limits.embedding_answer_bytes_max;
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(Some(piece)) if body.len() + piece.len() <= max => {
                    body.extend_from_slice(&piece);
                }
                Ok(Some(_)) => return Err(unusable("its answer is too long")),
                Ok(None) => return Ok(body),
                Err(error) => return Err(unusable(&error.without_url().to_string())),
            }
        }
    }
}

/// As much of a text as is sent.
fn beginning(text: &str, max: usize) -> &str {
    let end = (0..=max.min(text.len())).rev();
    let end = end.into_iter().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

fn unusable(why: &str) -> NoVectors {
    NoVectors::Unavailable(why.to_owned())
}

/// The vectors of an answer, in the order of the texts.
fn read(body: &[u8], count: usize) -> Result<Vec<Vector>, NoVectors> {
    let Ok(Answer { mut data }) = serde_json::from_slice(body) else {
        return Err(unusable("its answer has no vectors"));
    };
    data.sort_by_key(|row| row.index);
    let is_whole = data.len() == count && data.iter().enumerate().all(|(at, row)| row.index == at);
    if !is_whole {
        return Err(unusable("its answer has not one vector for each text"));
    }
    let columns = data.first().map_or(0, |row| row.embedding.len());
    let is_sound = |row: &Row| {
        row.embedding.len() == columns && row.embedding.iter().all(|number| number.is_finite())
    };
    if !(1..=COLUMNS_MAX).contains(&columns) || !data.iter().all(is_sound) {
        return Err(unusable("its vectors are of no use"));
    }
    Ok(data.iter().map(|row| Vector::of(&row.embedding)).collect())
}

#[async_trait]
impl Embedder for Embeddings {
    fn model(&self) -> &str {
        &self.model
    }

    fn likeness(&self) -> Likeness {
        LIKENESS
    }

    fn is_here(&self) -> bool {
        false
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, NoVectors> {
        let wait = Duration::from_millis(self.limits.embedding_timeout_ms);
        let mut vectors = Vec::with_capacity(texts.len());
        for some in texts.chunks(self.limits.embedding_texts_max.max(1)) {
            match timeout(wait, self.some(some)).await {
                Ok(made) => vectors.extend(made?),
                Err(_) => return Err(unusable("it took too long")),
            }
        }
        Ok(vectors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_in_the_order_of_the_texts_or_not_at_all() {
        let body = br#"{"data":[{"index":1,"embedding":[0,1]},{"index":0,"embedding":[1,0]}]}"#;
        let vectors = read(body, 2).unwrap();
        assert_eq!(vectors, [Vector::of(&[1.0, 0.0]), Vector::of(&[0.0, 1.0])]);
        for bad in [
            r#"{"data":[]}"#,
            r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#,
            r#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}"#,
            r#"{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}"#,
            r#"{"data":[{"index":0,"embedding":[1e99]},{"index":1,"embedding":[1]}]}"#,
            "{}",
            "",
        ] {
            assert!(read(bad.as_bytes(), 2).is_err(), "{bad}");
        }
        assert_eq!(beginning("añb", 2), "a");
        assert_eq!(beginning("ab", 9), "ab");
    }
}
