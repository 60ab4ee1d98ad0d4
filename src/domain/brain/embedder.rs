//! The port that turns text into vectors, so that what is alike is found without the same words.

use async_trait::async_trait;

/// A vector of length one, in steps of 1/127: small enough to compare all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Vector(pub(crate) Vec<i8>);

/// One, in steps of a vector.
const STEPS: f32 = 127.0;

impl Vector {
    /// A vector of this direction.
    pub(crate) fn of(values: &[f32]) -> Self {
        let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
        let scale = if length > 0.0 { STEPS / length } else { 0.0 };
        let step = |value: &f32| (value * scale).round().clamp(-STEPS, STEPS) as i8;
        Self(values.iter().map(step).collect())
    }

    /// The cosine of the angle to stored bytes of another one.
    pub(crate) fn cosine(&self, bytes: &[u8]) -> f64 {
        let pairs = self.0.iter().zip(bytes);
        let product: i32 = pairs
            .map(|(a, b)| i32::from(*a) * i32::from(b.cast_signed()))
            .sum();
        f64::from(product) / f64::from(STEPS * STEPS)
    }

    /// Its bytes as they are stored.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.iter().map(|step| step.cast_unsigned()).collect()
    }
}

/// What the likeness of vectors of a model is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Likeness {
    /// What a rank counts beside the same rank of words.
    pub(crate) weight: f64,
    /// How alike a page has to be that shares no word.
    pub(crate) cosine_min: f64,
}

/// Why there are no vectors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoVectors {
    /// These texts get none; others may.
    #[cfg_attr(
        not(feature = "model"),
        expect(dead_code, reason = "only an interface refuses some texts")
    )]
    #[error("these texts are refused: {0}")]
    Refused(String),
    /// Nothing does, for a while.
    #[error("it does not answer: {0}")]
    Unavailable(String),
}

/// Turns text into vectors.
#[async_trait]
pub(crate) trait Embedder: Send + Sync + 'static {
    /// Its name; vectors of different models are never compared.
    fn model(&self) -> &str;

    /// What its vectors are worth.
    fn likeness(&self) -> Likeness;

    /// Whether it works within this process: then a page is written together with its vectors, which
    /// otherwise follow.
    fn is_here(&self) -> bool;

    /// A vector for each text.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, NoVectors>;
}
