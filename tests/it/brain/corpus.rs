//! Pages by the hundred, and questions that were written before: how often the page that answers is
//! among the first five.

use serde_json::{Value, json};

use super::Pages;
use super::paraphrases::PARAPHRASES;

/// Pages of each kind, in order: a name, and facts for the templates below.
const NAMES: [&str; 60] = [
    "Amara", "Bjorn", "Carmen", "Dilip", "Elena", "Farid", "Greta", "Hiro", "Ingrid", "Jamal",
    "Katya", "Lorenzo", "Mei", "Nadia", "Oskar", "Priya", "Quentin", "Rosa", "Samuel", "Tamsin",
    "Ulrich", "Valeria", "Wanjiru", "Xavier", "Yusuf", "Zofia", "Anselm", "Brigid", "Cosimo",
    "Dagny", "Emeka", "Fiona", "Gustavo", "Halima", "Ivo", "Jolanta", "Kenji", "Leila", "Marek",
    "Noor", "Orla", "Pavel", "Rania", "Sven", "Thandi", "Umberto", "Viveka", "Wendell", "Ximena",
    "Yara", "Zoltan", "Aylin", "Benoit", "Chiara", "Darius", "Eirik", "Freya", "Goran", "Hedda",
    "Ismail",
];
const TRADES: [&str; 12] = [
    "glassblower",
    "surveyor",
    "beekeeper",
    "cartographer",
    "locksmith",
    "violin maker",
    "diver",
    "translator",
    "baker",
    "gardener",
    "welder",
    "archivist",
];
const TOWNS: [&str; 15] = [
    "Tromso",
    "Bergamo",
    "Cadiz",
    "Delft",
    "Essaouira",
    "Fukuoka",
    "Ghent",
    "Hobart",
    "Izmir",
    "Jaipur",
    "Kaunas",
    "Leuven",
    "Mombasa",
    "Nantes",
    "Oaxaca",
];
const TOOLS: [&str; 10] = [
    "lathe",
    "theodolite",
    "centrifuge",
    "loom",
    "kiln",
    "sextant",
    "anvil",
    "microscope",
    "telescope",
    "printing press",
];
const DISHES: [&str; 60] = [
    "lentil soup",
    "rye bread",
    "plum dumplings",
    "fish stew",
    "saffron rice",
    "onion tart",
    "barley salad",
    "goat curry",
    "almond cake",
    "beet pickles",
    "corn fritters",
    "egg noodles",
    "fig jam",
    "garlic chutney",
    "honey biscuits",
    "iced tea",
    "jackfruit tacos",
    "kale pesto",
    "lemon curd",
    "mushroom pie",
    "nut loaf",
    "oat porridge",
    "pea risotto",
    "quince paste",
    "radish kimchi",
    "sesame balls",
    "turnip gratin",
    "ube pudding",
    "vanilla custard",
    "walnut bread",
    "yam stew",
    "zucchini soup",
    "apple strudel",
    "bean chili",
    "cabbage rolls",
    "date scones",
    "endive salad",
    "fennel broth",
    "ginger ale",
    "herring rolls",
    "ice cream",
    "jasmine rice",
    "kohlrabi slaw",
    "leek quiche",
    "mango lassi",
    "nettle soup",
    "olive focaccia",
    "pumpkin ravioli",
    "quail eggs",
    "raspberry vinegar",
    "spinach pie",
    "tomato jam",
    "udon broth",
    "veal ragout",
    "watercress soup",
    "yogurt cake",
    "ziti bake",
    "anchovy toast",
    "bread pudding",
    "cherry clafoutis",
];

/// What tells those apart that have one of the names above: the first of each stands alone.
const FAMILIES: [&str; 7] = [
    "",
    "Lindqvist",
    "Okafor",
    "Petrov",
    "Tanaka",
    "Moreau",
    "Castellano",
];
const STYLES: [&str; 7] = [
    "",
    "smoked",
    "winter",
    "harbour",
    "monastery",
    "village",
    "express",
];

/// The category of questions in other words than their pages have.
const OTHER_WORDS: &str = "other words";
/// A score below that of any page that has a word of the question.
const WEAK: f64 = 0.005;
/// Pages of a kind, and questions of a category, by default; `full` in the long run.
const SIZE: (usize, usize) = (60, 12);
const FULL: (usize, usize) = (400, 60);
const SIZE_VARIABLE: &str = "PROSCENIUM_PAGE_CORPUS";

fn size() -> (usize, usize) {
    match std::env::var(SIZE_VARIABLE).as_deref() {
        Ok("full") => FULL,
        _ => SIZE,
    }
}

fn name(number: usize) -> String {
    let family = FAMILIES[number / NAMES.len() % FAMILIES.len()];
    format!("{} {family}", of(&NAMES, number)).trim().to_owned()
}

fn dish(number: usize) -> String {
    let style = STYLES[number / DISHES.len() % STYLES.len()];
    format!("{style} {}", of(&DISHES, number)).trim().to_owned()
}

