/** The last run of the builder's chat: restored after a reload, answered, and replayed. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { HumanAnswer, HumanInputAction, RunEvent, RunState, TraceItem } from '#contract/runs/events.ts'
import type { ExecutionDetail, ExecutionSummary } from '#contract/runs/executions.ts'
import { api } from '../api/client.ts'
import { keys } from '../api/query.ts'
import { useCan } from '../api/use-can.ts'
import { applyRunEvent, type RunView, showRun } from '../canvas/store/run-state.ts'
import type { Canvas } from '../canvas/store/store.ts'
import { loadChat } from '../chat/chat-storage.ts'
import type { Inputs } from '../chat/replay-inputs.ts'
import { notify } from '../state/notify.ts'

const POLL_AGAIN_MS = 2000

const lastRunQuery = (flowId: string, chatId: string) =>
  queryOptions({
    queryKey: keys.list('executions', { lastOf: flowId, chatId }),
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

/** Shows the last stored run on the canvas until a live run starts. */
export function useLastRun({ state }: Canvas, flowId: string | null): void {
  const may = useCan()('executions:view')
  // Memoized: a flow without a stored chat would get a new id on every render.
  const chatId = useMemo(() => (flowId === null ? '' : loadChat(flowId).chatId), [flowId])
  const { data, refetch } = useQuery({
    ...lastRunQuery(flowId ?? '', chatId),
    enabled: may && flowId !== null && !state.run.isLive,
  })
  useEffect(() => {
    if (!data || state.run.isLive) return
    showRun(state.run, { id: data.id, state: data.state, trace: JSON.parse(data.executionData) as TraceItem[] })
  }, [data, state])

  const runningId = data?.state === 'INPROGRESS' ? data.id : undefined
  useEffect(() => {
    if (flowId === null || runningId === undefined || state.run.isLive) return
    const controller = new AbortController()
    const reload = async () => (await refetch()).data?.state
    void readSteps(state.run, { flowId, executionId: runningId, reload, signal: controller.signal })
    return () => controller.abort()
  }, [flowId, runningId, refetch, state])
}

interface Running {
  flowId: string
  executionId: string
  /** Loads the stored run and returns its state. */
  reload: () => Promise<RunState | undefined>
  signal: AbortSignal
}

/** Marks the steps of a run that this page did not start. */
async function readSteps(run: RunView, { flowId, executionId, reload, signal }: Running): Promise<void> {
  const { followRun } = await import('../chat/approvals/answer-run.ts')
  let state: RunState | undefined = 'INPROGRESS'
  while (state === 'INPROGRESS') {
    const response = await api
      .stream(`/internal-prediction/${flowId}/${executionId}`, undefined, signal)
      .catch(() => null)
    let isRead = false
    const show = (event: RunEvent) => {
      if (signal.aborted || run.executionId !== executionId) return
      run.isLive = isRead = true
      applyRunEvent(run, event)
    }
    if (response) await followRun(response, show)
    if (signal.aborted || !isRead || run.executionId !== executionId) return
    run.isLive = false
    state = await reload()
  }
}

/** Answers a question of the run on the canvas and reports errors. */
export async function answerQuestion(
  { state }: Canvas,
  { flowId, question, given }: { flowId: string; question: HumanInputAction; given: HumanAnswer },
): Promise<void> {
  const executionId = state.run.executionId
  if (executionId === null) return
  try {
    const { answerRun } = await import('../chat/approvals/answer-run.ts')
    const { chatId } = loadChat(flowId)
    const { conflict } = await answerRun(
      { flowId, chatId, executionId, actionId: question.id, ...given },
      follower(state),
    )
    if (conflict) notify.info(conflict)
  } catch (error) {
    notify.error(`Couldn’t send the answer: ${errorMessage(error)}`)
  }
}

/** Replays the run on the canvas from a step, on the saved draft. */
export async function replayFrom(
  { state }: Canvas,
  { item, inputs }: { item: TraceItem; inputs: Inputs | undefined },
): Promise<void> {
  const executionId = state.run.executionId
  if (executionId === null) throw new Error('No run to replay. Send a message in the chat first.')
  const { replayRun } = await import('../chat/replay-run.ts')
  const path = item.path ?? item.nodeId
  await replayRun(executionId, { path, draft: true, ...(inputs ? { inputs } : {}) }, follower(state))
}

const follower =
  ({ run }: Canvas['state']) =>
  (event: RunEvent) => {
    applyRunEvent(run, event)
    if (event.event === 'error') notify.error(event.data)
  }
