//! Blanks what is not code, byte for byte, so that a word search keeps its line numbers.

/// Copies of a text in which some bytes were replaced by spaces; newlines stay.
pub(crate) struct Blanked {
    /// Without comments, string contents and `#[cfg(test)]` items.
    pub(crate) product: String,
    /// Without comments and string contents.
    pub(crate) code: String,
    /// Only the string contents outside `#[cfg(test)]` items.
    pub(crate) product_strings: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Code,
    Comment,
    Text,
}

impl Blanked {
    pub(crate) fn of(text: &str) -> Self {
        let kinds = kinds(text.as_bytes());
        let code = keep(text, |at| kinds[at] == Kind::Code);
        let tests = test_items(&code);
        let product = keep(text, |at| kinds[at] == Kind::Code && !tests[at]);
        let product_strings = keep(text, |at| kinds[at] == Kind::Text && !tests[at]);
        Self {
            product,
            code,
            product_strings,
        }
    }

    /// The line, counted from one, on which a byte stands.
    pub(crate) fn line(&self, at: usize) -> usize {
        1 + self
            .code
            .bytes()
            .take(at)
            .filter(|byte| *byte == b'\n')
            .count()
    }
}

fn keep(text: &str, wanted: impl Fn(usize) -> bool) -> String {
    let bytes = text.bytes().enumerate().map(|(at, byte)| {
        if byte == b'\n' || (wanted(at) && byte.is_ascii()) {
            byte
        } else {
            b' '
        }
    });
    bytes.map(char::from).collect()
}

fn kinds(text: &[u8]) -> Vec<Kind> {
    let mut kinds = vec![Kind::Code; text.len()];
    let mut at = 0;
    while at < text.len() {
        let (kind, inside, end) = match text[at] {
            b'/' if text.get(at + 1) == Some(&b'/') => {
                let end = find(text, at, b"\n").unwrap_or(text.len());
                (Kind::Comment, at, end)
            }
            b'/' if text.get(at + 1) == Some(&b'*') => (Kind::Comment, at, block_end(text, at)),
            b'"' => (Kind::Text, at + 1, string_end(text, at + 1)),
            b'r' if !continues_word(text, at) => match raw_string(text, at) {
                Some((inside, end)) => (Kind::Text, inside, end),
                None => (Kind::Code, at, at + 1),
            },
            b'\'' => match char_end(text, at) {
                Some(end) => (Kind::Text, at + 1, end),
                None => (Kind::Code, at, at + 1),
            },
            _ => (Kind::Code, at, at + 1),
        };
        kinds[inside.min(end)..end].fill(kind);
        // The closing quote is code again; its hashes do no harm.
        at = if kind == Kind::Text { end + 1 } else { end };
    }
    kinds
}

fn find(text: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    text.get(from..)?
        .windows(needle.len())
        .position(|window| window == needle)
        .map(|at| from + at)
}

fn block_end(text: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while at < text.len() {
        if text[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    text.len()
}

fn string_end(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at.min(text.len())
}

/// `r` may be the end of `br` or `cr`, and of no other word.
fn continues_word(text: &[u8], at: usize) -> bool {
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let before = |back: usize| at.checked_sub(back).and_then(|place| text.get(place));
    match before(1) {
        Some(b'b' | b'c') => before(2).is_some_and(word),
        Some(byte) => word(byte),
        None => false,
    }
}

fn raw_string(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let hashes = text[at + 1..]
        .iter()
        .take_while(|byte| **byte == b'#')
        .count();
    let open = at + 1 + hashes;
    if text.get(open) != Some(&b'"') {
        return None;
    }
    let mut close = vec![b'"'];
    close.extend(std::iter::repeat_n(b'#', hashes));
    Some((open + 1, find(text, open + 1, &close).unwrap_or(text.len())))
}

/// A character, not a lifetime: a backslash, or a quote within the next character's bytes.
fn char_end(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at + 1)? {
        b'\\' => find(text, at + 3, b"'"),
        first => {
            let width = match first {
                0..=0x7f => 1,
                0x80..=0xdf => 2,
                0xe0..=0xef => 3,
                _ => 4,
            };
            (text.get(at + 1 + width) == Some(&b'\'')).then_some(at + 1 + width)
        }
    }
}

/// The bytes of items under `#[cfg(test)]`, from the attribute to the closing brace or semicolon.
fn test_items(code: &str) -> Vec<bool> {
    let mut marks = vec![false; code.len()];
    for (start, _) in code.match_indices("#[cfg(test)]") {
        let mut depth = 0_usize;
        let mut end = code.len();
        for (at, byte) in code.bytes().enumerate().skip(start) {
            match byte {
                b'{' | b'(' | b'[' => depth += 1,
                b'}' | b')' | b']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && byte == b'}' {
                        end = at + 1;
                        break;
                    }
                }
                b';' if depth == 0 => {
                    end = at + 1;
                    break;
                }
                _ => {}
            }
        }
        marks[start..end].fill(true);
    }
    marks
}

#[test]
fn comments_strings_and_characters_are_not_code() {
    let text = "a(\"x // \\\" y\"); // c\n/* /* d */ */ b('\"', '\\'', br#\"e\"f\"#, 'g', 'static)";
    let blanked = Blanked::of(text);
    let words: String = blanked.code.split_whitespace().collect();
    assert_eq!(words, "a(\"\");b('','',br#\"\"#,'','static)");
    assert_eq!(blanked.line(text.len()), 2);
}

#[test]
fn test_items_are_not_product() {
    let text = "fn a() {}\n#[cfg(test)]\nmod tests { fn b(x: [u8; 2]) {} }\nfn c() {}";
    let product = Blanked::of(text).product;
    assert!(product.contains("fn a") && product.contains("fn c") && !product.contains("fn b"));
}
