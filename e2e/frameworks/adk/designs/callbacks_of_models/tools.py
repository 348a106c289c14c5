def find_rhyme(word: str) -> dict:
    """Finds a rhyme."""
    return {"rhyme": word[1:]}
