//! Units that the names of numbers end with.

use smol_str::format_smolstr;

use super::words::{Word, label, split};

/// Units at the end of a name.
const UNITS: &[(&str, &str)] = &[
    ("bar", "bar"),
    ("bpm", "bpm"),
    ("c", "°C"),
    ("celsius", "°C"),
    ("cm", "cm"),
    ("cm2", "cm²"),
    ("cm3", "cm³"),
    ("deg", "°"),
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

/// Units by others: `mg` per `l`.
const RATES: &[(&str, &str, &str)] = &[
    ("g", "km", "g/km"),
    ("g", "kwh", "g/kWh"),
    ("g", "l", "g/l"),
    ("kg", "ha", "kg/ha"),
    ("kg", "m2", "kg/m²"),
    ("kg", "m3", "kg/m³"),
    ("km", "h", "km/h"),
    ("l", "h", "l/h"),
    ("l", "ha", "l/ha"),
    ("l", "min", "l/min"),
    ("l", "s", "l/s"),
    ("m", "min", "m/min"),
    ("m", "s", "m/s"),
    ("m3", "h", "m³/h"),
    ("m3", "s", "m³/s"),
    ("mg", "dl", "mg/dl"),
    ("mg", "kg", "mg/kg"),
    ("mg", "l", "mg/l"),
    ("ml", "h", "ml/h"),
    ("mmol", "l", "mmol/l"),
    ("t", "ha", "t/ha"),
    ("ug", "m3", "µg/m³"),
    ("w", "m2", "W/m²"),
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

/// The unit a name ends with, and the label of the rest: `windKmh` is `Wind` in `km/h`.
pub(crate) fn measured(name: &str) -> Option<(String, &'static str)> {
    let mut words = split(name);
    let rate = |unit: &str, by: &str| {
        let mut all = RATES.iter();
        all.find(|(one, other, _)| unit == *one && by == *other)
            .map(|(.., sign)| *sign)
    };
    let is_speed = |words: &[Word]| words.iter().any(|word| SPEEDS.contains(&word.as_str()));
    // `nitrateMgPerL` has one unit by another.
    if let [rest @ .., unit, per, by] = words.as_slice()
        && per == "per"
        && !rest.is_empty()
    {
        return Some((label(&rest.join("_")), rate(unit, by)?));
    }
    // `belt_speed_m_s` says it without a word between.
    if let [rest @ .., unit, by] = words.as_slice()
        && is_speed(rest)
        && let Some(sign) = rate(unit, by)
    {
        return Some((label(&rest.join("_")), sign));
    }
    // `areaM2` has its power apart.
    if let [.., unit, power] = words.as_slice()
        && unit == "m"
        && ["2", "3"].contains(&power.as_str())
    {
        let measure = format_smolstr!("{unit}{power}");
        words.truncate(words.len() - 2);
        words.push(measure);
    }
    let (last, rest) = words.split_last()?;
    if last == "ms" && is_speed(rest) {
        return Some((label(&rest.join("_")), "m/s"));
    }
    let (_, unit) = UNITS.iter().find(|(word, _)| word == last)?;
    // Vitamin C is no temperature, `sizeM` no length, `planG` no mass, and `chipM2` no area.
    let says = |all: &[&str]| {
        let whole = rest.concat();
        let mut words = rest.iter().map(Word::as_str).chain([whole.as_str()]);
        words.any(|word| all.contains(&word))
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(measured("setPointC"), Some(("Set point".to_owned(), "°C")));
        assert_eq!(measured("pointC"), None);
        assert_eq!(
            measured("nitrateMgPerL"),
            Some(("Nitrate".to_owned(), "mg/l"))
        );
        assert_eq!(measured("starsPerGame"), None);
        let speed = Some(("Belt speed".to_owned(), "m/s"));
        assert_eq!(measured("belt_speed_m_s"), speed);
        assert_eq!(measured("size_m_s"), None);
    }
}
