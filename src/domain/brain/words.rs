//! Text as words: what is looked for, and the vectors of hashed parts of words.

use async_trait::async_trait;

use super::embedder::{Embedder, Likeness, NoVectors, Vector};

/// Words of a query: more say nothing, and each costs a look-up.
const TERMS_MAX: usize = 32;
/// What a rank counts, and how alike a page has to be. The weight is less than one rank among the first
/// pages, so that it adds pages and never puts one that has the words behind one that only looks like
/// them; below the cosine, hashed words agree by chance.
const LIKENESS: Likeness = Likeness {
    weight: 0.01,
    cosine_min: 0.15,
};
/// Numbers of a vector: few enough to compare ten thousand in a moment.
const DIMENSIONS: usize = 256;
/// Letters of the parts of a word.
const GRAM_CHARS: usize = 3;
/// What a whole word counts beside each of its parts.
const WORD_WEIGHT: f32 = 2.0;

/// The words of a text: letters and digits of any script, nothing else.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|char: char| !char.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

/// The first words of a text, in lower case, each once.
pub(crate) fn terms(text: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    for word in words(text) {
        let word = word.to_lowercase();
        if !terms.contains(&word) {
            terms.push(word);
        }
        if terms.len() == TERMS_MAX {
            break;
        }
    }
    terms
}

/// Vectors of hashed words and their parts: the same on every machine, with nothing to load. What
/// is spelled alike is near.
pub(crate) struct HashedWords;

#[async_trait]
impl Embedder for HashedWords {
    fn model(&self) -> &str {
        "hashed-words-256"
    }

    fn likeness(&self) -> Likeness {
        LIKENESS
    }

    fn is_here(&self) -> bool {
        true
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vector>, NoVectors> {
        Ok(texts.iter().map(|text| hashed(text)).collect())
    }
}

fn hashed(text: &str) -> Vector {
    let mut values = [0.0_f32; DIMENSIONS];
    let mut add = |part: &str, weight: f32| {
        let hash = fnv(part.as_bytes());
        let at = (hash % DIMENSIONS as u64) as usize;
        values[at] += if hash >> 63 == 0 { weight } else { -weight };
    };
    for word in words(text) {
        let word = word.to_lowercase();
        add(&word, WORD_WEIGHT);
        let padded: Vec<char> = format!("<{word}>").chars().collect();
        for gram in padded.windows(GRAM_CHARS) {
            add(&gram.iter().collect::<String>(), 1.0);
        }
    }
    Vector::of(&values)
}

/// FNV-1a, 64 bits.
fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_letters_and_digits_of_any_script_and_nothing_else() {
        assert_eq!(
            terms("Who's \"50%\" OR NEAR(수업)* tea, TEA?"),
            ["who", "s", "50", "or", "near", "수업", "tea"]
        );
        assert_eq!(terms("?!* -- \0"), [""; 0]);
        assert_eq!(
            terms(
                &"a b c d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4 5 6 7 8 9 ".repeat(2)
            )
            .len(),
            TERMS_MAX
        );
    }

    #[test]
    fn what_is_spelled_alike_is_near_and_the_rest_is_far() {
        let texts = [
            "embedding models",
            "the embeddings of a model",
            "green tea at four",
        ];
        let vectors = texts.map(hashed);
        let near = vectors[0].cosine(&vectors[1].bytes());
        let far = vectors[0].cosine(&vectors[2].bytes());
        assert!(near > far + 0.2, "{near} {far}");
        let same = vectors[0].cosine(&vectors[0].bytes());
        assert!((0.97..1.03).contains(&same), "{same}");
    }
}
