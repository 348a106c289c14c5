/** Compiled plans, kept per isolate: a warm run parses nothing. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { type Catalogue, compile, type Plan } from './plan.ts'

const KEPT = 64

export class Plans {
  readonly #catalogue: Catalogue
  /** Oldest use first. */
  readonly #plans = new Map<string, Plan>()

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  /** @param key names the flow and its version: the same key always means the same document */
  get(key: string, flow: FlowDocument): Plan {
    const plan = this.#plans.get(key) ?? compile(flow, this.#catalogue)
    this.#plans.delete(key)
    this.#plans.set(key, plan)
    const [oldest] = this.#plans.keys()
    if (this.#plans.size > KEPT && oldest !== undefined) this.#plans.delete(oldest)
    return plan
  }
}
