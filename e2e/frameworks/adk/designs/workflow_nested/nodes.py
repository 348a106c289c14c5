from pydantic import BaseModel


class Report(BaseModel):
    title: str
    words: int


def mark(node_input: str, ctx):
    """Marks a text, and raises at a bad word."""
    if "bad" in node_input:
        raise ValueError("A bad word.")
    ctx.state["marks"] = ctx.state.get("marks", 0) + 1
    return {"text": node_input, "marks": ctx.state["marks"]}
