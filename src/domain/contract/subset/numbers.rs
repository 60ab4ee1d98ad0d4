//! Compares bounds on numbers; those of integers are rounded to the next possible value.

use serde_json::{Map, Value};

use super::super::compare::{Kinds, order, whole_from, whole_to};
use super::comparison::Comparison;
use super::misfit::{Misfit, Reason, misfit};
use super::piece::Piece;
use crate::wire::whole;

impl Comparison {
    pub(super) fn numbers(
        &mut self,
        piece: &Piece<'_>,
        node: &Map<String, Value>,
        path: &str,
        found: &mut Vec<Misfit>,
    ) {
        for (name, inclusive, exclusive, is_lower) in [
            ("minimum", "minimum", "exclusiveMinimum", true),
            ("exclusiveMinimum", "minimum", "exclusiveMinimum", true),
            ("maximum", "maximum", "exclusiveMaximum", false),
            ("exclusiveMaximum", "maximum", "exclusiveMaximum", false),
        ] {
            let Some(Value::Number(bound)) = node.get(name) else {
                continue;
            };
            let excluded = name.starts_with("exclusive");
            let is_whole = !piece.kinds.intersects(Kinds::FRACTION);
            let proves = |own: &Value, own_excluded: bool| {
                let Value::Number(own) = own else {
                    return false;
                };
                let order = order(own, bound);
                let order = if is_lower {
                    order
                } else {
                    order.map(std::cmp::Ordering::reverse)
                };
                let is_tight = match order {
                    Some(std::cmp::Ordering::Greater) => true,
                    Some(std::cmp::Ordering::Equal) => own_excluded || !excluded,
                    _ => false,
                };
                let round = if is_lower { whole_from } else { whole_to };
                let rounded = match (round(own, own_excluded), round(bound, excluded)) {
                    (Some(own), Some(bound)) if is_lower => own >= bound,
                    (Some(own), Some(bound)) => own <= bound,
                    _ => false,
                };
                is_tight || (is_whole && rounded)
            };
            let is_proven = piece.nodes.iter().any(|(_, own)| {
                own.get(inclusive).is_some_and(|own| proves(own, false))
                    || own.get(exclusive).is_some_and(|own| proves(own, true))
            });
            if !is_proven {
                let message = format!("`{name}` {bound} is not kept here");
                found.push(misfit(path, Reason::TypeMismatch, message));
            }
        }
        if let Some(step) = node.get("multipleOf") {
            let divides = |own: &Value| match (whole::of(own), whole::of(step)) {
                (Some(own), Some(step)) => step > 0 && own % step == 0,
                _ => false,
            };
            let is_whole = !piece.kinds.intersects(Kinds::FRACTION) && whole::of(step) == Some(1);
            let is_proven = piece
                .nodes
                .iter()
                .any(|(_, own)| own.get("multipleOf").is_some_and(divides));
            if !is_whole && !is_proven {
                self.same(piece, node, &["multipleOf"], path, found);
            }
        }
    }
}
