//! Decides whether everything that one schema accepts is accepted by another one, too.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::accepts::{Budget, Kinds, accepts, count, equal, listed, order, whole_from, whole_to};

/// How much one contract may ask to be compared: about 5 ms of steps of 100 ns.
const STEPS_MAX: usize = 50_000;
/// How many alternatives of a schema are followed; sixteen are a union a person can read.
const PIECES_MAX: usize = 64;

/// Why a schema is not within another (ggui-mcp §3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// Extra members are allowed here and not, or less freely, there.
    AdditionalPropertiesWidens,
    /// A member is declared here and forbidden there.
    ExtraProperty,
    /// Items are not described here, and are there.
    ItemsMismatch,
    /// A member may be left out here and not there.
    MissingRequired,
    /// A type or value is allowed here and not there.
    TypeMismatch,
    /// It cannot be told, or not in the time there is.
    Unsupported,
}

impl Reason {
    /// As ggui-mcp §3.5 spells it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::AdditionalPropertiesWidens => "additional-properties-widens",
            Self::ExtraProperty => "extra-property",
            Self::ItemsMismatch => "items-mismatch",
            Self::MissingRequired => "missing-required",
            Self::TypeMismatch => "type-mismatch",
            Self::Unsupported => "unsupported",
        }
    }
}

/// One place where a schema is not within another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misfit {
    /// Where, as in `properties.id`; empty at the top.
    pub(super) path: String,
    /// Why.
    pub(super) reason: Reason,
    /// Why, in words.
    pub(super) message: String,
}

impl Misfit {
    /// The first of `misfits` and how many more there are, in one line.
    pub(crate) fn told(misfits: &[Self]) -> String {
        let Some(first) = misfits.first() else {
            return String::new();
        };
        let at = if first.path.is_empty() {
            "<root>"
        } else {
            &first.path
        };
        let more = match misfits.len() - 1 {
            0 => String::new(),
            1 => " (1 more violation)".to_owned(),
            more => format!(" ({more} more violations)"),
        };
        format!("{at}: {}: {}{more}", first.reason.word(), first.message)
    }
}

/// Comparisons that share one allowance of work.
pub(crate) struct Comparison {
    budget: Budget,
}

impl Default for Comparison {
    fn default() -> Self {
        Self {
            budget: Budget::new(STEPS_MAX),
        }
    }
}

impl Comparison {
    /// Why some value that `sub` accepts may not be accepted by `sup`; empty means there is none.
    ///
    /// Both are without references. No answer is ever empty by mistake: what cannot be told, or
    /// not within the allowance, is a misfit of its own. Objects that do not say otherwise are
    /// open, as JSON Schema has it.
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

