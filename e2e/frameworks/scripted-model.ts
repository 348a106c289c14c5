import { type ModelServer, type Reply, startModelServer } from '../support/model-server.ts'
import type { Script } from './recordings.ts'

type Answer = Script['messages'][number]['answers'][string][number]

interface QueuedAnswer {
  answer: Answer
  /** The position of its message in the script. */
  message: number
}

/**
 * Starts a model server that answers as a design's script says. The name of the model that is asked tells which agent
 * asks, so agents that run at the same time get answers of their own. One question too many gets an error that says so.
 */
export async function startScriptedModel({ messages }: Pick<Script, 'messages'>): Promise<ModelServer> {
  const server = await startModelServer()
  const queues = queueAnswers(messages)
  const hasAsked = async (agent: string, message: number) => {
    const earlier = queues.get(agent)?.filter((queued) => queued.message < message).length ?? 0
    for (let count = 1; countQuestions(server, agent) <= earlier; count++) await server.received(count)
  }
  server.always(({ model }) => {
    const queued = queues.get(model)?.[countQuestions(server, model) - 1]
    if (!queued) return { error: { status: 400, message: `The script has no more answers for ${model}.` } }
    const { answer, message } = queued
    if (typeof answer === 'string') return { text: answer }
    const { after: _, whenAsked, never, ...reply } = answer
    return { ...(reply as Reply), before: never ? NEVER : whenAsked ? hasAsked(whenAsked, message) : undefined }
  })
  return server
}

const NEVER = new Promise(() => {})

const countQuestions = ({ requests }: ModelServer, agent: string) =>
  requests.filter(({ body }) => body.model === agent).length

function queueAnswers(messages: Script['messages']): Map<string, QueuedAnswer[]> {
  const queued = messages.flatMap(({ answers }, message) =>
    Object.entries(answers).flatMap(([agent, list]) => list.map((answer) => ({ agent, answer, message }))),
  )
  return Map.groupBy(queued, ({ agent }) => agent)
}
