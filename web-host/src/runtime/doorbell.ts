// The message that notifies a conversation of a waiting action: it refers to it, and never carries
// its data.

import type { ActionRequest } from "../wire/frames";

export function doorbell({ sessionId, actionId, firedAt, payload }: ActionRequest) {
  const nextStep = { tool: "ggui_consume", args: { sessionId } };
  const args = JSON.stringify(nextStep.args);
  const description = `The person used "${payload.action}".`;
  const text = [
    `${description} Your required first tool call is ggui_consume with ${args}: it returns what they did.`,
    '<ggui_directive kind="user-action">',
    `session_id: ${sessionId}`,
    "next_tool: ggui_consume",
    `next_args: ${args}`,
    "</ggui_directive>",
  ].join("\n");
  const userAction = {
    kind: "user-action",
    description,
    sessionId,
    actionId,
    submittedAt: firedAt,
    intent: payload.action,
    nextStep,
  };
  return {
    role: "user",
    content: [{ type: "text", text, _meta: { "ai.ggui/userAction": userAction } }],
  };
}
