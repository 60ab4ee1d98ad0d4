//! Compares the alternatives of one schema with another schema, keyword by keyword.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::super::compare::{Budget, Kinds, equal, listed};
use super::super::keywords::children;
use super::super::patterns::Patterns;
use super::super::values::Checker;
use super::lengths::lengths;
use super::misfit::{Misfit, Reason, misfit};
use super::piece::{Piece, branches, small_values};

/// How much work the comparisons of one contract may take: about 5 ms of steps of 100 ns.
const STEPS_MAX: usize = 50_000;
/// The steps that compiling one schema takes; a pattern may take many times that.
const STEPS_PER_SUBSCHEMA: usize = 50;
/// How many alternatives of a schema are compared; sixteen are a union a person can read.
const PIECES_MAX: usize = 64;

/// Comparisons that share one budget.
pub(crate) struct Comparison {
    pub(super) budget: Budget,
}

impl Default for Comparison {
    fn default() -> Self {
        Self {
            budget: Budget::new(STEPS_MAX),
        }
    }
}

impl Comparison {
    /// Reasons why `sup` may refuse a value that `sub` accepts; empty means it accepts all of them.
    ///
    /// Both schemas have no references. The result is never empty by mistake: what cannot be
    /// decided, or not within the budget, is a misfit of its own. Objects that do not say otherwise
    /// are open, as in JSON Schema.
    pub(crate) fn misfits(&mut self, sub: &Value, sup: &Value) -> Vec<Misfit> {
        let mut found = Vec::new();
        self.fit(&[sub], sup, "", &mut found);
        if self.budget.is_spent() {
            let message = "the schemas are too large to be compared";
            return vec![misfit("", Reason::Unsupported, message)];
        }
        found
    }

    /// As [`Self::misfits`], for an action without data: a closed, empty object.
    pub(crate) fn void_misfits(&mut self, sup: &Value) -> Vec<Misfit> {
        let void = json!({"type": "object", "additionalProperties": false});
        self.misfits(&void, sup)
    }

    /// Compares the conjunction of `sub` with `sup`.
    pub(super) fn fit(&mut self, sub: &[&Value], sup: &Value, path: &str, found: &mut Vec<Misfit>) {
        if !self.budget.step() {
            return;
        }
        if sub.iter().any(|one| equal(one, sup, &mut self.budget)) {
            return;
        }
        let Some(pieces) = self.pieces(sub) else {
            found.push(misfit(path, Reason::Unsupported, "too many alternatives"));
            return;
        };
        for piece in &pieces {
            if self.budget.is_spent() {
                return;
            }
            self.piece(piece, sup, path, found);
        }
    }

