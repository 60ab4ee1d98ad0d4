//! Charts of very many points in a real browser, painted by a piece of the guest that only their
//! shells contain.

use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::world::{Shown, World};

/// The beginning of the hint below a painted chart.
const HINT: &str = "Drag to look closer";
/// Hostile names of categories and series.
const HOSTILE: &str = "<img src=x onerror='globalThis.harmed=1'>";
/// How often feeding a chart without a long task is tried: a busy machine has one now and then.
const TRIES: usize = 3;

/// Readings, one every thirty seconds.
fn readings(count: usize) -> Value {
    (0..count)
        .map(|index| {
            let minute = index / 2;
            let at = format!(
                "2026-11-{:02}T{:02}:{:02}:{:02}Z",
                1 + minute / 1440,
                minute / 60 % 24,
                minute % 60,
                index % 2 * 30
            );
            json!({"at": at, "load": index % 7 * 700, "order": index})
        })
        .collect()
}

fn records(properties: Value) -> Value {
    let required: Vec<_> = properties
        .as_object()
        .into_iter()
        .flat_map(|members| members.keys().cloned())
        .collect();
    let items = json!({"type": "object", "properties": properties, "required": required});
    json!({"type": "array", "items": items})
}

fn reading() -> Value {
    records(json!({
        "at": {"type": "string", "format": "date-time"},
        "load": {"type": "number"},
        "order": {"type": "integer"},
    }))
}

fn machine() -> Value {
    json!({"propsSpec": {"properties": {"readings": {"schema": reading(), "required": true}}}})
}

async fn show(world: &World, count: usize) -> Shown {
    let props = json!({"readings": readings(count)});
    world.show(machine(), props).await
}

fn frame(shown: &Shown) -> String {
    format!("{}/frame", shown.viewer_url())
}

/// The code that a shell contains.
async fn code(world: &World, shown: &Shown) -> String {
    let read = json!({"uri": format!("ui://ggui/render/{}", shown.session)});
    let answer = world.rpc("resources/read", read).await;
    let html = answer.body["result"]["contents"][0]["text"].as_str();
    let (_, code) = html
        .and_then(|html| html.split_once("data-ggui-runtime=\"inline\">"))
        .expect("a shell");
    let (code, _) = code.split_once("</script>").expect("its end");
    code.to_owned()
}

async fn press(browser: &mut Chromium, keys: &[&str]) {
    let focus = "document.querySelector('.g-plot [role=img]').focus()";
    browser.evaluate(None, focus).await;
    for key in keys {
        browser.key(key).await;
    }
}

/// A function of the page that counts the pixels of the plot of one colour.
const COUNT: &str = "const count = (red, green, blue) => { \
    const plot = document.querySelector('canvas'); \
    const {data} = plot.getContext('2d').getImageData(0, 0, plot.width, plot.height); \
    let found = 0; \
    for (let at = 0; at < data.length; at += 4) \
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) found++; \
    return found; }";

/// How many pixels of the plot have this colour.
async fn pixels(browser: &mut Chromium, [red, green, blue]: [u8; 3]) -> u64 {
    let count = format!("(() => {{ {COUNT}; return count({red}, {green}, {blue}); }})()");
    browser.evaluate(None, &count).await.as_u64().expect("some")
}

