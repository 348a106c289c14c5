from google.adk.events.event import Event
from google.adk.events.request_input import RequestInput


def ask_amount(node_input: str):
    """Asks the user."""
    yield RequestInput(interrupt_id="how-many", message=f"How many of {node_input}?")


def note_amount(node_input):
    return Event(state={"amount": node_input}, output=f"{node_input} loaves")


def heat(degrees: int) -> dict:
    """Heats the oven."""
    return {"degrees": degrees}