fn of<'a>(all: &[&'a str], number: usize) -> &'a str {
    all[number % all.len()]
}

fn slug(kind: &str, number: usize) -> String {
    format!("{kind}/{kind}-{number}")
}

/// Every page: people, projects, recipes, rooms, decisions.
fn pages() -> Vec<(String, String)> {
    let mut pages = Vec::new();
    let (each, _) = size();
    for number in 0..each {
        let (name, other) = (name(number), name((number * 7 + 3) % each));
        let (trade, town) = (
            of(&TRADES, number * 5),
            of(&TOWNS, number * 4 + number / 15),
        );
        let day = 1 + number % 28;
        let month = 1 + number % 12;
        pages.push((slug("person", number), format!(
            "---\ntitle: {name}\ntype: person\n---\n# {name}\n\n{name} is a {trade} who lives in \
             {town} and learned the trade from {other}.\n---\n- 2025-{month:02}-{day:02} — \
             {name} moved to {town}\n"
        )));
        let tool = of(&TOOLS, number * 3);
        pages.push((
            slug("project", number),
            format!(
                "---\ntitle: Project {name} {tool}\ntype: project\n---\nRepairing the {tool} that \
             {name} borrowed. The budget is {} crowns and {other} keeps the accounts.\n---\n\
             - 2026-{month:02}-{day:02} — the repair of {name}'s {tool} was finished\n",
                1_000 + 37 * number
            ),
        ));
        pages.push((slug("recipe", number), format!(
            "---\ntitle: {}\ntype: source\n---\nA recipe of {other}: simmer for {} minutes, rest \
             overnight, serve with {}.\n",
            dish(number), 10 + number, dish((number + 17) % each)
        )));
        pages.push((
            slug("room", number),
            format!(
                "---\ntitle: Room {}\ntype: area\n---\nOn floor {} of the {town} house. Seats {} \
             people and holds the {tool}. {name} has the key.\n",
                100 + number,
                number % 6,
                4 + number % 9
            ),
        ));
        pages.push((slug("decision", number), format!(
            "---\ntitle: Supplier of {}\ntype: decision\n---\nWe buy it from {name} in {town} now.\n\
             ---\n- 2026-02-{day:02} — changed the supplier from {other} to {name}\n\
             - 2024-06-{day:02} — chose {other} as the supplier\n",
            dish(number)
        )));
    }
    pages
}

/// Category, question, and the page that answers; none where no page does.
fn questions() -> Vec<(&'static str, String, Option<String>)> {
    let mut asked = Vec::new();
    let (each, count) = size();
    for at in 0..count {
        let number = at * (each / count) + 2;
        let (name, dish) = (name(number), dish(number));
        let (town, tool) = (of(&TOWNS, number * 4 + number / 15), of(&TOOLS, number * 3));
        let (day, month) = (1 + number % 28, 1 + number % 12);
        asked.push(match at % 3 {
            0 => (
                "exact",
                format!("{name} {town}"),
                Some(slug("person", number)),
            ),
            1 => (
                "exact",
                format!("Room {}", 100 + number),
                Some(slug("room", number)),
            ),
            _ => (
                "exact",
                format!("Project {name} {tool}"),
                Some(slug("project", number)),
            ),
        });
        asked.push(match at % 3 {
            0 => (
                "paraphrase",
                format!("how long does {dish} have to simmer"),
                Some(slug("recipe", number)),
            ),
            1 => (
                "paraphrase",
                format!("what did repairing {name}'s {tool} cost"),
                Some(slug("project", number)),
            ),
            _ => (
                "paraphrase",
                format!("which trade did {name} learn and where does she live"),
                Some(slug("person", number)),
            ),
        });
        asked.push(match at % 2 {
            0 => (
                "date",
                format!("what was finished on 2026-{month:02}-{day:02} with {name}'s {tool}"),
                Some(slug("project", number)),
            ),
            _ => (
                "date",
                format!("when did {name} move to {town}"),
                Some(slug("person", number)),
            ),
        });
        asked.push((
            "updated",
            format!("who is the supplier of {dish} now"),
            Some(slug("decision", number)),
        ));
        asked.push((
            "unanswerable",
            format!("submarine insurance premium, tenant {}", 70_000 + at),
            None,
        ));
    }
    asked
}

