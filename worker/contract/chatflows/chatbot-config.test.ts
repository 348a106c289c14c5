import { describe, expect, it } from 'vitest'
import { MAX_STARTER_PROMPTS, publicChatbotSettingsSchema, readChatbotSettings } from './chatbot-config.ts'

const read = (settings: unknown) => readChatbotSettings(JSON.stringify(settings))

describe('readChatbotSettings', () => {
  it.each([null, '', 'null', '[]', '"text"', '{', '{}'])('returns the defaults for %s', (text) => {
    expect(readChatbotSettings(text)).toMatchObject({
      starterPrompts: [],
      chatFeedback: { status: false },
      leads: { status: false, name: false },
      postProcessing: { enabled: false, customFunction: '' },
      showAgentMessages: true,
      footer: { showFooter: true },
    })
  })

  it('reads what Flowise writes', () => {
    const settings = read({
      title: ' Help desk ',
      titleBackgroundColor: '#3B81F6',
      fontSize: '16',
      botMessage: { showAvatar: true, backgroundColor: '#f7f8ff', avatarSrc: 'https://a.example/bot.png' },
      textInput: { placeholder: 'Ask', sendButtonColor: '#fff' },
      starterPrompts: { 0: { prompt: 'Hours?' }, 1: { prompt: '' }, 2: { prompt: 'Prices?' } },
      leads: { status: true, title: 'Who are you?', email: true },
      postProcessing: { enabled: true, customFunction: '"return $flow.rawOutput"' },
      overrideConfig: { generateNewSession: true },
    })
    expect(settings).toMatchObject({
      title: 'Help desk',
      titleBackgroundColor: '#3B81F6',
      fontSize: 16,
      botMessage: { showAvatar: true, backgroundColor: '#f7f8ff', avatarSrc: 'https://a.example/bot.png' },
      textInput: { placeholder: 'Ask', sendButtonColor: '#fff' },
      starterPrompts: ['Hours?', 'Prices?'],
      leads: { status: true, title: 'Who are you?', name: false, email: true, phone: false },
      postProcessing: { enabled: true, customFunction: 'return $flow.rawOutput' },
      overrideConfig: { generateNewSession: true },
    })
  })

  it.each([
    ['titleBackgroundColor', 'red;background:url(//a.example)'],
    ['titleAvatarSrc', 'javascript:alert(1)'],
    ['titleAvatarSrc', 'data:text/html;base64,AAAA'],
    ['titleAvatarSrc', `data:image/png;base64,${'A'.repeat(100_001)}`],
    ['fontSize', 500],
    ['title', 7],
  ])('takes no %s that is %s', (name, value) => {
    expect(read({ [name]: value })).not.toHaveProperty(name, expect.anything())
  })

  it('takes only web addresses as the link of the footer', () => {
    expect(read({ footer: { companyLink: 'javascript:alert(1)', text: 'By' } }).footer).toEqual({
      showFooter: true,
      text: 'By',
    })
  })

  it('keeps the first starter prompts of too many', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [index, { prompt: `${index}` }]))
    expect(read({ starterPrompts: many }).starterPrompts).toEqual(
      Array.from({ length: MAX_STARTER_PROMPTS }, (_, index) => `${index}`),
    )
  })

  it('reads code that is a JSON text itself, and code that is not', () => {
    const codeOf = (customFunction: string) =>
      read({ postProcessing: { enabled: true, customFunction } }).postProcessing
    expect(codeOf('return 1').customFunction).toBe('return 1')
    expect(codeOf('"return 1"').customFunction).toBe('return 1')
  })

  it('shows nothing more than its schema says', () => {
    expect(publicChatbotSettingsSchema.parse({ ...read({}), starterPrompts: {} })).not.toHaveProperty('postProcessing')
  })
})
