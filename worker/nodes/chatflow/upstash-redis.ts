/** Redis at Upstash, over HTTP. */
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { withoutTrailing } from '#contract/data/text.ts'
import { textOf } from '../../inputs/node-inputs.ts'
import type { StepContext } from '../types.ts'

const LIMITS = { timeoutMs: 15_000, maxBytes: 10_000_000 }

interface Account {
  url: unknown
  token: unknown
}

/** Returns what sends commands in one request. It throws an Error with Upstash's message. */
export function openUpstash({ url, token }: Account, { egress, signal }: Pick<StepContext, 'egress' | 'signal'>) {
  const base = withoutTrailing(textOf(url).trim(), '/')
  if (!base) throw new Error('Upstash Redis REST URL is empty')
  const headers = { Authorization: `Bearer ${textOf(token)}`, 'Content-Type': 'application/json' }
  return async (commands: string[][]): Promise<unknown[]> => {
    const request = { method: 'POST', headers, body: JSON.stringify(commands), signal }
    const response = await egress.fetch(`${base}/pipeline`, request, LIMITS)
    const answer = tryParseJson(await response.text())
    const results = Array.isArray(answer) ? answer.filter(isRecord) : []
    const failed = isRecord(answer) ? answer.error : results.find(({ error }) => error)?.error
    if (!response.ok || failed) throw new Error(`Upstash Redis: ${textOf(failed) || `status ${response.status}`}`)
    return results.map(({ result }) => result)
  }
}
