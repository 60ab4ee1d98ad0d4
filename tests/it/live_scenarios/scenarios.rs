//! What has to happen the same over every transport.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Guest, Observed, Outcome, TRANSPORTS, Transport, log, named, rename};
use crate::contracts::build_log;
use crate::world::{Shown, World};

/// Generates one test for each scenario, which runs it over every transport.
macro_rules! scenarios {
    ($($name:ident: $scenario:ident;)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                for transport in TRANSPORTS {
                    $scenario(transport).await;
                }
            }
        )*
    };
}

scenarios! {
    a_click_is_accepted_and_reaches_the_agent_every_way: click;
    a_click_the_contract_does_not_allow_is_refused_every_way_and_reaches_nobody: violation;
    an_action_that_was_taken_is_told_every_way: drain_ack;
    new_props_and_a_new_epoch_are_told_every_way: update;
    items_come_in_order_every_way: emit;
    everything_is_told_in_one_order_every_way: one_order;
    what_was_missed_is_replayed_from_the_cursor_every_way: replay;
    a_cursor_of_no_use_is_told_every_way_and_the_guest_goes_on: horizon;
    a_guest_comes_back_every_way_when_its_first_token_is_over: reconnect;
    every_way_ends_with_its_session: end;
}

async fn stage(world: &World) -> Shown {
    world.show(build_log(), json!({"pipeline": "main"})).await
}

async fn consume(world: &World, shown: &Shown) -> Vec<String> {
    let consume = json!({"sessionId": shown.session});
    let taken = world.tool("ggui_consume", consume).await;
    let events = taken["events"].as_array().unwrap().iter();
    events
        .map(|event| event["actionId"].as_str().unwrap().to_owned())
        .collect()
}

async fn click(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    for _ in 0..2 {
        // Sent twice with one id, as after a lost response.
        let outcome = guest.act("cancel", Value::Null, "gesture-1").await;
        assert_eq!(outcome, Outcome::Accepted, "{transport:?}");
    }
    assert_eq!(
        consume(&world, &shown).await,
        ["gesture-1"],
        "{transport:?}"
    );
}

async fn violation(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    let outcome = guest.act("dance", Value::Null, "gesture-1").await;
    let Outcome::Refused(why) = outcome else {
        panic!("{transport:?}: accepted");
    };
    assert!(why.contains("- action: "), "{transport:?}: {why}");
    assert!(consume(&world, &shown).await.is_empty(), "{transport:?}");
}

async fn drain_ack(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    for id in ["gesture-1", "gesture-2"] {
        guest.act("cancel", Value::Null, id).await;
    }
    assert_eq!(consume(&world, &shown).await.len(), 2);
    for id in ["gesture-1", "gesture-2"] {
        assert_eq!(
            guest.next().await,
            Observed::Taken(id.to_owned()),
            "{transport:?}"
        );
    }
}

async fn update(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    rename(&world, &shown, "ggui_amend", "a").await;
    rename(&world, &shown, "ggui_update", "b").await;
    // An update without a change is not broadcast.
    rename(&world, &shown, "ggui_update", "b").await;
    rename(&world, &shown, "ggui_amend", "c").await;
    for expected in [named("a", 0), named("b", 1), named("c", 1)] {
        assert_eq!(guest.next().await, expected, "{transport:?}");
    }
}

async fn emit(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    for number in 4..44 {
        log(&world, &shown, &number.to_string()).await;
    }
    for number in 4..44 {
        let expected = Observed::Item(number, number.to_string().into());
        assert_eq!(guest.next().await, expected, "{transport:?}");
    }
}

async fn one_order(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    rename(&world, &shown, "ggui_amend", "a").await;
    for line in ["one", "two", "three"] {
        log(&world, &shown, line).await;
    }
    rename(&world, &shown, "ggui_update", "b").await;
    guest.act("cancel", Value::Null, "gesture-1").await;
    consume(&world, &shown).await;
    let expected = [
        named("a", 0),
        Observed::Item(4, "one".into()),
        Observed::Item(5, "two".into()),
        Observed::Item(6, "three".into()),
        named("b", 1),
        Observed::Taken("gesture-1".to_owned()),
    ];
    for observed in expected {
        assert_eq!(guest.next().await, observed, "{transport:?}");
    }
}

async fn replay(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    log(&world, &shown, "seen").await;
    assert_eq!(
        guest.next().await,
        Observed::Item(4, "seen".into()),
        "{transport:?}"
    );
    guest.cut();
    log(&world, &shown, "missed").await;
    rename(&world, &shown, "ggui_amend", "missed").await;
    guest.connect().await;
    let mut missed = [guest.next().await, guest.next().await];
    // A socket gets the ledger rows before the items.
    missed.sort_by_key(|observed| matches!(observed, Observed::Props(..)));
    let expected = [Observed::Item(5, "missed".into()), named("missed", 0)];
    assert_eq!(missed, expected, "{transport:?}");
    log(&world, &shown, "live").await;
    assert_eq!(
        guest.next().await,
        Observed::Item(6, "live".into()),
        "{transport:?}"
    );
}

async fn horizon(transport: Transport) {
    let world = World::start_with(|config| config.limits.log.events_max = 4).await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    let before = guest.cursor;
    guest.cut();
    for name in ["a", "b", "c", "d", "e", "f"] {
        rename(&world, &shown, "ggui_amend", name).await;
    }
    guest.cursor = before;
    guest.connect().await;
    assert_eq!(guest.next().await, Observed::Passed(10), "{transport:?}");
    rename(&world, &shown, "ggui_amend", "live").await;
    assert_eq!(guest.next().await, named("live", 0), "{transport:?}");
}

async fn reconnect(transport: Transport) {
    let world = World::start().await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    for round in 0..3 {
        guest.cut();
        world.clock.advance(Duration::from_secs(181));
        let (missed, live) = (format!("missed {round}"), format!("live {round}"));
        log(&world, &shown, &missed).await;
        guest.renew().await;
        guest.connect().await;
        log(&world, &shown, &live).await;
        for (seq, line) in [(4 + 2 * round, missed), (5 + 2 * round, live)] {
            assert_eq!(
                guest.next().await,
                Observed::Item(seq, line.into()),
                "{transport:?}"
            );
        }
    }
}

async fn end(transport: Transport) {
    let world = World::start_with(|config| config.limits.sessions.idle_ttl_s = 1).await;
    let shown = stage(&world).await;
    let mut guest = Guest::mount(&world, &shown, transport).await;
    world.clock.advance(Duration::from_secs(2));
    assert_eq!(guest.next().await, Observed::Ended, "{transport:?}");
}
