// @defends source-answer-address
/** What this server sends to Flowise’s widget never becomes a script on the site that shows it. */
import type { Page } from '@playwright/test'
import { expectHarmless, LINKS, MARKUP, publish, publishCiting } from '../support/attacks.ts'
import { draw, llm, start } from '../support/draw.ts'
import { EMBED, type Site, test } from '../support/site.ts'
import { expect } from '../support/test.ts'

async function open(page: Page, site: Site, options: { chatflowid: string; apiHost: string | undefined }) {
  site.serve('/embed.js', EMBED)
  const script = `import Chatbot from '/embed.js'; Chatbot.initFull(${JSON.stringify(options)})`
  await page.goto(site.show(`<flowise-fullchatbot></flowise-fullchatbot><script type="module">${script}</script>`))
}

const chat = (page: Page) => page.locator('flowise-fullchatbot')

async function ask(page: Page, question: string): Promise<void> {
  const field = page.getByPlaceholder('Type your question')
  await field.fill(question)
  await field.press('Enter')
}

const answers = (page: Page) => chat(page).locator('.chatbot-chat-view')

test('a visitor’s message and a model’s answer stay text', async ({ page, api, model, site, baseURL }) => {
  const chatflowid = await publish(api, await draw(api, [start(), llm(model.baseUrl, MARKUP)]))
  await open(page, site, { chatflowid, apiHost: baseURL })
  const links = LINKS.map((link, index) => `[bad ${index}](${link})`).join('\n\n')
  model.reply({ text: `${MARKUP}\n\n# ${MARKUP}\n\n${links}\n\n**done**` })
  await ask(page, MARKUP)
  await expect(chat(page).locator('strong').getByText('done')).toBeVisible()
  await expectHarmless(answers(page))
})

test('sources of an answer lead to the web only', async ({ page, api, model, site, baseURL }) => {
  const chatflowid = await publishCiting(api, model.baseUrl, [...LINKS, 'https://a.example/1'])
  await open(page, site, { chatflowid, apiHost: baseURL })
  model.reply({ text: 'As they say.' })
  await ask(page, 'What?')
  const cited = answers(page).getByText('<img src=x', { exact: false })
  await expect(cited.first()).toBeVisible()
  await expect(cited).toHaveCount(LINKS.length + 1)
  const opened: string[] = []
  page.on('popup', (popup) => opened.push(popup.url()))
  const popup = page.waitForEvent('popup')
  for (const source of await cited.all()) await source.dispatchEvent('click')
  await popup
  expect(opened).toHaveLength(1)
  expect(await page.evaluate('window.hit')).toBeUndefined()
  await expectHarmless(answers(page))
})

test('a starter prompt stays text', async ({ page, api, model, site, baseURL }) => {
  const config = { starterPrompts: { 0: { prompt: MARKUP } } }
  const chatflowid = await publish(api, await draw(api, [start(), llm(model.baseUrl)]), { config })
  await open(page, site, { chatflowid, apiHost: baseURL })
  await chat(page).getByText('<img src=x', { exact: false }).click()
  await expect(chat(page).getByText('You said: <img', { exact: false })).toBeVisible()
  await expectHarmless(answers(page))
})

test('what visitors are asked about themselves, and what they say, stays text', async ({
  page,
  api,
  model,
  site,
  baseURL,
}) => {
  const config = { leads: { status: true, title: MARKUP, name: true, successMessage: `Thanks ${MARKUP}` } }
  const chatflowid = await publish(api, await draw(api, [start(), llm(model.baseUrl)]), { config })
  await open(page, site, { chatflowid, apiHost: baseURL })
  await expect(answers(page).getByText('<img src=x', { exact: false }).first()).toBeVisible()
  await expectHarmless(answers(page))
  await page.locator('input[name=name]').fill(MARKUP.slice(0, 150))
  await page.locator('input[name=name]').press('Enter')
  await expect(answers(page).getByText('Thanks <img', { exact: false })).toBeVisible()
  await expectHarmless(answers(page))
})
