//! What a model is taught before it sees a tool.

use std::borrow::Cow;

use super::state::Mcp;
use crate::wire::fault::Endpoint;

/// Of the tools that show UIs.
const INSTRUCTIONS: &str = "\
Use these tools to show a person a live UI instead of a wall of text: whenever they should choose, \
review, fill in, watch or approve something.
1. ggui_handshake {intent, blueprintDraft:{contract}}: negotiate what goes in and out. contract = \
{propsSpec:{properties:{name:{schema,required}}}, actionSpec:{name:{label,schema?,confirm?}}, \
streamSpec:{channel:{schema,mode}}, contextSpec:{slot:{schema,default}}}; schemas are JSON Schema \
draft 7; objects take only declared keys. Lists of objects with an id become tables, and actions \
whose schema asks for that id become buttons in each row.
A draft may carry view:{components:[…]}, an A2UI v0.9 view of your own (the resource \
proscenium://catalog lists its components); without one a view is composed for you.
2. ggui_render {handshakeId, props}: put it in front of the person. Keep the sessionId; if your \
client shows no UI, give the person viewerUrl.
3. ggui_consume {sessionId, timeout:25, after:\"\"}: wait for what the person does; repeat while \
status is active, with the actionId of the last event you have handled as after. Answer events with ggui_amend (change the props in place), ggui_update \
(a new version of the card) or ggui_emit (an item on a live channel).
A failed render other than handshake_not_found leaves the handshake usable: mend the arguments and \
try again. session_not_found and handshake_not_found mean: negotiate and render anew.";

/// Of the tools of the page store.
const INSTRUCTIONS_OF_PAGES: &str = "\
Use these tools to remember: pages of markdown, each with what is held true now and a timeline.
1. brain_query {query, depth:\"auto\"}: look before you answer and before you write.
2. brain_get {slug}: read a page and its version.
3. brain_put {slug, content, expected_version}: write the whole page; leave expected_version out to \
create one. On a conflict read the page again, put your change on top of it, and write that.
4. brain_link {from_slug, to_slug, relationship}: say how pages belong together. brain_gap {query}: \
log what no page answers.";

/// Of the tools behind the gate, where they are listed beside those that show UIs.
#[cfg(feature = "gate")]
const INSTRUCTIONS_BESIDE: &str = "\
Further tools are those of servers behind a gate. A call that is answered with \"Policy denied\" is \
denied by whoever runs it: do not repeat it, and tell the person the reason in data.reason.";

/// The text for whoever asks at an endpoint.
pub(super) fn instructions(mcp: &Mcp) -> Cow<'static, str> {
    match mcp.endpoint {
        Endpoint::Brain => INSTRUCTIONS_OF_PAGES.into(),
        #[cfg(feature = "gate")]
        Endpoint::Mcp if mcp.has_gate => format!("{INSTRUCTIONS}\n{INSTRUCTIONS_BESIDE}").into(),
        Endpoint::Gate | Endpoint::Ggui | Endpoint::Mcp => INSTRUCTIONS.into(),
    }
}
