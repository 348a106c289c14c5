import type { Network } from '../pipeline.ts'

/** A fault that a request meets. One that has `arrived` happens after the database has done the request. */
export type Fault =
  | { status: number; body: string; type?: string; arrived?: boolean }
  | 'connection lost before it arrived'
  | 'answer lost'
  | 'answer broken'

export interface FaultyNetwork extends Network {
  /** The next requests meet these faults, one each; those after them pass. */
  fail(...faults: Fault[]): void
  /** Requests that were sent, those with faults included. */
  sent(): number
}

/** A network on which requests meet faults. */
export function openFaultyNetwork(): FaultyNetwork {
  let faults: Fault[] = []
  let sent = 0
  return {
    fail(...next) {
      faults = next
    },
    sent: () => sent,
    async fetch(address, init) {
      sent++
      const fault = faults.shift()
      if (fault === 'connection lost before it arrived') throw new TypeError('Network connection lost.')
      if (typeof fault === 'object' && !fault.arrived) return answerWith(fault)
      const response = await globalThis.fetch(address, init)
      if (!fault) return response
      const text = await response.text()
      if (fault === 'answer lost') throw new TypeError('Network connection lost.')
      return fault === 'answer broken' ? new Response(text.slice(0, text.length / 2)) : answerWith(fault)
    },
  }
}

const answerWith = ({ status, body, type = 'text/html' }: Exclude<Fault, string>) =>
  new Response(body, { status, headers: { 'content-type': type } })
