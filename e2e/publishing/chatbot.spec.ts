import type { Browser, Page } from '@playwright/test'
import type { Lead } from '#contract/chats/leads.ts'
import { openCanvas } from '../support/canvas.ts'
import { draw, human, llm, reply, start } from '../support/draw.ts'
import { WEIGHT_LIMITS, weighPage } from '../support/page-weight.ts'
import { expect, expectAccessible, expectAccessibleInBothModes, test, toast } from '../support/test.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' })

/** A person who has never been here, with a phone. */
async function visitor(browser: Browser, isDark = false): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 780 },
    storageState: { cookies: [], origins: [] },
  })
  await context.addInitScript((dark) => localStorage.setItem('isDarkMode', String(dark)), isDark)
  return context.newPage()
}

const SETTINGS = {
  title: 'Weaver’s help',
  titleBackgroundColor: '#2b5d34',
  titleTextColor: '#2b5d35',
  welcomeMessage: 'Ask me about **looms**.',
  userMessage: { backgroundColor: '#f2d16b' },
  starterPrompts: { 0: { prompt: 'What is a loom?' }, 1: { prompt: '' } },
  chatFeedback: { status: true },
  leads: { status: true, title: 'Who is asking?', name: true, email: true },
}

test('a visitor says who they are, chats, rates the answer and finds the conversation again', async ({
  browser,
  api,
  model,
}) => {
  const { id } = await api.createFlow('Chat page', await draw(api, [start(), llm(model.baseUrl, 'Weaver')]))
  const followUpPrompts = JSON.stringify({
    status: true,
    selectedProvider: 'chatOpenAICustom',
    chatOpenAICustom: { modelName: 'scripted', basepath: model.baseUrl },
  })
  await api.put(`/chatflows/${id}`, {
    callers: 'everyone',
    chatbotConfig: JSON.stringify(SETTINGS),
    followUpPrompts,
  })
  model.reply({ text: ['A frame ', 'for cloth.'] }, { json: { questions: ['Who made the first one?'] } })
  const page = await visitor(browser)
  await page.goto(`/chatbot/${id}`)
  await expect(page.getByRole('heading', { name: 'Weaver’s help', level: 1 })).toBeVisible()
  await expect(page.getByText('Ask me about looms.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Who is asking?' })).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill('nowhere')
  await page.getByRole('button', { name: 'Start chat' }).click()
  await expect(page.getByText('This is not an email address').first()).toBeVisible()
  await page.getByLabel('Email').fill('ada@example.com')
  await page.keyboard.press('Enter')

  await page.getByRole('button', { name: 'What is a loom?' }).click()
  await expect(messages(page)).toContainText('A frame for cloth.')
  await expect(page.getByRole('button', { name: 'Who made the first one?' })).toBeVisible()
  await expect(messages(page).getByRole('link')).toHaveCount(0)
  await messages(page).getByRole('button', { name: 'Good answer' }).click()
  await expect(messages(page).getByRole('button', { name: 'Good answer' })).toHaveAttribute('aria-pressed', 'true')
  await expectAccessibleInBothModes(page)

  await page.reload()
  await expect(messages(page)).toContainText('What is a loom?')
  await expect(messages(page)).toContainText('A frame for cloth.')
  await expect(messages(page).getByRole('button', { name: 'Good answer' })).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('button', { name: 'Who made the first one?' }).click()
  await expect(messages(page)).toContainText('You said: Who made the first one?')
  expect(await api.get<Lead[]>(`/leads/${id}`)).toMatchObject([{ name: 'Ada', email: 'ada@example.com', phone: null }])

  await page.getByRole('button', { name: 'New chat' }).click()
  await expect(messages(page)).not.toContainText('A frame for cloth.')
  await expect(page.getByRole('button', { name: 'What is a loom?' })).toBeVisible()
  await page.context().close()
})

