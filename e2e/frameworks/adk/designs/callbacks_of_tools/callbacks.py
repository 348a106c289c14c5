def refuse_stones(tool, args, tool_context):
    if args.get("food") == "stones":
        return {"refused": "stones"}


def soften(tool, args, tool_context):
    if args.get("food") == "beans":
        args["food"] = "soaked beans"


def salt(tool, args, tool_context, tool_response):
    tool_context.state["last"] = tool_response
    if args.get("food") in ("rice", "stones"):
        return {**tool_response, "salted": True}
