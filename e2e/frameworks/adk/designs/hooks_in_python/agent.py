from google.adk.agents import LlmAgent
from google.adk.models.llm_response import LlmResponse
from google.genai import types


def open_door(number: int) -> dict:
    """Opens a door."""
    raise ValueError(f"Door {number} is stuck.")


def excuse_tool(tool, args, tool_context, error):
    if args["number"] == 1:
        return {"excuse": str(error)}


def excuse_model(callback_context, llm_request, error):
    if "please" in (llm_request.contents[-1].parts[0].text or ""):
        return LlmResponse(content=types.Content(role="model", parts=[types.Part(text="Excuse the model.")]))


def describe_house(context):
    return "Written for {house}, without braces filled in."


root_agent = LlmAgent(
    name="porter",
    model="apigee/openai/porter",
    static_instruction="Always the same: {house}.",
    instruction="Changing: {house}.",
    tools=[open_door],
    on_tool_error_callback=excuse_tool,
    on_model_error_callback=excuse_model,
    sub_agents=[LlmAgent(name="maid", description="Cleans.", model="apigee/openai/maid", instruction=describe_house)],
)
