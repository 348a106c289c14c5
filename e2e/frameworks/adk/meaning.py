"""Says what ADK does in plain JSON, the same in every run: no ids, no times, no wording of the framework."""

import ast
import json
import re

import pydantic_core
from google.adk.flows.llm_flows.context import _fencing

_IDENTITY = re.compile(
    r'You are an agent\. Your internal name is "(?P<name>[^"]*)"\.'
    r'(?: The description about you is "(?P<description>[^"]*)"\.)?'
)
_TRANSFER = re.compile(
    r"\s*You have a list of other agents to transfer to:.*?"
    r"\*\*NOTE\*\*: the only available agents.*?are\n[^\n]*\.\n"
    r"(?:\nIf neither you .*?, transfer to your parent agent (?P<parent>\w+)\.\n)?",
    re.DOTALL,
)
_TARGET = re.compile(r"Agent name: (?P<name>[^\n]*)\nAgent description: (?P<description>[^\n]*)")
_SCHEMA_TOOL = re.compile(r"IMPORTANT: You have access to other tools, but .*? set_model_response .*? schema format\.")
# In JSON: a line that only says where to read more about an error.
_HELP = re.compile(r"\\n *For (?:more|further) information (?:check:|visit) https?://[^\\\"\s]+")
_QUOTE = rf"\n{_fencing.QUOTED_CONTENT_BEGIN}\n(?P<quote>.*)\n{_fencing.QUOTED_CONTENT_END}$"
_INSTRUCTION = re.compile(
    rf"\n{_fencing._INSTRUCTION_BEGIN}\n(?P<text>.*)\n{_fencing._INSTRUCTION_END}$", re.DOTALL
)
_SAID = re.compile(r"^\[(?P<agent>[^\]]+)\] said:" + _QUOTE, re.DOTALL)
_CALLED = re.compile(r"^\[(?P<agent>[^\]]+)\] called tool `(?P<tool>[^`]+)` with parameters:" + _QUOTE, re.DOTALL)
_RETURNED = re.compile(r"^\[(?P<agent>[^\]]+)\] `(?P<tool>[^`]+)` tool returned result:" + _QUOTE, re.DOTALL)


def without_empty(values):
    """Leaves out what is absent: None, and empty lists, maps and texts."""
    return {key: value for key, value in values.items() if value not in (None, [], {}, "")}


def plain(value):
    """Returns a value as JSON has it."""
    return pydantic_core.to_jsonable_python(value, serialize_unknown=True)


def _data(text):
    try:
        return plain(ast.literal_eval(text))
    except (SyntaxError, ValueError):
        return text


def describe_system(text):
    """Splits a system instruction into the design's own instruction and what ADK adds to it."""
    rest = text or ""
    identity = _IDENTITY.search(rest)
    rest = _IDENTITY.sub("", rest)
    transfer = _TRANSFER.search(rest)
    rest = _TRANSFER.sub("", rest)
    answers_by_tool = bool(_SCHEMA_TOOL.search(rest))
    rest = _SCHEMA_TOOL.sub("", rest)
    return without_empty({
        "instruction": re.sub(r"\n{3,}", "\n\n", rest.strip()),
        "name": identity and identity["name"],
        "description": identity and identity["description"],
        "targets": [target.groupdict() for target in _TARGET.finditer(transfer[0])] if transfer else None,
        "parent": transfer and transfer["parent"],
        "answersByTool": answers_by_tool or None,
    })


def describe_part(part):
    if part.function_call:
        call = part.function_call
        return {"call": without_empty({"id": call.id, "name": call.name}) | {"args": plain(call.args or {})}}
    if part.function_response:
        result = part.function_response
        return {"result": without_empty({"id": result.id, "name": result.name}) | {"response": plain(result.response)}}
    return {"text": part.text}


def _describe_quoted(text):
    for pattern, shape in (
        (_SAID, lambda match: {"text": match["quote"]}),
        (_CALLED, lambda match: {"call": {"name": match["tool"], "args": _data(match["quote"])}}),
        (_RETURNED, lambda match: {"result": {"name": match["tool"], "response": _data(match["quote"])}}),
    ):
        if match := pattern.match(text or ""):
            return match["agent"], shape(match)
    return None, {"text": text}


def describe_content(content):
    """Returns the role, the parts, and for another agent's turn the name of that agent."""
    parts = list(content.parts or [])
    if parts and parts[0].text == _fencing.OTHER_AGENT_CONTEXT_PREAMBLE:
        quoted = [_describe_quoted(part.text) for part in parts[1:]]
        agent = next((agent for agent, _ in quoted if agent), None)
        return without_empty({"role": content.role, "agent": agent, "parts": [part for _, part in quoted]})
    instruction = _INSTRUCTION.search(parts[0].text or "") if parts else None
    if instruction:
        return {"role": content.role, "isInstruction": True, "parts": [{"text": instruction["text"]}]}
    return without_empty({"role": content.role, "parts": [describe_part(part) for part in parts]})


def describe_turn(agent, branch, request):
    """Returns what a model is asked, after all callbacks."""
    config = request.config
    schema = config.response_schema or config.response_json_schema
    declared = [one.name for tool in config.tools or [] for one in getattr(tool, "function_declarations", None) or []]
    settings = {"temperature": config.temperature, "maxOutputTokens": config.max_output_tokens}
    return without_empty({
        "agent": agent,
        "branch": branch,
        "system": describe_system(config.system_instruction),
        "contents": [describe_content(content) for content in request.contents],
        "tools": declared,
        "answersInJson": bool(schema) or None,
        "settings": without_empty(settings),
    })


def describe_event(event):
    actions = event.actions
    message = without_empty({
        "author": event.author,
        "branch": event.branch,
        "node": event.node_info.path,
        "parts": [describe_part(part) for part in event.content.parts or []] if event.content else None,
        "stateDelta": plain(actions.state_delta),
        "transferTo": actions.transfer_to_agent,
        "escalate": actions.escalate,
        "skipSummarization": actions.skip_summarization,
        "longRunning": sorted(event.long_running_tool_ids or []),
        "route": plain(actions.route),
        "error": without_empty({"code": event.error_code, "message": event.error_message}),
    })
    if event.output is not None:
        message["output"] = plain(event.output)
    return message | {"isFinal": event.is_final_response()}


def text_of(event):
    return "".join(part.text or "" for part in event.content.parts or [] if not part.thought) if event.content else ""


def _ids_in(value):
    if isinstance(value, list):
        for each in value:
            yield from _ids_in(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key == "id" and set(value) & {"args", "response"}:
                yield each
            else:
                yield from _ids_in(each)


def rename(trace, base_url):
    """Names calls `call-1`, `call-2` in the order in which they appear. Leaves out the server and links to help."""
    text = _HELP.sub("", json.dumps(trace).replace(base_url, "<model server>"))
    names = {}
    for each in _ids_in(trace):
        names.setdefault(each, f"call-{len(names) + 1}")
    if names:
        longest_first = sorted(names, key=len, reverse=True)
        pattern = re.compile("|".join(rf"(?<![\w-]){re.escape(each)}(?![\w-])" for each in longest_first))
        text = pattern.sub(lambda match: names[match[0]], text)
    return json.loads(text)
