//! Words for people out of names for programs.

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
    ("amt", "amount"),
    ("desc", "description"),
    ("lat", "latitude"),
    ("lng", "longitude"),
    ("lon", "longitude"),
    ("msg", "message"),
    ("num", "number"),
    ("qty", "quantity"),
    ("t", "time"),
    ("ts", "time"),
];

/// Units at the end of a name.
const UNITS: &[(&str, &str)] = &[
    ("bar", "bar"),
    ("bpm", "bpm"),
    ("c", "°C"),
    ("celsius", "°C"),
    ("cm", "cm"),
    ("cm2", "cm²"),
    ("cm3", "cm³"),
    ("degrees", "°"),
    ("fahrenheit", "°F"),
    ("gb", "GB"),
    ("ghz", "GHz"),
    ("g", "g"),
    ("grams", "g"),
    ("hours", "h"),
    ("hz", "Hz"),
    ("ha", "ha"),
    ("hpa", "hPa"),
    ("kg", "kg"),
    ("km", "km"),
    ("km2", "km²"),
    ("kilos", "kg"),
    ("kmh", "km/h"),
    ("knots", "kn"),
    ("kw", "kW"),
    ("kwh", "kWh"),
    ("m", "m"),
    ("m2", "m²"),
    ("m3", "m³"),
    ("mb", "MB"),
    ("mg", "mg"),
    ("mhz", "MHz"),
    ("litres", "l"),
    ("lux", "lx"),
    ("meters", "m"),
    ("metres", "m"),
    ("minutes", "min"),
    ("ml", "ml"),
    ("mm", "mm"),
    ("mph", "mph"),
    ("mps", "m/s"),
    ("mw", "MW"),
    ("mwh", "MWh"),
    ("ppm", "ppm"),
    ("rpm", "rpm"),
    ("sqm", "m²"),
    ("tb", "TB"),
    ("tonnes", "t"),
    ("volts", "V"),
    ("w", "W"),
    ("watts", "W"),
    ("wh", "Wh"),
];

/// Words before a `C` that stands for degrees.
const WARMTH: &[&str] = &[
    "actual",
    "air",
    "ambient",
    "current",
    "high",
    "inside",
    "low",
    "max",
    "min",
    "oven",
    "outside",
    "return",
    "room",
    "setpoint",
    "supply",
    "surface",
    "target",
    "temp",
    "temperature",
    "water",
];

/// Words before an `Ms` that stands for metres a second.
const SPEEDS: &[&str] = &["gust", "speed", "velocity", "wind"];

/// Words before a `G` that stands for grams.
const MASSES: &[&str] = &["load", "mass", "net", "pack", "portion", "size", "weight"];

/// Words before an `M2` that stands for square metres.
const AREAS: &[&str] = &[
    "area",
    "floor",
    "footprint",
    "garden",
    "ground",
    "land",
    "living",
    "plot",
    "roof",
    "site",
    "size",
    "space",
    "surface",
    "usable",
    "wall",
];
/// Words before an `M3` that stands for cubic metres.
const VOLUMES: &[&str] = &[
    "capacity",
    "concrete",
    "consumption",
    "earth",
    "flow",
    "gas",
    "soil",
    "storage",
    "tank",
    "usage",
    "used",
    "volume",
    "water",
];
/// Words before an `M` that stands for metres.
const LENGTHS: &[&str] = &[
    "altitude",
    "beam",
    "clearance",
    "climb",
    "deepest",
    "depth",
    "distance",
    "draft",
    "draught",
    "elevation",
    "frontage",
    "height",
    "length",
    "level",
    "longest",
    "measured",
    "passage",
    "radius",
    "run",
    "span",
    "surveyed",
    "tallest",
    "visibility",
    "width",
];

