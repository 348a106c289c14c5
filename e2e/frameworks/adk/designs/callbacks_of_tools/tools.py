def boil(food: str) -> dict:
    """Boils food."""
    if food == "glass":
        raise ValueError("Glass breaks.")
    return {"boiled": food}
