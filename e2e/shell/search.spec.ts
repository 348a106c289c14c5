import type { Page } from '@playwright/test'
import { draw, reply, start } from '../support/draw.ts'
import { expect, holdBack, test } from '../support/test.ts'

const field = (page: Page) => page.getByPlaceholder('Search for anything...')
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Search' })
const results = (page: Page) => dialog(page).getByRole('option')
const lookFor = async (page: Page, text: string) => {
  await page.keyboard.press('Control+k')
  await field(page).fill(text)
}
const chosen = (page: Page) => dialog(page).getByRole('option', { selected: true })

test.beforeEach(async ({ page }) => {
  await page.goto('/app')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('opens by Ctrl+K and by Cmd+K, closes by Escape, says how to use it', async ({ page }) => {
  for (const keys of ['Control+k', 'Meta+k']) {
    await page.keyboard.press(keys)
    await expect(field(page)).toBeFocused()
    await expect(dialog(page)).toContainText('Use ↑↓ to navigate, Enter to select, Esc to close')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
  }
})

test('keeps what is typed before the dialog has loaded, and gives none of it to the page below', async ({ page }) => {
  const arrive = await holdBack(page, '**/assets/SearchDialog-*.js')
  await page.goto('/v2/agentcanvas')
  await expect(page.getByRole('region', { name: 'Canvas' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('oapi kex')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('y')
  await expect(page.getByRole('status', { name: 'Loading search' })).toHaveText('oapi key')
  await expect(page.getByRole('complementary', { name: 'Details' })).toHaveCount(0)
  await arrive()
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('oapi key')
  await field(page).fill('api key')
  await expect(chosen(page)).toContainText('/apikey')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('tools')
  await expect(field(page)).toHaveValue('tools')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/tools')
})

test('the search loses no letter while its dialog opens, even on a slow machine', async ({ page }) => {
  const text = 'a long question that somebody types without looking up'
  const devTools = await page.context().newCDPSession(page)
  for (const typedBefore of [0, 3, 12]) {
    const arrive = await holdBack(page, '**/assets/SearchDialog-*.js')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text.slice(0, typedBefore))
    await arrive()
    await page.keyboard.type(text.slice(typedBefore), { delay: 20 })
    await expect(field(page)).toHaveValue(text)
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  }
})

test('finds by title and by description, whatever the case, and shows the route', async ({ page }) => {
  await page.keyboard.press('Control+k')
  await expect(results(page).first()).toBeVisible()
  const count = await results(page).count()
  expect(count).toBeGreaterThan(3)
  expect(count).toBeLessThanOrEqual(8)

  await page.keyboard.type('cReDenT')
  await expect(results(page).first()).toContainText('Encrypted keys')
  await expect(results(page).first()).toContainText('/credentials')
  await expect(results(page).nth(1)).toContainText('New credential')

  await field(page).fill('COST OF EVERY')
  await expect(results(page)).toHaveCount(1)
  await expect(results(page)).toContainText('/executions')

  await field(page).fill('loom of doom')
  await expect(dialog(page)).toContainText('No results found for loom of doom')
  await expect(results(page)).toHaveCount(0)
})

test('finds flows, runs by their question, credentials, triggers, variables and API keys', async ({ page, api }) => {
  const { id } = await api.createFlow('Bobbin flow', await draw(api, [start(), reply('Hello')]))
  await api.post(`/internal-prediction/${id}`, { question: 'Where is the bobbin?' })
  const settings = { kind: 'webhook', input: { mode: 'payload' } }
  await api.post('/triggers', { flowId: id, name: 'Bobbin alarm', settings })
  await api.post('/credentials', {
    name: 'Bobbin key',
    credentialName: 'openAIApi',
    plainDataObj: { openAIApiKey: 'k' },
  })
  await api.post('/variables', { name: 'bobbin_count', value: '7', type: 'static' })
  await api.post('/apikey', { keyName: 'Bobbin robot', permissions: ['agentflows:view'] })

  await lookFor(page, 'bobbin')
  await expect(results(page)).toContainText([
    'Bobbin flow',
    'Where is the bobbin?',
    'Bobbin alarm',
    'Bobbin key',
    'bobbin_count',
    'Bobbin robot',
  ])
  for (const [title, url] of [
    ['Bobbin flow', `/v2/agentcanvas/${id}`],
    ['Where is the bobbin?', /\/executions\/[\w-]+$/],
    ['Bobbin alarm', /\/triggers\/[\w-]+$/],
    ['Bobbin key', '/credentials'],
  ] as const) {
    await page.goto('/app')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await lookFor(page, title)
    await results(page).filter({ hasText: title }).first().click()
    await expect(page).toHaveURL(url)
  }
})

test('takes actions: a new schedule, a new credential, a flow from a description', async ({ page }) => {
  for (const [title, dialogName] of [
    ['New schedule', /trigger/i],
    ['New credential', /credential/i],
    ['Describe what you want', 'Describe what you want'],
  ] as const) {
    await page.goto('/app')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await lookFor(page, title)
    await expect(chosen(page)).toContainText(title)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: dialogName })).toBeVisible()
  }
})

test('arrows move the selection, Enter opens it', async ({ page }) => {
  await page.keyboard.press('Control+k')
  await expect(chosen(page)).toHaveCount(1)
  const titles = await results(page).allTextContents()
  await expect(chosen(page)).toHaveText(titles[0] as string)
  await page.keyboard.press('ArrowDown')
  await expect(chosen(page)).toHaveText(titles[1] as string)
  await page.keyboard.press('ArrowUp')
  await expect(chosen(page)).toHaveText(titles[0] as string)
  await page.keyboard.type('variables')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/variables')
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Variables', level: 1 })).toBeVisible()
})

test('opens from the top bar and on the canvas too', async ({ page }) => {
  await page.getByRole('button', { name: /^Search/ }).click()
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')

  await page.goto('/v2/agentcanvas')
  await expect(page.getByRole('region', { name: 'Canvas' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('api key')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/apikey')
})
