# /// script
# requires-python = ">=3.10"
# dependencies = ["mcp>=2.3,<3"]
# ///
"""An agent in Python: a poll whose votes a person casts and whose result grows live.

Start the server, then: uv run examples/agent.py
Without uv: pip install "mcp>=2.3,<3" && python3 examples/agent.py
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import Any

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

MAX_RETRIES = 3
LONGEST_PAUSE_S = 10.0

# Errors that a repeated call will get again: parse error, bad request, unknown tool, bad arguments,
# credentials, app, capability. A session that is gone (-32002) needs another render instead.
PERMANENT = {-32700, -32600, -32601, -32602, -32001, -32002, -32003, -32005}

# What a server that is there says when it cannot answer.
UNAVAILABLE = {"UPSTREAM_ERROR", "UNAVAILABLE", "UPSTREAM_TIMEOUT"}

CONTRACT = {
    "propsSpec": {
        "properties": {
            "question": {"schema": {"type": "string"}, "required": True},
            "result": {
                "schema": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {"option": {"type": "string"}, "votes": {"type": "integer"}},
                        "required": ["option", "votes"],
                    },
                },
                "required": True,
            },
        }
    },
    "actionSpec": {
        "vote": {
            "label": "Vote",
            "schema": {
                "type": "object",
                "properties": {"option": {"type": "string", "enum": ["Soup", "Pizza", "Salad"]}},
                "required": ["option"],
            },
        }
    },
    "streamSpec": {
        "turnout": {
            "schema": {"type": "object", "properties": {"votes": {"type": "integer"}}, "required": ["votes"]},
            "mode": "replace",
            "replay": "latest",
            "description": "Turnout",
        }
    },
}


class ToolError(Exception):
    """A tool ran and failed; its code says what to do next."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


async def call_with_retry(client: Client, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Calls a tool; waits and tries again where that can help.

    A tool's own failure is never tried again: it says what has to change.
    """
    for attempt in range(MAX_RETRIES + 1):
        try:
            result = await client.call_tool(name, arguments)
        except (MCPError, httpx2.HTTPError) as error:
            if attempt == MAX_RETRIES or not is_transient(error):
                raise
            await asyncio.sleep(retry_after(error) or min(2.0**attempt, LONGEST_PAUSE_S))
            continue
        answer: dict[str, Any] = result.structured_content or {}
        if not result.is_error:
            return answer
        failure = answer.get("error", {})
        raise ToolError(failure.get("code", "failed"), failure.get("message", error_text(result)))
    raise AssertionError("the last attempt returns or raises")


def is_transient(error: Exception) -> bool:
    """Follows the server's advice, or the error's number where there is none."""
    if not isinstance(error, MCPError):
        return True
    return member(error, "retry").get("allowed", error.code not in PERMANENT)


def member(error: BaseException, name: str) -> dict[str, Any]:
    """A member of an error's data; errors before a body is read have the same in their bodies."""
    data = getattr(error, "data", None)
    return data.get(name, {}) if isinstance(data, dict) else {}


def retry_after(error: Exception) -> float | None:
    """Seconds the server asked for."""
    after_ms = member(error, "retry").get("after_ms")
    return None if after_ms is None else after_ms / 1000


def error_text(result: Any) -> str:
    return " ".join(block.text for block in result.content if block.type == "text")


async def resilient_render(client: Client, intent: str, contract: dict, props: dict) -> dict[str, Any]:
    """Negotiates the contract and shows it. A spent or old handshake is made anew, once."""
    for last in (False, True):
        draft = {"contract": contract}
        agreed = await call_with_retry(client, "ggui_handshake", {"intent": intent, "blueprintDraft": draft})
        try:
            return await call_with_retry(
                client, "ggui_render", {"handshakeId": agreed["handshakeId"], "props": props}
            )
        except ToolError as error:
            if last or error.code != "handshake_not_found":
                raise
    raise AssertionError("the last attempt returns or raises")


def user_message(error: BaseException) -> str:
    """All messages for people. Codes are for logs."""
    code = getattr(error, "code", None)
    if code == -32001:
        return "Authentication failed — contact support."
    if code == -32013:
        return "Too many requests — please slow down."
    if code in (-32002, "session_not_found"):
        return "Your session expired."
    if code == -32004:
        return "We couldn't generate that UI — try a simpler request."
    # The SDK's own word for a connection that was lost carries nothing with it.
    is_lost = isinstance(error, httpx2.HTTPError) or (code == -32000 and error.data is None)
    if is_lost or code == -32603 or member(error, "envelope").get("code") in UNAVAILABLE:
        return "The server is temporarily unavailable."
    return "Something went wrong."


async def run(client: Client, rounds: int) -> None:
    votes = {"Soup": 0, "Pizza": 0, "Salad": 0}

    def result() -> list[dict[str, Any]]:
        return [{"option": option, "votes": count} for option, count in votes.items()]

    done = 0
    while rounds == 0 or done < rounds:
        props = {"question": "What is for lunch?", "result": result()}
        shown = await resilient_render(client, "Lunch poll", CONTRACT, props)
        session = {"sessionId": shown["sessionId"]}
        print(f"shown at {shown['viewerUrl']}", flush=True)
        status = "active"
        try:
            while status == "active" and (rounds == 0 or done < rounds):
                taken = await call_with_retry(client, "ggui_consume", {**session, "timeout": 25})
                for event in taken["events"]:
                    option = event["actionData"]["option"]
                    print(f"the person did: {event['intent']} {option}", flush=True)
                    votes[option] += 1
                    patch = {"result": result()}
                    await call_with_retry(client, "ggui_amend", {**session, "kind": "merge", "patch": patch})
                    turnout = {"votes": sum(votes.values())}
                    await call_with_retry(client, "ggui_emit", {**session, "channel": "turnout", "payload": turnout})
                    print(f"answered: {turnout['votes']} votes", flush=True)
                    done += 1
                status = taken["status"]
        except ToolError as error:
            # A session ends an hour after the last thing that happened: show the poll again.
            if error.code != "session_not_found":
                raise
            print(user_message(error), flush=True)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="An agent that shows a poll and counts the votes of a person.")
    parser.add_argument("--url", default="http://127.0.0.1:6781/mcp", help="MCP endpoint [default: %(default)s]")
    parser.add_argument("--key", help="API key; a server on loopback needs none")
    parser.add_argument("--rounds", type=int, default=0, metavar="N", help="end after N votes; 0 goes on until Ctrl-C")
    parser.add_argument("--verbose", action="store_true", help="print the error itself below the sentence for people")
    options = parser.parse_args()
    if options.rounds < 0:
        parser.error("--rounds takes a whole number, 0 or more")
    return options


async def main(options: argparse.Namespace) -> None:
    headers = {"authorization": f"Bearer {options.key}"} if options.key else {}
    # A consume waits up to 25 seconds for the person; the answer to it must not time out before.
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        async with Client(streamable_http_client(options.url, http_client=http)) as client:
            print(f"connected, protocol {client.protocol_version}", flush=True)
            await run(client, options.rounds)


def first_of(error: BaseException) -> BaseException:
    """Task groups wrap what went wrong; the sentence is about what is inside."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


if __name__ == "__main__":
    given = read_options()
    try:
        asyncio.run(main(given))
    except KeyboardInterrupt:
        pass
    except Exception as problem:
        print(user_message(first_of(problem)), file=sys.stderr)
        if given.verbose:
            print(repr(first_of(problem)), file=sys.stderr)
        sys.exit(1)
