/** The widget of Flowise, as its package has it, on another site: what sites have today works unchanged. */
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { Api } from './support/api.ts'
import { draw, human, llm, reply, start } from './support/draw.ts'
import { gate } from './support/model-server.ts'
import { type Site, test, testOfComplaint } from './support/site.ts'
import { expect } from './support/test.ts'

const EMBED = fileURLToPath(new URL('../node_modules/flowise-embed/dist/web.js', import.meta.url))

async function publish(api: Api, flow: FlowDocument, chatbotConfig: object = {}): Promise<string> {
  const { id } = await api.createFlow(`Embedded ${crypto.randomUUID()}`, flow)
  await api.put(`/chatflows/${id}`, { callers: 'everyone', chatbotConfig: JSON.stringify(chatbotConfig) })
  return id
}

interface Place {
  page: Page
  site: Site
  baseURL: string | undefined
}

async function openBubble({ page, site, baseURL }: Place, chatflowid: string): Promise<void> {
  site.serve('/embed.js', EMBED)
  const init = JSON.stringify({ chatflowid, apiHost: baseURL, theme: { chatWindow: { showAgentMessages: true } } })
  await page.goto(
    site.show(`<h1>Shop</h1><script type="module">import Chatbot from '/embed.js'; Chatbot.init(${init})</script>`),
  )
  await page.locator('flowise-chatbot button[part=button]').click()
}

async function openPage({ page, site, baseURL }: Place, chatflowid: string): Promise<void> {
  site.serve('/embed.js', EMBED)
  const init = JSON.stringify({ chatflowid, apiHost: baseURL })
  await page.goto(
    site.show(
      `<flowise-fullchatbot></flowise-fullchatbot><script type="module">import Chatbot from '/embed.js'; Chatbot.initFull(${init})</script>`,
    ),
  )
}

const field = (page: Page) => page.getByPlaceholder('Type your question')

async function ask(page: Page, question: string): Promise<void> {
  await field(page).fill(question)
  await field(page).press('Enter')
}

test('its bubble streams answers to a starter prompt and to questions, and keeps them', async ({
  page,
  api,
  model,
  site,
  baseURL,
}) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]), {
    starterPrompts: { 0: { prompt: 'What is a heddle?' } },
    chatFeedback: { status: true },
  })
  await openBubble({ page, site, baseURL }, flow)
  const { opened, open } = gate()
  model.reply({ text: ['A heddle ', 'guides the warp.'], afterFirst: opened })
  await page.getByText('What is a heddle?').click()
  await expect(page.getByText('A heddle', { exact: true })).toBeVisible()
  open()
  await expect(page.getByText('A heddle guides the warp.')).toBeVisible()
  const rated = page.waitForResponse(
    (response) => response.url().endsWith(`/feedback/${flow}`) && response.request().method() === 'POST',
  )
  await page.getByTitle('Thumbs Up').or(page.locator('button[title*="Up" i]')).first().click()
  expect((await rated).status()).toBe(200)
  await ask(page, 'And a reed?')
  await expect(page.getByText('You said: And a reed?')).toBeVisible()
})

test('its full page stops an answer', async ({ page, api, model, site, baseURL }) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]))
  await openPage({ page, site, baseURL }, flow)
  const { opened, open } = gate()
  model.reply({ text: ['Once ', 'upon a time'], afterFirst: opened })
  await ask(page, 'Tell me a story')
  await expect(page.getByText('Once', { exact: true })).toBeVisible()
  const stopped = page.waitForResponse((response) => response.url().includes('/chatmessage/abort/'))
  await page.getByTitle(/stop/i).or(page.locator('button[title*="stop" i]')).first().click()
  expect(await (await stopped).json()).toMatchObject({ status: 200 })
  await expect.poll(() => model.requests.at(-1)?.cancelled).toBe(true)
  open()
  await expect(page.getByText('upon a time')).toHaveCount(0)
})

test('it asks for a lead first and sends a file along', async ({ page, api, model, site, baseURL }) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]), {
    leads: { status: true, title: 'Who are you?', email: true, name: true, successMessage: 'Welcome!' },
    fullFileUpload: { status: true, allowedUploadFileTypes: 'text/plain,text/markdown' },
  })
  await openPage({ page, site, baseURL }, flow)
  await expect(page.getByText('Who are you?')).toBeVisible()
  await page.locator('input[name=name]').fill('Ada')
  await page.locator('input[name=email]').fill('ada@example.com')
  await page.locator('input[name=email]').press('Enter')
  await expect(page.getByText('Welcome!')).toBeVisible()

  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'note.md', mimeType: 'text/markdown', buffer: Buffer.from('# Warp') })
  await expect(page.getByText('note.md')).toBeVisible()
  model.reply({ text: 'It is about warp.' })
  await ask(page, 'What is it about?')
  await expect(page.getByText('It is about warp.')).toBeVisible()
  expect(model.requests.at(-1)?.body.messages.at(-1)?.content).toContain('# Warp')
})

test('its form starts a flow, and its buttons answer what the flow asks', async ({ page, api, site, baseURL }) => {
  const form = start({
    startInputType: 'formInput',
    formTitle: 'Your order',
    formDescription: 'What shall we weave?',
    formInputTypes: [{ type: 'string', label: 'Cloth', name: 'cloth' }],
  })
  const flow = await draw(
    api,
    [form, human('Order it?'), reply('{{ $form.cloth }} is ordered.', 'Order'), reply('Nothing ordered.', 'None')],
    [
      [0, 1],
      [1, 2, 0],
      [1, 3, 1],
    ],
  )
  await openPage({ page, site, baseURL }, await publish(api, flow))
  await expect(page.getByText('Your order')).toBeVisible()
  await page.locator('input[name=cloth]').fill('Linen')
  await page
    .getByRole('button', { name: /submit|send/i })
    .first()
    .click()
  await expect(page.getByText('Order it?')).toBeVisible()
  await page.getByRole('button', { name: 'Proceed' }).click()
  await page.getByPlaceholder('Please provide your feedback').fill('Go ahead')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Linen is ordered.')).toBeVisible()
})

testOfComplaint('it tells a visitor of a site that its owner refuses', async ({ page, api, site, baseURL }) => {
  const flow = await publish(api, await draw(api, [start(), reply('Hello')]))
  const chatbotConfig = { allowedOrigins: ['https://good.example'], allowedOriginsError: 'Ask us at good.example' }
  await openPage({ page, site, baseURL }, flow)
  await api.put(`/chatflows/${flow}`, { callers: 'sites', chatbotConfig: JSON.stringify(chatbotConfig) })
  await ask(page, 'Hello?')
  await expect(page.getByText('Ask us at good.example')).toBeVisible()
})

test('it shows a picture that was sent along, and reads it again from the server', async ({
  page,
  api,
  model,
  site,
  baseURL,
}) => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
  const seeing = {
    llmModelConfig: {
      llmModel: 'chatOpenAICustom',
      modelName: 'scripted',
      basepath: model.baseUrl,
      allowImageUploads: true,
    },
  }
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl, 'Eye', seeing)]))
  await openPage({ page, site, baseURL }, flow)
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') })
  model.reply({ text: 'A dot.' })
  await ask(page, 'What is it?')
  await expect(page.getByText('A dot.')).toBeVisible()
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain(png)
  const shown = page.waitForResponse((response) => response.url().includes('/get-upload-file'))
  await page.reload()
  expect((await shown).status()).toBe(200)
})
