import { expect, it } from 'vitest'
import type { RunEvent } from '#contract/runs/events.ts'
import { hearAnswers, Voice } from './voice.ts'

const chatMessageId = 'm'
const data = (text: string) => ({ event: 'tts_data', data: { chatMessageId, audioChunk: btoa(text) } }) as const
const begin = { event: 'tts_start', data: { chatMessageId, format: 'mp3' } } as const
const end = { event: 'tts_end', data: { chatMessageId } } as const
const failed = { event: 'tts_error', data: { error: 'No voice' } } as const

const streamOf = (...events: RunEvent[]) =>
  new Response(events.map((event) => `event: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`).join(''), {
    headers: { 'content-type': 'text/event-stream' },
  })

/** Plays each sound until it is stopped. */
function recorded() {
  const played: string[] = []
  const voice = new Voice(async (sound, signal) => {
    const text = await sound.text()
    played.push(text)
    await new Promise<void>((resolve) => {
      if (signal.aborted || text === 'short') resolve()
      signal.addEventListener('abort', () => resolve())
    })
    played.push(`end of ${text}`)
  })
  return { voice, played }
}

it('gathers the sound of an answer among other events, and begins anew with the next', async () => {
  const { voice, played } = recorded()
  await voice.speak('m', async () =>
    streamOf(begin, data('lost'), begin, { event: 'token', data: 'x' }, data('sho'), data('rt'), end),
  )
  expect(played).toEqual(['short', 'end of short'])
  expect(voice.speaking).toBeUndefined()
})

it('the voice says why there is no sound', async () => {
  const { voice, played } = recorded()
  await expect(voice.speak('m', async () => streamOf(begin, failed))).rejects.toThrow('No voice')
  await expect(voice.speak('m', async () => streamOf(begin, data('short')))).rejects.toThrow('cut off')
  expect([played, voice.speaking]).toEqual([[], undefined])
})

it('speaks one answer at a time, and stops', async () => {
  const { voice, played } = recorded()
  const seen: (string | undefined)[] = []
  voice.subscribe(() => seen.push(voice.speaking))
  const first = voice.say('one', async () => new Blob(['first']))
  await expect.poll(() => played).toEqual(['first'])
  const second = voice.say('two', async () => new Blob(['second']))
  await first
  expect(voice.speaking).toBe('two')
  await expect.poll(() => played).toContain('second')
  voice.stop()
  await second
  expect(seen).toEqual(['one', 'two', undefined, undefined])
  expect(played).toEqual(['first', 'end of first', 'second', 'end of second'])
})

it('plays nothing that was stopped while its sound was on the way', async () => {
  const { voice, played } = recorded()
  await voice.speak('m', async () => {
    voice.stop()
    return streamOf(begin, end)
  })
  await voice.speak('m', async (_, signal) => {
    voice.stop()
    throw signal.reason
  })
  expect(played).toEqual([])
})

it('plays answers that come with their sound, and reports those that have none', async () => {
  const { voice, played } = recorded()
  const reported: unknown[] = []
  const hear = hearAnswers((error) => reported.push(error), voice)
  for (const event of [begin, data('short'), end, begin, failed]) hear(event)
  await expect.poll(() => played).toEqual(['short', 'end of short'])
  expect(reported).toEqual([new Error('No voice')])
})