/// Waits until no pixel of the plot has this colour: the page is told of another colour scheme
/// after the browser is, and paints in a frame of its own.
async fn repainted(browser: &mut Chromium, [red, green, blue]: [u8; 3]) {
    let wait = format!(
        "new Promise((seen) => {{ {COUNT}; const end = performance.now() + 20_000; \
         const look = () => {{ \
           if (count({red}, {green}, {blue}) === 0) seen(true); \
           else if (performance.now() > end) seen(false); \
           else requestAnimationFrame(look); }}; \
         look(); }})"
    );
    assert_eq!(browser.evaluate(None, &wait).await, true, "painted anew");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_painted_chart_makes_no_page_wider_even_before_it_is_painted_for_less_room() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let shown = show(&world, 5_000).await;
    browser.open(&frame(&shown)).await;
    browser.see(None, "[data-points='5000'] canvas", "").await;
    // At once: the size is read before the chart is notified of it.
    let narrowed = "(() => { document.body.style.inlineSize = '320px'; \
        const canvas = document.querySelector('canvas').clientWidth; \
        const {scrollWidth, clientWidth} = document.querySelector('.g-plot'); \
        return [canvas > clientWidth, scrollWidth - clientWidth]; })()";
    let was = browser.evaluate(None, narrowed).await;
    assert_eq!(was, json!([true, 0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chart_of_five_thousand_rows_is_painted_with_each_of_them_and_looked_at_closer_by_keys() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let shown = show(&world, 5_000).await;
    browser.open(&frame(&shown)).await;
    browser.see(None, ".g-closer", HINT).await;
    browser.see(None, "[data-points='5000'] canvas", "").await;
    let drawn = "[document.querySelectorAll('.g-plot svg').length, \
                 document.querySelectorAll('.g-hidden tbody tr').length]";
    assert_eq!(browser.evaluate(None, drawn).await, json!([0, 50]));

    // Neighbours are one reading apart, at both ends.
    press(&mut browser, &["End"]).await;
    browser.see(None, ".g-readout", "Order 4,999").await;
    press(&mut browser, &["ArrowLeft"]).await;
    browser.see(None, ".g-readout", "Order 4,998").await;
    press(&mut browser, &["Home", "ArrowRight"]).await;
    browser.see(None, ".g-readout", "Order 1").await;

    let part = "document.querySelector('.g-closer [role=status]').textContent";
    assert_eq!(browser.evaluate(None, part).await, "");
    press(&mut browser, &["+", "+"]).await;
    browser.see(None, ".g-closer", "Show all").await;
    let first = browser.evaluate(None, part).await;
    press(&mut browser, &["Shift+ArrowRight"]).await;
    let second = browser.evaluate(None, part).await;
    assert_ne!(first, second, "the part moves on");
    press(&mut browser, &["0"]).await;
    browser.see(None, ".g-closer", HINT).await;
    browser.drag(None, ".u-over", ".g-legend").await;
    browser.click(None, ".g-closer button").await;
    browser.see(None, ".g-closer", HINT).await;

    // Touch does the same.
    let swipe = "(() => { const plot = document.querySelector('.u-over'); \
        const {left, top, width} = plot.getBoundingClientRect(); \
        const touch = (type, part) => plot.dispatchEvent(new PointerEvent(type, {pointerType: 'touch', \
          isPrimary: true, bubbles: true, clientX: left + width * part, clientY: top + 50})); \
        touch('pointerdown', 0.25); touch('pointermove', 0.4); touch('pointermove', 0.5); \
        touch('pointerup', 0.5); return true; })()";
    browser.evaluate(None, swipe).await;
    browser.see(None, ".g-closer", "Show all").await;
    let quarter = browser.evaluate(None, part).await;
    let (from, to) = quarter
        .as_str()
        .and_then(|part| part.split_once(" – "))
        .expect("a part");
    assert_ne!(from, to);
    browser.click(None, ".g-closer button").await;

    // The content security policy blocked nothing; only the accessibility tool gets a page without
    // one.
    assert_eq!(browser.problems().await, json!([]));
    browser.open_to_inspect(&frame(&shown)).await;
    browser.see(None, "[data-points='5000'] canvas", "").await;
    let (light, dark) = ([52, 81, 178], [157, 178, 255]);
    assert!(pixels(&mut browser, light).await > 500, "the first series");
    assert_eq!(pixels(&mut browser, dark).await, 0);
    assert_eq!(browser.inaccessible().await, json!([]));
    // The system switched to dark mode while it was shown.
    repainted(&mut browser, light).await;
    assert!(pixels(&mut browser, dark).await > 500, "the first series");
    for width in [320, 768] {
        browser.resize(width, 700).await;
        assert!(!browser.overflows().await, "{width}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_shell_with_very_many_rows_carries_the_painter() {
    let world = World::start().await;
    let few = code(&world, &show(&world, 500).await).await;
    let many = code(&world, &show(&world, 5_000).await).await;
    let name = |text: &str| {
        let (_, rest) = text.split_once("painter.").expect("its file");
        let (digits, _) = rest.split_once(".js").expect("its end");
        format!("/_ggui/painter.{digits}.js")
    };
    let painter = reqwest::get(world.url(&name(&few)))
        .await
        .expect("an answer");
    assert_eq!(painter.headers()["access-control-allow-origin"], "*");
    assert!(
        painter.headers()["cache-control"]
            .to_str()
            .is_ok_and(|kept| kept.contains("immutable"))
    );
    let painter = painter.text().await.expect("its text");
    assert!(painter.contains("u-over"), "it is the one");
    assert!(!few.contains("u-over"));
    assert_eq!(many.len(), few.len() + painter.len());
    assert!(many.contains(&painter));
    let other = reqwest::get(world.url("/_ggui/painter.0123456789ab.js")).await;
    assert_eq!(other.expect("an answer").status(), 404);

    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    browser.open(&frame(&show(&world, 500).await)).await;
    browser.see(None, ".g-plot svg", "").await;
    let canvases = "document.querySelectorAll('canvas').length";
    assert_eq!(browser.evaluate(None, canvases).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chart_that_grew_after_it_was_shown_fetches_the_painter_under_its_policy() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let shown = show(&world, 2_000).await;
    browser.open(&frame(&shown)).await;
    browser
        .see(None, "main[data-live=open] .g-plot svg", "")
        .await;
    let grown = json!({
        "sessionId": shown.session,
        "kind": "replace",
        "props": {"readings": readings(2_001)},
    });
    world.tool("ggui_update", grown).await;
    browser.see(None, "[data-points='2001'] canvas", "").await;
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_painted_chart_that_is_fed_keeps_the_page_answering() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let contract = json!({"streamSpec": {"readings": {"mode": "replace", "schema": reading()}}});
    let shown = world.show(contract, json!({})).await;
    browser.open(&frame(&shown)).await;
    browser.see(None, "main[data-live=open]", "").await;
    let mut rows = readings(3_000);
    let mut fed = 0;
    let mut feed = async |browser: &mut Chromium| {
        for _ in 0..10 {
            fed += 1;
            rows[2_999]["order"] = json!(1_000_000 + fed);
            let item = json!({"sessionId": shown.session, "channel": "readings", "payload": rows});
            world.tool("ggui_emit", item).await;
            let latest = format!("1,000,{fed:03}");
            browser.see(None, ".g-legend", &latest).await;
        }
    };
    feed(&mut browser).await;
    browser.see(None, "[data-points='3000'] canvas", "").await;
    let mut tasks = Value::Null;
    for _ in 0..TRIES {
        browser.watch().await;
        feed(&mut browser).await;
        tasks = browser.watched().await;
        if tasks["long"] == 0 {
            break;
        }
    }
    assert_eq!(
        tasks["long"], 0,
        "tasks over 50 ms of processor time: {tasks}"
    );
    assert!(tasks["tasks"].as_u64() > Some(10), "{tasks}");
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_are_html_stay_text_in_a_painted_chart() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let schema = records(json!({
        "category": {"type": "string"},
        "sold": {"type": "integer", "title": HOSTILE},
        "returned": {"type": "integer"},
    }));
    let contract =
        json!({"propsSpec": {"properties": {"sales": {"schema": schema, "required": true}}}});
    let sales: Vec<_> = (0..2_500)
        .map(|index| json!({"category": format!("{index}{HOSTILE}"), "sold": index, "returned": 1}))
        .collect();
    // The composer draws names as bars, of which the first are shown; an agent may draw lines.
    let series = json!([{"field": "sold", "label": HOSTILE}, {"field": "returned", "label": "R"}]);
    let view = json!({"components": [{
        "id": "root", "component": "Chart", "kind": "line", "title": "Sales",
        "data": {"path": "/props/sales"}, "x": "category", "series": series,
    }]});
    let draft = json!({"contract": contract, "view": view});
    let arguments = json!({"intent": "Sales", "blueprintDraft": draft});
    let agreed = world.tool("ggui_handshake", arguments).await;
    let props = json!({"sales": sales});
    let arguments = json!({"handshakeId": agreed["handshakeId"], "props": props});
    let result = world.call("ggui_render", arguments).await;
    let session = result["structuredContent"]["sessionId"].as_str();
    let session = session.expect("a session").to_owned();
    let shown = Shown { session, result };
    browser.open(&frame(&shown)).await;
    browser
        .see(None, "[data-kind=line] [data-points='2500'] canvas", "")
        .await;
    press(&mut browser, &["+", "End"]).await;
    browser.see(None, ".g-readout", HOSTILE).await;
    browser.see(None, ".g-closer", HOSTILE).await;
    browser.see(None, ".g-legend", HOSTILE).await;
    let harm = "[document.images.length, globalThis.harmed ?? null]";
    assert_eq!(browser.evaluate(None, harm).await, json!([0, null]));
    assert_eq!(browser.problems().await, json!([]));
}
