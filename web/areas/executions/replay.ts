/** API calls of the replay dialog. */
import { queryOptions } from '@tanstack/react-query'
import type { Chatflow, FlowVersion } from '#contract/chatflows/chatflows.ts'
import type { TraceItem } from '#contract/runs/events.ts'
import type { ExecutionDetail, Replay } from '#contract/runs/executions.ts'
import { api } from '../../api/client.ts'
import { keys, queryClient } from '../../api/query.ts'
import { editableInputs, type Inputs, savedInputs } from '../../chat/replay-inputs.ts'
import { replayRun } from '../../chat/replay-run.ts'
import { EXECUTIONS, executionQuery } from './queries.ts'

/** Loads the editable inputs of a step from the version that ran or the draft; none when the step is missing. */
export const stepInputsQuery = ({ agentflowId, flowVersion }: ExecutionDetail, item: TraceItem, draft: boolean) =>
  queryOptions({
    queryKey: keys.list(EXECUTIONS, { agentflowId, version: draft ? 'draft' : flowVersion, inputsOf: item }),
    queryFn: async (): Promise<{ inputs?: Inputs }> => {
      const version = draft ? '' : `/versions/${flowVersion}`
      const { flowData } = await api.get<Chatflow | FlowVersion>(`/chatflows/${agentflowId}${version}`)
      const saved = savedInputs(flowData, item.nodeId)
      return saved ? { inputs: editableInputs(saved, item.data.input) } : {}
    },
    retry: false,
  })

/** Starts a replay and resolves with the new execution's id as soon as it can be opened. The run continues on its own. */
export async function startReplay(id: string, replay: Pick<Replay, 'path' | 'inputs' | 'draft'>): Promise<string> {
  const newRunId = await new Promise<string>((resolve, reject) => {
    replayRun(id, replay, (event) => {
      if (event.event === 'metadata' && typeof event.data.executionId === 'string') resolve(event.data.executionId)
    })
      .then(() => reject(new Error('The connection was lost. Look for the new run under Executions.')))
      .catch(reject)
  })
  await queryClient.fetchQuery({ ...executionQuery(newRunId), retry: 10, retryDelay: 200 })
  return newRunId
}
