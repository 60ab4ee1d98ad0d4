//! The examples that `--help` shows, a text a verb.

/// Of the whole program and `serve`.
pub(super) const EXAMPLES: &str = "\
Examples:
  proscenium                                   serve on http://127.0.0.1:6781, no key needed
  proscenium --open                            and open the stage in the browser
  proscenium demo                              five agents to play with
  proscenium serve --listen 127.0.0.1:0        on any free port
  proscenium keys create --app demo --keys-file keys.toml
  proscenium serve --listen 0.0.0.0:6781 --keys-file keys.toml --public-url https://ui.example.org
  PROSCENIUM_HANDSHAKES_TTL_S=60 proscenium    every key is also an environment variable
  proscenium config print                      all keys, their meaning and their values";

/// Of `demo`.
#[cfg(feature = "demo")]
pub(super) const DEMO_EXAMPLES: &str = "\
Examples:
  proscenium demo                              in a folder with a Cargo.toml: cargo check, live
  proscenium demo --open                       and open the stage in the browser
  proscenium demo -- make -j4                  another command for the build runner
  proscenium demo --lockfile ../app/Cargo.lock the dependencies of another project";

/// Of `stdio`.
pub(super) const STDIO_EXAMPLES: &str = "\
Examples:
  claude mcp add proscenium -- proscenium stdio
  proscenium stdio --listen 127.0.0.1:7000     join or start the server on another port
  proscenium stdio --key ggui_...              join a server that wants a key
  echo '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}' | proscenium stdio";

/// Of `brain`.
pub(super) const BRAIN_EXAMPLES: &str = "\
Examples:
  proscenium brain put people/ida - < ida.md   create a page
  proscenium brain get people/ida              its text, with its version
  proscenium brain put people/ida - --expected-version 1 < ida.md
  proscenium brain query \"who runs acme\"      pages by words and by likeness
  proscenium brain list --json | jq -r '.pages[].slug'
  proscenium brain export notes                every page as notes/SLUG.md
  proscenium brain import notes                and back, byte by byte
  proscenium brain --stdio                     the tools, for clients that start processes";

/// Of `config`.
pub(super) const CONFIG_EXAMPLES: &str = "\
Examples:
  proscenium config print > proscenium.toml    every key, ready to be changed
  proscenium config check --config proscenium.toml
  PROSCENIUM_LOGGING_LEVEL=debug proscenium config print";

/// Of `config keep-key`.
#[cfg(feature = "keyring")]
pub(super) const KEEP_KEY_EXAMPLES: &str = "\
Examples:
  export PROSCENIUM_MODEL_KEYRING=proscenium/openai
  proscenium config keep-key < key.txt         and delete the file
  proscenium config check                      says whether it is found";

/// Of `data`.
pub(super) const DATA_EXAMPLES: &str = "\
Examples:
  proscenium data path                         the folder where everything is kept
  proscenium data check                        read all of it, and say what is wrong
  proscenium data backup monday.db             a copy, also while a server runs
  proscenium data restore monday.db            take a copy back; no server may run
  proscenium data backup copy.db --data /srv/proscenium";

/// Of `keys`.
pub(super) const KEYS_EXAMPLES: &str = "\
Examples:
  proscenium keys create --app demo            trust 1 in keys.toml; the secret is on stdout
  proscenium keys create --app demo --trust 0 --keys-file /etc/proscenium/keys.toml
  proscenium keys create --app demo --scope ggui_consume --scope ggui_get_session
  proscenium keys list                         ids, apps, trust, scopes and dates; never a secret
  proscenium keys list --json                  the same for programs
  proscenium keys revoke key_0123456789ab      a running server notices within a second
  claude mcp add --transport http proscenium http://127.0.0.1:6781/mcp \\
    --header \"Authorization: Bearer $SECRET\"";

/// Of `explain`.
pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  proscenium explain examples/gallery/shop-basket.json
  proscenium explain contract.json --json | jq .plan.primary

Where a guess is wrong, a schema says what it means in its $comment, which the protocol leaves free
(docs/protocol/contract.md §3.5):
  \"$comment\": \"ui: component=Board, title=Open work\"
  headline, main, primary, danger, once, hidden         words that stand alone
  title=…, component=…, format=…, unit=…, group=…, order=…";

/// Of `generate`.
#[cfg(feature = "model")]
pub(super) const GENERATE_EXAMPLES: &str = "\
Examples:
  export PROSCENIUM_MODEL_PROVIDER=openai PROSCENIUM_MODEL_NAME=gpt-5-mini OPENAI_API_KEY=…
  proscenium generate examples/gallery/shop-basket.json
  proscenium generate contract.json | jq '{outcome, reason, rounds, microdollars}'
  proscenium generate examples/gallery/shop-basket.json --picture basket.png

The key comes from OPENAI_API_KEY or ANTHROPIC_API_KEY, or from the file of model.key_file; a program
that was built with the feature keyring also takes it from the system's keyring, where this puts it:
  PROSCENIUM_MODEL_KEYRING=proscenium/openai proscenium config keep-key < key.txt
Without a view that holds it prints the composed one, and ends with 1.";

/// Of `gate`.
#[cfg(feature = "gate")]
pub(super) const GATE_EXAMPLES: &str = "\
Examples:
  proscenium gate check gate.yaml              everything that is wrong with it, a line each
  proscenium gate pin gate.yaml                what has changed of the tools behind it
  proscenium gate pin gate.yaml --accept       and accept them as they are now
  proscenium gate audit                        which calls people were asked to approve
  proscenium serve --gate gate.yaml            its servers, at http://127.0.0.1:6781/mcp/gate";

/// Of `gallery`.
#[cfg(feature = "gallery")]
pub(super) const GALLERY_EXAMPLES: &str = "\
Examples:
  proscenium gallery --out shots                two pictures of each entry, and a sheet
  proscenium gallery --out shots --only shop    those with `shop` in their name
  proscenium gallery                            look at them on a stage, and click
  proscenium gallery --out shots --generator    beside each what the configured model draws of it
  proscenium gallery --from mine --out shots    your own, one JSON file each:
    {\"intent\", \"contract\", \"props\", \"streams\": {channel: [payload]}}";

/// Of `completions`.
pub(super) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  proscenium completions bash > ~/.local/share/bash-completion/completions/proscenium
  proscenium completions zsh > \"${fpath[1]}/_proscenium\"
  proscenium completions fish > ~/.config/fish/completions/proscenium.fish";
