//! Words for people out of names for programs.

use smallvec::SmallVec;
use smol_str::{SmolStr, StrExt, format_smolstr};

/// Words that are written in capitals.
const ACRONYMS: &[&str] = &[
    "ai", "api", "bic", "bmi", "cpu", "crm", "css", "csv", "db", "dns", "ecg", "erp", "eta", "faq",
    "gdpr", "gps", "gpu", "html", "http", "iban", "id", "ip", "iso", "json", "kpi", "mfa", "mri",
    "nfc", "ok", "pdf", "pin", "qr", "ram", "roi", "sku", "sla", "sms", "sql", "ssd", "ssh", "ssl",
    "sso", "tls", "ui", "uri", "url", "usb", "utc", "uuid", "vat", "vip", "vpn",
];

/// Short names that have a word.
const SPELLED_OUT: &[(&str, &str)] = &[
    ("co2", "CO₂"),
    ("sha1", "SHA-1"),
    ("sha256", "SHA-256"),
    ("sha512", "SHA-512"),
    ("wifi", "Wi-Fi"),
    ("kw", "kW"),
    ("kwh", "kWh"),
    ("mw", "MW"),
    ("mwh", "MWh"),
    ("acct", "account"),
    ("addr", "address"),
    ("amt", "amount"),
    ("cust", "customer"),
    ("dept", "department"),
    ("desc", "description"),
    ("lat", "latitude"),
    ("lng", "longitude"),
    ("lon", "longitude"),
    ("msg", "message"),
    ("num", "number"),
    ("prev", "previous"),
    ("qty", "quantity"),
    ("tel", "phone"),
    ("tkt", "ticket"),
];

/// Names of a moment that have nothing beside them; elsewhere the letters are units: `yieldTPerHa`.
const MOMENTS: &[&str] = &["t", "ts"];

/// Letters that belong to the digits behind them: `sha256Sum`.
const NUMBERED: &[&str] = &[
    "aes", "base", "crc", "http", "iso", "mpeg", "sha", "usb", "utf",
];

/// Letters of a word that a number may stand behind: `repairWithin30Days`.
const WORD_MIN: usize = 3;

/// Letters of a name that is read without allocating.
const NAME_CHARS: usize = 32;

/// A word in small letters; only long ones allocate.
pub(crate) type Word = SmolStr;

/// The words of a name; only many of them allocate.
pub(crate) type Words = SmallVec<[Word; 4]>;

/// A name as a label: `unitPrice` becomes `Unit price`, `set_qty` becomes `Set quantity`.
pub(crate) fn label(name: &str) -> String {
    if MOMENTS.contains(&name) {
        return "Time".to_owned();
    }
    let words: Vec<String> = split(name).iter().map(|word| spelled(word)).collect();
    let text = words.join(" ");
    if text.is_empty() {
        // A name of signs alone is shown as it is; one of nothing at all still needs words.
        return if name.is_empty() { "Unnamed" } else { name }.to_owned();
    }
    capitalised(&text)
}

/// A label of what a schema describes: its own title, else its name.
pub(crate) fn titled(name: &str, schema: &serde_json::Value) -> String {
    /// Longer titles are sentences.
    const TITLE_CHARS_MAX: usize = 60;
    let title = schema.get("title").and_then(serde_json::Value::as_str);
    let fits = |title: &&str| !title.trim().is_empty() && title.chars().count() <= TITLE_CHARS_MAX;
    title
        .filter(fits)
        .map_or_else(|| label(name), |title| title.trim().to_owned())
}

/// The words of a name in small letters: `todoItems` has `todo` and `items`.
pub(crate) fn split(name: &str) -> Words {
    let chars: SmallVec<[(usize, char); NAME_CHARS]> = name.char_indices().collect();
    let mut words = Words::new();
    let mut from = 0;
    for (at, (_, c)) in chars.iter().enumerate() {
        let is_letter = c.is_alphanumeric();
        if !is_letter || begins(&chars, from, at) {
            words.extend(word(name, &chars[from..at]));
            from = if is_letter { at } else { at + 1 };
        }
    }
    words.extend(word(name, &chars[from..]));
    words
}

/// Some letters of a name as small ones; nothing where there are none.
fn word(name: &str, letters: &[(usize, char)]) -> Option<Word> {
    let ((from, _), (to, last)) = (letters.first()?, letters.last()?);
    Some(name[*from..to + last.len_utf8()].to_lowercase_smolstr())
}

