from google.adk.events.event import Event


def check(node_input: str):
    """Routes by the length of a text."""
    words = len(node_input.split())
    route = "good" if words == 3 else "again" if words < 3 else "unknown"
    return Event(route=route, output=f"{words} words: {node_input}")
