from google.adk.tools.tool_context import ToolContext


def count_copies(title: str) -> dict:
    """Counts the copies of a title."""
    return {"title": title, "copies": 3}


async def price_of(title: str) -> str:
    """Returns the price of a title."""
    return f"{title}: 12 euros"


def reserve(title: str, tool_context: ToolContext) -> None:
    """Reserves a title."""
    tool_context.state["reserved"] = title


def reorder(title: str) -> dict:
    """Orders new copies of a title."""
    raise ValueError(f"No supplier has {title}.")
