//! Texts that match a pattern: a walk through the pattern that takes its plainest way, then others.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Ways through a pattern that are tried for each length.
const WAYS: usize = 24;
/// How far repetitions go beyond what they must, one by one.
const EXTRA_MAX: u32 = 40;
/// Steps of one walk: a pattern may repeat what repeats.
const STEPS_MAX: usize = 4_000;
/// Steps of all walks through one pattern.
const ALL_STEPS_MAX: usize = 200_000;
/// What a class of characters is taken from first: what people read.
const READABLE: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.";

/// Texts that match `pattern` and have `least` to `most` characters, plain ones first. Whoever uses
/// one holds it against the pattern: what a pattern says of the edges of words is not looked at.
pub(super) fn matches(pattern: &str, least: usize, most: usize) -> Vec<String> {
    // As the engine reads it: the pattern is written for another kind of expressions.
    let Ok(pattern) = jsonschema_regex::to_rust_regex(pattern) else {
        return Vec::new();
    };
    let Ok(hir) = regex_syntax::parse(&pattern) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut left = ALL_STEPS_MAX;
    let extras = (0..=EXTRA_MAX).chain([64, 128, 256, 512, 1_000]);
    for extra in extras {
        let mut shortest = usize::MAX;
        for way in 0..WAYS {
            let mut walk = Walk {
                text: String::new(),
                chars: 0,
                most,
                extra,
                way,
                steps: STEPS_MAX.min(left),
            };
            let given = walk.steps;
            let has_matched = walk.through(&hir);
            left -= given - walk.steps;
            if !has_matched {
                continue;
            }
            shortest = shortest.min(walk.chars);
            // A pattern without edges is found in a longer text, too.
            let missing = least.saturating_sub(walk.chars);
            let more = "x".repeat(missing);
            found.push(format!("{}{more}", walk.text));
            if missing > 0 {
                found.push(format!("{more}{}", walk.text));
            }
        }
        // One more round, so that there are others where values must differ.
        if (least..=most).contains(&shortest) && extra > 0 && found.len() >= 2 * WAYS {
            break;
        }
    }
    found
}

/// One way through a pattern.
struct Walk {
    text: String,
    chars: usize,
    most: usize,
    /// How far repetitions go beyond what they must.
    extra: u32,
    /// Which way is taken where there are several: its digits choose.
    way: usize,
    steps: usize,
}

impl Walk {
    /// Writes what matches; false where this way leads nowhere.
    fn through(&mut self, hir: &Hir) -> bool {
        if self.steps == 0 || self.chars > self.most {
            return false;
        }
        self.steps -= 1;
        match hir.kind() {
            HirKind::Empty | HirKind::Look(_) => true,
            HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
                Ok(text) => {
                    self.text.push_str(text);
                    self.chars += text.chars().count();
                    self.chars <= self.most
                }
                Err(_) => false,
            },
            HirKind::Class(class) => self.one_of(class),
            HirKind::Repetition(repetition) => {
                let wanted = repetition.min.saturating_add(self.extra);
                let count = wanted.min(repetition.max.unwrap_or(u32::MAX));
                for done in 0..count {
                    let (length, chars) = (self.text.len(), self.chars);
                    if !self.through(&repetition.sub) {
                        // Enough is enough, where it was enough already.
                        self.text.truncate(length);
                        self.chars = chars;
                        return done >= repetition.min && self.steps > 0;
                    }
                }
                true
            }
            HirKind::Capture(capture) => self.through(&capture.sub),
            HirKind::Concat(parts) => parts.iter().all(|part| self.through(part)),
            HirKind::Alternation(branches) => {
                let chosen = self.choose(branches.len());
                branches
                    .get(chosen)
                    .is_some_and(|branch| self.through(branch))
            }
        }
    }

    fn one_of(&mut self, class: &Class) -> bool {
        let ranges: Vec<(char, char)> = match class {
            Class::Unicode(class) => {
                let ranges = class.ranges().iter();
                ranges.map(|range| (range.start(), range.end())).collect()
            }
            Class::Bytes(class) => {
                let ranges = class.ranges().iter();
                ranges
                    .map(|range| (char::from(range.start()), char::from(range.end())))
                    .collect()
            }
        };
        let is_in = |letter: &char| {
            ranges
                .iter()
                .any(|(start, end)| (start..=end).contains(&letter))
        };
        let readable: Vec<char> = READABLE.chars().filter(is_in).collect();
        let letter = match readable.len() {
            0 => ranges.first().map(|(start, _)| *start),
            count => readable.get(self.choose(count)).copied(),
        };
        let Some(letter) = letter else {
            return false;
        };
        self.text.push(letter);
        self.chars += 1;
        self.chars <= self.most
    }

    fn choose(&mut self, among: usize) -> usize {
        let chosen = self.way % among.max(1);
        self.way /= among.max(1);
        chosen
    }
}
