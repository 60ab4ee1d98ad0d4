// The first transport: one socket, subscribed and pinged; the only one on which frames travel both
// ways.

import type { ClientFrame, ServerFrame } from "../../wire/channel";
import { SUPPORTED_VERSIONS, type SubscribeAck, type WireError } from "../../wire/frames";
import { isFields, readJson } from "../../wire/json";
import { addressed, type Loss, type OpenTransport } from "./transport";

const PING_EVERY = 30_000;
const SILENCE_LIMIT = 75_000;
/** From the first attempt to connect to the ack. */
const ACK_LIMIT = 8000;
const SERVICE_RESTART = 1012;
const POLICY = 1008;

/** Refusals of a subscription after which the same socket address may still work. */
const passing = new Set(["RATE_LIMITED", "INTERNAL", "UNAVAILABLE", "SESSION_CREATE_FAILED"]);
/** Refusals that another transport, with another credential, may not share. */
const ofToken = new Set(["BOOTSTRAP_INVALID", "BOOTSTRAP_NOT_SUPPORTED", "UNAUTHENTICATED"]);

export function openSocket(wsUrl: string): OpenTransport {
  return (reading, events) => {
    const { sessionId, appId, clock, cursor, credential } = reading;
    let subscribed = false;
    let heardAt = clock.now();
    let cancelAck = () => {};
    let cancelPing = () => {};
    let socket: WebSocket | undefined;

    const close = () => {
      cancelAck();
      cancelPing();
      if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
      socket?.close();
      socket = undefined;
    };
    const down = (loss: Loss) => {
      close();
      events.down(loss);
    };
    const send = (frame: ClientFrame) => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame));
    };
    const ping = () => {
      cancelPing = clock.after(PING_EVERY, () => {
        if (clock.now() - heardAt > SILENCE_LIMIT) return down({ kind: "lost" });
        send({ type: "ping" });
        ping();
      });
    };
    const accepted = (ack: SubscribeAck) => {
      cancelAck();
      if (
        ack.serverVersion &&
        !(SUPPORTED_VERSIONS as readonly string[]).includes(ack.serverVersion)
      ) {
        return down({
          kind: "ended",
          error: {
            code: "UPGRADE_REQUIRED",
            message: "the server speaks another version",
            details: { serverVersion: ack.serverVersion },
          },
        });
      }
      subscribed = true;
      events.up(ack);
      send({ type: "ping" });
      ping();
    };
    const refused = (error: WireError) => {
      if (error.code === "BOOTSTRAP_EXPIRED") down({ kind: "expired" });
      else
        down(
          passing.has(error.code)
            ? { kind: "lost" }
            : { kind: ofToken.has(error.code) ? "refused" : "ended", error },
        );
    };

    // Where a policy forbids the address, the constructor itself may throw: reported as a loss,
    // after the caller has its transport.
    cancelAck = clock.after(ACK_LIMIT, () => down({ kind: "lost", slow: true }));
    try {
      socket = new WebSocket(addressed(wsUrl, reading));
    } catch {
      cancelAck();
      cancelAck = clock.after(0, () => down({ kind: "lost" }));
      return { close };
    }
    socket.onopen = () => {
      const payload = {
        sessionId,
        appId,
        role: "user",
        wsToken: credential.token,
        fromSeq: cursor.streamSeq,
        supportedVersions: SUPPORTED_VERSIONS,
        observe: true,
      };
      send({ type: "subscribe", requestId: "subscribe", payload });
    };
    socket.onclose = ({ code, reason }) => {
      if (code === POLICY && reason === "session_expired")
        down({ kind: "ended", error: { code: "SESSION_EXPIRED", message: reason } });
      else down({ kind: "lost", soon: code === SERVICE_RESTART });
    };
    socket.onmessage = ({ data }) => {
      heardAt = clock.now();
      const frame = readFrame(data);
      if (!frame) return;
      if (subscribed) events.frame(frame);
      else if (frame.type === "ack") accepted(frame.payload as SubscribeAck);
      else if (frame.type === "error") refused(frame.payload as WireError);
    };
    return { close, send };
  };
}

/** Parses a frame; undefined if the text is not one. */
export function readFrame(text: unknown): ServerFrame | undefined {
  try {
    const frame = readJson(String(text));
    return isFrame(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}

/** What a payload contains is checked where it is used. */
function isFrame(value: unknown): value is ServerFrame {
  return isFields(value) && typeof value.type === "string" && isFields(value.payload);
}