test('the owner sets the chat page up in the Share panel, and a visitor sees it so', async ({ browser, page, api }) => {
  const { id } = await api.createFlow('Chat page set up', await draw(api, [start(), reply('At nine.')]))
  await openCanvas(page, id)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Share' })
  await panel.getByText('Everyone', { exact: true }).click()
  await expect(panel.getByRole('textbox', { name: 'Chat page link' })).toHaveValue(new RegExp(`/chatbot/${id}$`))
  await panel.getByText('Appearance and texts').click()
  await panel.getByLabel('Title', { exact: true }).fill('Shop help')
  await panel.getByLabel('Starter prompts').fill('When do you open?')
  await panel.getByRole('textbox', { name: 'Title bar', exact: true }).fill('#113355')
  await panel.getByRole('textbox', { name: 'Title bar text' }).fill('#ffe08a')
  await panel.getByRole('textbox', { name: 'Company link' }).fill('javascript:alert(1)')
  await panel.getByRole('textbox', { name: 'Company', exact: true }).fill('Loom & Co')
  const png = { name: 'bot.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') }
  await panel.getByLabel('File: Image beside answers', { exact: true }).setInputFiles(png)
  await expect(panel.getByRole('figure', { name: 'Preview' }).locator('img')).toHaveCount(1)
  await expect(panel.getByRole('figure', { name: 'Preview' })).toContainText('Shop help')
  await panel.getByText('What visitors are asked and offered').click()
  await panel.getByText('Ratings', { exact: true }).click()
  await panel.getByText('Ask visitors who they are').click()
  await panel.getByText('Follow-up questions', { exact: true }).click()
  await panel.getByText('Post-processing', { exact: true }).click()
  await panel.getByText('Change answers with code').click()
  await panel.getByLabel('JavaScript function').fill('return $flow.rawOutput + " Sharp."')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('Choose what to ask for.').first()).toBeVisible()
  await expect(panel.getByText('Enter an address like https://example.com.').first()).toBeVisible()
  await panel.getByRole('textbox', { name: 'Company link' }).fill('https://loom.example/')
  await panel.getByText('Phone', { exact: true }).click()
  await panel.getByText('Follow-up questions', { exact: true }).click()
  await expectAccessible(page)
  await expect(panel.getByLabel('Widget code', { exact: true })).toContainText(`data-flow="${id}"`)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Sharing saved')).toBeVisible()

  const other = await visitor(browser)
  await other.goto(`/chatbot/${id}`)
  await expect(other.getByRole('heading', { name: 'Shop help', level: 1 })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Shop help', level: 1 })).toHaveCSS('color', 'rgb(255, 224, 138)')
  await expect(other.getByRole('link', { name: 'Loom & Co' })).toHaveAttribute('href', 'https://loom.example/')
  await other.getByRole('button', { name: 'Skip' }).click()
  await other.getByRole('button', { name: 'When do you open?' }).click()
  await expect(messages(other)).toContainText('At nine. Sharp.')
  await expect(messages(other).locator('img')).toHaveAttribute('src', `data:image/png;base64,${PNG}`)
  await expect(messages(other).getByRole('button', { name: 'Good answer' })).toBeVisible()
  expect(await api.get<Lead[]>(`/leads/${id}`)).toEqual([])
  await other.context().close()
})

