from google.adk.workflow import JoinNode

both = JoinNode(name="both")
