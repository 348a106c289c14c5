/** What is being spoken in this isolate, so that a listener can stop it. */

export interface SpokenMessage {
  chatflowId: string
  chatId: string
  chatMessageId: string
}

const active = new Map<string, AbortController>()

const nameOf = ({ chatflowId, chatId, chatMessageId }: SpokenMessage) =>
  JSON.stringify([chatflowId, chatId, chatMessageId])

/** Runs `speak` with a signal that `stopSpeaking` aborts. A second speaker of the same answer stops the first. */
export async function whileSpeaking(
  spoken: SpokenMessage,
  speak: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const name = nameOf(spoken)
  const controller = new AbortController()
  active.get(name)?.abort()
  active.set(name, controller)
  try {
    await speak(controller.signal)
  } finally {
    if (active.get(name) === controller) active.delete(name)
  }
}

export const stopSpeaking = (spoken: SpokenMessage): void => active.get(nameOf(spoken))?.abort()