/// Questions in other words than their pages have, those with an even number; that they are such is
/// looked at again.
fn other_words(corpus: &[(String, String)]) -> Vec<(&'static str, String, Option<String>)> {
    let words = |text: &str| -> std::collections::HashSet<String> {
        let text = text.to_lowercase();
        let words = text.split(|char: char| !char.is_alphanumeric());
        words
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let used = PARAPHRASES.iter().filter(|(number, _)| number % 2 == 0);
    used.map(|(number, question)| {
        let wanted = slug("recipe", *number);
        let page = corpus.iter().find(|(slug, _)| *slug == wanted);
        let (_, text) = page.expect("the recipe");
        let (asked, said) = (words(question), words(text));
        let shared: Vec<_> = asked.intersection(&said).collect();
        assert!(shared.is_empty(), "{question}: {shared:?}");
        (OTHER_WORDS, (*question).to_owned(), Some(wanted))
    })
    .collect()
}

/// Places of a page among the first five.
fn is_found(rows: &Value, wanted: &str) -> bool {
    let mut rows = rows.as_array().expect("rows").iter().take(5);
    rows.any(|row| row["slug"] == format!("default::{wanted}"))
}

/// A search that anyone could do without us: pages that contain the most words of the question.
fn grep(pages: &[(String, String)], question: &str) -> Vec<String> {
    let question = question.to_lowercase();
    let words: Vec<_> = question.split_whitespace().collect();
    let mut counted: Vec<_> = pages
        .iter()
        .map(|(slug, text)| {
            let text = text.to_lowercase();
            (
                words.iter().filter(|word| text.contains(*word)).count(),
                slug,
            )
        })
        .collect();
    counted.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    counted
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .take(5)
        .map(|(_, slug)| slug.clone())
        .collect()
}

#[tokio::test]
#[expect(clippy::print_stdout, reason = "the table is what is measured")]
async fn the_page_that_answers_is_among_the_first_five_and_likeness_never_makes_it_worse() {
    let corpus = pages();
    let (each, asked) = size();
    assert_eq!((corpus.len(), questions().len()), (5 * each, 5 * asked));
    let pages = Pages::start_with(|config| config.server.unlimited = true).await;
    for (slug, content) in &corpus {
        pages.put(slug, content).await;
    }
    let mut all = [0.0; 4];
    println!("category       n   grep    fts  query");
    let written = questions().into_iter().chain(other_words(&corpus));
    let written: Vec<_> = written.collect();
    for category in ["exact", "paraphrase", "date", "updated", OTHER_WORDS] {
        let asked = &written;
        let asked: Vec<_> = asked.iter().filter(|(of, ..)| *of == category).collect();
        let mut hits = [0.0; 3];
        for (_, question, wanted) in &asked {
            let wanted = wanted.as_deref().expect("a page");
            let by_words = pages
                .json("brain_search", json!({"query": question, "limit": 5}))
                .await;
            let fused = pages
                .json("brain_query", json!({"query": question, "limit": 5}))
                .await;
            let grepped = grep(&corpus, question).iter().any(|slug| slug == wanted);
            for (at, is_hit) in [
                grepped,
                is_found(&by_words, wanted),
                is_found(&fused, wanted),
            ]
            .into_iter()
            .enumerate()
            {
                hits[at] += f64::from(u8::from(is_hit));
                // What shares no word with its page is found by no words.
                if category != OTHER_WORDS {
                    all[at] += f64::from(u8::from(is_hit));
                }
            }
        }
        let count = asked.len() as f64;
        if category != OTHER_WORDS {
            all[3] += count;
        }
        let [grep, fts, query] = hits.map(|hits| hits / count);
        println!("{category:<12} {count:>3} {grep:>6.2} {fts:>6.2} {query:>6.2}");
        assert!(
            query >= fts,
            "{category}: likeness makes it worse: {query} {fts}"
        );
    }
    let [by_grep, fts, query] = [all[0], all[1], all[2]].map(|hits| hits / all[3]);
    println!(
        "{:<12} {:>3} {by_grep:>6.2} {fts:>6.2} {query:>6.2}",
        "all", all[3]
    );
    assert!(fts >= 0.85, "{fts}");
    // Of words that stand in no page nothing is found by words. What only looks alike may be given by
    // a query, which then says that it is a gap.
    let none: Vec<_> = questions()
        .into_iter()
        .filter(|(.., wanted)| wanted.is_none())
        .collect();
    let mut empty = [0.0; 3];
    let most = json!({"limit": 1000});
    let gaps = pages.json("brain_gaps", most.clone()).await;
    let before = gaps.as_array().map_or(0, Vec::len);
    for (_, question, _) in &none {
        let by_words = pages.json("brain_search", json!({"query": question})).await;
        let fused = pages.json("brain_query", json!({"query": question})).await;
        assert_eq!(by_words, json!([]), "{question}");
        let rows = fused.as_array().expect("rows");
        assert!(
            rows.iter().all(|row| row["score"].as_f64() < Some(WEAK)),
            "{fused}"
        );
        let is_empty = |found: bool| f64::from(u8::from(found));
        empty[0] += is_empty(grep(&corpus, question).is_empty());
        empty[1] += is_empty(by_words == json!([]));
        empty[2] += is_empty(rows.is_empty());
    }
    let [grep, fts, query] = empty.map(|empty| empty / none.len() as f64);
    println!(
        "{:<12} {:>3} {grep:>6.2} {fts:>6.2} {query:>6.2}  (nothing found)",
        "unanswerable",
        none.len()
    );
    let gaps = pages.json("brain_gaps", most).await;
    let noted = gaps.as_array().map_or(0, Vec::len) - before;
    assert_eq!(noted, none.len(), "each of them is a gap");
}
