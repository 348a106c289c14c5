/** A template as it is written; `draw-template.ts` makes a flow of it. */

import type { Drawing } from '#contract/flow/document/draw.ts'
import type { FlowType } from '#contract/flow/flow-types.ts'

export interface Template extends Drawing {
  /** The type of the flow that it makes. Defaults to an agent flow. */
  type?: FlowType
  /** Never changes: links and stored answers name it. */
  id: string
  name: string
  /** One sentence about what the flow does, for its card. */
  description: string
  usecases: readonly UseCase[]
  /** Marks a template to begin with. */
  isStarter?: true
  /** Shown on the canvas: what to change before real use. */
  note: string
  sample: Sample
}

const USE_CASES = [
  'Agents',
  'Content',
  'Customer support',
  'Data',
  'Documents',
  'Engineering',
  'Operations',
  'Research',
  'Sales',
] as const

type UseCase = (typeof USE_CASES)[number]

/** The input that starts the flow for a first look. */
export type Sample =
  | { question: string }
  | { form: Readonly<Record<string, string | number | boolean>> }
  | { webhook: Readonly<Record<string, unknown>> }
  | { schedule: true }
