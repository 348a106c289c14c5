/** Caches compiled plans per isolate. */
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { Catalogue, Compile, Plan } from './plan.ts'

const MAX_PLANS = 64

export class Plans {
  readonly #catalogue: Catalogue
  /** Least recently used first. */
  readonly #plans = new Map<string, Plan>()

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue
  }

  /** @param key identifies the flow and its version; one key always means the same document */
  get(key: string, flow: FlowDocument, compile: Compile): Plan {
    const plan = this.#plans.get(key) ?? compile(flow, this.#catalogue)
    this.#plans.delete(key)
    this.#plans.set(key, plan)
    const [oldest] = this.#plans.keys()
    if (this.#plans.size > MAX_PLANS && oldest !== undefined) this.#plans.delete(oldest)
    return plan
  }
}
