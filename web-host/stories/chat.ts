// Chat: a conversation with a line to answer.

import { story } from "./story";

export default story(
  {
    component: "Chat",
    title: "Messages",
    rows: { path: "/props/messages" },
    more: { path: "/props/later" },
    authorField: "author",
    textField: "text",
    timeField: "at",
    key: "id",
    columns: [
      {
        field: "files",
        label: "Files",
        format: "records",
        parts: [{ field: "name", label: "Name" }],
      },
    ],
    rowActions: [{ action: "remove", label: "Remove", fixed: { id: "id" } }],
    pick: { action: "send", label: "Send", to: "text", variant: "primary" },
    emptyText: "No messages yet.",
  },
  {
    messages: [
      {
        id: "m1",
        author: "Ada",
        text: "Is the ferry late?",
        at: "2026-05-04T08:00:00Z",
        files: [{ name: "photo.png" }],
      },
      { id: "m2", author: "Kit", text: "By ten minutes.", at: "2026-05-04T08:01:00Z" },
    ],
    later: [{ id: "m3", author: "Ada", text: "Thanks.", at: "2026-05-04T08:02:00Z" }],
  },
);
