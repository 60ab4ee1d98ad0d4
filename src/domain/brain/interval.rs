//! When a link holds: bounds as they were written, compared by day.

use jiff::civil::Date;

/// One end of an interval, as it was written and as it is compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bound {
    /// As it was written.
    pub(crate) text: String,
    first: Date,
    last: Date,
}

impl Bound {
    /// Reads `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SSZ`, or says what is wrong with it.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, String> {
        let refuse = || {
            format!(
                "{name}: \"{text}\" is no date such as 2026-04, 2026-04-15 or 2026-04-15T08:00:00Z"
            )
        };
        let (first, last) = match text.len() {
            7 => {
                let first: Date = format!("{text}-01").parse().map_err(|_| refuse())?;
                (first, first.last_of_month())
            }
            10 => {
                let day: Date = text.parse().map_err(|_| refuse())?;
                (day, day)
            }
            20 if text.ends_with('Z') && text.as_bytes()[10] == b'T' => {
                let moment: jiff::Timestamp = text.parse().map_err(|_| refuse())?;
                let day = moment.to_zoned(jiff::tz::TimeZone::UTC).date();
                (day, day)
            }
            _ => return Err(refuse()),
        };
        Ok(Self {
            text: text.to_owned(),
            first,
            last,
        })
    }

    /// Its first day: where an interval begins that begins here.
    pub(crate) fn first_day(&self) -> String {
        self.first.to_string()
    }

    /// Its last day: where an interval ends that ends here.
    pub(crate) fn last_day(&self) -> String {
        self.last.to_string()
    }
}

/// When something holds; an end without a bound is open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Interval {
    /// From here on.
    pub(crate) from: Option<Bound>,
    /// Until here.
    pub(crate) until: Option<Bound>,
}

impl Interval {
    /// Reads both ends, or says what is wrong with them.
    pub(crate) fn parse(from: Option<&str>, until: Option<&str>) -> Result<Self, String> {
        let from = from
            .map(|text| Bound::parse("valid_from", text))
            .transpose()?;
        let until = until
            .map(|text| Bound::parse("valid_until", text))
            .transpose()?;
        if let (Some(from), Some(until)) = (&from, &until)
            && until.last < from.first
        {
            return Err(format!(
                "valid_until: {} is before valid_from, {}",
                until.text, from.text
            ));
        }
        Ok(Self { from, until })
    }

    /// The same, ended where another one ends, and begun with it where it does not say.
    pub(crate) fn within(self, other: &Self) -> Self {
        let until = match (self.until, &other.until) {
            (Some(own), Some(other)) if other.last < own.last => Some(other.clone()),
            (own, other) => own.or_else(|| other.clone()),
        };
        Self {
            from: self.from.or_else(|| other.from.clone()),
            until,
        }
    }

    /// Whether it was over before a day.
    pub(crate) fn is_over(&self, today: &str) -> bool {
        let until = self.until.as_ref();
        until.is_some_and(|until| until.last_day().as_str() < today)
    }
}

/// The day before one, where it is a day.
pub(crate) fn day_before(day: &str) -> Option<String> {
    let day: Date = day.parse().ok()?;
    Some(day.yesterday().ok()?.to_string())
}

/// Which links are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Temporal {
    /// Closed ones, too.
    All,
    /// Those that hold today.
    Current,
}

impl Temporal {
    /// Reads the word for it, or says what is wrong with it.
    pub(crate) fn parse(text: Option<&str>) -> Result<Self, String> {
        match text {
            None | Some("current" | "active") => Ok(Self::Current),
            Some("all" | "history") => Ok(Self::All),
            Some(other) => Err(format!("temporal: \"{other}\" is neither current nor all")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_lasts_from_its_first_to_its_last_day() {
        let month = Bound::parse("x", "2026-02").unwrap();
        assert_eq!(month.first_day(), "2026-02-01");
        assert_eq!(month.last_day(), "2026-02-28");
    }

    #[test]
    fn three_forms_of_dates_are_read_and_no_other() {
        for good in ["2026-04", "2026-04-15", "2026-04-15T08:00:00Z"] {
            assert!(Bound::parse("x", good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "soon",
            "2026",
            "2026-13",
            "2026-02-30",
            "2026-04-15T08:00:00+",
            "15.4.2026",
        ] {
            assert!(Bound::parse("x", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_interval_does_not_end_before_it_begins() {
        assert!(Interval::parse(Some("2026-04-15"), Some("2026-04")).is_ok());
        assert!(Interval::parse(Some("2026-04-15"), Some("2026-04-14")).is_err());
    }
}
