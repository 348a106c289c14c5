import { callModel } from '../../../llm/model-call.ts'
import type { StepContext } from '../../types.ts'
import type { ModelComponent } from '../component-types.ts'

/** Returns what the model says to one message. It is not part of the chat. */
export async function askForText({ open }: ModelComponent, content: string, context: StepContext): Promise<string> {
  const { text } = await callModel({ open, messages: [{ role: 'user', content }], speak: false }, context)
  return text
}
