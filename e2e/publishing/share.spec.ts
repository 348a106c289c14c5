import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { openCanvas } from '../support/canvas.ts'
import { draw, reply, start } from '../support/draw.ts'
import { expect, expectAccessible, expectStatus, test, toast } from '../support/test.ts'

const run = promisify(execFile)

test('a visitor is refused until the owner shares the flow, and the code in the panel runs as it stands', async ({
  page,
  api,
  playwright,
  baseURL,
}) => {
  const { id } = await api.createFlow('Asked from outside', await draw(api, [start(), reply('Hello, visitor')]))
  const visitor = await playwright.request.newContext({ baseURL, storageState: { cookies: [], origins: [] } })
  const ask = async () => {
    const response = await visitor.post(`/api/v1/prediction/${id}`, { data: { question: 'Hello?' } })
    return [response.status(), await response.text()] as const
  }
  expect(await ask()).toEqual([401, expect.stringContaining('needs an API key')])
  await openCanvas(page, id)

  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  const asking = page.getByRole('dialog', { name: 'Publish this flow?' })
  await expect(asking.getByRole('radio', { name: 'API keys' })).toBeChecked()
  await expectAccessible(page)
  await asking.getByRole('button', { name: 'Publish' }).click()
  const panel = page.getByRole('dialog', { name: 'Share' })
  await expectStatus(panel, 'Published version 1')
  await expect(panel.getByRole('textbox', { name: 'Address' })).toHaveValue(`${baseURL}/api/v1/prediction/${id}`)
  await expect(panel.getByLabel('curl code', { exact: true })).toContainText('YOUR_API_KEY')
  await panel.getByRole('button', { name: 'Create API key' }).click()
  await expect(panel.getByText('Copy it now')).toBeVisible()
  const curl = await panel.getByLabel('curl code', { exact: true }).textContent()
  expect(JSON.parse((await run('sh', ['-c', curl as string])).stdout)).toMatchObject({ text: 'Hello, visitor' })

  await panel.getByText('Everyone', { exact: true }).click()
  await panel.getByText('Limit calls per caller').click()
  await panel.getByRole('textbox', { name: 'Calls' }).fill('many')
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel.getByText('Enter how many calls, a number above 0.').first()).toBeVisible()
  await panel.getByRole('textbox', { name: 'Calls' }).fill('2')
  await expectAccessible(page)
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Sharing saved')).toBeVisible()
  expect(await ask()).toEqual([200, expect.stringContaining('Hello, visitor')])

  await page.reload()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect(panel.getByRole('radio', { name: 'Everyone' })).toBeChecked()
  const open = await panel.getByLabel('curl code', { exact: true }).textContent()
  expect(open).not.toContain('Authorization')
  expect((await run('sh', ['-c', open as string])).stdout).toContain('Hello, visitor')
  expect((await ask())[0]).toBe(429)

  await panel.getByText('Members only').click()
  await expect(panel.getByLabel('curl code', { exact: true })).toBeHidden()
  await panel.getByRole('button', { name: 'Save' }).click()
  await expect(panel).toBeHidden()
  expect(await ask()).toEqual([401, expect.stringContaining('No such flow is open to you')])
  await visitor.dispose()
})
