//! Compares minimum and maximum lengths and counts.

use serde_json::{Map, Value};

use super::super::compare::count;
use super::misfit::{Misfit, Reason, misfit};
use super::piece::{Piece, rest};

/// Compares one pair of bounds that are whole numbers of at least 0.
pub(super) fn lengths(
    piece: &Piece<'_>,
    node: &Map<String, Value>,
    (min, max): (&str, &str),
    path: &str,
    found: &mut Vec<Misfit>,
) {
    let own = |name: &str, proves: &dyn Fn(f64) -> bool| {
        piece
            .nodes
            .iter()
            .any(|(_, node)| count(node, name).is_some_and(proves))
    };
    if let Some(bound) = count(node, min)
        && bound > 0.0
        && !own(min, &|own| own >= bound)
    {
        let message = format!("`{min}` {bound} is not kept here");
        found.push(misfit(path, Reason::TypeMismatch, message));
    }
    if let Some(bound) = count(node, max)
        && !own(max, &|own| own <= bound)
    {
        let message = format!("`{max}` {bound} is not kept here");
        found.push(misfit(path, Reason::TypeMismatch, message));
    }
}

/// As [`lengths`], for objects, where other keywords bound the number of members, too.
#[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
pub(super) fn members(
    piece: &Piece<'_>,
    node: &Map<String, Value>,
    required: usize,
    path: &str,
    found: &mut Vec<Misfit>,
) {
    let mut node = node.clone();
    if count(&node, "minProperties").is_some_and(|min| required as f64 >= min) {
        node.remove("minProperties");
    }
    let closed = piece
        .nodes
        .iter()
        .filter(|(_, own)| rest(own) == Some(&Value::Bool(false)));
    let own = closed.map(|(_, own)| {
        let declared = own.get("properties").and_then(Value::as_object);
        declared.map_or(0, Map::len) as f64
    });
    let most = own.fold(f64::INFINITY, f64::min);
    if count(&node, "maxProperties").is_some_and(|max| most <= max) {
        node.remove("maxProperties");
    }
    lengths(
        piece,
        &node,
        ("minProperties", "maxProperties"),
        path,
        found,
    );
}
