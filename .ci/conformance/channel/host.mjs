// What a conformance kit for the live channel asks of the server it grades, over the control address of
// a build with the feature `conformance`:
//
//   const host = createHost("http://127.0.0.1:6799");
//   await runConformance({ serverUrl: "http://127.0.0.1:6781", auth: { kind: "bearer", token }, host });
//
// Start the server with PROSCENIUM_SERVER_CONTROL=127.0.0.1:6799 and a keys file whose key belongs to
// the app `conformance` with trust 2.

/** Steps the server has a word for; those of a browser are not among them. */
const STEPS = new Set(["create-session", "server-version-override", "emit-envelope"]);

/**
 * @param {string} control address of the control endpoint
 */
export function createHost(control) {
  const base = control.replace(/\/$/, "");
  return {
    /** Carries out one step; throws where the server cannot, so that the kit skips the fixture. */
    async dispatchSetup(step) {
      const kind = step.kind ?? step.type;
      if (!STEPS.has(kind)) throw new Error(`not implemented: ${kind}`);
      const answer = await fetch(`${base}/setup`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...step, kind, type: undefined }),
      });
      if (!answer.ok) throw new Error(`${kind}: ${answer.status} ${await answer.text()}`);
    },

    /** Nothing to undo: a session that is made again replaces the one before. */
    async dispatchTeardown(step) {
      throw new Error(`not implemented: ${step.kind ?? step.type}`);
    },

    /** A field of a session as the server keeps it. */
    async readSessionField(sessionId, field) {
      const answer = await fetch(`${base}/sessions/${encodeURIComponent(sessionId)}/${encodeURIComponent(field)}`);
      if (!answer.ok) throw new Error(`${field} of ${sessionId}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()).value;
    },
  };
}
