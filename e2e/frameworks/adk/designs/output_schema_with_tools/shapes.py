from pydantic import BaseModel


class Rating(BaseModel):
    title: str
    stars: int
