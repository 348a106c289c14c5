/** Plays spoken answers. */
import type { RunEvent } from '#contract/runs/events.ts'
import { api } from '../../api/client.ts'
import { readRunEvents } from '../events.ts'

export interface SpokenAnswer {
  chatflowId: string
  chatId: string
  chatMessageId: string
}

/** Resolves when the answer was played, or the signal aborted it. Rejects with a text for people. */
export async function playAnswer(answer: SpokenAnswer, signal: AbortSignal): Promise<void> {
  const response = await api.stream('/text-to-speech/generate', answer, signal)
  const sound = collectSound()
  for await (const event of readRunEvents(response)) sound.add(event)
  if (!signal.aborted) await playSound(sound.take(), signal)
}

/** Gathers the sound in the events of a stream. */
export function collectSound() {
  let chunks: Uint8Array<ArrayBuffer>[] = []
  return {
    /** Returns true when the sound is complete. Throws when it could not be made. */
    add(event: RunEvent): boolean {
      if (event.event === 'tts_start') chunks = []
      if (event.event === 'tts_data') chunks.push(bytesOf(event.data.audioChunk))
      if (event.event === 'tts_error') throw new Error(event.data.error)
      return event.event === 'tts_end'
    },
    take: (): Blob => new Blob(chunks.splice(0), { type: 'audio/mpeg' }),
  }
}

/** Resolves when the sound has ended, or the signal ended it. */
export async function playSound(sound: Blob, signal: AbortSignal): Promise<void> {
  const url = URL.createObjectURL(sound)
  const audio = new Audio(url)
  try {
    await new Promise<void>((resolve, reject) => {
      audio.onended = () => resolve()
      audio.onerror = () => reject(new Error('This browser can’t play the sound.'))
      signal.addEventListener('abort', () => resolve())
      audio.play().catch(reject)
    })
  } finally {
    audio.pause()
    URL.revokeObjectURL(url)
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
