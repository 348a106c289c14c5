// @defends answer-setting-file
// @defends look-owner-chose
/** What visitors, models and owners write never becomes a script on a site with the widget. */
import type { Page } from '@playwright/test'
import { expectHarmless, LINKS, MARKUP, publish, SVG } from '../support/attacks.ts'
import { draw, llm, start } from '../support/draw.ts'
import { test, testOfComplaint } from '../support/site.ts'
import { expect } from '../support/test.ts'

const inline = (baseURL: string | undefined, flow: string) =>
  `<script src="${baseURL}/widget.js" data-flow="${flow}" data-mode="inline"></script>`
const widget = (page: Page) => page.locator('[data-heddle]')
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' })

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel('Your message').fill(question)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

test('a visitor’s message and a model’s answer stay text', async ({ page, api, model, site, baseURL }) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]))
  await page.goto(site.show(inline(baseURL, flow)))
  model.reply({
    text: `${MARKUP}\n\n# ${MARKUP}\n\n- ${MARKUP}\n\n| ${MARKUP} |\n|---|\n| \`${MARKUP}\` |\n\n**${MARKUP}**`,
  })
  await ask(page, MARKUP)
  await expect(messages(page).getByText('<img src=x', { exact: false }).first()).toBeVisible()
  await expect(messages(page).getByRole('heading')).toContainText('<script>')
  await expectHarmless(widget(page))
  await page.reload()
  await expect(messages(page).getByRole('heading')).toContainText('<script>')
  await expectHarmless(widget(page))
})

test('a link of an answer goes to the web or to mail, and to nothing else', async ({
  page,
  api,
  model,
  site,
  baseURL,
}) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]))
  await page.goto(site.show(inline(baseURL, flow)))
  const links = LINKS.map((link, index) => `[bad ${index}](${link}) ![picture ${index}](${link})`).join('\n\n')
  model.reply({ text: `${links}\n\n[good](mailto:ada@example.com) <javascript:window.hit=1> done` })
  await ask(page, 'Where?')
  await expect(messages(page)).toContainText('done')
  await expect(messages(page).getByRole('link')).toHaveText(['good'])
  await expect(messages(page).locator('img')).toHaveCount(0)
  expect(await messages(page).getByRole('link').getAttribute('rel')).toBe('noopener noreferrer')
  await expectHarmless(widget(page))
})

test('what an owner set up stays text and pictures', async ({ page, api, model, site, baseURL }) => {
  const svg = `data:image/svg+xml;base64,${btoa(SVG)}`
  const chatbotConfig = {
    title: MARKUP,
    titleAvatarSrc: svg,
    welcomeMessage: `${MARKUP} [x](javascript:hit=1)`,
    starterPrompts: { 0: { prompt: MARKUP } },
    botMessage: { showAvatar: true, avatarSrc: 'javascript:window.hit=1' },
    backgroundColor: 'red;} * { background: url(javascript:hit=1) }',
    footer: { showFooter: true, text: MARKUP, company: MARKUP, companyLink: 'javascript:window.hit=1' },
  }
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]), {
    config: chatbotConfig,
    name: MARKUP.slice(0, 100),
  })
  // As an older server would send it: nothing is checked there.
  await page.route('**/public-chatbotConfig/*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...chatbotConfig } })
  })
  await page.goto(site.show(inline(baseURL, flow)))
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(MARKUP)
  await expect(page.locator('[data-heddle] header img')).toHaveCount(1)
  await expectHarmless(widget(page))
  await page.getByRole('button', { name: '<img src=x', exact: false }).click()
  await expect(messages(page)).toContainText('You said: <img')
  await expectHarmless(widget(page))
})

test('what a flow sends beside its answer stays text', async ({ page, api, model, site, baseURL }) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]))
  const source = (url: string) => ({ pageContent: MARKUP, metadata: { source: url, title: MARKUP } })
  const events = [
    { event: 'token', data: 'Here' },
    {
      event: 'artifacts',
      data: [
        { type: 'html', data: MARKUP },
        { type: 'png', data: 'data:text/html;base64,PHNjcmlwdD4=' },
      ],
    },
    {
      event: 'agentFlowExecutedData',
      data: [
        {
          nodeId: 'a',
          nodeLabel: MARKUP,
          previousNodeIds: [],
          status: 'FINISHED',
          data: {
            id: 'a',
            name: 'a',
            output: { sourceDocuments: [...LINKS, 'https://a.example/1', 'https://a.example/1'].map(source) },
          },
        },
      ],
    },
    { event: 'metadata', data: { chatMessageId: crypto.randomUUID(), followUpPrompts: JSON.stringify([MARKUP]) } },
    { event: 'end', data: '[DONE]' },
  ]
  await page.route('**/prediction/*', (route) =>
    route.request().method() === 'OPTIONS'
      ? route.continue()
      : route.fulfill({
          contentType: 'text/event-stream',
          headers: { 'access-control-allow-origin': '*' },
          body: events.map((event) => `message:\ndata:${JSON.stringify(event)}\n\n`).join(''),
        }),
  )
  await page.goto(site.show(inline(baseURL, flow)))
  await ask(page, 'What?')
  const sources = messages(page).getByText(`Sources (${LINKS.length + 1})`)
  await sources.click()
  await expect(messages(page).getByRole('link')).toHaveCount(1)
  await expect(page.getByRole('button', { name: '<img src=x', exact: false })).toBeVisible()
  await expectHarmless(widget(page))
})

