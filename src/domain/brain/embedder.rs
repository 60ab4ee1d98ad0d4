//! The port that turns text into vectors, so that what is alike is found without the same words.

use super::super::store_error::StoreError;

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

/// Turns text into vectors.
pub(crate) trait Embedder: Send + Sync + 'static {
    /// Its name; vectors of different models are never compared.
    fn model(&self) -> &str;

    /// A vector for each text.
    fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, StoreError>;
}
