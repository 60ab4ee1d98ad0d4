import asyncio
import sys

from mcp import Client

CONTRACT = {
    "propsSpec": {"properties": {"line": {"schema": {"type": "string"}, "required": True}}},
    "actionSpec": {"greet": {"label": "Greet", "schema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}},
}


async def main(url: str) -> None:
    async with Client(url) as client:
        async def call(name: str, **arguments):
            return (await client.call_tool(name, arguments)).structured_content

        agreed = await call("ggui_handshake", intent="Ask for a name", blueprintDraft={"contract": CONTRACT})
        shown = await call("ggui_render", handshakeId=agreed["handshakeId"], props={"line": "Who are you?"})
        print(f"open {shown['viewerUrl']}", flush=True)
        events = []
        while not events:
            events = (await call("ggui_consume", sessionId=shown["sessionId"], timeout=25))["events"]
        line = f"Hello, {events[0]['actionData']['name']}!"
        await call("ggui_amend", sessionId=shown["sessionId"], kind="merge", patch={"line": line})


asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:6781/mcp"))
