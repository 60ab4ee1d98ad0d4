//! Text as pieces of words, by the vocabulary of a `tokenizer.json`: WordPiece as BERT has it, and
//! Unigram as SentencePiece has it.

use std::collections::HashMap;

use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Letters of the longest word that is taken apart; longer ones are no words.
const WORD_CHARS_MAX: usize = 100;
/// What stands before a word in a vocabulary of SentencePiece.
const WORD_START: char = '\u{2581}';
/// Letters of a stretch without spaces that are looked at by how likely pieces are: far more than the
/// pieces that count.
const STRETCH_CHARS_MAX: usize = 4_096;
/// How much less likely than any piece a letter is that is none.
const UNKNOWN_PENALTY: f64 = 10.0;

/// A vocabulary, and how words are taken apart by it.
pub(super) struct Pieces {
    ids: HashMap<String, u32>,
    /// Letters of the longest piece.
    longest: usize,
    is_lower_case: bool,
    has_accents: bool,
    kind: Kind,
}

enum Kind {
    /// The longest piece first; those inside a word begin with this.
    WordPiece { inside: String },
    /// The likeliest pieces, by the logarithm of how likely each is.
    Unigram { scores: Vec<f64>, unknown: f64 },
}

impl Pieces {
    /// Reads a tokenizer, or says what is wrong with it.
    pub(super) fn read(json: &[u8]) -> Result<Self, String> {
        let json: Value = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        let model = &json["model"];
        let (ids, kind) = match model["type"].as_str() {
            Some("WordPiece") => word_piece(model)?,
            Some("Unigram") => unigram(model)?,
            other => {
                let other = other.unwrap_or("unnamed");
                return Err(format!(
                    "its model is {other}; WordPiece and Unigram are read"
                ));
            }
        };
        if ids.is_empty() {
            return Err("its vocabulary is empty".to_owned());
        }
        let normalizer = &json["normalizer"];
        let bert = step(normalizer, "BertNormalizer");
        let is_lower_case = match bert {
            Some(bert) => bert["lowercase"] != false,
            None => step(normalizer, "Lowercase").is_some(),
        };
        let strips_accents = match bert {
            // Where nothing is said, accents go with the capitals.
            Some(bert) => bert["strip_accents"].as_bool().unwrap_or(is_lower_case),
            None => step(normalizer, "StripAccents").is_some(),
        };
        Ok(Self {
            longest: ids
                .keys()
                .map(|piece| piece.chars().count())
                .max()
                .unwrap_or(0),
            ids,
            is_lower_case,
            has_accents: !strips_accents,
            kind,
        })
    }

    /// The pieces of a text, at most so many; what is no piece is left out.
    pub(super) fn of(&self, text: &str, max: usize) -> Vec<u32> {
        let mut found = Vec::new();
        for word in text.split_whitespace() {
            let word = self.normalized(word);
            match &self.kind {
                Kind::WordPiece { inside } => {
                    for part in parts(&word) {
                        self.longest_first(part, inside, &mut found);
                    }
                }
                Kind::Unigram { scores, unknown } => {
                    self.likeliest(&word, scores, *unknown, &mut found);
                }
            }
            if found.len() >= max {
                found.truncate(max);
                break;
            }
        }
        found
    }

    fn normalized(&self, word: &str) -> String {
        let word = match self.is_lower_case {
            true => word.to_lowercase(),
            false => word.to_owned(),
        };
        match (self.has_accents, &self.kind) {
            (false, _) => word
                .nfd()
                .filter(|char| !is_combining_mark(*char))
                .collect(),
            (true, Kind::Unigram { .. }) => word.nfkc().collect(),
            (true, Kind::WordPiece { .. }) => word,
        }
    }

    fn longest_first(&self, word: &str, inside: &str, found: &mut Vec<u32>) {
        let chars: Vec<char> = word.chars().collect();
        if chars.len() > WORD_CHARS_MAX {
            return;
        }
        let (before, mut start) = (found.len(), 0);
        while start < chars.len() {
            let end = chars.len().min(start + self.longest);
            let piece = (start + 1..=end).rev().find_map(|end| {
                let mut piece = String::new();
                if start > 0 {
                    piece.push_str(inside);
                }
                piece.extend(&chars[start..end]);
                self.ids.get(&piece).map(|id| (*id, end))
            });
            // A word of which a part is unknown is unknown.
            let Some((id, end)) = piece else {
                found.truncate(before);
                return;
            };
            found.push(id);
            start = end;
        }
    }

    fn likeliest(&self, word: &str, scores: &[f64], unknown: f64, found: &mut Vec<u32>) {
        let chars: Vec<char> = std::iter::once(WORD_START)
            .chain(word.chars().take(STRETCH_CHARS_MAX))
            .collect();
        // The best way to each place: how likely it is, and its last piece with where that begins.
        let mut best: Vec<(f64, usize, Option<u32>)> =
            vec![(f64::NEG_INFINITY, 0, None); chars.len() + 1];
        best[0].0 = 0.0;
        for start in 0..chars.len() {
            let so_far = best[start].0;
            let mut piece = String::new();
            for end in start + 1..=chars.len().min(start + self.longest.max(1)) {
                piece.push(chars[end - 1]);
                let id = self.ids.get(&piece).copied();
                let score = match id {
                    Some(id) => scores.get(id as usize).copied().unwrap_or(unknown),
                    None if end == start + 1 => unknown,
                    None => continue,
                };
                if so_far + score > best[end].0 {
                    best[end] = (so_far + score, start, id);
                }
            }
        }
        let (before, mut end) = (found.len(), chars.len());
        while end > 0 {
            let (_, start, id) = best[end];
            found.extend(id);
            end = start;
        }
        found[before..].reverse();
    }
}

