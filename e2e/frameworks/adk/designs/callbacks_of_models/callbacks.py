from google.adk.models.llm_response import LlmResponse
from google.genai import types


def _say(text):
    return LlmResponse(content=types.Content(role="model", parts=[types.Part(text=text)]))


def _asked(request):
    return request.contents[-1].parts[0].text or ""


def guard(callback_context, llm_request):
    callback_context.state["asked"] = callback_context.state.get("asked", 0) + 1
    if "rude" in _asked(llm_request):
        return _say("I do not write that.")


def add_rule(callback_context, llm_request):
    if "short" in _asked(llm_request):
        llm_request.append_instructions(["Two lines at most."])


def shout(callback_context, llm_response):
    text = llm_response.content.parts[0].text if llm_response.content else None
    if text and "quiet" in text:
        return _say(text.upper())


def note(callback_context, llm_response):
    callback_context.state["noted"] = bool(llm_response.content.parts[0].text)
