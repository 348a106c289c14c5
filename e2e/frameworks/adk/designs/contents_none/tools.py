def ring() -> dict:
    """Rings a bell."""
    return {"rang": True}
