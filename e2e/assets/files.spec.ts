import { draw, llm, start } from '../support/draw.ts'
import { expect, expectAccessible, test, toast } from '../support/test.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='

test('files that were sent are listed, previewed, downloaded and deleted, on a phone too', async ({
  page,
  api,
  model,
}) => {
  const config = {
    llmModel: 'chatOpenAICustom',
    modelName: 'scripted',
    basepath: model.baseUrl,
    allowImageUploads: true,
  }
  model.reply({ text: 'A dot' })
  const flow = await draw(api, [start(), llm(model.baseUrl, 'Weaver', { llmModelConfig: config })])
  const { id } = await api.createFlow('Takes files', flow)
  const uploads = [
    { type: 'file:full', name: 'notes <b>.md', mime: 'text/markdown', data: '# Warp\nand weft' },
    { type: 'file', name: 'photo.png', mime: 'image/png', data: `data:image/png;base64,${PNG}` },
  ]
  await api.post(`/internal-prediction/${id}`, { question: 'Look', uploads })

  await page.goto('/files')
  await expect(page.getByRole('heading', { level: 1, name: 'Files' })).toBeVisible()
  await expect(page.getByRole('meter', { name: 'Storage' })).toHaveAttribute('aria-valuetext', /of 1\.00 GB used/)
  const notes = page.getByRole('row', { name: /notes b\.md/ })
  await expect(notes).toContainText('Takes files')
  await expect(notes).toContainText('15 Bytes')

  await notes.getByRole('button', { name: 'notes b.md', exact: true }).click()
  const preview = page.getByRole('dialog', { name: 'notes b.md' })
  await expect(preview.getByLabel('Content of notes b.md')).toHaveText('# Warp\nand weft')
  await expectAccessible(page, '[role=dialog]')
  const leaving = page.waitForEvent('download')
  await preview.getByRole('link', { name: 'Download' }).click()
  expect((await leaving).suggestedFilename()).toBe('notes b.md')
  await preview.getByRole('button', { name: 'Close' }).click()
  await expect(preview).toBeHidden()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('searchbox', { name: 'Search files' }).fill('photo')
  await expect(notes).toHaveCount(0)
  await page.getByRole('button', { name: 'photo.png', exact: true }).click()
  const image = page.getByRole('img', { name: 'photo.png' })
  await expect(image).toBeVisible()
  expect(await image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Actions for photo.png' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const asking = page.getByRole('alertdialog', { name: 'Delete “photo.png”?' })
  await expect(asking).toContainText('removed from its chat in “Takes files”')
  await asking.getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Deleted “photo.png”')).toBeVisible()
  await expect(page.getByText('No files match “photo”.')).toBeVisible()
  await expectAccessible(page)
})

test('a file of a document store names its loader, and leaves with what was made of it', async ({ page, api }) => {
  const store = await api.post<{ id: string }>('/document-store/store', { name: 'Handbook', description: '' })
  const file = `data:text/plain;base64,${Buffer.from('Tea is at four.').toString('base64')},filename:tea.txt`
  const loader = { storeId: store.id, loaderId: 'fileLoader', loaderName: 'Policies', loaderConfig: { file } }
  const { id } = await api.post<{ id: string }>('/document-store/loader/save', loader)
  await api.post(`/document-store/loader/process/${id}`, {})

  await page.goto('/files')
  const row = page.getByRole('row', { name: /tea\.txt/ })
  await expect(row).toContainText('Policies')
  await row.getByRole('button', { name: 'tea.txt', exact: true }).click()
  await expect(page.getByLabel('Content of tea.txt')).toHaveText('Tea is at four.')
  await page.keyboard.press('Escape')
  await row.getByRole('button', { name: 'Actions for tea.txt' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const asking = page.getByRole('alertdialog', { name: 'Delete “tea.txt”?' })
  await expect(asking).toContainText('The loader “Policies” of “Handbook” loses this file with its chunk')
  await asking.getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Deleted “tea.txt”')).toBeVisible()
  await expect(row).toHaveCount(0)
  expect(await api.get(`/document-store/store/${store.id}`)).toMatchObject({ totalChunks: 0, totalBytes: 0 })
  await expectAccessible(page)
})
