/** Decisions of people on questions of a run: who, when, and what was said. */
import * as z from 'zod'
import { type HumanAnswer, humanAnswerSchema, humanInputActionSchema } from './events.ts'

const toolCallRequestSchema = z.looseObject({ tool: z.string(), toolInput: z.unknown().optional() })

export const approvalSchema = z
  .object({
    path: z.string().describe('The step that asked'),
    nodeLabel: z.string(),
    mapping: humanInputActionSchema.shape.mapping,
    toolCalls: z.array(toolCallRequestSchema).nullable().describe('The tool calls in question, if any'),
    answer: humanAnswerSchema,
    at: z.string(),
  })
  .meta({ id: 'Approval' })

export type ToolCallRequest = z.infer<typeof toolCallRequestSchema>
export type Approval = z.infer<typeof approvalSchema>

/** Returns the approval as anonymous callers may see it: without names, what was said, and arguments of tools. */
export function outlineApproval({ answer, toolCalls, ...approval }: Approval): Approval {
  return { ...approval, toolCalls: toolCalls?.map(({ tool }) => ({ tool })) ?? null, answer: outlineAnswer(answer) }
}

/** Returns the answer as anonymous callers may see it: whether the team gave it, but not who of them. */
export function outlineAnswer({ type, by }: HumanAnswer): HumanAnswer {
  if (!by) return { type }
  const isTeam = by.kind === 'user' || by.kind === 'apiKey'
  return { type, by: { kind: isTeam ? 'team' : by.kind } }
}