/// Words and signs of a stretch without spaces, each sign alone, and each letter that is a word of its
/// own in Chinese or Japanese.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let is_alone = |char: char| {
        let is_word = char.is_alphanumeric() || is_combining_mark(char);
        !is_word
            || matches!(char, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
    };
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = match is_alone(first) {
            true => first.len_utf8(),
            false => rest.find(is_alone).unwrap_or(rest.len()),
        };
        let (part, behind) = rest.split_at(end);
        rest = behind;
        Some(part)
    })
}

/// A step of a normalizer, alone or in a sequence.
fn step<'a>(normalizer: &'a Value, kind: &str) -> Option<&'a Value> {
    if normalizer["type"] == kind {
        return Some(normalizer);
    }
    let steps = normalizer["normalizers"].as_array()?;
    steps.iter().find_map(|one| step(one, kind))
}

fn id(value: &Value) -> Result<u32, String> {
    let id = value.as_u64().and_then(|id| u32::try_from(id).ok());
    id.ok_or_else(|| "its vocabulary has an id that is no number".to_owned())
}

fn word_piece(model: &Value) -> Result<(HashMap<String, u32>, Kind), String> {
    let vocabulary = model["vocab"].as_object();
    let vocabulary = vocabulary.ok_or("model.vocab is no object")?;
    let unknown = model["unk_token"].as_str().unwrap_or("[UNK]");
    let mut ids = HashMap::with_capacity(vocabulary.len());
    for (piece, value) in vocabulary {
        if piece != unknown {
            ids.insert(piece.clone(), id(value)?);
        }
    }
    let inside = model["continuing_subword_prefix"].as_str();
    let inside = inside.unwrap_or("##").to_owned();
    Ok((ids, Kind::WordPiece { inside }))
}

fn unigram(model: &Value) -> Result<(HashMap<String, u32>, Kind), String> {
    let vocabulary = model["vocab"].as_array();
    let vocabulary = vocabulary.ok_or("model.vocab is no list")?;
    let unknown = model["unk_id"].as_u64();
    let mut ids = HashMap::with_capacity(vocabulary.len());
    let mut scores = Vec::with_capacity(vocabulary.len());
    for (id, row) in (0_u32..).zip(vocabulary) {
        let (Some(piece), Some(score)) = (row[0].as_str(), row[1].as_f64()) else {
            return Err("model.vocab has a row that is no piece and its score".to_owned());
        };
        if Some(u64::from(id)) != unknown {
            ids.insert(piece.to_owned(), id);
        }
        scores.push(score);
    }
    let unknown = scores.iter().copied().fold(0.0, f64::min) - UNKNOWN_PENALTY;
    Ok((ids, Kind::Unigram { scores, unknown }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(json: &Value) -> Pieces {
        Pieces::read(json.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn word_pieces_are_the_longest_first_and_what_is_unknown_is_left_out() {
        let pieces = read(&json!({
            "normalizer": {"type": "BertNormalizer", "lowercase": true, "strip_accents": null},
            "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                "vocab": {"[UNK]": 0, "tea": 1, "##pot": 2, "##s": 3, "cafe": 4, ",": 5, "漢": 6}},
        }));
        assert_eq!(
            pieces.of("Teapots, Café 漢漢 xyz teax", 99),
            [1, 2, 3, 5, 4, 6, 6]
        );
        assert_eq!(pieces.of("tea tea tea", 2), [1, 1]);
        assert_eq!(pieces.of(" \u{0} ", 9), [0_u32; 0]);
    }

    #[test]
    fn unigram_pieces_are_the_likeliest_and_what_is_unknown_is_left_out() {
        let pieces = read(&json!({
            "normalizer": {"type": "Sequence", "normalizers": [{"type": "Lowercase"}]},
            "model": {"type": "Unigram", "unk_id": 0, "vocab": [
                ["<unk>", 0.0], ["▁tea", -2.0], ["pot", -2.0], ["▁", -3.0], ["t", -4.0],
                ["ea", -4.0], ["▁teap", -9.0], ["ot", -9.0],
            ]},
        }));
        assert_eq!(pieces.of("Teapot", 9), [1, 2]);
        assert_eq!(pieces.of("zt", 9), [3, 4]);
    }

    #[test]
    fn a_tokenizer_of_another_kind_is_refused_in_words() {
        for (json, why) in [
            (json!({"model": {"type": "BPE"}}), "its model is BPE"),
            (
                json!({"model": {"type": "Unigram", "vocab": [[1]]}}),
                "a row that is no piece",
            ),
            (
                json!({"model": {"type": "WordPiece", "vocab": {"a": "b"}}}),
                "an id",
            ),
            (
                json!({"model": {"type": "WordPiece", "vocab": {}}}),
                "is empty",
            ),
        ] {
            let message = Pieces::read(json.to_string().as_bytes()).err().unwrap();
            assert!(message.contains(why), "{message}");
        }
    }
}