    /// The alternatives that `sub` accepts; `None` if there are too many.
    fn pieces<'a>(&mut self, sub: &[&'a Value]) -> Option<Vec<Piece<'a>>> {
        let mut pieces = vec![Piece {
            nodes: Vec::new(),
            kinds: Kinds::ALL,
        }];
        let mut open: Vec<&'a Value> = sub.to_vec();
        let mut unions: Vec<&'a Vec<Value>> = Vec::new();
        while let Some(schema) = open.pop() {
            self.budget.step().then_some(())?;
            match schema {
                Value::Bool(false) => return Some(Vec::new()),
                Value::Object(node) if !node.contains_key("$ref") => {
                    pieces[0].add(schema, node);
                    open.extend(branches(node, "allOf").into_iter().flatten());
                    // `oneOf` is treated as `anyOf`, which accepts at least as much.
                    unions.extend(branches(node, "anyOf"));
                    unions.extend(branches(node, "oneOf"));
                }
                // No other keyword adds alternatives.
                _ => {}
            }
        }
        for union in unions {
            let mut product = Vec::new();
            for branch in union {
                for nested in self.pieces(&[branch])? {
                    for piece in &pieces {
                        self.budget.step().then_some(())?;
                        if product.len() >= PIECES_MAX {
                            return None;
                        }
                        product.push(piece.with(&nested));
                    }
                }
            }
            pieces = product;
        }
        pieces.retain(|piece| !piece.kinds.is_empty());
        Some(pieces)
    }

    fn piece(&mut self, piece: &Piece<'_>, sup: &Value, path: &str, found: &mut Vec<Misfit>) {
        let node = match sup {
            Value::Bool(true) => return,
            Value::Object(node) => node,
            _ => {
                found.push(misfit(
                    path,
                    Reason::TypeMismatch,
                    "nothing is accepted here",
                ));
                return;
            }
        };
        if !self.budget.step() {
            return;
        }
        let mut is_sup = |(schema, _): &(&Value, _)| equal(schema, sup, &mut self.budget);
        if piece.nodes.iter().any(&mut is_sup) {
            return;
        }
        if let Some(values) = self.values(piece) {
            return self.listed(&values, sup, path, found);
        }
        let beyond = piece.kinds.without(Kinds::declared(sup));
        if !beyond.is_empty() {
            let (given, wanted) = (beyond.describe(), Kinds::declared(sup).describe());
            let message = format!("{given} is allowed, but only {wanted} is accepted");
            found.push(misfit(path, Reason::TypeMismatch, message));
            return;
        }
        if let Some(values) = listed(node) {
            let is_flag = piece.kinds.without(Kinds::BOOLEAN).without(Kinds::NULL);
            if is_flag.is_empty() {
                let own = small_values(piece.kinds);
                return self.listed(&own.iter().collect::<Vec<_>>(), sup, path, found);
            }
            let message = format!(
                "any value is allowed, but only {} are accepted",
                values.len()
            );
            found.push(misfit(path, Reason::TypeMismatch, message));
            return;
        }
        for branch in branches(node, "allOf").into_iter().flatten() {
            self.piece(piece, branch, path, found);
        }
        for name in ["anyOf", "oneOf"] {
            if let Some(union) = branches(node, name) {
                self.union(piece, union, name == "oneOf", path, found);
            }
        }
        for name in ["$ref", "not", "if", "then", "else"] {
            self.same(piece, node, &[name], path, found);
        }
        if piece.kinds.intersects(Kinds::NUMBER) {
            self.numbers(piece, node, path, found);
        }
        if piece.kinds.intersects(Kinds::STRING) {
            lengths(piece, node, ("minLength", "maxLength"), path, found);
            self.same(piece, node, &["pattern"], path, found);
        }
        if piece.kinds.intersects(Kinds::STRING) || piece.kinds.intersects(Kinds::NUMBER) {
            self.same(piece, node, &["format"], path, found);
        }
        if piece.kinds.intersects(Kinds::ARRAY) {
            self.array(piece, node, path, found);
        }
        if piece.kinds.intersects(Kinds::OBJECT) {
            self.object(piece, node, path, found);
        }
    }

    /// The values a piece consists of, if it lists them.
    fn values<'a>(&mut self, piece: &Piece<'a>) -> Option<Vec<&'a Value>> {
        let values = piece.nodes.iter().find_map(|(_, node)| listed(node))?;
        let checkers: Vec<_> = piece
            .nodes
            .iter()
            .filter_map(|(schema, _)| self.checker(schema, values.len()))
            .collect();
        let possible = |value: &&Value| checkers.iter().all(|checker| checker.accepts(value));
        Some(values.into_iter().filter(possible).collect())
    }

    fn listed(&mut self, values: &[&Value], sup: &Value, path: &str, found: &mut Vec<Misfit>) {
        let Some(checker) = self.checker(sup, values.len()) else {
            let message = "what is listed cannot be held against this";
            return found.push(misfit(path, Reason::Unsupported, message));
        };
        for value in values.iter().filter(|value| !checker.accepts(value)) {
            let message = format!("the value {value} is not accepted");
            found.push(misfit(path, Reason::TypeMismatch, message));
        }
    }

    /// Compiles a schema to validate that many values; `None` where that takes more steps than are
    /// left.
    fn checker(&mut self, schema: &Value, values: usize) -> Option<Checker> {
        let steps = subschemas(schema) * STEPS_PER_SUBSCHEMA;
        if !self.budget.take(steps + values) {
            return None;
        }
        Checker::new(schema, &Arc::new(Patterns::of(schema))).ok()
    }

    /// Every kind of value has to fit one branch.
    fn union(
        &mut self,
        piece: &Piece<'_>,
        union: &[Value],
        is_exclusive: bool,
        path: &str,
        found: &mut Vec<Misfit>,
    ) {
        for kinds in piece.kinds.each() {
            let part = piece.narrowed(kinds);
            let fitting = |(at, branch): (usize, &Value)| {
                let mut trial = Vec::new();
                self.piece(&part, branch, path, &mut trial);
                // With `oneOf`, no other branch may accept any of these values.
                let mut others = union.iter().enumerate().filter(|(other, _)| *other != at);
                trial.is_empty()
                    && (!is_exclusive
                        || others.all(|(_, other)| !Kinds::declared(other).intersects(kinds)))
            };
            if union.iter().enumerate().any(fitting) {
                continue;
            }
            if union
                .iter()
                .any(|branch| Kinds::declared(branch).intersects(kinds))
            {
                let message = format!("no single alternative accepts every {}", kinds.describe());
                found.push(misfit(path, Reason::Unsupported, message));
            } else {
                let message = format!(
                    "{} is allowed, but no alternative accepts it",
                    kinds.describe()
                );
                found.push(misfit(path, Reason::TypeMismatch, message));
            }
        }
    }

    /// Keywords that are only understood when both schemas have the same value for them.
    pub(super) fn same(
        &mut self,
        piece: &Piece<'_>,
        node: &Map<String, Value>,
        names: &[&str],
        path: &str,
        found: &mut Vec<Misfit>,
    ) {
        if names.iter().all(|name| !node.contains_key(*name)) {
            return;
        }
        let mut is_same = |own: &Map<String, Value>| {
            names
                .iter()
                .all(|name| match (own.get(*name), node.get(*name)) {
                    (Some(a), Some(b)) => equal(a, b, &mut self.budget),
                    (None, None) => true,
                    _ => false,
                })
        };
        // A condition is the same only together with both of its branches.
        let is_condition = names
            .iter()
            .any(|name| matches!(*name, "if" | "then" | "else"));
        if is_condition || !piece.nodes.iter().any(|(_, own)| is_same(own)) {
            let message = format!(
                "`{}` is accepted, and it is not said here",
                names.join("`, `")
            );
            found.push(misfit(path, Reason::Unsupported, message));
        }
    }
}

/// How many schemas a schema consists of; a pattern counts as many as it costs to compile.
fn subschemas(schema: &Value) -> usize {
    /// A pattern of the largest size takes milliseconds.
    const PER_PATTERN: usize = 200;
    let Value::Object(node) = schema else {
        return 1;
    };
    let patterns = node.get("patternProperties").and_then(Value::as_object);
    let patterns = patterns.map_or(0, Map::len) + usize::from(node.contains_key("pattern"));
    let below = children(node).into_iter();
    1 + patterns * PER_PATTERN + below.map(|child| subschemas(child.schema)).sum::<usize>()
}
