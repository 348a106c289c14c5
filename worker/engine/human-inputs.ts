/** What the steps of a run ask of people, and what those answered. */
import type { HumanAnswer, HumanInputAction, HumanInputQuestion } from '#contract/events.ts'
import { dataOf, meaningOf } from './log-rows.ts'
import type { PlanNode } from './plan.ts'
import type { StepRow } from './types.ts'

interface Question {
  /** How often the step has asked. */
  asked: number
  action: HumanInputAction
  content: string
  kept: unknown
  answer?: HumanAnswer
}

export class HumanInputs {
  readonly #executionId: string
  readonly #byPath = new Map<string, Question>()

  constructor(executionId: string) {
    this.#executionId = executionId
  }

  /** Takes in a row of the log; most are no question. */
  take(row: StepRow): void {
    const meaning = meaningOf(row)
    const { output, kept, answer } = dataOf(row)
    const open = this.#byPath.get(row.path)
    if (meaning === 'answered' && open) open.answer = answer
    if (meaning !== 'waiting' || !output?.humanInputAction) return
    const content = output.content ?? ''
    this.#byPath.set(row.path, { asked: (open?.asked ?? 0) + 1, action: output.humanInputAction, content, kept })
  }

  /** The question that a step asks now; its row is taken in as any other. */
  ask({ node, path }: { node: PlanNode; path: string }, input: HumanInputQuestion): HumanInputAction {
    return {
      id: `${this.#executionId}:${path}:${this.#byPath.get(path)?.asked ?? 0}`,
      mapping: { approve: 'Proceed', reject: 'Reject' },
      elements: [
        { type: 'agentflowv2-approve-button', label: 'Proceed' },
        { type: 'agentflowv2-reject-button', label: 'Reject' },
      ],
      data: { nodeId: node.id, nodeLabel: node.label, path, input },
    }
  }

  answered(path: string): { answer: HumanAnswer; kept: unknown } | undefined {
    const question = this.#byPath.get(path)
    return question?.answer && { answer: question.answer, kept: question.kept }
  }

  /** The step's question in words, and as clients show it. */
  at(path: string | undefined): { action: HumanInputAction; content: string } | undefined {
    return path === undefined ? undefined : this.#byPath.get(path)
  }
}
