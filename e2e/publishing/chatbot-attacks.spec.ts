// @defends stored-text-becomes
/** What visitors, models and owners write never becomes a script on the chat page of a flow. */
import type { Browser, Page } from '@playwright/test'
import { expectHarmless, LINKS, MARKUP, publish, publishCiting, SVG } from '../support/attacks.ts'
import { draw, llm, start } from '../support/draw.ts'
import { expect, test } from '../support/test.ts'

/** The chat page of a flow, to somebody who has never been here. */
async function visit(browser: Browser, flow: string): Promise<Page> {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto(`/chatbot/${flow}`)
  return page
}

const chat = (page: Page) => page.locator('#root')
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' })

async function ask(page: Page, question: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Question' }).fill(question)
  await page.keyboard.press('Enter')
}

test('a visitor’s message, a model’s answer and the names of flow and nodes stay text', async ({
  browser,
  api,
  model,
}) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl, MARKUP)]), {
    name: MARKUP.slice(0, 100),
  })
  const page = await visit(browser, flow)
  model.reply({
    text: `${MARKUP}\n\n# ${MARKUP}\n\n- ${MARKUP}\n\n| ${MARKUP} |\n|---|\n| \`${MARKUP}\` |\n\n**${MARKUP}**`,
  })
  await ask(page, MARKUP)
  await expect(messages(page).getByRole('heading')).toContainText('<script>')
  await expectHarmless(chat(page))
  await page.reload()
  await expect(messages(page).getByRole('heading')).toContainText('<script>')
  await expectHarmless(chat(page))
  await page.context().close()
})

test('a link of an answer goes to the web or to mail, and to nothing else', async ({ browser, api, model }) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]))
  const page = await visit(browser, flow)
  const links = LINKS.map((link, index) => `[bad ${index}](${link}) ![picture ${index}](${link})`).join('\n\n')
  model.reply({ text: `${links}\n\n[good](mailto:ada@example.com) <javascript:window.hit=1> done` })
  await ask(page, 'Where?')
  await expect(messages(page)).toContainText('done')
  await expect(messages(page).locator('img')).toHaveCount(0)
  await expect(messages(page).locator('a')).toHaveText(['good'])
  await expect(messages(page).getByRole('link')).toHaveAttribute('rel', 'noreferrer noopener')
  await expectHarmless(chat(page))
  await page.context().close()
})

test('sources of an answer lead to the web only', async ({ browser, api, model }) => {
  const flow = await publishCiting(api, model.baseUrl, [...LINKS, MARKUP, 'https://a.example/1'])
  const page = await visit(browser, flow)
  model.reply({ text: 'As they say.' })
  await ask(page, 'What?')
  await messages(page)
    .getByText(`${LINKS.length + 2} sources`)
    .click()
  for (const source of await messages(page).getByRole('list', { name: 'Sources' }).locator('summary').all())
    await source.click()
  await expect(messages(page).getByRole('link')).toHaveCount(1)
  await expect(messages(page).getByText('<script>', { exact: false }).first()).toBeVisible()
  await expectHarmless(chat(page))
  await page.context().close()
})

test('what an owner set up stays text, pictures and colours', async ({ browser, api, model }) => {
  const svg = `data:image/svg+xml;base64,${btoa(SVG)}`
  const css = 'red;} * { background: url(javascript:hit=1) }'
  const config = {
    title: MARKUP,
    titleAvatarSrc: svg,
    titleBackgroundColor: css,
    backgroundColor: css,
    welcomeMessage: `${MARKUP} [x](javascript:hit=1)`,
    starterPrompts: { 0: { prompt: MARKUP } },
    botMessage: { showAvatar: true, avatarSrc: 'javascript:window.hit=1', backgroundColor: css },
    footer: { showFooter: true, text: MARKUP, company: 'Loom & Co', companyLink: 'javascript:window.hit=1' },
    leads: { status: true, title: MARKUP, name: true },
  }
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]), { config })
  const page = await visit(browser, flow)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(MARKUP.slice(0, 200))
  await expect(page.locator(`img[src="${svg}"]`)).toHaveCount(1)
  await expect(page.getByText('Loom & Co')).toBeVisible()
  await expectHarmless(chat(page))
  await page.getByRole('button', { name: 'Skip' }).click()
  await page.getByRole('button', { name: '<img src=x', exact: false }).click()
  await expect(messages(page)).toContainText('You said: <img')
  await expectHarmless(chat(page))
  await page.context().close()
})

