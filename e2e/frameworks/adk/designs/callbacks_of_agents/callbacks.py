from google.genai import types


def _text_of(context):
    return context.user_content.parts[0].text


def _say(text):
    return types.Content(role="model", parts=[types.Part(text=text)])


def close_team(callback_context):
    if "holiday" in _text_of(callback_context):
        return _say("Closed for a holiday.")


def sign_team(callback_context):
    if "sign" in _text_of(callback_context):
        return _say("Signed, the team.")


def count_visit(callback_context):
    callback_context.state["visits"] = callback_context.state.get("visits", 0) + 1


def close_gate(callback_context):
    if "night" in _text_of(callback_context):
        return _say("The gate is closed.")


def praise_gate(callback_context):
    if "praise" in _text_of(callback_context):
        callback_context.state["praised"] = True
        return _say("A fine gate.")
