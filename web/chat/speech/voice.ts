/** Speaks answers: their sound comes in the events of a stream, and a page has one voice. */
import type { RunEvent } from '#contract/runs/events.ts'
import { readRunEvents } from '../events.ts'

/** Asks the server to speak a message. Rejects with a text for people. */
export type AskForSound = (messageId: string, signal: AbortSignal) => Promise<Response>

/** Speaks one message at a time: the next one ends the last. */
export class Voice {
  /** The message that is being spoken, or whose sound is on its way. */
  speaking: string | undefined
  private player = new AbortController()
  private readonly listeners = new Set<() => void>()
  private readonly play: typeof playSound

  /** @param play replaced by tests, which hear nothing */
  constructor(play: typeof playSound = playSound) {
    this.play = play
  }

  /** Returns the function that ends the subscription. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  /** Resolves when the message was spoken or stopped. Rejects with a text for people. */
  async say(messageId: string, load: (signal: AbortSignal) => Promise<Blob>): Promise<void> {
    this.player.abort()
    const player = new AbortController()
    this.player = player
    this.set(messageId)
    try {
      const sound = await load(player.signal)
      if (!player.signal.aborted) await this.play(sound, player.signal)
    } catch (error) {
      if (!player.signal.aborted) throw error
    } finally {
      if (this.player === player) this.set(undefined)
    }
  }

  /** Asks for the sound of a message and plays it, as `say`. */
  speak(messageId: string, ask: AskForSound): Promise<void> {
    return this.say(messageId, async (signal) => readSound(await ask(messageId, signal)))
  }

  stop(): void {
    this.player.abort()
    this.set(undefined)
  }

  private set(messageId: string | undefined): void {
    this.speaking = messageId
    for (const listener of this.listeners) listener()
  }
}

/** The voice of this page. */
export const voice = new Voice()

/** Returns a listener to the events of runs, which plays the answers that come with their sound. */
export function hearAnswers(report: (error: unknown) => void, speaker = voice): (event: RunEvent) => void {
  const sound = collectSound()
  return (event) => {
    try {
      sound.add(event)
      if (event.event !== 'tts_end') return
      const spoken = sound.take()
      void speaker.say(event.data.chatMessageId, async () => spoken).catch(report)
    } catch (error) {
      report(error)
    }
  }
}

/** Throws when the stream ends before its sound is complete. */
async function readSound(response: Response): Promise<Blob> {
  const sound = collectSound()
  for await (const event of readRunEvents(response)) if (sound.add(event)) return sound.take()
  throw new Error('The audio of this answer was cut off. Try again.')
}

/** Gathers the sound in the events of a stream. */
function collectSound() {
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

/** Resolves when the sound has ended, or the signal ended it. Rejects with a text for people. */
async function playSound(sound: Blob, signal: AbortSignal): Promise<void> {
  const url = URL.createObjectURL(sound)
  const audio = new Audio(url)
  try {
    await new Promise<void>((resolve, reject) => {
      audio.onended = () => resolve()
      audio.onerror = () => reject(new Error('This browser can’t play the audio.'))
      signal.addEventListener('abort', () => resolve())
      audio.play().catch((error: Error) => reject(error.name === 'NotAllowedError' ? new Error(SILENT) : error))
    })
  } finally {
    audio.pause()
    URL.revokeObjectURL(url)
  }
}

const SILENT = 'The browser did not let this page play sound. Use the button below the answer.'

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
