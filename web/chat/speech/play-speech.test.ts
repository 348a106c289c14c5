import { expect, it } from 'vitest'
import { collectSound } from './play-speech.ts'

const chatMessageId = 'm'
const data = (text: string) => ({ event: 'tts_data', data: { chatMessageId, audioChunk: btoa(text) } }) as const
const begin = { event: 'tts_start', data: { chatMessageId, format: 'mp3' } } as const
const end = { event: 'tts_end', data: { chatMessageId } } as const

it('gathers the sound of an answer among other events, and begins anew with the next', async () => {
  const sound = collectSound()
  const added = [begin, { event: 'token', data: 'x' } as const, data('ID3 '), data('one'), end].map(sound.add)
  expect(added).toEqual([false, false, false, false, true])
  expect(await sound.take().text()).toBe('ID3 one')
  for (const event of [begin, data('lost'), begin, data('two')]) sound.add(event)
  expect(await sound.take().text()).toBe('two')
})

it('says why there is no sound', () => {
  expect(() => collectSound().add({ event: 'tts_error', data: { error: 'No voice' } })).toThrow('No voice')
})
