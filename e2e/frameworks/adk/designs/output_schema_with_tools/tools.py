def count_readers(title: str) -> dict:
    """Counts the readers of a book."""
    return {"readers": 9}
