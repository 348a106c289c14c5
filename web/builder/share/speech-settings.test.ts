import { expect, it } from 'vitest'
import { speechOf, speechSettingsOf, withSettings } from './speech-settings.ts'

const off = { speechToText: null, textToSpeech: null }

it('a flow without speech stays without', () => {
  expect(speechOf(off)).toEqual({ hearing: { provider: '', settings: {} }, speaking: { provider: '', settings: {} } })
  expect(speechSettingsOf(speechOf(off))).toEqual(off)
})

it('a provider is switched on in the shape of Flowise, and those that are off keep their settings', () => {
  const stored = { ...off, textToSpeech: '{"elevenlabs":{"status":true,"voice":"v"},"other":1}' }
  const { hearing, speaking } = speechOf(stored)
  expect(speaking.provider).toBe('elevenlabs')
  const changed = withSettings({ ...speaking, provider: 'openai' }, { credentialId: 'c', autoPlay: true })
  const { speechToText, textToSpeech } = speechSettingsOf({ hearing, speaking: changed })
  expect(speechToText).toBeNull()
  expect(JSON.parse(textToSpeech ?? '')).toEqual({
    elevenlabs: { status: false, voice: 'v' },
    openai: { status: true, credentialId: 'c', autoPlay: true },
  })
})

it('switching off keeps the settings', () => {
  const { hearing, speaking } = speechOf({ ...off, speechToText: '{"groqWhisper":{"status":true,"language":"de"}}' })
  const { speechToText } = speechSettingsOf({ hearing: { ...hearing, provider: '' }, speaking })
  expect(JSON.parse(speechToText ?? '')).toEqual({ groqWhisper: { status: false, language: 'de' } })
})

it('settings that are no JSON are no speech', () => {
  expect(speechOf({ speechToText: 'x', textToSpeech: '[1]' }).speaking.provider).toBe('')
})