/// A name as a label: `unitPrice` becomes `Unit price`, `set_qty` becomes `Set quantity`.
pub(crate) fn label(name: &str) -> String {
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

/// The unit a name ends with, and the label of the rest: `windKmh` is `Wind` in `km/h`.
pub(crate) fn measured(name: &str) -> Option<(String, &'static str)> {
    let mut words = split(name);
    // `areaM2` has its power apart.
    if let [.., unit, power] = words.as_slice()
        && unit == "m"
        && ["2", "3"].contains(&power.as_str())
    {
        let measure = format!("{unit}{power}");
        words.truncate(words.len() - 2);
        words.push(measure);
    }
    let (last, rest) = words.split_last()?;
    if last == "ms" && rest.iter().any(|word| SPEEDS.contains(&word.as_str())) {
        return Some((label(&rest.join("_")), "m/s"));
    }
    let (_, unit) = UNITS.iter().find(|(word, _)| word == last)?;
    // Vitamin C is no temperature, `sizeM` no length, `planG` no mass, and `chipM2` no area.
    let says = |all: &[&str]| {
        let whole = rest.concat();
        let mut words = rest.iter().chain([&whole]);
        words.any(|word| all.contains(&word.as_str()))
    };
    let needs = [
        ("c", WARMTH),
        ("g", MASSES),
        ("m", LENGTHS),
        ("m2", AREAS),
        ("m3", VOLUMES),
    ];
    if needs.iter().any(|(word, all)| last == word && !says(all)) {
        return None;
    }
    (!rest.is_empty()).then(|| (label(&rest.join("_")), *unit))
}

/// The words of a name in small letters: `todoItems` has `todo` and `items`.
pub(crate) fn split(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            words.push(std::mem::take(&mut word));
            continue;
        }
        let after_small = at > 0 && (chars[at - 1].is_lowercase() || chars[at - 1].is_numeric());
        let before_small = chars.get(at + 1).is_some_and(|next| next.is_lowercase())
            && at > 0
            && chars[at - 1].is_uppercase();
        // `useA24HourClock`: a word of one letter ends before digits.
        let after_lone = c.is_numeric()
            && at > 1
            && chars[at - 1].is_uppercase()
            && chars[at - 2].is_lowercase();
        if (c.is_uppercase() && (after_small || before_small)) || after_lone {
            words.push(std::mem::take(&mut word));
        }
        word.extend(c.to_lowercase());
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// The singular of an English plural, roughly: enough to match `todos` with `toggleTodo`.
pub(crate) fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    for suffix in ["sses", "xes", "ches", "shes"] {
        if word.ends_with(suffix) {
            return word[..word.len() - 2].to_owned();
        }
    }
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 1 && !stem.ends_with('s') => stem.to_owned(),
        _ => word.to_owned(),
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

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

/// The beginnings of all words of a text.
pub(crate) fn stems(text: &str) -> Vec<String> {
    split(text).iter().map(|word| stem(word)).collect()
}

/// The beginning that forms of one word share: `booked`, `booking`, `book`.
pub(crate) fn stem(word: &str) -> String {
    let mut bare = singular(word);
    if let Some(rest) = bare
        .strip_suffix("ment")
        .filter(|rest| rest.chars().count() >= 4)
    {
        bare = rest.to_owned();
    }
    for ending in ["ing", "ed", "er", "e"] {
        if let Some(rest) = bare
            .strip_suffix(ending)
            .filter(|rest| rest.chars().count() >= 3)
        {
            return rest.to_owned();
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
    fn a_unit_at_the_end_of_a_name_is_told_apart() {
        assert_eq!(measured("windKmh"), Some(("Wind".to_owned(), "km/h")));
        assert_eq!(measured("etaMinutes"), Some(("ETA".to_owned(), "min")));
        assert_eq!(measured("windMs"), Some(("Wind".to_owned(), "m/s")));
        let weight = Some(("Net weight".to_owned(), "g"));
        assert_eq!([measured("netWeightG"), measured("planG")], [weight, None]);
        let area = Some(("Roof area".to_owned(), "m²"));
        assert_eq!(
            [measured("roofAreaM2"), measured("roof_area_m2")],
            [area.clone(), area]
        );
        assert_eq!(measured("tankM3"), Some(("Tank".to_owned(), "m³")));
        assert_eq!(measured("chipM2"), None);
        assert_eq!(measured("delayMs"), None);
        assert_eq!(measured("watts"), None);
        assert_eq!(measured("total"), None);
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
            ("status", "statu"),
        ] {
            assert_eq!(singular(many), one);
        }
    }
}
