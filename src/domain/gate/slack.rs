//! What a channel of Slack reads when a person is asked: plain text, and the way to the card.

use serde_json::{Value, json};

use super::super::size::shorten;

/// Values that are told: a channel is no place to read a call, and the card shows all of them.
const VALUES_MAX: usize = 8;
/// Letters of each.
const VALUE_CHARS_MAX: usize = 120;

/// The message about a card with these props, to which a link leads.
pub(crate) fn slack_message(card: &str, props: &Value) -> Value {
    let text = |name: &str| props[name].as_str().unwrap_or_default();
    let mut lines = vec![
        format!("Approve {}? Asked by {}.", text("tool"), text("requester")),
        text("why").to_owned(),
    ];
    let rows = ["arguments", "texts"].map(|part| props[part].as_array());
    let rows: Vec<_> = rows.into_iter().flatten().flatten().collect();
    for row in rows.iter().take(VALUES_MAX) {
        let [name, value] = ["name", "value"].map(|part| row[part].as_str().unwrap_or_default());
        let value = shorten(&value.replace('\n', "⏎ "), VALUE_CHARS_MAX);
        lines.push(format!("{name}: {value}"));
    }
    if rows.len() > VALUES_MAX {
        lines.push(format!("and {} more", rows.len() - VALUES_MAX));
    }
    lines.push(format!("Decide on the stage: {card}"));
    // Only with these letters a text could call people or show one address as another.
    let text = lines.join("\n").replace('&', "&amp;");
    let text = text.replace('<', "&lt;").replace('>', "&gt;");
    json!({ "text": text, "mrkdwn": false, "unfurl_links": false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_what_is_asked_and_calls_nobody_else() {
        let rows = (0..9).map(|at| json!({"name": format!("n{at}"), "value": "v\nw"}));
        let rows: Vec<_> = rows.collect();
        let props = json!({
            "tool": "delete_file",
            "requester": "key-1 of shop",
            "why": "<!channel> & <https://evil.example|the stage>",
            "arguments": rows,
            "texts": [],
        });
        let message = slack_message("https://ui.example/#s=approval-1", &props);
        assert_eq!(
            message["text"],
            "Approve delete_file? Asked by key-1 of shop.\n\
             &lt;!channel&gt; &amp; &lt;https://evil.example|the stage&gt;\n\
             n0: v⏎ w\nn1: v⏎ w\nn2: v⏎ w\nn3: v⏎ w\nn4: v⏎ w\nn5: v⏎ w\nn6: v⏎ w\n\
             n7: v⏎ w\nand 1 more\nDecide on the stage: https://ui.example/#s=approval-1"
        );
    }
}
