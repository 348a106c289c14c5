/** What the replay dialog asks of the API. */
import { queryOptions } from '@tanstack/react-query'
import type { Chatflow, FlowVersion } from '#contract/chatflows.ts'
import type { TraceItem } from '#contract/events.ts'
import type { ExecutionDetail, Replay } from '#contract/executions.ts'
import { api } from '../../api/client.ts'
import { keys, queryClient } from '../../api/query.ts'
import { editableInputs, type Inputs, savedInputs } from '../../chat/replay-inputs.ts'
import { replayRun } from '../../chat/replay-run.ts'
import { EXECUTIONS, executionQuery } from './queries.ts'

/** A step's inputs to edit; without `inputs` the flow has no such step. Of the version that ran, or of the draft. */
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

/** Resolves with the new execution's id as soon as it can be opened, and goes on listening: the run outlives this page. */
export async function startReplay(id: string, replay: Pick<Replay, 'path' | 'inputs' | 'draft'>): Promise<string> {
  const begun = await new Promise<string>((resolve, reject) => {
    replayRun(id, replay, (event) => {
      if (event.event === 'metadata' && typeof event.data.executionId === 'string') resolve(event.data.executionId)
    })
      .then(() => reject(new Error('The connection broke. Look for the new run in the list of executions.')))
      .catch(reject)
  })
  await queryClient.fetchQuery({ ...executionQuery(begun), retry: 10, retryDelay: 200 })
  return begun
}
