/** Writes the instructions of an assistant with the model that was chosen for it. */
import { errorMessage, HeddleError } from '#contract/errors.ts'
import type { OpenChosen } from '../../components/chosen-model.ts'
import { callModel } from '../../llm/model-call.ts'
import type { Clock } from '../../ports/types.ts'

const INSTRUCTIONS = `You write the instructions (the system message) of an AI assistant.
The user says what the assistant should do. Answer with the finished instructions and nothing else: no heading, no comment, no code fence.
- Address the assistant as "you". Begin with its role and its goal.
- Then say, in short sections or lists, how it works, what its answers look like, and what it must not do.
- Say what to do when it does not know, and when a request is outside its task.
- Write in the language of the task. Keep it under 500 words.`

/** Throws `unprocessable` with the provider's message when the model cannot be asked. */
export async function writeInstruction(
  { open, withoutSecrets, task }: OpenChosen & { task: string },
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<{ content: string }> {
  const messages = [
    { role: 'system' as const, content: INSTRUCTIONS },
    { role: 'user' as const, content: task },
  ]
  try {
    const { text } = await withoutSecrets(() =>
      callModel({ open, messages, speak: false }, { signal, clock, emit() {}, charge() {} }),
    )
    return { content: text.trim() }
  } catch (error) {
    throw new HeddleError('unprocessable', `The model could not be asked: ${errorMessage(error)}`)
  }
}
