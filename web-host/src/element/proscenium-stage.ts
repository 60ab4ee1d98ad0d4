// <proscenium-stage>: one render inside any page, with what happens in it as events.

import { type FrameFailure, type FrameHost, hostFrame } from "../host/frame-host";
import { keeperOf } from "../host/keeper";
import type { ObservabilityEvent } from "../host/observability";
import { openable } from "../host/untrusted";
import { elementStrings as say, sentenceFor } from "../strings";

const STYLE = `
:host { display: block; }
:host([hidden]) { display: none; }
@media print { iframe { block-size: var(--paper-height) !important; } }
iframe:not([hidden]) { display: block; inline-size: 100%; border: 0; color-scheme: inherit; }
[part="failed"] { margin: 0; padding: 24px; text-align: center; font: 15px/1.5 system-ui, sans-serif; }
dialog { max-inline-size: min(480px, calc(100vw - 32px)); font: 15px/1.5 system-ui, sans-serif; border: 1px solid; border-radius: 12px; padding: 20px; }
dialog p { margin: 0 0 12px; overflow-wrap: anywhere; }
dialog button { font: inherit; padding: 6px 14px; margin-inline-end: 8px; }
`;

/** What passes a frame's requests on to the MCP server its render came from. */
export interface StageRelay {
  /** `tools/call`: the tool's whole result. */
  callTool(params: { readonly name: string; readonly arguments?: unknown }): Promise<unknown>;
  /** `resources/read`: the whole result. */
  readResource(params: { readonly uri: string }): Promise<unknown>;
}

/** The events of the element. All bubble; `stage-link` can be prevented. */
export interface ProsceniumStageEventMap {
  /** Something worth a row on the page; unknown kinds are possible. */
  "stage-observe": CustomEvent<ObservabilityEvent>;
  /** The view draws, or it cannot be shown; `INVALID_SRC` where `src` is no address of one. */
  "stage-state": CustomEvent<{
    readonly state: "loading" | "ready" | "failed";
    readonly reason?: string;
    readonly message?: string;
  }>;
  /** The person did something, and no agent waits for it. */
  "stage-rings": CustomEvent<null>;
  /** The view wants to open an address; unless prevented the person is asked. */
  "stage-link": CustomEvent<{ readonly url: string }>;
}

/**
 * Shows one render.
 *
 * Attributes: `src`, the `viewerUrl` of a render (`https://…/r/<code>`); `theme`, `light` or `dark`
 * (else as the system is); `label`, the accessible name of the frame.
 *
 * The frame is sandboxed: it has an origin of its own and reaches nothing of this page.
 */
export class ProsceniumStage extends HTMLElement {
  static readonly observedAttributes = ["src", "theme", "label"];

  /** Set before `src`; without it the frame reaches its server by itself. */
  relay: StageRelay | undefined;
  #host: FrameHost | undefined;
  #isShown = false;
  readonly #root = this.attachShadow({ mode: "open" });
  readonly #systemDark = matchMedia("(prefers-color-scheme: dark)");
  readonly #systemChanged = () => this.#host?.theme(this.#theme());

  connectedCallback(): void {
    this.#systemDark.addEventListener("change", this.#systemChanged);
    this.#isShown = true;
    this.#show();
  }

  disconnectedCallback(): void {
    this.#systemDark.removeEventListener("change", this.#systemChanged);
    this.#isShown = false;
    this.#clear();
  }

  attributeChangedCallback(name: string): void {
    // While the parser upgrades the element, its attributes come before its connection.
    if (!this.#isShown) return;
    if (name === "src") this.#show();
    else if (name === "theme") this.#host?.theme(this.#theme());
    else this.#root.querySelector("iframe")?.setAttribute("title", this.#label());
  }

  #show(): void {
    this.#clear();
    const src = this.getAttribute("src");
    if (src === null) return;
    const style = document.createElement("style");
    style.textContent = STYLE;
    this.#root.append(style);
    const address = URL.canParse(src, location.href)
      ? openable(new URL(src, location.href).href)
      : undefined;
    if (!address)
      return this.#failed({
        reason: "INVALID_SRC",
        message: "src has to be an http or https address, without a name and a password in it",
      });
    address.pathname = `${address.pathname.replace(/\/$/, "")}/frame`;
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", "allow-scripts allow-forms");
    frame.title = this.#label();
    frame.style.blockSize = "160px";
    frame.src = address.href;
    this.#root.append(frame);
    this.#emit("stage-state", { state: "loading" });
    const { relay } = this;
    this.#host = hostFrame(frame, {
      info: { name: "proscenium-stage", version: "1" },
      theme: this.#theme(),
      keeper: keeperOf(address.href),
      height: (pixels) => (frame.style.blockSize = `${pixels}px`),
      failed: (failure) => {
        frame.hidden = failure !== null;
        this.#root.querySelector("[part='failed']")?.remove();
        if (failure) this.#failed(failure);
        else this.#emit("stage-state", { state: "ready" });
      },
      observed: (event) => this.#emit("stage-observe", event),
      rings: () => this.#emit("stage-rings", null),
      openLink: (url) => this.#open(url),
      relay: relay && {
        tool: (params) => relay.callTool({ ...params, name: String(params.name) }),
        resource: (params) => relay.readResource({ ...params, uri: String(params.uri) }),
      },
    });
  }

  #failed(failure: FrameFailure): void {
    this.#root.append(paragraph(sentenceFor(failure.reason, say.failed), "failed"));
    this.#emit("stage-state", { state: "failed", ...failure });
  }

  #clear(): void {
    this.#host?.close();
    this.#host = undefined;
    this.#root.replaceChildren();
  }

  #theme(): "light" | "dark" {
    const theme = this.getAttribute("theme");
    return theme === "light" || theme === "dark"
      ? theme
      : this.#systemDark.matches
        ? "dark"
        : "light";
  }

  #label(): string {
    return this.getAttribute("label") ?? say.label;
  }

  #emit(name: keyof ProsceniumStageEventMap, detail: unknown): boolean {
    return this.dispatchEvent(
      new CustomEvent(name, {
        detail,
        bubbles: true,
        composed: true,
        cancelable: name === "stage-link",
      }),
    );
  }

  /** One question at a time, and only right after the person did something. */
  async #open(url: URL): Promise<boolean> {
    if (this.#root.querySelector("dialog") || navigator.userActivation?.isActive === false)
      return false;
    if (!this.#emit("stage-link", { url: url.href })) return true;
    const dialog = document.createElement("dialog");
    const answer = (label: string, value: string) => {
      const button = document.createElement("button");
      button.textContent = label;
      button.onclick = () => dialog.close(value);
      return button;
    };
    dialog.append(
      paragraph(say.openText),
      paragraph(url.href),
      answer(say.cancel, ""),
      answer(say.open, "open"),
    );
    this.#root.append(dialog);
    dialog.showModal();
    await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
    dialog.remove();
    if (dialog.returnValue !== "open") return false;
    window.open(url, "_blank", "noopener,noreferrer");
    return true;
  }
}

function paragraph(text: string, part = ""): HTMLElement {
  const element = document.createElement("p");
  element.textContent = text;
  if (part) element.setAttribute("part", part);
  return element;
}

if (!customElements.get("proscenium-stage"))
  customElements.define("proscenium-stage", ProsceniumStage);

declare global {
  interface HTMLElementTagNameMap {
    "proscenium-stage": ProsceniumStage;
  }
  interface HTMLElementEventMap extends ProsceniumStageEventMap {}
}
