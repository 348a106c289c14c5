def ask_permission(amount: int) -> dict:
    """Asks for the permission to lend an amount."""
    return {"status": "pending", "amount": amount}


def wait_for_key() -> None:
    """Waits for the key of the safe."""


def count_coins() -> dict:
    """Counts the coins."""
    return {"coins": 7}
