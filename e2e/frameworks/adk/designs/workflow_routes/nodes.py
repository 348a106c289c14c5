from google.adk.events.event import Event


def sort_letter(node_input):
    """Routes by the first word."""
    text = node_input.parts[0].text
    return Event(route=text.split()[0], output=text, state={"letter": text})


def bin_letter(node_input):
    return f"Binned: {node_input}"
