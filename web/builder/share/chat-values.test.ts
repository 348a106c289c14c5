// @defends look-owner-chose
import { expect, it } from 'vitest'
import { readChatbotSettings } from '#contract/chatflows/chatbot-config.ts'
import { readFollowUpModel } from '#contract/runs/follow-up-prompts.ts'
import { chatProblems, flowiseTheme, readChatValues, withChatValues } from './chat-values.ts'

const PNG = 'data:image/png;base64,iVBORw0KGgo='
const LOOK = {
  colors: {
    ...{ title: '#112233', titleText: '#ffffff', answer: '#ffffff', answerText: '#111111' },
    ...{ question: '#000000', questionText: '#eeeeee', page: '#eeeeee', footerText: '#333333' },
  },
  avatars: { title: PNG, answer: 'https://shop.example/bot.png', question: PNG },
  footer: 'By us',
  company: 'Shop',
  companyLink: 'https://shop.example/',
}

const none = { chatbotConfig: null, followUpPrompts: null }

it('a flow without settings is shown with everything off, and saving it switches nothing on', () => {
  const values = readChatValues(none)
  expect(values).toMatchObject({ title: '', feedback: false, leads: { on: false }, followUps: { on: false } })
  const saved = withChatValues(none, values)
  expect(readChatbotSettings(saved.chatbotConfig)).toEqual(readChatbotSettings(null))
  expect(readFollowUpModel(saved.followUpPrompts)).toBeUndefined()
})

it('what a person chooses is what the worker reads, and what the panel shows again', () => {
  const values = {
    ...readChatValues(none),
    title: 'Help',
    welcome: 'Hi',
    ...LOOK,
    starters: 'One?\nTwo?',
    feedback: true,
    files: true,
    fetchUrls: true,
    leads: { on: true, title: 'Who?', name: true, email: false, phone: true, thanks: 'Thanks' },
    followUps: { on: true, model: 'chatOpenAI', config: { modelName: 'm', FLOWISE_CREDENTIAL_ID: 'c' }, prompt: 'p' },
    processing: { on: true, code: 'return "x"' },
  }
  const saved = withChatValues({ chatbotConfig: '{"allowedOrigins":["a.example"]}', followUpPrompts: null }, values)
  expect(readChatValues(saved)).toEqual(values)
  expect(JSON.parse(saved.chatbotConfig as string)).toMatchObject({ allowedOrigins: ['a.example'] })
})

it('says what is missing', () => {
  const values = readChatValues(none)
  expect(Object.values(chatProblems(values)).every((problem) => problem === false)).toBe(true)
  const wrong = {
    ...values,
    avatars: { ...values.avatars, answer: 'http://shop.example/bot.png' },
    companyLink: 'https://shop.example',
    leads: { ...values.leads, on: true },
    followUps: { ...values.followUps, on: true },
    processing: { on: true, code: ' ' },
  }
  expect(Object.values(chatProblems(wrong)).every((problem) => typeof problem === 'string')).toBe(true)
})

it.each([
  'javascript:alert(1)',
  'data:text/html;base64,PHNjcmlwdD4=',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'https://shop.example/"><script>',
])('accepts neither %s as a picture nor as a link', (address) => {
  const values = readChatValues(none)
  const pictures = { ...values.avatars, question: address }
  expect(chatProblems({ ...values, avatars: pictures }).avatars).toContain('https://')
  expect(chatProblems({ ...values, company: 'Shop', companyLink: address }).companyLink).toContain('https://')
  const saved = withChatValues(none, { ...values, avatars: pictures, companyLink: address })
  expect(JSON.stringify(readChatbotSettings(saved.chatbotConfig))).not.toContain(address)
})

it('tells Flowise’s widget the look under its own names', () => {
  const chatbotConfig = JSON.stringify({ button: { backgroundColor: '#123456' }, textInput: { placeholder: 'Ask' } })
  expect(flowiseTheme({ chatbotConfig }, { ...readChatValues(none), ...LOOK, title: 'Help' })).toMatchObject({
    button: { backgroundColor: '#123456' },
    chatWindow: {
      title: 'Help',
      titleAvatarSrc: PNG,
      titleTextColor: '#ffffff',
      backgroundColor: '#eeeeee',
      textInput: { placeholder: 'Ask' },
      botMessage: { textColor: '#111111', showAvatar: true, avatarSrc: 'https://shop.example/bot.png' },
      userMessage: { backgroundColor: '#000000', textColor: '#eeeeee', showAvatar: true, avatarSrc: PNG },
      footer: {
        showFooter: true,
        textColor: '#333333',
        text: 'By us',
        company: 'Shop',
        companyLink: 'https://shop.example/',
      },
    },
  })
})

it('has Flowise’s widget name nobody but the company', () => {
  const footerOf = (footer: object) =>
    flowiseTheme(
      { chatbotConfig: JSON.stringify({ footer }) },
      readChatValues({ ...none, chatbotConfig: JSON.stringify({ footer }) }),
    )
  expect(footerOf({})).toMatchObject({ chatWindow: { footer: { showFooter: false } } })
  expect(footerOf({ text: 'By us' })).toMatchObject({ chatWindow: { footer: { showFooter: true, company: '' } } })
})
