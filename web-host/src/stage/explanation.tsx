// Why an interface is drawn as it is, below it: for authors, who ask for it with `?explain` in the
// address.

import { useEffect, useState } from "preact/hooks";
import { stageStrings as say } from "../strings";
import { config } from "./config";

/** One conclusion of the composer, with what speaks for it. */
interface Evidence {
  readonly about: string;
  readonly is: string;
  readonly because: string;
  /** How sure it is, in hundredths. */
  readonly score: number;
}

export const explains =
  config.mode === "all" && new URLSearchParams(location.search).has("explain");

export function Explanation({ of }: { of: string }) {
  const [evidence, setEvidence] = useState<readonly Evidence[]>();
  useEffect(() => {
    const asked = new AbortController();
    fetch(`/stage/explain/${encodeURIComponent(of)}`, { signal: asked.signal })
      .then((response) => (response.ok ? response.json() : { evidence: [] }))
      .then((body: { evidence: readonly Evidence[] }) => setEvidence(body.evidence))
      .catch(() => asked.signal.aborted || setEvidence([]));
    return () => asked.abort();
  }, [of]);
  if (!evidence) return null;
  return (
    <details class="s-explained" open>
      <summary>{say.explained}</summary>
      {evidence.length === 0 && <p class="g-muted">{say.unexplained}</p>}
      <dl>
        {evidence.map(({ about, is, because, score }, index) => (
          <div key={index}>
            <dt>
              <code>{about}</code>
            </dt>
            <dd>
              {is}{" "}
              <span class="g-muted">({[because, `${score} %`].filter(Boolean).join(", ")})</span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
