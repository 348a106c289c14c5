/** The widget of Flowise, as its package has it, on another site: what sites have today works unchanged. */
import type { Page } from '@playwright/test'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { Api } from '../support/api.ts'
import { openCanvas } from '../support/canvas.ts'
import { draw, human, llm, reply, start } from '../support/draw.ts'
import { gate } from '../support/model-server.ts'
import { EMBED, type Site, test, testOfComplaint } from '../support/site.ts'
import { expect, toast } from '../support/test.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='

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

/** Waits for the settings, which the embed asks for once it knows whether the flow streams. */
const loadSettings = (page: Page) =>
  page.waitForResponse((response) => response.url().includes('/public-chatbotConfig/'))

async function openBubble({ page, site, baseURL }: Place, chatflowid: string): Promise<void> {
  site.serve('/embed.js', EMBED)
  const init = JSON.stringify({ chatflowid, apiHost: baseURL, theme: { chatWindow: { showAgentMessages: true } } })
  await page.goto(
    site.show(`<h1>Shop</h1><script type="module">import Chatbot from '/embed.js'; Chatbot.init(${init})</script>`),
  )
  const settings = loadSettings(page)
  await page.locator('flowise-chatbot button[part=button]').click()
  await settings
}

async function openPage({ page, site, baseURL }: Place, chatflowid: string): Promise<void> {
  site.serve('/embed.js', EMBED)
  const init = JSON.stringify({ chatflowid, apiHost: baseURL })
  const settings = loadSettings(page)
  await page.goto(
    site.show(
      `<flowise-fullchatbot></flowise-fullchatbot><script type="module">import Chatbot from '/embed.js'; Chatbot.initFull(${init})</script>`,
    ),
  )
  await settings
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
    .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') })
  model.reply({ text: 'A dot.' })
  await ask(page, 'What is it?')
  await expect(page.getByText('A dot.')).toBeVisible()
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain(PNG)
  const shown = page.waitForResponse((response) => response.url().includes('/get-upload-file'))
  await page.reload()
  expect((await shown).status()).toBe(200)
})

const LOOK: Record<string, string> = {
  Title: 'Loom help',
  'Welcome message': 'Ask about **looms**.',
  'Starter prompts': 'What is a reed?\nWho are you?',
  'Title bar': '#113355',
  'Title bar text': '#ffe08a',
  Answers: '#224466',
  'Answer text': '#fafafa',
  Questions: '#663311',
  'Question text': '#fffffe',
  Background: '#eeddcc',
  'Footer text': '#445566',
  Footer: 'Woven by',
  Company: 'Loom & Co',
  'Company link': 'https://loom.example/',
}

test('the code under Share shows in its bubble what the owner chose there, and what an import had set', async ({
  page,
  api,
  model,
  site,
}) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]), {
    button: { backgroundColor: '#aa0055', size: 60 },
    textInput: { placeholder: 'Ask the weaver', backgroundColor: '#ddffdd', textColor: '#003300' },
    fontSize: 17,
  })
  await openCanvas(page, flow)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Share' })
  await panel.getByText('Appearance and texts').click()
  for (const [name, value] of Object.entries(LOOK)) await panel.getByRole('textbox', { name, exact: true }).fill(value)
  const picture = { name: 'face.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') }
  for (const name of ['Image in the title bar', 'Image beside answers', 'Image beside questions'])
    await panel.getByLabel(`File: ${name}`, { exact: true }).setInputFiles(picture)
  await panel.getByText('With Flowise’s widget').click()
  const code = panel.getByLabel('flowise-embed code', { exact: true })
  await expect(code).toContainText('"companyLink": "https://loom.example/"')
  const html = (await code.textContent()) ?? ''
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Sharing saved')).toBeVisible()

  await page.route('https://cdn.jsdelivr.net/npm/flowise-embed/dist/web.js', (route) =>
    route.fulfill({ path: EMBED, contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' } }),
  )
  await page.goto(site.show(html))
  const bot = page.locator('flowise-chatbot')
  const bubble = bot.locator('button[part=button]')
  await expect(bubble).toHaveCSS('background-color', 'rgb(170, 0, 85)')
  await expect(bubble).toHaveCSS('width', '60px')
  await bubble.click()
  const title = bot.getByText('Loom help')
  await expect(title).toHaveCSS('color', 'rgb(255, 224, 138)')
  await expect(bot.locator('div:has(> span:text-is("Loom help"))')).toHaveCSS('background-color', 'rgb(17, 51, 85)')
  await expect(bot.locator('div[part=bot]')).toHaveCSS('background-color', 'rgb(238, 221, 204)')
  await expect(bot.getByPlaceholder('Ask the weaver')).toHaveCSS('color', 'rgb(0, 51, 0)')
  const welcome = bot.locator('.chatbot-host-bubble').first()
  await expect(welcome.locator('strong')).toHaveText('looms')
  await expect(welcome).toHaveCSS('background-color', 'rgb(34, 68, 102)')
  await expect(welcome).toHaveCSS('color', 'rgb(250, 250, 250)')
  await expect(bot.getByText('Woven by')).toHaveCSS('color', 'rgb(68, 85, 102)')
  await expect(bot.getByRole('link', { name: 'Loom & Co' })).toHaveAttribute('href', 'https://loom.example/')
  await expect(bot.getByText('Who are you?')).toBeVisible()
  await bot.getByText('What is a reed?').click()
  await expect(bot.getByText('You said: What is a reed?')).toBeVisible()
  const question = bot.locator('.chatbot-guest-bubble').first()
  await expect(question).toHaveCSS('background-color', 'rgb(102, 51, 17)')
  await expect(question).toHaveCSS('color', 'rgb(255, 255, 254)')
  const faces = bot.locator(`img[src="data:image/png;base64,${PNG}"]`)
  await expect(faces).toHaveCount(4)
})

test('the code under Share names no other product on the owner’s page', async ({ page, api, site }) => {
  const flow = await publish(api, await draw(api, [start(), reply('Hello')]))
  await openCanvas(page, flow)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Share' })
  await panel.getByText('With Flowise’s widget').click()
  const html = (await panel.getByLabel('flowise-embed code', { exact: true }).textContent()) ?? ''
  await page.route('https://cdn.jsdelivr.net/npm/flowise-embed/dist/web.js', (route) =>
    route.fulfill({ path: EMBED, contentType: 'text/javascript', headers: { 'access-control-allow-origin': '*' } }),
  )
  await page.goto(site.show(html))
  await page.locator('flowise-chatbot button[part=button]').click()
  await expect(page.getByPlaceholder('Type your question')).toBeVisible()
  await expect(page.getByText('Powered by')).toHaveCount(0)
})
