"""Runs designs on the real ADK and prints nothing: each trace goes to a file.

Usage: record.py <folder of designs> <folder for traces>, with `[{"design", "baseUrl"}]` on the standard input.
"""

import asyncio
import importlib
import itertools
import json
import logging
import os
import pathlib
import sys
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

from google.adk.agents import config_agent_utils  # noqa: E402
from google.adk.agents.base_agent import BaseAgent  # noqa: E402
from google.adk.models.apigee_llm import ApigeeLlm  # noqa: E402
from google.adk.plugins.base_plugin import BasePlugin  # noqa: E402
from google.adk.runners import InMemoryRunner  # noqa: E402
from google.genai import types  # noqa: E402

import meaning  # noqa: E402

MESSAGE_TIMEOUT_S = 60


class TurnPlugin(BasePlugin):
    """Remembers which agent asks, since a request does not say it, and notes each request as the model gets it."""

    def __init__(self):
        super().__init__(name="turns")
        self.askers = {}
        self.begin({})

    def begin(self, answers):
        """Begins a message, with the script's answers to it by agent."""
        self.steps = []
        self.answers = {agent: list(each) for agent, each in answers.items()}
        self.heard = set()
        self.news = asyncio.Condition()

    async def hear(self, agent):
        """Notes that an agent's turn has become an event of the run."""
        self.heard.add(agent)
        async with self.news:
            self.news.notify_all()

    async def before_model_callback(self, *, callback_context, llm_request):
        invocation = callback_context._invocation_context
        self.askers[id(llm_request)] = (callback_context.agent_name, invocation.branch)

    def note(self, request):
        """Notes a request. Returns the agent whose answer the script puts before the answer to it, or None."""
        agent, branch = self.askers.pop(id(request))
        self.steps.append({"turn": meaning.describe_turn(agent, branch, request)})
        answer = self.answers[agent].pop(0) if self.answers.get(agent) else None
        return answer.get("after") if isinstance(answer, dict) else None

    async def hold(self, agent):
        """Waits until an agent has been heard."""
        async with self.news:
            await self.news.wait_for(lambda: agent in self.heard)


turns = TurnPlugin()
generate = ApigeeLlm.generate_content_async


async def generate_and_note(self, llm_request, stream=False):
    earlier = turns.note(llm_request)
    responses = [response async for response in generate(self, llm_request, stream)]
    if earlier:
        await turns.hold(earlier)
    for response in responses:
        yield response


ApigeeLlm.generate_content_async = generate_and_note


def load(folder):
    """Returns the root of a design: of `agent.py` if there is one, otherwise of `root_agent.yaml`, as ADK loads it."""
    if (folder / "agent.py").exists():
        return importlib.import_module(f"{folder.name}.agent").root_agent
    return config_agent_utils.from_config(str(folder / "root_agent.yaml"))


def open_runner(root, app_name):
    if isinstance(root, BaseAgent):
        return InMemoryRunner(agent=root, app_name=app_name, plugins=[turns])
    return InMemoryRunner(node=root, app_name=app_name, plugins=[turns])


def content_of(message, session):
    """Returns the user's content: a text, or the late result of a long-running call."""
    if "result" not in message:
        return types.Content(role="user", parts=[types.Part(text=message["text"])])
    name = message["result"]["name"]
    calls = [call for event in session.events for call in event.get_function_calls() if call.name == name]
    response = types.FunctionResponse(id=calls[-1].id, name=name, response=message["result"]["response"])
    return types.Content(role="user", parts=[types.Part(function_response=response)])


def in_order(steps):
    """Sorts neighbours that ran at the same time by their branches: their order in time differs from run to run."""

    def branch_of(step):
        return next(iter(step.values())).get("branch", "")

    groups = itertools.groupby(steps, key=lambda step: bool(branch_of(step)))
    return [step for is_branched, group in groups for step in (sorted(group, key=branch_of) if is_branched else group)]


async def run_message(runner, session, message):
    turns.begin(message["answers"])
    answer = None
    end = {"kind": "finished"}
    try:
        async with asyncio.timeout(MESSAGE_TIMEOUT_S):
            async for event in runner.run_async(
                user_id=session.user_id,
                session_id=session.id,
                new_message=content_of(message, session),
                state_delta=message.get("stateDelta"),
            ):
                turns.steps.append({"event": meaning.describe_event(event)})
                await turns.hear(event.author)
                if event.is_final_response() and meaning.text_of(event):
                    answer = {"author": event.author, "text": meaning.text_of(event)}
    except Exception as error:  # The trace says how a run failed.
        end = {"kind": "failed", "error": type(error).__name__, "message": str(error)}
    after = await runner.session_service.get_session(
        app_name=runner.app_name, user_id=session.user_id, session_id=session.id
    )
    asked = {key: message[key] for key in ("text", "result", "session", "user", "stateDelta") if key in message}
    return {
        "message": asked,
        "steps": in_order(turns.steps),
        "answer": answer,
        "end": end,
        "state": meaning.plain(after.state),
    }


async def record(folder, base_url):
    os.environ["APIGEE_PROXY_URL"] = base_url
    script = json.loads((folder / "script.json").read_text())
    runner = open_runner(load(folder), folder.name)
    opened = set()
    messages = []
    for message in script["messages"]:
        names = {
            "app_name": folder.name,
            "user_id": message.get("user", "ann"),
            "session_id": message.get("session", "first"),
        }
        if tuple(names.values()) not in opened:
            await runner.session_service.create_session(**names, state=script.get("state"))
            opened.add(tuple(names.values()))
        session = await runner.session_service.get_session(**names)
        messages.append(await run_message(runner, session, message))
    return meaning.rename({"messages": messages}, base_url)


async def main(designs, traces):
    sys.path.insert(0, str(designs))
    for job in json.load(sys.stdin):
        trace = await record(designs / job["design"], job["baseUrl"])
        (traces / f"{job['design']}.json").write_text(json.dumps(trace))


asyncio.run(main(*[pathlib.Path(argument).resolve() for argument in sys.argv[1:3]]))
