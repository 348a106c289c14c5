import { expect, it } from 'vitest'
import { readChatbotSettings } from '#contract/chatbot-config.ts'
import { readFollowUpModel } from '#contract/runs/follow-up-prompts.ts'
import { chatProblems, chatValuesOf, withChatValues } from './chat-values.ts'

const none = { chatbotConfig: null, followUpPrompts: null }

it('a flow without settings is shown with everything off, and saving it switches nothing on', () => {
  const values = chatValuesOf(none)
  expect(values).toMatchObject({ title: '', feedback: false, leads: { on: false }, followUps: { on: false } })
  const saved = withChatValues(none, values)
  expect(readChatbotSettings(saved.chatbotConfig)).toEqual(readChatbotSettings(null))
  expect(readFollowUpModel(saved.followUpPrompts)).toBeUndefined()
})

it('what a person chooses is what the worker reads, and what the panel shows again', () => {
  const values = {
    ...chatValuesOf(none),
    title: 'Help',
    welcome: 'Hi',
    colors: { title: '#112233', answer: '#ffffff', question: '#000000', page: '#eeeeee' },
    footer: 'By us',
    starters: 'One?\nTwo?',
    feedback: true,
    files: true,
    leads: { on: true, title: 'Who?', name: true, email: false, phone: true, thanks: 'Thanks' },
    followUps: { on: true, model: 'chatOpenAI', config: { modelName: 'm', FLOWISE_CREDENTIAL_ID: 'c' }, prompt: 'p' },
    processing: { on: true, code: 'return "x"' },
  }
  const saved = withChatValues({ chatbotConfig: '{"allowedOrigins":["a.example"]}', followUpPrompts: null }, values)
  expect(chatValuesOf(saved)).toEqual(values)
  expect(JSON.parse(saved.chatbotConfig as string)).toMatchObject({ allowedOrigins: ['a.example'] })
})

it('says what is missing', () => {
  const values = chatValuesOf(none)
  expect(Object.values(chatProblems(values)).every((problem) => problem === false)).toBe(true)
  const wrong = {
    ...values,
    leads: { ...values.leads, on: true },
    followUps: { ...values.followUps, on: true },
    processing: { on: true, code: ' ' },
  }
  expect(Object.values(chatProblems(wrong)).every((problem) => typeof problem === 'string')).toBe(true)
})