    /// Holds the conjunction of `sub` against `sup`.
    fn fit(&mut self, sub: &[&Value], sup: &Value, path: &str, found: &mut Vec<Misfit>) {
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

    /// What `sub` accepts, as alternatives; `None` if there are too many to follow.
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
                    // One of several is at least any of several.
                    unions.extend(branches(node, "anyOf"));
                    unions.extend(branches(node, "oneOf"));
                }
                // Anything else says nothing that could be relied on.
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
            let (given, wanted) = (beyond.words(), Kinds::declared(sup).words());
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
        if piece.kinds.meets(Kinds::NUMBER) {
            self.numbers(piece, node, path, found);
        }
        if piece.kinds.meets(Kinds::STRING) {
            lengths(piece, node, ("minLength", "maxLength"), path, found);
            self.same(piece, node, &["pattern"], path, found);
        }
        if piece.kinds.meets(Kinds::STRING) || piece.kinds.meets(Kinds::NUMBER) {
            self.same(piece, node, &["format"], path, found);
        }
        if piece.kinds.meets(Kinds::ARRAY) {
            self.array(piece, node, path, found);
        }
        if piece.kinds.meets(Kinds::OBJECT) {
            self.object(piece, node, path, found);
        }
    }

    /// The values a piece consists of, if it lists them.
    fn values<'a>(&mut self, piece: &Piece<'a>) -> Option<Vec<&'a Value>> {
        let values = piece.nodes.iter().find_map(|(_, node)| listed(node))?;
        let possible = |value: &&Value| {
            let refused =
                |(schema, _): &(&Value, _)| accepts(schema, value, &mut self.budget) == Some(false);
            !piece.nodes.iter().any(refused)
        };
        Some(values.into_iter().filter(possible).collect())
    }

    fn listed(&mut self, values: &[&Value], sup: &Value, path: &str, found: &mut Vec<Misfit>) {
        for value in values {
            let (reason, what) = match accepts(sup, value, &mut self.budget) {
                Some(true) => continue,
                Some(false) => (Reason::TypeMismatch, "is not accepted"),
                None => (Reason::Unsupported, "may not be accepted"),
            };
            let message = format!("the value {value} {what}");
            found.push(misfit(path, reason, message));
        }
    }

    /// Each kind of value has to fit a branch of its own.
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
                // Of exclusive branches no other may take any such value.
                let mut others = union.iter().enumerate().filter(|(other, _)| *other != at);
                trial.is_empty()
                    && (!is_exclusive
                        || others.all(|(_, other)| !Kinds::declared(other).meets(kinds)))
            };
            if union.iter().enumerate().any(fitting) {
                continue;
            }
            if union
                .iter()
                .any(|branch| Kinds::declared(branch).meets(kinds))
            {
                let message = format!("no single alternative accepts every {}", kinds.words());
                found.push(misfit(path, Reason::Unsupported, message));
            } else {
                let message = format!(
                    "{} is allowed, but no alternative accepts it",
                    kinds.words()
                );
                found.push(misfit(path, Reason::TypeMismatch, message));
            }
        }
    }

    /// Keywords that are only understood where both sides have the same.
    fn same(
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
        // A condition is only the same together with both of its consequences.
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

    fn numbers(
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
            let is_whole = !piece.kinds.meets(Kinds::FRACTION);
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
            let divides = |own: &Value| match (own.as_u64(), step.as_u64()) {
                (Some(own), Some(step)) => step > 0 && own % step == 0,
                _ => false,
            };
            let is_whole = !piece.kinds.meets(Kinds::FRACTION) && step.as_u64() == Some(1);
            let is_proven = piece
                .nodes
                .iter()
                .any(|(_, own)| own.get("multipleOf").is_some_and(divides));
            if !is_whole && !is_proven {
                self.same(piece, node, &["multipleOf"], path, found);
            }
        }
    }

    fn array(
        &mut self,
        piece: &Piece<'_>,
        node: &Map<String, Value>,
        path: &str,
        found: &mut Vec<Misfit>,
    ) {
        lengths(piece, node, ("minItems", "maxItems"), path, found);
        self.same(piece, node, &["contains"], path, found);
        if node.get("uniqueItems") == Some(&Value::Bool(true)) {
            self.same(piece, node, &["uniqueItems"], path, found);
        }
        let Some(wanted) = node.get("items") else {
            return;
        };
        let is_empty =
            |(_, own): &(&Value, &Map<String, Value>)| count(own, "maxItems") == Some(0.0);
        if piece.nodes.iter().any(is_empty) {
            return;
        }
        let own: Vec<&Value> = piece.all("items").collect();
        let at = join(path, "items");
        if own.is_empty() {
            let mut trial = Vec::new();
            self.fit(&[], wanted, &at, &mut trial);
            if !trial.is_empty() {
                let message = "items are not described here, and not all are accepted";
                found.push(misfit(path, Reason::ItemsMismatch, message));
            }
        } else {
            self.fit(&own, wanted, &at, found);
        }
    }

    fn object(
        &mut self,
        piece: &Piece<'_>,
        node: &Map<String, Value>,
        path: &str,
        found: &mut Vec<Misfit>,
    ) {
        let required: BTreeSet<&str> = piece.all("required").flat_map(names).collect();
        for name in node.get("required").into_iter().flat_map(names) {
            if !required.contains(name) {
                let message = format!("\"{name}\" is required and may be left out here");
                let at = join(path, &format!("properties.{name}"));
                found.push(misfit(&at, Reason::MissingRequired, message));
            }
        }
        self.same(piece, node, &["dependencies"], path, found);
        self.same(piece, node, &["propertyNames"], path, found);
        members(piece, node, required.len(), path, found);
        if node.contains_key("patternProperties") {
            let group = ["properties", "patternProperties", "additionalProperties"];
            return self.same(piece, node, &group, path, found);
        }
        self.properties(piece, node, path, found);
    }

    fn properties(
        &mut self,
        piece: &Piece<'_>,
        node: &Map<String, Value>,
        path: &str,
        found: &mut Vec<Misfit>,
    ) {
        let declared = node.get("properties").and_then(Value::as_object);
        let rest = node
            .get("additionalProperties")
            .unwrap_or(&Value::Bool(true));
        let own: BTreeSet<&str> = piece
            .all("properties")
            .filter_map(Value::as_object)
            .flat_map(|map| map.keys().map(String::as_str))
            .collect();
        for name in &own {
            let schemas = piece.property(name);
            if schemas.contains(&&Value::Bool(false)) {
                continue;
            }
            let at = join(path, &format!("properties.{name}"));
            match declared.and_then(|declared| declared.get(*name)) {
                Some(wanted) => self.fit(&schemas, wanted, &at, found),
                None if *rest == Value::Bool(false) => {
                    let message = format!("\"{name}\" is not accepted");
                    found.push(misfit(&at, Reason::ExtraProperty, message));
                }
                None => self.fit(&schemas, rest, &at, found),
            }
        }
        // What may stand under every other name.
        let extra = piece.extra();
        if extra.contains(&&Value::Bool(false)) {
            return;
        }
        for (name, wanted) in declared.into_iter().flatten() {
            if own.contains(name.as_str()) {
                continue;
            }
            let at = join(path, &format!("properties.{name}"));
            self.widens(&extra, wanted, &at, &format!("\"{name}\""), found);
        }
        self.widens(&extra, rest, path, "undeclared members", found);
    }

    fn widens(
        &mut self,
        extra: &[&Value],
        wanted: &Value,
        path: &str,
        what: &str,
        found: &mut Vec<Misfit>,
    ) {
        let mut trial = Vec::new();
        self.fit(extra, wanted, path, &mut trial);
        if !trial.is_empty() {
            let message = format!(
                "{what} may hold more here than is accepted; say \"additionalProperties\": false"
            );
            found.push(misfit(path, Reason::AdditionalPropertiesWidens, message));
        }
    }
}

