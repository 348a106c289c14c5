/** How long many calls take that one step sets off: as long as the connections of one request allow. */
import { setTimeout } from 'node:timers/promises'
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { MAX_CONNECTIONS } from '#worker/ports/egress.ts'
import { directReply, edge, llm, node, start } from '../support/flows.ts'
import { inTurn, post } from './calls.ts'
import type { Product } from './product.ts'
import { atMostTimes, type Row } from './table.ts'

const WIDTH = 50
const CALL_MS = 100
const IDEAL_MS = Math.ceil(WIDTH / MAX_CONNECTIONS) * CALL_MS
/** The work of fifty calls on one thread is in it. One call after the other would be five times as long. */
const TIMES_IDEAL = 1.5

export async function measureFanOut({ url, save, model }: Product): Promise<Row[]> {
  model.always(() => ({ text: 'A short answer.', before: setTimeout(CALL_MS) }))
  const address = `${model.baseUrl}/chat/completions`
  const request = { method: 'POST', url: address, bodyType: 'json', body: '{"messages":[]}' }
  const flows: Record<string, FlowDocument> = {
    'model calls': fanOut(Array.from({ length: WIDTH }, (_, number) => llm(model.baseUrl, number))),
    'HTTP requests with an effect': fanOut(
      Array.from({ length: WIDTH }, (_, number) => node('httpAgentflow', number, request)),
    ),
  }
  const rows: Row[] = []
  for (const [name, flow] of Object.entries(flows)) {
    const flowId = await save(flow)
    const call = () => post(`${url}/api/v1/prediction/${flowId}`, { question: 'Go' })
    const [time = Number.NaN] = await inTurn([call], { warm: 1, runs: 5 })
    const measure = `${WIDTH} ${name} of ${CALL_MS} ms side by side, ${MAX_CONNECTIONS} connections`
    rows.push(atMostTimes(measure, { value: time, base: IDEAL_MS, times: TIMES_IDEAL, unit: 'ms' }))
  }
  return rows
}

/** A join after them all, which starts when the last one has answered. */
function fanOut(branches: FlowNode[]): FlowDocument {
  const [begin, end] = [start(), directReply('Done')]
  return {
    nodes: [begin, ...branches, end],
    edges: branches.flatMap((branch) => [edge(begin, branch), edge(branch, end)]),
  }
}