/// Whether a word begins at one of the letters of a name, where the last one began at `from`.
fn begins(chars: &[(usize, char)], from: usize, at: usize) -> bool {
    let (_, c) = chars[at];
    let before = |many: usize, is: fn(char) -> bool| at >= many && is(chars[at - many].1);
    if c.is_uppercase() {
        let next = chars.get(at + 1);
        return before(1, char::is_lowercase)
            || before(1, char::is_numeric)
            || (before(1, char::is_uppercase)
                && next.is_some_and(|(_, next)| next.is_lowercase()));
    }
    if !c.is_numeric() {
        return false;
    }
    // `useA24HourClock`: a word of one letter ends before digits.
    let is_lone = before(1, char::is_uppercase) && before(2, char::is_lowercase);
    let own = &chars[from..at];
    let is_own = |all: &&str| {
        own.iter()
            .map(|(_, c)| c.to_ascii_lowercase())
            .eq(all.chars())
    };
    let after = || chars[at..].iter().find(|(_, next)| !next.is_numeric());
    is_lone
        || (own.len() >= WORD_MIN
            && own.iter().all(|(_, c)| c.is_alphabetic())
            && after().is_some_and(|(_, next)| next.is_uppercase())
            && !NUMBERED.iter().any(is_own))
}

/// The singular of an English plural, roughly: enough to match `todos` with `toggleTodo`.
pub(crate) fn singular(word: &str) -> Word {
    /// Words that no rule brings together.
    const IRREGULAR: &[(&str, &str)] = &[
        ("bus", "bus"),
        ("buses", "bus"),
        ("children", "child"),
        ("lens", "lens"),
        ("lenses", "lens"),
        ("men", "man"),
        ("people", "person"),
        ("status", "status"),
        ("statuses", "status"),
        ("women", "woman"),
    ];
    if let Some((_, one)) = IRREGULAR.iter().find(|(many, _)| *many == word) {
        return Word::new_static(one);
    }
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format_smolstr!("{stem}y");
    }
    for suffix in ["sses", "xes", "ches", "shes"] {
        if word.ends_with(suffix) {
            return word[..word.len() - 2].into();
        }
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 1 && !stem.ends_with('s') => stem.into(),
        _ => word.into(),
    }
}

/// Whether a heading says a title already: as one of its words, or as some that stand together,
/// so that `To do` says `Todos`.
pub(crate) fn says(heading: &str, title: &str) -> bool {
    let title = singular(&split(title).concat());
    let words = split(heading);
    let mut runs =
        (0..words.len()).flat_map(|from| (from + 1..=words.len()).map(move |to| (from, to)));
    !title.is_empty() && runs.any(|(from, to)| singular(&words[from..to].concat()) == title)
}

fn spelled(word: &str) -> String {
    if ACRONYMS.contains(&word) {
        return word.to_uppercase();
    }
    let spelled = SPELLED_OUT.iter().find(|(short, _)| *short == word);
    spelled.map_or(word, |(_, long)| long).to_owned()
}

/// A text with a capital at its beginning.
pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

/// The beginnings of all words of a text.
pub(crate) fn stems(text: &str) -> Words {
    split(text).iter().map(|word| stem(word)).collect()
}

/// The beginning that forms of one word share: `booked`, `booking`, `book`.
pub(crate) fn stem(word: &str) -> Word {
    let mut bare = singular(word);
    if let Some(rest) = bare
        .strip_suffix("ment")
        .filter(|rest| rest.chars().count() >= 4)
    {
        bare = rest.into();
    }
    for ending in ["ing", "ed", "er", "e"] {
        if let Some(rest) = bare
            .strip_suffix(ending)
            .filter(|rest| rest.chars().count() >= 3)
        {
            return rest.into();
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_labels() {
        for (name, text) in [
            ("setQuantity", "Set quantity"),
            ("unitPrice", "Unit price"),
            ("photoDataUrl", "Photo data URL"),
            ("sku", "SKU"),
            ("HTTPStatus", "HTTP status"),
            ("useA24HourClock", "Use a 24 hour clock"),
            ("iban", "IBAN"),
            ("ssoEnabled", "SSO enabled"),
            ("sha256", "SHA-256"),
            ("sha256Sum", "SHA-256 sum"),
            ("contractionsPer10Min", "Contractions per 10 min"),
            ("t", "Time"),
            ("availableT", "Available t"),
            ("co2Saved", "CO₂ saved"),
            ("first_name", "First name"),
            ("qty", "Quantity"),
            ("a/b~c", "A b c"),
            ("", "Unnamed"),
            ("~", "~"),
            ("日付", "日付"),
        ] {
            assert_eq!(label(name), text, "{name}");
        }
    }

    #[test]
    fn a_heading_says_what_it_names_in_one_word_or_in_several() {
        for (heading, title, said) in [
            ("To do", "Todos", true),
            ("My TODOs for today", "Todo", true),
            ("Review the open tickets", "Open tickets", true),
            ("Review the ticket", "Tickets", true),
            ("What to do", "Tasks", false),
            ("Tomorrow", "To", false),
            ("Open tickets", "Tickets open", false),
            ("Hello", "~", false),
        ] {
            assert_eq!(says(heading, title), said, "{heading} {title}");
        }
    }

    #[test]
    fn plurals_meet_their_singulars() {
        for (many, one) in [
            ("todos", "todo"),
            ("entries", "entry"),
            ("boxes", "box"),
            ("glass", "glass"),
            ("statuses", "status"),
            ("lenses", "lens"),
            ("children", "child"),
        ] {
            assert_eq!(singular(many), one);
        }
    }
}