/// One alternative: schemas that all hold, and the kinds of values they leave.
#[derive(Clone)]
struct Piece<'a> {
    nodes: Vec<(&'a Value, &'a Map<String, Value>)>,
    kinds: Kinds,
}

impl<'a> Piece<'a> {
    fn add(&mut self, schema: &'a Value, node: &'a Map<String, Value>) {
        self.kinds = self.kinds.and(Kinds::declared(schema));
        self.nodes.push((schema, node));
    }

    fn with(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.kinds = both.kinds.and(other.kinds);
        both.nodes.extend(&other.nodes);
        both
    }

    fn narrowed(&self, kinds: Kinds) -> Self {
        Self {
            nodes: self.nodes.clone(),
            kinds: self.kinds.and(kinds),
        }
    }

    /// What all schemas say under a keyword.
    fn all(&self, name: &str) -> impl Iterator<Item = &'a Value> {
        self.nodes
            .iter()
            .filter_map(move |(_, node)| node.get(name))
    }

    /// The schemas that all hold for a member of this name.
    fn property(&self, name: &str) -> Vec<&'a Value> {
        let one = |node: &'a Map<String, Value>| {
            let own = node.get("properties").and_then(|map| map.get(name));
            own.or_else(|| rest(node))
        };
        self.nodes
            .iter()
            .filter_map(|(_, node)| one(node))
            .collect()
    }

    /// The schemas that all hold for members that no schema names.
    fn extra(&self) -> Vec<&'a Value> {
        self.nodes
            .iter()
            .filter_map(|(_, node)| rest(node))
            .collect()
    }
}

/// The schema of undeclared members, where it holds for all of them.
fn rest(node: &Map<String, Value>) -> Option<&Value> {
    if node.contains_key("patternProperties") {
        return None;
    }
    node.get("additionalProperties")
}

fn branches<'a>(node: &'a Map<String, Value>, name: &str) -> Option<&'a Vec<Value>> {
    node.get(name)?.as_array()
}

