// What the main threads of a browser's pages do, by the processor time of their tasks: other work on
// the machine does not count.

// Milliseconds from which a task keeps a person waiting.
const LONG = 50;

/** Begins to watch; what it gives ends that, and tells how many tasks there were and how many were long. */
export async function watchTasks(browser) {
  const devtools = await browser.newBrowserCDPSession();
  const events = [];
  devtools.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await devtools.send("Tracing.start", {
    transferMode: "ReportEvents",
    traceConfig: { includedCategories: ["disabled-by-default-devtools.timeline", "__metadata"] },
  });
  return async () => {
    const complete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
    await devtools.send("Tracing.end");
    await complete;
    await devtools.detach();
    const threadOf = ({ pid, tid }) => `${pid}/${tid}`;
    const main = new Set(
      events
        .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
        .map(threadOf),
    );
    const tasks = events
      .filter((event) => event.name === "RunTask" && event.ph === "X" && main.has(threadOf(event)))
      .map(({ tdur = 0 }) => tdur / 1000);
    return {
      tasks: tasks.length,
      long: tasks.filter((cpu) => cpu > LONG).length,
      longestMs: Math.round(tasks.reduce((most, cpu) => Math.max(most, cpu), 0)),
    };
  };
}
