import { expect, expectWords, page, refusal, role, story, stream, text, userEvent } from '../workshop/story.tsx'
import { HeddleChat } from './react.tsx'

const config = { title: 'Support', welcomeMessage: 'Hello! **How** can I help?', chatFeedback: { status: true } }

const chat = (more: object = {}) => (
  <div style={{ height: 500 }}>
    <HeddleChat flow="flow-1" theme="light" {...more} />
  </div>
)

const answered = (words: string, ...more: object[]) =>
  stream(
    ...words.split(/(?<= )/).map((data) => ({ event: 'token', data })),
    ...more,
    { event: 'metadata', data: { chatId: 'c', chatMessageId: 'm1' } },
    { event: 'end', data: '[DONE]' },
  )

const ask = async (question: string) => {
  await role('textbox', 'Your message').fill(question)
  await userEvent.keyboard('{Enter}')
}

story(
  'a visitor reads the welcome, asks, and hears the answer come',
  () => chat(),
  async ({ sent }) => {
    await expectWords(role('log', 'Messages'), 'Hello! How can I help?')
    await ask('  Where is my order?  ')
    await expectWords(role('log', 'Messages'), 'You: Where is my order?')
    await expectWords(role('log', 'Messages'), 'On its way to you')
    const { body } = sent.find(({ call }) => call === 'POST /prediction/flow-1') as { body: object }
    expect(body).toMatchObject({ question: 'Where is my order?', streaming: true })
    await expect.element(role('textbox', 'Your message')).toHaveValue('')
    const host = document.querySelector('[data-heddle]')
    expect(host?.shadowRoot?.activeElement).toHaveAttribute('aria-label', 'Your message')
  },
  { answers: { 'GET /public-chatbotConfig/*': config, 'POST /prediction/*': answered('On its way to you') } },
)

story(
  'a bubble takes its name from settings that came before it listened',
  () => chat({ mode: 'bubble' }),
  async () => {
    await role('button', 'Open chat').click()
    await expect.element(role('dialog', 'Support')).toBeVisible()
  },
  { answers: { 'GET /public-chatbotConfig/*': config } },
)

story(
  'a chat that does not exist says so, and can be tried again',
  () => chat(),
  async ({ sent }) => {
    await expectWords(role('alert'), 'This chat does not exist any more.')
    await role('button', 'Try again').click()
    await expect.poll(() => sent.length).toBe(2)
  },
  {
    answers: { 'GET /public-chatbotConfig/*': refusal(404, 'Chatflow flow-1 not found') },
    complains: /There is no flow flow-1/,
  },
)

story(
  'a failed answer shows the words of the owner, and is asked again',
  () => chat(),
  async ({ sent }) => {
    await ask('Hello')
    await expect.element(text('Please call us.')).toBeVisible()
    await role('button', 'Try again').click()
    await expect.poll(() => sent.filter(({ call }) => call.startsWith('POST /prediction'))).toHaveLength(2)
  },
  {
    answers: {
      'GET /public-chatbotConfig/*': { ...config, errorMessage: 'Please call us.' },
      'POST /prediction/*': stream({ event: 'error', data: 'No credential' }, { event: 'end', data: '[DONE]' }),
    },
  },
)

story(
  'an answer is rated, and a bad one asks what could be better',
  () => chat(),
  async ({ sent }) => {
    await ask('Hello')
    await role('button', 'Bad answer').click()
    await expect.element(role('button', 'Bad answer')).toHaveAttribute('aria-pressed', 'true')
    await role('textbox', 'What could be better?').fill('Be brief')
    await role('button', 'Send feedback').click()
    await expect.element(role('textbox', 'What could be better?')).not.toBeInTheDocument()
    expect(sent.filter(({ call }) => call === 'POST /feedback').map(({ body }) => body)).toEqual([
      expect.objectContaining({ rating: 'THUMBS_DOWN', content: '', messageId: 'm1', chatflowid: 'flow-1' }),
      expect.objectContaining({ rating: 'THUMBS_DOWN', content: 'Be brief', messageId: 'm1' }),
    ])
  },
  {
    answers: {
      'GET /public-chatbotConfig/*': config,
      'POST /prediction/*': answered('Hi'),
      'POST /feedback': {},
    },
  },
)

story(
  'questions to begin with are asked by a click, and are gone then',
  () => chat(),
  async ({ sent }) => {
    await role('button', 'Opening hours').click()
    await expectWords(role('log', 'Messages'), 'Nine to five')
    await expect.element(role('button', 'Opening hours')).not.toBeInTheDocument()
    expect(sent.at(-1)?.body).toMatchObject({ question: 'Opening hours' })
    await role('button', 'New chat').click()
    await expect.element(role('button', 'Opening hours')).toBeVisible()
  },
  {
    answers: {
      'GET /public-chatbotConfig/*': { ...config, starterPrompts: { 0: { prompt: 'Opening hours' } } },
      'POST /prediction/*': answered('Nine to five'),
    },
    width: 'phone',
  },
)