test('an uploaded SVG or HTML file is never a page of this server', async ({ browser, api, model }) => {
  const seeing = {
    llmModel: 'chatOpenAICustom',
    modelName: 'scripted',
    basepath: model.baseUrl,
    allowImageUploads: true,
  }
  const drawn = await draw(api, [start(), llm(model.baseUrl, 'LLM', { llmModelConfig: seeing })])
  const flow = await publish(api, drawn, { config: { fullFileUpload: { status: true } } })
  const page = await visit(browser, flow)
  const chatId = crypto.randomUUID()
  const send = (name: string, mime: string, text: string, type = 'file') =>
    page.evaluate(
      async ({ flow, chatId, ...upload }) => {
        const body = JSON.stringify({ question: 'See', chatId, uploads: [upload] })
        const headers = { 'content-type': 'application/json' }
        return (await fetch(`/api/v1/prediction/${flow}`, { method: 'POST', headers, body })).status
      },
      { flow, chatId, name, mime, type, data: `data:${mime};base64,${btoa(text)}` },
    )
  expect(await send('face.svg', 'image/svg+xml', SVG)).toBe(400)
  expect(await send('face.png', 'image/png', SVG)).toBe(400)
  expect(
    await send('page.html', 'text/html', '<script>window.hit=1;opener&&(opener.hit=1)</script>', 'file:full'),
  ).toBe(200)

  const address = `/api/v1/get-upload-file?chatflowId=${flow}&chatId=${chatId}&fileName=page.html`
  const saved = page.waitForEvent('download')
  await page.evaluate((to) => void window.open(to), address)
  expect((await saved).suggestedFilename()).toBe('page.html')
  const headers = await page.evaluate(async (to) => Object.fromEntries((await fetch(to)).headers), address)
  expect(headers).toMatchObject({
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  })
  expect(await page.evaluate('window.hit')).toBeUndefined()
  await page.context().close()
})

test('the name of a file stays text', async ({ browser, api, model }) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]), {
    config: { fullFileUpload: { status: true } },
  })
  const page = await visit(browser, flow)
  const name = '<img src=x onerror="window.hit=1">.txt'
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('x') })
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('onerror')
  await expectHarmless(chat(page))
  await ask(page, 'Read it')
  await expect(messages(page)).toContainText('You said')
  await expect(messages(page)).toContainText('onerror')
  await expectHarmless(chat(page))
  await page.context().close()
})

test('a conversation in the browser’s storage that somebody else wrote stays text', async ({ browser, api, model }) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]))
  const page = await visit(browser, flow)
  await expect(page.getByRole('textbox', { name: 'Question' })).toBeVisible()
  const message = (role: string, more: object) => ({
    id: crypto.randomUUID(),
    role,
    chatflowid: flow,
    chatId: 'c',
    ...more,
  })
  const chatHistory = [
    message('userMessage', { content: MARKUP, fileUploads: [{ type: 'stored-file', name: MARKUP, mime: MARKUP }] }),
    message('apiMessage', {
      content: `Told **this** ${MARKUP} [x](javascript:hit=1)`,
      sourceDocuments: [{ pageContent: MARKUP, metadata: { url: 'javascript:hit=1' } }],
      artifacts: [
        { type: 'html', data: MARKUP },
        { type: 'png', data: 'javascript:hit=1' },
      ],
    }),
  ]
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    `${flow}_EXTERNAL`,
    JSON.stringify({ chatId: 'c', chatHistory }),
  ] as const)
  await page.reload()
  await expect(messages(page).getByText('<img src=x', { exact: false }).first()).toBeVisible()
  await expect(messages(page).locator('strong')).toHaveText('this')
  await expectHarmless(chat(page))
  await page.context().close()
})