fn names(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

fn small_values(kinds: Kinds) -> Vec<Value> {
    let mut values = Vec::new();
    if kinds.meets(Kinds::NULL) {
        values.push(Value::Null);
    }
    if kinds.meets(Kinds::BOOLEAN) {
        values.extend([Value::Bool(false), Value::Bool(true)]);
    }
    values
}

/// Bounds that are whole numbers from 0: at least, at most.
fn lengths(
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

/// As [`lengths`], for objects, whose other keywords count members too.
#[expect(clippy::cast_precision_loss, reason = "lengths are far below 2^53")]
fn members(
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

fn misfit(path: &str, reason: Reason, message: impl Into<String>) -> Misfit {
    Misfit {
        path: path.to_owned(),
        reason,
        message: message.into(),
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(sub: Value, sup: Value) -> Vec<(String, &'static str)> {
        let found = Comparison::default().misfits(&sub, &sup);
        found
            .into_iter()
            .map(|misfit| (misfit.path, misfit.reason.word()))
            .collect()
    }

    #[track_caller]
    fn fits(sub: Value, sup: Value) {
        assert_eq!(reasons(sub.clone(), sup.clone()), [], "{sub} in {sup}");
    }

    #[track_caller]
    fn misfits(sub: Value, sup: Value, path: &str, reason: &str) {
        let found = reasons(sub.clone(), sup.clone());
        let first = found.first().map(|(path, reason)| (path.as_str(), *reason));
        assert_eq!(first, Some((path, reason)), "{sub} in {sup}");
    }

    #[test]
    fn what_is_within_another_schema_is_seen_to_be() {
        let closed = |properties: Value| json!({"type":"object","properties":properties,"additionalProperties":false});
        for (sub, sup) in [
            (json!({"type":"string"}), json!({})),
            (json!({"type":"integer"}), json!({"type":"number"})),
            (
                json!({"type":"string"}),
                json!({"type":"string","nullable":true}),
            ),
            (
                json!({"type":["string","null"]}),
                json!({"anyOf":[{"type":"string"},{"type":"null"}]}),
            ),
            (
                json!({"type":["string","null"]}),
                json!({"oneOf":[{"type":"string"},{"type":"null"}]}),
            ),
            (
                json!({"anyOf":[{"type":"string"},{"type":"null"}]}),
                json!({"type":["string","null"]}),
            ),
            (
                json!({"type":"integer","minimum":1,"maximum":5}),
                json!({"type":"number","minimum":0,"maximum":5}),
            ),
            (
                json!({"type":"integer","exclusiveMinimum":0}),
                json!({"type":"integer","minimum":1}),
            ),
            (
                json!({"type":"number","exclusiveMinimum":0}),
                json!({"type":"number","minimum":0}),
            ),
            (
                json!({"type":"string","minLength":2,"maxLength":3}),
                json!({"type":"string","minLength":1}),
            ),
            (
                json!({"type":"string","enum":["a","b"]}),
                json!({"enum":["b","a","c"]}),
            ),
            (json!({"const":3}), json!({"type":"integer","minimum":3})),
            (json!({"type":"boolean"}), json!({"enum":[true,false]})),
            (
                json!({"type":"string","enum":["a",1]}),
                json!({"enum":["a"]}),
            ),
            (
                json!({"type":"string","pattern":"a"}),
                json!({"pattern":"a"}),
            ),
            (
                json!({"type":"array","maxItems":0}),
                json!({"type":"array","items":{"type":"string"}}),
            ),
            (
                json!({"type":"array","items":{"const":1}}),
                json!({"type":"array","items":{"type":"integer"}}),
            ),
            (
                closed(json!({"a":{"type":"integer"}})),
                closed(json!({"a":{"type":"number"},"b":{}})),
            ),
            (
                closed(json!({"a":{"type":"integer"}})),
                json!({"type":"object","additionalProperties":{"type":"integer"}}),
            ),
            (
                json!({"type":"object","properties":{"a":{}},"required":["a"]}),
                json!({"type":"object","minProperties":1}),
            ),
            (
                json!({"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},closed(json!({"a":{}}))]}),
                closed(json!({"a":{"type":"string"}})),
            ),
            (
                json!({"type":"string","anyOf":[{"const":"a"},{"const":"b"},{"const":1}]}),
                json!({"enum":["a","b"]}),
            ),
        ] {
            fits(sub, sup);
        }
    }

    #[test]
    fn what_is_not_within_another_schema_says_where_and_why() {
        let object = |schema: Value| json!({"type":"object","properties":{"a":schema}});
        let closed = |schema: Value| json!({"type":"object","properties":{"a":schema},"additionalProperties":false});
        for (sub, sup, path, reason) in [
            (json!({}), json!({"type":"string"}), "", "type-mismatch"),
            (
                json!({"type":"number"}),
                json!({"type":"integer"}),
                "",
                "type-mismatch",
            ),
            (
                json!({"type":"string","nullable":true}),
                json!({"type":"string"}),
                "",
                "type-mismatch",
            ),
            (
                closed(json!({"type":"string"})),
                closed(json!({"type":"number"})),
                "properties.a",
                "type-mismatch",
            ),
            (
                closed(json!({})),
                json!({"type":"object","additionalProperties":false}),
                "properties.a",
                "extra-property",
            ),
            (
                json!({"type":"object"}),
                closed(json!({})),
                "",
                "additional-properties-widens",
            ),
            (
                json!({"type":"object"}),
                object(json!({"type":"string"})),
                "properties.a",
                "additional-properties-widens",
            ),
            (
                json!({"type":"object","additionalProperties":false}),
                json!({"type":"object","properties":{"a":{}},"required":["a"]}),
                "properties.a",
                "missing-required",
            ),
            (
                json!({"type":"array"}),
                json!({"type":"array","items":{"type":"string"}}),
                "",
                "items-mismatch",
            ),
            (
                json!({"type":"array","items":{"type":"number"}}),
                json!({"type":"array","items":{"type":"string"}}),
                "items",
                "type-mismatch",
            ),
            (
                json!({"type":"string"}),
                json!({"type":"string","pattern":"a"}),
                "",
                "unsupported",
            ),
            (
                json!({"type":"string"}),
                json!({"type":"string","format":"email"}),
                "",
                "unsupported",
            ),
            (
                json!({"type":"string"}),
                json!({"not":{"const":"a"}}),
                "",
                "unsupported",
            ),
            (
                json!({"type":"integer","minimum":0}),
                json!({"type":"integer","minimum":1}),
                "",
                "type-mismatch",
            ),
            (
                json!({"type":"integer","maximum":9_007_199_254_740_993_u64}),
                json!({"type":"integer","maximum":9_007_199_254_740_992_u64}),
                "",
                "type-mismatch",
            ),
            (
                json!({"type":"string"}),
                json!({"enum":["a"]}),
                "",
                "type-mismatch",
            ),
            (
                json!({"enum":["a","b"]}),
                json!({"enum":["a"]}),
                "",
                "type-mismatch",
            ),
            (
                json!({"enum":["a"]}),
                json!({"type":"string","pattern":"b"}),
                "",
                "unsupported",
            ),
            (
                json!({"anyOf":[{"type":"string"},{"type":"null"}]}),
                json!({"type":"string"}),
                "",
                "type-mismatch",
            ),
            (
                json!({"type":"object","patternProperties":{"^x":{}},"additionalProperties":false}),
                json!({"type":"object","additionalProperties":false}),
                "",
                "additional-properties-widens",
            ),
            (
                json!({"oneOf":[{"type":"string"}]}),
                json!({"oneOf":[{"type":"string"},{"type":"string","maxLength":3}]}),
                "",
                "unsupported",
            ),
        ] {
            misfits(sub, sup, path, reason);
        }
    }

    #[test]
    fn an_action_without_data_fits_unless_something_is_required() {
        let mut comparison = Comparison::default();
        let optional = json!({"type":"object","properties":{"a":{"type":"string"}}});
        assert_eq!(comparison.void_misfits(&optional), []);
        let required = json!({"type":"object","properties":{"a":{}},"required":["a"]});
        let found = comparison.void_misfits(&required);
        assert_eq!(
            Misfit::told(&found),
            "properties.a: missing-required: \"a\" is required and may be left out here"
        );
    }

    #[test]
    fn work_without_end_ends_and_claims_nothing() {
        let mut sub = json!({"type":"string"});
        let mut sup = json!({"type":"string","minLength":1});
        for level in 0..12 {
            let other = json!({"type":"object","properties":{"k":{"const":level}}});
            sub = json!({"anyOf":[{"type":"array","items":sub},{"type":"array","items":other}]});
            sup =
                json!({"anyOf":[{"type":"array","items":sup},{"type":"array","items":sup},other]});
        }
        let found = Comparison::default().misfits(&sub, &sup);
        assert_eq!(found[0].reason, Reason::Unsupported);
    }
}
