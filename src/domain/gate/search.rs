//! Finds tools by words: BM25 over their names, titles, descriptions and arguments, without a model.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// How soon a word that is said again counts less, and how much the length of a text matters: what
/// BM25 is used with wherever nothing else is known.
const K1: f64 = 1.2;
const B: f64 = 0.75;
/// How much more a word says in the name of a tool, and in its title, than in its description.
const NAME_WEIGHT: f64 = 3.0;
const TITLE_WEIGHT: f64 = 2.0;
/// How much a word says that names an argument.
const ARGUMENT_WEIGHT: f64 = 0.5;
/// Words of a query that are looked for: more than any question has.
const QUERY_WORDS_MAX: usize = 64;

/// What a tool says of itself, word by word.
struct Text {
    /// How much each word says.
    words: HashMap<String, f64>,
    length: f64,
}

impl Text {
    fn of(tool: &Map<String, Value>) -> Self {
        let mut text = Self {
            words: HashMap::new(),
            length: 0.0,
        };
        for (member, weight) in [
            ("name", NAME_WEIGHT),
            ("title", TITLE_WEIGHT),
            ("description", 1.0),
        ] {
            let said = tool.get(member).and_then(Value::as_str);
            text.add(said.unwrap_or_default(), weight);
        }
        let arguments = tool
            .get("inputSchema")
            .and_then(|schema| schema.get("properties"));
        for name in arguments
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::keys)
        {
            text.add(name, ARGUMENT_WEIGHT);
        }
        text
    }

    fn add(&mut self, said: &str, weight: f64) {
        for word in words(said) {
            *self.words.entry(word).or_default() += weight;
            self.length += weight;
        }
    }
}

/// The tools that have a word of a query, best first.
pub(crate) fn find_tools(query: &str, tools: Vec<Map<String, Value>>) -> Vec<Map<String, Value>> {
    let mut wanted = words(query);
    wanted.sort();
    wanted.dedup();
    wanted.truncate(QUERY_WORDS_MAX);
    let texts: Vec<_> = tools.iter().map(Text::of).collect();
    #[expect(clippy::cast_precision_loss, reason = "lists are far shorter")]
    let count = |number: usize| number as f64;
    let all = count(texts.len());
    let mean = texts.iter().map(|text| text.length).sum::<f64>() / all.max(1.0);
    let rarity = |word: &String| {
        let having = texts.iter().filter(|text| text.words.contains_key(word));
        let having = count(having.count());
        (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
    };
    let wanted: Vec<_> = wanted.iter().map(|word| (word, rarity(word))).collect();
    let score = |text: &Text| {
        let length = 1.0 - B + B * text.length / mean.max(1.0);
        let scores = wanted.iter().map(|(word, rarity)| {
            let said = text.words.get(*word).copied().unwrap_or_default();
            rarity * said * (K1 + 1.0) / (said + K1 * length)
        });
        scores.sum::<f64>()
    };
    let scores: Vec<_> = texts.iter().map(score).collect();
    let mut found: Vec<_> = scores.into_iter().zip(tools).collect();
    found.retain(|(score, _)| *score > 0.0);
    // Of equal ones the first in the list stays first.
    found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    found.into_iter().map(|(_, tool)| tool).collect()
}

/// The words of a text in small letters, without their endings; a change of case begins another one.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in text.chars() {
        let is_new = !letter.is_alphanumeric() || (was_small && letter.is_uppercase());
        if is_new {
            words.push(String::new());
        }
        was_small = letter.is_lowercase();
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words.into_iter().map(stem).collect()
}

/// A word without the endings that English words take: enough that `files` finds `file`.
fn stem(mut word: String) -> String {
    if word.len() > 4 && word.ends_with("ies") {
        word.truncate(word.len() - 3);
        word.push('y');
    } else if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") {
        word.truncate(word.len() - 1);
    }
    for ending in ["ing", "ed"] {
        if word.len() > ending.len() + 2 && word.ends_with(ending) {
            word.truncate(word.len() - ending.len());
        }
    }
    if word.len() > 3 && word.ends_with('e') {
        word.truncate(word.len() - 1);
    }
    word
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, description: &str) -> Map<String, Value> {
        let tool = json!({"name": name, "description": description,
            "inputSchema": {"type": "object", "properties": {"path": {}}}});
        match tool {
            Value::Object(tool) => tool,
            other => panic!("{other}"),
        }
    }

    fn found(query: &str) -> Vec<String> {
        let tools = vec![
            tool("list_files", "Lists what is there"),
            tool("readFile", "Reads a text"),
            tool("delete", "Deletes files and directories"),
            tool("weather", "The weather of tomorrow"),
        ];
        let found = find_tools(query, tools).into_iter();
        found
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn what_a_name_says_counts_more_than_what_a_description_does() {
        assert_eq!(found("File"), ["readFile", "list_files", "delete"]);
        assert_eq!(found("deleting directories")[0], "delete");
        assert_eq!(found("path").len(), 4);
        assert_eq!(found("nothing of that"), ["weather"]);
        assert!(found("").is_empty() && found("…").is_empty());
    }

    #[test]
    fn words_are_found_in_every_form_they_take() {
        for (one, other) in [
            ("merging", "merge"),
            ("scheduled", "schedule"),
            ("repositories", "repository"),
            ("emails", "email"),
        ] {
            assert_eq!(words(one), words(other));
        }
        assert_eq!(
            words("sendEmail_to-HTTP2"),
            ["send", "email", "to", "http2"]
        );
    }
}
