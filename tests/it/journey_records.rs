//! Records in a real browser: a long table that is sorted, searched, paged, selected and acted on,
//! and
//! a board whose cards are moved by pointer, menu and keyboard.

use serde_json::{Value, json};

use crate::chromium::{Chromium, next_event};
use crate::world::World;

/// The frame the stage shows.
const FRAME: Option<&str> = Some("iframe");
/// Rows of a table that is long for a page, and of one that is long for a browser.
const TASKS: usize = 120;
const PARTS: usize = 10_000;

fn text() -> Value {
    json!({"type": "string"})
}

fn list(name: &str, members: Value) -> Value {
    let record = json!({"type": "object", "properties": members, "required": ["id", "title"]});
    json!({"properties": {name: {"schema": {"type": "array", "items": record}, "required": true}}})
}

/// The next event the agent gets.
async fn next(world: &World, shown: &Value) -> Value {
    let event = next_event(world, shown["sessionId"].as_str().unwrap()).await;
    json!([event["intent"], event["actionData"]])
}

async fn show(world: &World, intent: &str, contract: Value, props: Value) -> Value {
    let handshake = json!({"intent": intent, "blueprintDraft": {"contract": contract}});
    let agreed = world.tool("ggui_handshake", handshake).await;
    let render = json!({"handshakeId": agreed["handshakeId"], "props": props});
    world.tool("ggui_render", render).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_table_is_sorted_searched_paged_selected_and_acted_on() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let contract = json!({
        "propsSpec": list("tasks", json!({
            "id": text(), "title": text(), "points": {"type": "integer"}, "done": {"type": "boolean"},
        })),
        "actionSpec": {
            "toggleTask": {"label": "Done", "schema": {"type": "object", "properties": {"id": text()}, "required": ["id"]}},
            "renameTask": {"label": "Rename", "schema": {"type": "object", "properties": {"id": text(), "title": text()}, "required": ["id", "title"]}},
            "archiveTasks": {"label": "Archive", "schema": {"type": "object", "properties": {"ids": {"type": "array", "items": text()}}, "required": ["ids"]}},
        },
    });
    let task = |index: usize| json!({"id": format!("t{index}"), "title": format!("Task {index}"), "points": (index * 7) % TASKS, "done": false});
    let tasks: Vec<Value> = (0..TASKS).map(task).collect();
    let shown = show(
        &world,
        "All tasks as a table",
        contract,
        json!({"tasks": tasks}),
    )
    .await;
    browser.open(shown["viewerUrl"].as_str().unwrap()).await;
    browser.see(FRAME, "[data-row='t0']", "Task 0").await;

    // Numbers are sorted as numbers, texts that contain numbers likewise, and back.
    let first = "tbody tr:nth-child(1)";
    browser.click(FRAME, "th button:has-text('Points')").await;
    browser.click(FRAME, "th button:has-text('Points')").await;
    browser.see(FRAME, &format!("{first} td"), "119").await;
    browser
        .see(FRAME, "th[aria-sort='descending']", "Points")
        .await;
    browser.click(FRAME, "th button:has-text('Title')").await;
    browser.click(FRAME, "th button:has-text('Title')").await;
    browser.see(FRAME, first, "Task 119").await;

    // The pages, and a search without matches.
    browser.see(FRAME, ".g-pager", "Page 1 of 3").await;
    browser.click(FRAME, "button:has-text('Next')").await;
    browser.see(FRAME, first, "Task 69").await;
    browser.fill(FRAME, "input[type=search]", "task 11").await;
    browser.see(FRAME, ".g-table-foot", "11 of 120 rows").await;
    browser.see(FRAME, first, "Task 119").await;

    // Everything that was found, except one row.
    browser
        .click(FRAME, "input[aria-label='Select all rows']")
        .await;
    browser.see(FRAME, ".g-bulk", "11 selected").await;
    browser
        .click(FRAME, "input[aria-label='Select Task 119']")
        .await;
    browser.see(FRAME, ".g-bulk", "10 selected").await;
    browser.click(FRAME, "[data-action='archiveTasks']").await;
    let mut archived = next(&world, &shown).await;
    let ids = archived[1]["ids"].take();
    let mut ids: Vec<&str> = ids
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    ids.sort_unstable();
    assert_eq!(archived[0], "archiveTasks");
    assert_eq!(
        ids,
        [
            "t11", "t110", "t111", "t112", "t113", "t114", "t115", "t116", "t117", "t118"
        ]
    );

    // Acting on one row: its own checkbox, and a dialog that begins with what the row has.
    browser
        .click(FRAME, "[data-row='t110'] [data-action='toggleTask']")
        .await;
    assert_eq!(
        next(&world, &shown).await,
        json!(["toggleTask", {"id": "t110"}])
    );
    browser
        .click(FRAME, "[data-row='t111'] button:has-text('Rename')")
        .await;
    browser
        .fill(FRAME, "dialog[open] input", "Another name")
        .await;
    browser
        .click(FRAME, "dialog[open] [data-action='renameTask']")
        .await;
    let renamed = json!(["renameTask", {"id": "t111", "title": "Another name"}]);
    assert_eq!(next(&world, &shown).await, renamed);
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_rows_are_sorted_and_searched_while_the_page_responds() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let parts: Vec<Value> = (0..PARTS)
        .map(|index| json!({"id": format!("p{index}"), "title": format!("Part {}", (index * 7919) % PARTS)}))
        .collect();
    let contract = json!({"propsSpec": list("parts", json!({"id": text(), "title": text()}))});
    let shown = show(
        &world,
        "All parts as a table",
        contract,
        json!({"parts": parts}),
    )
    .await;
    browser.open(shown["viewerUrl"].as_str().unwrap()).await;
    browser.see(FRAME, ".g-table-foot", "10000 rows").await;
    let first = "tbody tr:nth-child(1)";
    // A click while rows are being sorted counts: the last one asks for descending order.
    browser.click(FRAME, "th button:has-text('Title')").await;
    browser.click(FRAME, "th button:has-text('Title')").await;
    browser.see(FRAME, first, "Part 9999").await;
    browser.fill(FRAME, "input[type=search]", "part 123").await;
    browser
        .see(FRAME, ".g-table-foot", "11 of 10000 rows")
        .await;
    browser.see(FRAME, first, "Part 1239").await;
    browser.fill(FRAME, "input[type=search]", "").await;
    browser.see(FRAME, ".g-pager", "Page 1 of 200").await;
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_moved_with_the_pointer_by_its_menu_and_with_the_keyboard() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let state = json!({"type": "string", "enum": ["new", "doing", "done"]});
    let contract = json!({
        "propsSpec": list("tickets", json!({"id": text(), "title": text(), "status": state})),
        "actionSpec": {"moveTicket": {"label": "Move", "schema": {
            "type": "object", "properties": {"id": text(), "status": state}, "required": ["id", "status"],
        }}},
    });
    let ticket = |id: &str, status: &str| json!({"id": id, "title": format!("Ticket {id}"), "status": status});
    let mut tickets = vec![ticket("a", "new"), ticket("b", "new"), ticket("c", "done")];
    let shown = show(
        &world,
        "Tickets as a board",
        contract,
        json!({"tickets": tickets}),
    )
    .await;
    browser.open(shown["viewerUrl"].as_str().unwrap()).await;
    let column = |label: &str| format!(".g-board-column[aria-label='{label}']");

    browser
        .drag(FRAME, "[data-card='a'] strong", &column("Doing, 0"))
        .await;
    assert_eq!(
        next(&world, &shown).await,
        json!(["moveTicket", {"id": "a", "status": "doing"}])
    );
    // The agent decides where the card ends up.
    tickets[0] = ticket("a", "doing");
    let patch = json!({"tickets": tickets});
    let amend = json!({"sessionId": shown["sessionId"], "kind": "merge", "patch": patch});
    world.tool("ggui_amend", amend).await;
    browser.see(FRAME, &column("Doing, 1"), "Ticket a").await;

    // Dropping a card where it was sends nothing: the next event comes from the menu.
    browser
        .drag(FRAME, "[data-card='a'] strong", &column("Doing, 1"))
        .await;
    browser.choose(FRAME, "[data-move='b']", "done").await;
    assert_eq!(
        next(&world, &shown).await,
        json!(["moveTicket", {"id": "b", "status": "done"}])
    );

    // From card to card with the arrow keys, into the menu with Tab, and to the next state.
    let focus = "document.querySelector(\"[data-card='b']\").focus()";
    browser.evaluate(FRAME, focus).await;
    browser.key("ArrowRight").await;
    browser
        .see(FRAME, "[data-card='a']:focus", "Ticket a")
        .await;
    browser.key("Tab").await;
    browser.key("ArrowDown").await;
    assert_eq!(
        next(&world, &shown).await,
        json!(["moveTicket", {"id": "a", "status": "done"}])
    );
    assert_eq!(browser.problems().await, json!([]));
}
