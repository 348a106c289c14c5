from pydantic import BaseModel


class Order(BaseModel):
    thing: str
    count: int = 1


class Offer(BaseModel):
    price: float
    note: str | None = None
