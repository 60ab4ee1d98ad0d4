"""The agent in examples/ meets each failure of recovery.json: tries, pauses, sentences."""

import json
import os
import pathlib
import sys
import types
import unittest

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "examples"))
import agent  # noqa: E402

ROWS = json.loads(os.environ["ROWS"])
CONTRACT = json.loads(os.environ["CONTRACT"])
URL, KEY = os.environ["MCP_URL"], os.environ["KEY"]


class Turning(httpx2.AsyncHTTPTransport):
    """Sends calls elsewhere once the client is connected."""

    turn: dict = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        turn = self.turn
        if turn:
            content = request.content if turn.get("body") is None else turn["body"].encode()
            names = ("accept", "content-type", "mcp-protocol-version")
            headers = {name: request.headers[name] for name in names if name in request.headers}
            headers["authorization"] = f"Bearer {turn['bearer']}"
            request = httpx2.Request(request.method, turn["url"], headers=headers, content=content)
        return await super().handle_async_request(request)


class Recovery(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.pauses: list[float] = []

        async def pause(seconds: float) -> None:
            self.pauses.append(seconds)

        agent.asyncio = types.SimpleNamespace(sleep=pause)

    async def test_each_failure_is_tried_again_or_not_and_told_in_a_sentence(self) -> None:
        for row in ROWS:
            with self.subTest(row["name"]):
                await self.meet(row)

    async def meet(self, row: dict) -> None:
        transport = Turning()
        headers = {"authorization": f"Bearer {KEY}"}
        raised = None
        async with httpx2.AsyncClient(transport=transport, headers=headers, timeout=30) as http:
            try:
                async with Client(streamable_http_client(URL, http_client=http), mode="legacy") as client:
                    transport.turn = row
                    if row["exhausts"]:
                        await self.exhaust(row)
                    self.pauses.clear()
                    try:
                        await agent.call_with_retry(client, row["tool"], row["arguments"])
                    except Exception as error:
                        raised = error
                    finally:
                        transport.turn = {}
            except BaseExceptionGroup as group:
                # What ended the connection says more than that it has ended.
                raised = agent.first_of(group)
        count, sentence = row["agent"]
        if row["exhausts"]:
            # The limit may be over by the second attempt: the first pause says all.
            self.assertTrue(0 < self.pauses[0] <= 2 * row["first"] / 1000, self.pauses)
            self.assertTrue(raised is None or agent.user_message(raised) == sentence, raised)
            return
        self.assertEqual(self.pauses, [1.0, 2.0, 4.0][:count], repr(raised))
        self.assertIsNotNone(raised)
        self.assertEqual(agent.user_message(raised), sentence, repr(raised))

    async def exhaust(self, row: dict) -> None:
        params = {"name": row["tool"], "arguments": row["arguments"]}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {"authorization": f"Bearer {row['bearer']}"}
        async with httpx2.AsyncClient(headers=headers) as http:
            while "error" not in (await http.post(row["url"], json=body)).json():
                pass

    async def test_a_spent_handshake_is_made_anew_once_and_no_other_failure_is(self) -> None:
        async with httpx2.AsyncClient(headers={"authorization": f"Bearer {KEY}"}, timeout=30) as http:
            async with Client(streamable_http_client(URL, http_client=http), mode="legacy") as client:
                agreed = []
                called = client.call_tool

                async def spending(name: str, arguments: dict):
                    result = await called(name, arguments)
                    if name == "ggui_handshake":
                        agreed.append(result.structured_content["handshakeId"])
                        if len(agreed) == 1:
                            await called("ggui_render", {"handshakeId": agreed[0], "props": {"title": "Gone"}})
                    return result

                client.call_tool = spending
                shown = await agent.resilient_render(client, "One", CONTRACT, {"title": "One"})
                self.assertTrue(shown["sessionId"])
                self.assertEqual(len(agreed), 2)
                with self.assertRaises(agent.ToolError) as refused:
                    await agent.resilient_render(client, "One", CONTRACT, {"title": 1})
                self.assertEqual(refused.exception.code, "contract_violation")
                self.assertEqual(len(agreed), 3)


if __name__ == "__main__":
    unittest.main(verbosity=2)
