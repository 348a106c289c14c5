from google.adk.tools.tool_context import ToolContext


def keep(key: str, value: str, tool_context: ToolContext) -> dict:
    """Keeps a value."""
    tool_context.state[key] = value
    return {"keys": sorted(tool_context.state.to_dict())}
