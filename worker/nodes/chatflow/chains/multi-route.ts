/** Lets a model choose which of several ways a question is answered. */
import type { UsageMetadata } from '#contract/runs/events.ts'
import { callWithMetadata } from '../../../llm/structured-call.ts'
import { readStructured } from '../../../llm/structured-output.ts'
import type { StepContext } from '../../types.ts'
import type { ModelComponent, RouteComponent } from '../component-types.ts'

const NONE = 'none of these'

const INSTRUCTIONS = `Choose who answers the question: the one whose description fits best. Where nobody fits, choose "${NONE}". Write the question in its own words; change it only where that helps whoever answers it.`

interface Choice {
  /** Undefined: no description fits. */
  route: RouteComponent | undefined
  question: string
  usage: UsageMetadata
}

export async function chooseRoute(
  { model, routes, question }: { model: ModelComponent; routes: readonly RouteComponent[]; question: string },
  context: StepContext,
): Promise<Choice> {
  const schema = {
    type: 'object',
    properties: {
      destination: { type: 'string', enum: [...new Set([...routes.map(({ name }) => name), NONE])] },
      question: { type: 'string' },
    },
    required: ['destination', 'question'],
    additionalProperties: false,
  }
  const listed = routes.map(({ name, description }) => `${name}: ${description}`).join('\n')
  const { value, usage } = await callWithMetadata(
    {
      open: model.open,
      messages: [
        { role: 'system', content: `${INSTRUCTIONS}\n\n${listed}` },
        { role: 'user', content: question },
      ],
      schema,
    },
    { failure: 'The model could not choose who answers', read: (said) => readStructured(said, schema) },
    context,
  )
  const asked = typeof value.question === 'string' && value.question.trim() !== '' ? value.question : question
  return { route: routes.find(({ name }) => name === value.destination), question: asked, usage }
}
