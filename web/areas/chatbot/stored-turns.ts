/**
 * An anonymous caller's conversation as the browser keeps it, since the server shows no messages to anonymous callers.
 * Pure.
 */
import type { Answer, StoredMessage, Turn } from '../../chat/conversation.ts'

/** More are not kept. */
const MAX_TURNS = 50
/** Maximum characters of one message's files beside its text. */
const MAX_ARTIFACT_CHARACTERS = 200_000

type ExecutionState = 'FINISHED' | 'STOPPED' | 'TERMINATED' | 'ERROR'
type ChatOf = { chatflowid: string; chatId: string }

/** Returns the newest turns as messages, which `toTurns` reads. */
export function storedMessages(turns: readonly Turn[], chat: ChatOf): StoredMessage[] {
  return turns.slice(-MAX_TURNS).flatMap((turn) => {
    const { answer } = turn
    const executionId = answer.executionId ?? turn.id
    const execution = {
      id: executionId,
      state: stateOf(answer),
      error: answer.error ?? null,
      form: turn.form ?? null,
      stepCount: 0,
    } as unknown as NonNullable<StoredMessage['execution']>
    const asked: StoredMessage = {
      id: turn.id,
      role: 'userMessage',
      content: turn.question,
      executionId,
      execution,
      ...chat,
      fileUploads: (turn.files ?? []).map(({ upload: { name, mime } }) => ({
        ...{ type: 'stored-file', id: name, name },
        mime: mime ?? '',
      })),
    }
    if (!answer.messageId) return [asked]
    const { text, action, sources, artifacts, opinion, followUps } = answer
    const fits = JSON.stringify(artifacts).length <= MAX_ARTIFACT_CHARACTERS
    const said = {
      id: answer.messageId,
      role: 'apiMessage',
      content: text,
      executionId,
      execution,
      action: action ?? null,
      sourceDocuments: sources,
      artifacts: fits ? artifacts : [],
      feedback: opinion ?? null,
      followUpPrompts: followUps ? JSON.stringify(followUps) : null,
    } as unknown as StoredMessage
    return [asked, said]
  })
}

/** An answer that the page did not see to its end counts as failed: it can be asked for again. */
function stateOf({ state }: Answer): ExecutionState {
  if (state === 'done') return 'FINISHED'
  if (state === 'waiting') return 'STOPPED'
  return state === 'stopped' ? 'TERMINATED' : 'ERROR'
}