story(
  'a visitor leaves an address before the first message, and goes on when it is saved',
  () => chat(),
  async ({ sent }) => {
    expect(role('textbox', 'Your message').elements()).toEqual([])
    await role('textbox', 'Email').fill('ada@example.com')
    await role('button', 'Start chat').click()
    await expect.element(role('textbox', 'Your message')).toBeVisible()
    await expectWords(role('log', 'Messages'), 'Thank you!')
    expect(sent.at(-1)).toMatchObject({ call: 'POST /leads', body: { email: 'ada@example.com', chatflowid: 'flow-1' } })
    await ask('Hello')
    await expect.poll(() => sent.at(-1)?.body).toMatchObject({ leadEmail: 'ada@example.com' })
  },
  {
    answers: {
      'GET /public-chatbotConfig/*': {
        ...config,
        leads: { status: true, title: 'Who are you?', successMessage: 'Thank you!', email: true },
      },
      'POST /leads': {},
      'POST /prediction/*': answered('Hi Ada'),
    },
  },
)

story(
  'a lead that could not be saved says why, and the form stays',
  () => chat(),
  async () => {
    await role('textbox', 'Email').fill('ada@example.com')
    await role('button', 'Start chat').click()
    await expect.element(text('Too many leads')).toBeVisible()
    await expect.element(role('button', 'Start chat')).not.toBeDisabled()
  },
  {
    answers: {
      'GET /public-chatbotConfig/*': { ...config, leads: { status: true, title: 'Who are you?', email: true } },
      'POST /leads': refusal(429, 'Too many leads'),
    },
  },
)

story(
  'nothing empty is sent, and Shift+Enter begins a line',
  () => chat({ theme: 'dark' }),
  async ({ sent }) => {
    await expect.element(role('button', 'Send')).toHaveAttribute('aria-disabled', 'true')
    await role('textbox', 'Your message').fill('   ')
    await userEvent.keyboard('{Enter}')
    await role('textbox', 'Your message').fill('one')
    await userEvent.keyboard('{Shift>}{Enter}{/Shift}two')
    await expect.element(role('textbox', 'Your message')).toHaveValue('one\ntwo')
    expect(sent.filter(({ call }) => call.startsWith('POST'))).toEqual([])
  },
  { answers: { 'GET /public-chatbotConfig/*': config } },
)

story(
  'a file that the flow does not take is refused by name',
  () => chat(),
  async () => {
    await expect.element(role('button', 'Attach files')).toBeVisible()
    const host = document.querySelector('[data-heddle]') as HTMLElement
    const input = host.shadowRoot?.querySelector('input[type=file]') as HTMLInputElement
    expect(input.accept).toBe('image/*')
    const files = new DataTransfer()
    files.items.add(new File(['a'], 'notes.txt', { type: 'text/plain' }))
    files.items.add(new File(['b'], 'photo.png', { type: 'image/png' }))
    input.files = files.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
    await expect.element(text('notes.txt: this chat does not take such files.')).toBeVisible()
    await role('button', 'Remove photo.png').click()
    await expect.element(role('list', 'Attached files')).not.toBeInTheDocument()
  },
  { answers: { 'GET /public-chatbotConfig/*': { ...config, uploads: { isImageUploadAllowed: true } } } },
)

story(
  'a visitor decides what a waiting run asks',
  () => chat(),
  async ({ sent }) => {
    await ask('Refund me')
    await role('button', 'Approve').click()
    await expect
      .poll(() => sent.findLast(({ call }) => call.startsWith('POST'))?.body)
      .toMatchObject({
        humanInput: { type: 'proceed', startNodeId: 'human_0', executionId: 'e1' },
      })
  },
  {
    answers: {
      'GET /public-chatbotConfig/*': config,
      'GET /prediction/flow-1/e1': stream(),
      'POST /prediction/*': stream(
        { event: 'token', data: 'Shall I?' },
        {
          event: 'action',
          data: {
            id: 'a1',
            mapping: { approve: 'Approve', reject: 'Refuse' },
            elements: [],
            data: { nodeId: 'human_0', nodeLabel: 'Review', input: {} },
          },
        },
        { event: 'agentFlowEvent', data: 'STOPPED' },
        { event: 'metadata', data: { executionId: 'e1', chatId: 'c' } },
        { event: 'end', data: '[DONE]' },
      ),
    },
  },
)

story(
  'a bubble opens the chat, and Escape closes it',
  () => chat({ mode: 'bubble' }),
  async () => {
    await page.getByRole('button', { name: /chat/i }).click()
    await expectWords(role('log', 'Messages'), 'How can I help?')
    await role('button', 'Close chat').first().click()
    await expect.element(role('log', 'Messages')).not.toBeInTheDocument()
  },
  { answers: { 'GET /public-chatbotConfig/*': config } },
)
