/** The last run of the canvas's own chat: found again after a reload, answered, and run again from one of its steps. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { HumanAnswer, HumanInputAction, RunEvent, TraceItem } from '#contract/events.ts'
import type { ExecutionDetail, ExecutionSummary } from '#contract/executions.ts'
import { api } from '#web/api/client.ts'
import { useCan } from '#web/api/use-can.ts'
import { followRun, showRun } from '#web/canvas/store/run-state.ts'
import type { Canvas } from '#web/canvas/store/store.ts'
import { loadChat } from '#web/chat/chat-storage.ts'
import type { Inputs } from '#web/chat/replay-inputs.ts'
import { notify } from '#web/state/notify.ts'

const POLL_AGAIN_MS = 2000

const lastRunQuery = (flowId: string, chatId: string) =>
  queryOptions({
    queryKey: ['executions', 'last of the chat', flowId, chatId],
    queryFn: async () => {
      const filter = { agentflowId: flowId, sessionId: chatId, page: 1, limit: 1 }
      const [last] = (await api.get<{ data: ExecutionSummary[] }>('/executions', filter)).data
      return last ? api.get<ExecutionDetail>(`/executions/${last.id}`) : null
    },
    refetchInterval: ({ state }) => (state.data?.state === 'INPROGRESS' ? POLL_AGAIN_MS : false),
    refetchOnWindowFocus: ({ state }) => state.data?.state === 'STOPPED',
    staleTime: 0,
    gcTime: 0,
  })

/** Lights up the canvas by the last stored run, until a run is heard live. */
export function useLastRun({ state }: Canvas, flowId: string | null): void {
  const may = useCan()('executions:view')
  // Kept: a flow without a stored chat would get another id, and ask again, with every rendering.
  const chatId = useMemo(() => (flowId === null ? '' : loadChat(flowId).chatId), [flowId])
  const { data } = useQuery({
    ...lastRunQuery(flowId ?? '', chatId),
    enabled: may && flowId !== null && !state.run.isLive,
  })
  useEffect(() => {
    if (!data || state.run.isLive) return
    showRun(state.run, { id: data.id, state: data.state, trace: JSON.parse(data.executionData) as TraceItem[] })
  }, [data, state])
}

/** Answers a question of the run that the canvas shows; says what went wrong. */
export async function answerQuestion(
  { state }: Canvas,
  { flowId, question, given }: { flowId: string; question: HumanInputAction; given: HumanAnswer },
): Promise<void> {
  const executionId = state.run.executionId
  if (executionId === null) return
  try {
    const { answerRun } = await import('#web/chat/answer-run.ts')
    const { chatId } = loadChat(flowId)
    const { conflict } = await answerRun(
      { flowId, chatId, executionId, actionId: question.id, ...given },
      follower(state),
    )
    if (conflict) notify.info(conflict)
  } catch (thrown) {
    notify.error(`The answer was not taken: ${errorMessage(thrown)}`)
  }
}

/** Runs the saved draft again from a step of the run that the canvas shows. */
export async function replayFrom(
  { state }: Canvas,
  { item, inputs }: { item: TraceItem; inputs: Inputs | undefined },
): Promise<void> {
  const executionId = state.run.executionId
  if (executionId === null) throw new Error('There is no run to start from. Send a message in the chat first.')
  const { replayRun } = await import('#web/chat/replay-run.ts')
  const path = item.path ?? item.nodeId
  await replayRun(executionId, { path, draft: true, ...(inputs ? { inputs } : {}) }, follower(state))
}

const follower =
  ({ run }: Canvas['state']) =>
  (event: RunEvent) => {
    followRun(run, event)
    if (event.event === 'error') notify.error(event.data)
  }
