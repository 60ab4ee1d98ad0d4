"""The official Python SDK in both eras: lists, calls, reads resources, meets every error."""

import json
import os
import pathlib
import re
import unittest

from mcp import Client, MCPError

HERE = pathlib.Path(__file__).parent
FAILURES = json.loads((HERE / "failures.json").read_text())
URL = os.environ["MCP_URL"]
CONTRACT = json.loads(os.environ["CONTRACT"])
ERAS = {"auto": "2026-07-28", "legacy": "2025-11-25"}


async def call(client: Client, tool: str, **arguments):
    return (await client.call_tool(tool, arguments)).structured_content


async def rendered(client: Client) -> dict:
    agreed = await call(client, "ggui_handshake", intent="Pick one", blueprintDraft={"contract": CONTRACT})
    shown = await call(client, "ggui_render", handshakeId=agreed["handshakeId"], props={"title": "One"})
    return agreed | shown


class PythonSdk(unittest.IsolatedAsyncioTestCase):
    async def in_both_eras(self, check) -> None:
        for mode, revision in ERAS.items():
            with self.subTest(revision=revision):
                async with Client(URL, mode=mode) as client:
                    self.assertEqual(client.protocol_version, revision)
                    await client.list_tools()
                    await check(client, revision)

    async def test_lists_tools_with_schemas_for_both_ways(self) -> None:
        async def check(client, _):
            tools = (await client.list_tools()).tools
            self.assertIn("ggui_render", [tool.name for tool in tools])
            self.assertTrue(all(tool.input_schema and tool.output_schema for tool in tools))

        await self.in_both_eras(check)

    async def test_handshakes_renders_amends_emits_consumes_and_reads_the_state(self) -> None:
        async def check(client, _):
            session = {"sessionId": (await rendered(client))["sessionId"]}
            await call(client, "ggui_amend", **session, kind="merge", patch={"title": "Two"})
            emitted = await call(client, "ggui_emit", **session, channel="log", payload="a line")
            self.assertEqual(emitted, {"accepted": True})
            taken = await call(client, "ggui_consume", **session, timeout=0)
            self.assertEqual((taken["events"], taken["status"]), ([], "active"))
            state = await call(client, "ggui_get_session", **session)
            self.assertEqual(state["props"], {"title": "Two"})

        await self.in_both_eras(check)

    async def test_gives_up_a_wait_and_gets_what_was_lost_by_saying_what_arrived(self) -> None:
        async def check(client, _):
            session = {"sessionId": (await rendered(client))["sessionId"]}
            with self.assertRaises(MCPError):
                wait = session | {"timeout": 25, "after": ""}
                await client.call_tool("ggui_consume", wait, read_timeout_seconds=1)
            payload = {"intent": "pick", "actionData": {"id": 7}, "uiContext": {}}
            gesture = {"kind": "dispatch", "appId": "builder", "actionId": "gesture-1", "firedAt": "2026-08-20T10:15:02.511Z"}
            done = await call(client, "ggui_runtime_submit_action", **session, **gesture, payload=payload)
            self.assertIs(done["ok"], True)
            # Whoever held the wait may have been given it: it is given again until it is confirmed.
            for _ in range(2):
                taken = await call(client, "ggui_consume", **session, after="", timeout=25)
                self.assertEqual([event["intent"] for event in taken["events"]], ["pick"])
            self.assertIs(taken["events"][0]["redelivered"], True)
            taken = await call(client, "ggui_consume", **taken["nextStep"]["args"] | {"timeout": 0})
            self.assertEqual(taken["events"], [])

        await self.in_both_eras(check)

    async def test_reads_what_a_render_shows_and_everything_that_is_listed(self) -> None:
        async def check(client, _):
            uris = [(await rendered(client))["resourceUri"]]
            uris += [resource.uri for resource in (await client.list_resources()).resources]
            for uri in uris:
                [content] = (await client.read_resource(str(uri))).contents
                self.assertTrue(content.text)
            with self.assertRaises(MCPError):
                await client.read_resource("ui://ggui/nothing")

        await self.in_both_eras(check)

    async def test_gets_each_prompt_it_lists(self) -> None:
        async def check(client, _):
            for prompt in (await client.list_prompts()).prompts:
                given = {argument.name: "a thing" for argument in prompt.arguments or [] if argument.required}
                got = await client.get_prompt(prompt.name, given)
                self.assertIn("ggui_handshake", got.messages[0].content.text)

        await self.in_both_eras(check)

    async def test_gets_every_tool_error_as_a_result_or_as_the_error_of_the_protocol(self) -> None:
        async def check(client, revision):
            spent = await rendered(client)
            fresh = await call(client, "ggui_handshake", intent="Try", blueprintDraft={"contract": CONTRACT})
            bad = {"contract": {"propsSpec": 5}}
            declined = await call(client, "ggui_handshake", intent="Try", blueprintDraft=bad)
            ids = {
                "$spent": spent["handshakeId"],
                "$session": spent["sessionId"],
                "$fresh": fresh["handshakeId"],
                "$declined": declined["handshakeId"],
            }
            for failure in FAILURES:
                text = re.sub(r"\$\w+", lambda name: ids[name[0]], json.dumps(failure["arguments"]))
                with self.subTest(failure["name"]):
                    await self.meet(client, failure, json.loads(text), modern=revision == "2026-07-28")

        await self.in_both_eras(check)

    async def meet(self, client: Client, failure: dict, arguments: dict, *, modern: bool) -> None:
        expected = failure.get("error")
        # Since 2026-07-28 unfit arguments are the tool's own error, for the model to mend.
        if modern and failure.get("throws") == -32602:
            expected = "invalid_arguments"
        if expected is None:
            with self.assertRaises(MCPError) as raised:
                await client.call_tool(failure["tool"], arguments)
            code = failure.get("modern", failure["throws"]) if modern else failure["throws"]
            self.assertEqual(raised.exception.code, code)
            self.assertRegex(raised.exception.message, failure["text"])
            self.assertIs(raised.exception.data["retry"]["allowed"], False)
            return
        result = await client.call_tool(failure["tool"], arguments)
        self.assertTrue(result.is_error)
        self.assertEqual(result.structured_content["error"]["code"], expected)
        self.assertRegex(result.content[0].text, failure["text"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
