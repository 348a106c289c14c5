/** The questions of a run to people, and their answers. */

import { approversOf } from '#contract/runs/approvers.ts'
import type { HumanAnswer, HumanInputAction, HumanInputQuestion } from '#contract/runs/events.ts'
import { dataOf, meaningOf } from './log-rows.ts'
import type { PlanNode } from './plan.ts'
import type { StepRow } from './types.ts'

/** Flowise's clients draw these for the caller. */
const BUTTONS: HumanInputAction['elements'] = [
  { type: 'agentflowv2-approve-button', label: 'Proceed' },
  { type: 'agentflowv2-reject-button', label: 'Reject' },
]

interface Question {
  /** Number of questions that the step has asked. */
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

  /** Updates questions and answers from a row of the log. */
  take(row: StepRow): void {
    const meaning = meaningOf(row)
    const { output, kept, answer } = dataOf(row)
    const open = this.#byPath.get(row.path)
    if (meaning === 'answered' && open) open.answer = answer
    if (meaning !== 'waiting' || !output?.humanInputAction) return
    const content = output.content ?? ''
    this.#byPath.set(row.path, { asked: (open?.asked ?? 0) + 1, action: output.humanInputAction, content, kept })
  }

  /** Returns the action for a step's new question. The question is registered when its row is added. */
  ask({ node, path }: { node: PlanNode; path: string }, input: HumanInputQuestion): HumanInputAction {
    return {
      id: `${this.#executionId}:${path}:${this.#byPath.get(path)?.asked ?? 0}`,
      mapping: { approve: 'Proceed', reject: 'Reject' },
      elements: approversOf(input).kind === 'caller' ? BUTTONS : [],
      data: { nodeId: node.id, nodeLabel: node.label, path, input },
    }
  }

  answered(path: string): { answer: HumanAnswer; kept: unknown } | undefined {
    const question = this.#byPath.get(path)
    return question?.answer && { answer: question.answer, kept: question.kept }
  }

  /** Returns the step's question as text and as an action for clients. */
  at(path: string | undefined): { action: HumanInputAction; content: string } | undefined {
    return path === undefined ? undefined : this.#byPath.get(path)
  }
}
