//! What is wrong with the body of a request, field by field.

use serde_json::{Value, json};

use super::fault::Fault;
use crate::services::brain::BrainError;
use crate::services::dispatch::DispatchError;

/// The member of an operation's arguments that is the body.
pub(crate) const BODY: &str = "body";
/// Where everything else stands that is given with a request.
const QUERY: &str = "query";

impl Fault {
    /// Why an operation that the REST interface asked for failed: problems of its body are listed by
    /// their fields, where it has one.
    pub(crate) fn of_resource_operation(scope: &str, has_body: bool, error: DispatchError) -> Self {
        match fields(&error, if has_body { BODY } else { QUERY }) {
            Some(fields) => Self::of_fields(fields),
            None => Self::of_operation(scope, error).at_rest(),
        }
    }
}

/// All that is wrong with what was given for an operation; none where it failed otherwise.
fn fields(error: &DispatchError, given: &str) -> Option<Vec<Value>> {
    if let DispatchError::Brain(BrainError::Invalid(why)) = error {
        return Some(vec![
            json!({ "type": "value_error", "loc": [given], "msg": why }),
        ]);
    }
    let DispatchError::Arguments(error) = error else {
        return None;
    };
    let entries = error.problems.iter().map(|problem| {
        let mut names = problem.path.split('.');
        let is_of_body = names.next() == Some(BODY);
        let place = std::iter::once(given).chain(names);
        let place: Vec<Value> = place.map(name).collect();
        let entry = json!({ "type": problem.kind, "loc": place, "msg": problem.text });
        is_of_body.then_some(entry)
    });
    entries.collect()
}

/// A name, or the number of an item.
fn name(name: &str) -> Value {
    name.parse::<u64>()
        .map_or_else(|_| name.into(), Value::from)
}