test('files from web addresses are fetched for visitors once the owner switches it on', async ({
  browser,
  page,
  api,
}) => {
  const { id } = await api.createFlow('Fetches files', await draw(api, [start(), reply('Read.')]))
  await openCanvas(page, id)
  const panel = page.getByRole('dialog', { name: 'Share' })
  const open = async () => {
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await panel.getByText('What visitors are asked and offered').click()
  }
  const saveSharing = async () => {
    await panel.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, 'Sharing saved')).toBeVisible()
  }
  const other = await visitor(browser)
  await other.goto(`/chatbot/${id}`)
  const sent = async () => {
    const uploads = [{ type: 'url', name: 'a.txt', mime: 'text/plain', data: 'http://nowhere.invalid/a.txt' }]
    const response = await other.request.post(`/api/v1/prediction/${id}`, { data: { question: 'q', uploads } })
    return response.text()
  }
  await open()
  await panel.getByText('Everyone', { exact: true }).click()
  await panel.getByText('Text from any file', { exact: true }).click()
  await expect(panel.getByRole('checkbox', { name: 'Files from web addresses' })).not.toBeChecked()
  await saveSharing()
  expect(await sent()).toContain('fetches no files for callers without an API key')
  await page.reload()
  await open()
  await panel.getByText('Files from web addresses', { exact: true }).click()
  await saveSharing()
  expect(await sent()).toContain('The address could not be read')
  await page.reload()
  await open()
  await expect(panel.getByRole('checkbox', { name: 'Files from web addresses' })).toBeChecked()
  await other.context().close()
})

test('a visitor answers the question of a waiting run, in dark mode and by keyboard', async ({ browser, api }) => {
  const { id } = await api.createFlow('Chat page asks', await draw(api, [start(), human('Shall I?'), reply('Done.')]))
  await api.put(`/chatflows/${id}`, { callers: 'everyone' })
  const page = await visitor(browser, true)
  await page.goto(`/chatbot/${id}`)
  await page.getByRole('textbox', { name: 'Question' }).fill('Do it')
  await page.keyboard.press('Enter')
  await expect(messages(page)).toContainText('Shall I?')
  await expectAccessible(page)
  await page.reload()
  await messages(page).getByRole('button', { name: 'Proceed' }).click()
  await expect(messages(page)).toContainText('Done.')
  await page.context().close()
})

test('a flow with a form is started with it', async ({ browser, api }) => {
  const form = {
    startInputType: 'formInput',
    formTitle: 'Book a table',
    formInputTypes: [{ type: 'string', label: 'Guest', name: 'guest' }],
  }
  const { id } = await api.createFlow(
    'Chat page form',
    await draw(api, [start(form), reply('A table for {{$form.guest}}.')]),
  )
  await api.put(`/chatflows/${id}`, { callers: 'everyone' })
  const page = await visitor(browser)
  await page.goto(`/chatbot/${id}`)
  await page.getByLabel('Guest').fill('Ada')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(messages(page)).toContainText('A table for Ada.')
  await page.context().close()
})

test('a chat that is not open to everyone says so, and what to do', async ({ browser, page, api }) => {
  const { id } = await api.createFlow('Chat page closed', await draw(api, [start(), reply('Hello, member.')]))
  const other = await visitor(browser)
  await other.goto(`/chatbot/${id}`)
  await expect(other.getByText('This chat isn’t open to you')).toBeVisible()
  await expect(other.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expectAccessible(other)
  await other.goto('/chatbot/00000000-0000-4000-8000-000000000000')
  await expect(other.getByText('This chat isn’t open to you')).toBeVisible()
  await other.context().close()

  await page.goto(`/chatbot/${id}`)
  await page.getByRole('textbox', { name: 'Question' }).fill('Hello')
  await page.keyboard.press('Enter')
  await expect(messages(page)).toContainText('Hello, member.')
})

test('the chat page stays within its bytes and requests', async ({ browser, api }) => {
  const { id } = await api.createFlow('Chat page bytes', await draw(api, [start(), reply('Hello')]))
  await api.put(`/chatflows/${id}`, { callers: 'everyone' })
  const page = await visitor(browser)
  const weight = await weighPage(page, `/chatbot/${id}`, () => page.getByLabel('Question').waitFor())
  expect(weight.bytes).toBeGreaterThan(WEIGHT_LIMITS.chatPage.bytes / 2)
  expect(weight.bytes).toBeLessThanOrEqual(WEIGHT_LIMITS.chatPage.bytes)
  expect(weight.requests).toBeLessThanOrEqual(WEIGHT_LIMITS.chatPage.requests)
  await page.context().close()
})
