import type { Page } from '@playwright/test'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { expect, expectAccessible, test } from '../support/test.ts'

const TEXT = [
  'A loom holds the warp under tension while the weft is passed through it.',
  'The heddles lift some of the threads, and the shuttle runs below them.',
  'A reed beats each pass of the weft against the cloth that is there.',
].join('\n\n')

const region = (page: Page, name: string) => page.getByRole('region', { name })
const loaders = (page: Page) => region(page, 'Loaders').getByRole('listitem').first()
const borders = (page: Page) => region(page, 'Preview').getByRole('button', { name: /^Chunk \d+ begins$/ })

async function addLoader(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Add loader' }).click()
  const picker = page.getByRole('dialog', { name: 'Add loader' })
  await picker.getByRole('searchbox', { name: 'Search loaders' }).fill(label.toLowerCase())
  await expect(picker.getByRole('button', { name: label })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(picker).toBeHidden()
}

async function fillText(page: Page): Promise<void> {
  await page
    .getByLabel(/^Text\b/)
    .first()
    .fill(TEXT)
  await page.getByLabel('Chunk size').fill('100')
  await page.getByLabel('Chunk overlap').fill('20')
}

test('a store is made, filled from a text, and counts its chunks', async ({ page }) => {
  await page.goto('/document-stores')
  await page.getByRole('button', { name: 'New document store' }).first().click()
  const form = page.getByRole('dialog', { name: 'New document store' })
  await form.getByLabel('Name', { exact: true }).fill('Weaving basics')
  await form.getByLabel('Description').fill('How a loom works')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Weaving basics', level: 1 })).toBeVisible()

  await addLoader(page, 'Plain Text')
  await expect(page.getByRole('heading', { name: 'Plain Text', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Save and process' }).click()
  await expect(page.getByText('Fill in “Text”.').first()).toBeVisible()
  await fillText(page)
  await page.getByRole('button', { name: 'Save and process' }).click()

  await expect(loaders(page)).toContainText('Ready')
  await expect(loaders(page)).toContainText('3 chunks')
  await expect(page.getByRole('row', { name: /Process Done/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'All document stores' }).click()
  await expect(page.getByRole('row', { name: /Weaving basics/ })).toContainText('Ready3')
})

test('a preview marks where chunks begin, before anything is kept', async ({ page, api }) => {
  const { id } = await api.post<DocumentStore>('/document-store/store', { name: 'Only looked at' })
  await page.goto(`/document-stores/${id}/plainText`)
  await fillText(page)
  await expect(borders(page)).toHaveCount(3)
  await expect(region(page, 'Preview')).toContainText('Embedding costFree')
  await expectAccessible(page)
  await region(page, 'Preview').getByRole('button', { name: 'Chunk by chunk' }).click()
  await region(page, 'Preview').getByRole('button', { name: 'Show chunk 2 in the text' }).click()
  await expect(borders(page).nth(1)).toHaveAttribute('aria-pressed', 'true')
  expect((await api.get<DocumentStore>(`/document-store/store/${id}`)).loaders).toEqual([])
})

test('a file that cannot be read is named with its reason, and the others are read', async ({ page, api }) => {
  const { id } = await api.post<DocumentStore>('/document-store/store', { name: 'Mixed files' })
  await page.goto(`/document-stores/${id}/fileLoader`)
  const slowLine = Promise.withResolvers<void>()
  await page.route('**/files?name=loom.txt', (route) => slowLine.promise.then(() => route.continue()))
  await page.locator('input[type=file]').setInputFiles([
    { name: 'loom.txt', mimeType: 'text/plain', buffer: Buffer.from(TEXT) },
    { name: 'torn.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n1 0 obj\n<<') },
  ])
  const files = page.getByRole('list', { name: 'Files' }).getByRole('listitem')
  await expect(files).toContainText(['loom.txt', '0% of'])
  slowLine.resolve()
  await expect(files).toHaveText(['loom.txt', 'torn.pdf'])
  await page.getByRole('button', { name: 'Save and process' }).click()

  await expect(loaders(page)).toContainText('Incomplete')
  await expect(loaders(page)).toContainText('1 file not read')
  await expect(loaders(page).getByRole('button', { name: /^Try again/ })).toBeVisible()
  await expectAccessible(page)
})

test('a store is renamed and deleted from the list on a phone', async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await api.post('/document-store/store', { name: 'Patterns for table runners and other long cloth' })
  await page.goto('/document-stores')
  await page.getByRole('button', { name: /^Actions for Patterns/ }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const form = page.getByRole('dialog', { name: 'Rename document store' })
  await form.getByLabel('Name', { exact: true }).fill('Runners')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Runners/ })).toContainText('Empty')
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)

  await page.getByRole('button', { name: 'Actions for Runners' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const asking = page.getByRole('alertdialog')
  await expect(asking).toContainText('Nothing uses it.')
  await asking.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('row', { name: /Runners/ })).toBeHidden()
})

test('a loader is saved without being processed', async ({ page, api }) => {
  const { id } = await api.post<DocumentStore>('/document-store/store', { name: 'Kept for later' })
  await page.goto(`/document-stores/${id}/plainText`)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Fill in “Text”.').first()).toBeVisible()
  await fillText(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Kept for later', level: 1 })).toBeVisible()
  await expect(loaders(page)).toContainText('Not read')
  const { loaders: saved, job } = await api.get<DocumentStore>(`/document-store/store/${id}`)
  expect(saved).toMatchObject([{ loaderConfig: { text: TEXT }, totalChunks: 0 }])
  expect(job).toBeNull()
})

test('a store page that cannot be loaded has a heading and a way on', async ({ page, api }) => {
  const { id } = await api.post<DocumentStore>('/document-store/store', { name: 'Out of reach' })
  for (const path of [`/document-stores/${id}`, `/document-stores/${id}/plainText`]) {
    await page.route(`**/api/v1/document-store/store/${id}`, (route) =>
      route.fulfill({ status: 500, json: { message: 'The database is away' } }),
    )
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1, name: 'Document store' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'All document stores' })).toBeVisible()
    await expectAccessible(page)
    await page.unroute(`**/api/v1/document-store/store/${id}`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Document store' })).toBeHidden()
  }
})