test('the name of a file stays text', async ({ page, api, model, site, baseURL }) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]), {
    config: { fullFileUpload: { status: true } },
  })
  await page.goto(site.show(inline(baseURL, flow)))
  const name = `<img src=x onerror="window.hit=1">.txt`
  await page.getByLabel('Files to attach').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from('x') })
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('onerror')
  await expectHarmless(widget(page))
  await ask(page, 'Read it')
  await expect(messages(page).getByRole('list', { name: 'Files' })).toContainText('onerror')
  await expect(messages(page)).toContainText('You said')
  await expectHarmless(widget(page))
})

test('a conversation in the site’s storage that somebody else wrote stays text', async ({
  page,
  api,
  model,
  site,
  baseURL,
}) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]))
  const address = site.show(inline(baseURL, flow))
  await page.goto(address)
  const chatHistory = [
    { type: 'userMessage', message: MARKUP, fileUploads: [{ name: MARKUP, data: 'javascript:window.hit=1' }, 5] },
    {
      type: 'apiMessage',
      message: `${MARKUP} [x](javascript:hit=1)`,
      sourceDocuments: [{ pageContent: MARKUP, metadata: { url: 'javascript:hit=1' } }],
      action: { mapping: {}, data: {} },
    },
    'nonsense',
  ]
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    `${flow}_EXTERNAL`,
    JSON.stringify({ chatId: 'c', chatHistory }),
  ] as const)
  await page.reload()
  await expect(messages(page).getByText('<img src=x', { exact: false }).first()).toBeVisible()
  await expectHarmless(widget(page))
})

test('the widget works under a strict policy of the page, and shares no style with it', async ({
  page,
  api,
  model,
  site,
  baseURL,
}) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]), {
    config: { userMessage: { backgroundColor: '#00ff00', textColor: '#000000' } },
  })
  const refused: string[] = []
  await page.exposeFunction('refused', (what: string) => refused.push(what))
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => refused(event.violatedDirective + ' ' + event.blockedURI))",
  )
  const csp = `default-src 'none'; script-src ${baseURL}; style-src 'self'; connect-src ${baseURL}; require-trusted-types-for 'script'`
  await page.goto(site.show(`<p id="own">Own</p>${inline(baseURL, flow)}`, csp))
  model.reply({ text: '**Strict**' })
  await ask(page, 'Hello')
  await expect(messages(page).locator('strong')).toHaveText('Strict')
  await expect(page.locator('[data-heddle] .message.user')).toHaveCSS('background-color', 'rgb(0, 255, 0)')
  expect(refused).toEqual([])
  await expect(page.locator('#own')).toHaveCSS('margin-top', '16px')
})

test('a page’s own styles do not reach the widget', async ({ page, api, model, site, baseURL }) => {
  const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]))
  const style =
    '<style>* { color: rgb(1, 2, 3) !important; font-size: 40px !important } button, textarea, div { display: none }</style>'
  await page.goto(
    site.show(
      `${style}<section style="letter-spacing:9px;text-transform:uppercase">${inline(baseURL, flow)}</section>`,
    ),
  )
  const send = page.getByRole('button', { name: 'Send', exact: true })
  await expect(page.locator('[data-heddle] .message')).toHaveCSS('text-transform', 'none')
  await expect(page.locator('[data-heddle] .message')).toHaveCSS('font-size', '15px')
  await expect(send).toBeVisible()
})

testOfComplaint(
  'a site’s owner reads in the console why a page is refused, and a visitor in plain words',
  async ({ page, api, model, site, baseURL }) => {
    const flow = await publish(api, await draw(api, [start(), llm(model.baseUrl)]))
    await api.put(`/chatflows/${flow}`, {
      callers: 'sites',
      chatbotConfig: JSON.stringify({ allowedOrigins: ['https://good.example'] }),
    })
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.goto(site.show(inline(baseURL, flow)))
    await expect(page.getByRole('alert')).toHaveText('This chat is not open to visitors of this page.')
    expect(said.join('\n')).toContain(`does not answer pages of ${site.origin}`)
    await api.put(`/chatflows/${flow}`, { callers: 'everyone', chatbotConfig: '{}' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(messages(page)).toContainText('How can I help?')
  },
)
