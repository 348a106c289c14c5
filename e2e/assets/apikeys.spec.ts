import { draw, reply, start } from '../support/draw.ts'
import { productPort } from '../support/ports.ts'
import { expect, expectAccessible, setCheckbox, test, toast } from '../support/test.ts'

test('a key is shown once, runs flows, is limited to its permissions, and ends when it is deleted', async ({
  page,
  api,
}) => {
  const flow = await api.createFlow('Called by a program', await draw(api, [start(), reply('Hello, program')]))

  await page.goto('/apikey')
  await page.getByRole('button', { name: 'New API key' }).first().click()
  const form = page.getByRole('dialog', { name: 'New API key' })
  const box = await form.boundingBox()
  const height = page.viewportSize()?.height ?? 0
  expect((box?.y ?? 0) * 2 + (box?.height ?? 0), 'centered').toBeCloseTo(height, -1)
  await form.getByLabel('Name').fill('Website')
  await expect(form.getByRole('button', { name: 'Run flows', pressed: true })).toBeVisible()
  await form.getByRole('button', { name: 'Custom' }).click()
  for (const name of ['Chatflows: View', 'Agentflows: View'])
    await setCheckbox(form.getByRole('checkbox', { name }), false)
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(form.getByText('Choose at least one permission or flow.')).toHaveCount(1)
  await expect(form.getByRole('checkbox', { name: /^(Datasets|Users|Single Sign-On)/ })).toHaveCount(0)
  await setCheckbox(form.getByRole('checkbox', { name: 'Agentflows: View' }), true)
  await form.getByRole('button', { name: 'Create' }).click()

  const shown = page.getByRole('dialog', { name: 'API key “Website”' })
  const key = await shown.getByRole('textbox', { name: 'API key' }).inputValue()
  expect(key.length).toBeGreaterThan(30)
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('row', { name: /Website/ })).toContainText(`…${key.slice(-4)}`)
  await page.reload()
  await expect(page.getByRole('row', { name: /Website/ })).toBeVisible()
  expect(await page.content()).not.toContain(key)

  const call = (method: string, path: string, body?: unknown) =>
    fetch(`http://localhost:${productPort}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
  expect(await (await call('GET', `/chatflows/${flow.id}`)).json()).toMatchObject({ name: 'Called by a program' })
  expect((await call('GET', '/variables')).status).toBe(403)
  expect((await call('DELETE', `/chatflows/${flow.id}`)).status).toBe(403)

  await page.getByRole('button', { name: 'Actions for Website' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit API key' })
  await expect(edit.getByRole('button', { name: 'Custom' })).toHaveAttribute('aria-pressed', 'true')
  await edit.getByRole('button', { name: 'Read' }).click()
  await expect(edit.getByRole('checkbox')).toHaveCount(0)
  await edit.getByLabel('Name').fill('Nightly report')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Nightly report/ })).toBeVisible()

  expect((await call('GET', '/variables')).status).toBe(200)
  await expect(page.getByRole('row', { name: /Nightly report/ }).getByRole('cell', { name: 'Read' })).toBeVisible()

  await page.getByRole('button', { name: 'Actions for Nightly report' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Deleted “Nightly report”')).toBeVisible()
  await expect(page.getByText('No API keys yet')).toBeVisible()
  expect((await call('GET', `/chatflows/${flow.id}`)).status).toBe(401)
})

test('an expired key is refused, and the list says so', async ({ page, api }) => {
  const expiresDate = new Date(Date.now() + 1000).toISOString()
  const body = { keyName: 'Demo day', permissions: ['variables:view'], expiresDate }
  const { apiKey } = await api.post<{ apiKey: string }>('/apikey', body)
  const call = () =>
    fetch(`http://localhost:${productPort}/api/v1/variables`, { headers: { authorization: `Bearer ${apiKey}` } })
  await expect.poll(async () => (await call()).status).toBe(401)
  expect(((await (await call()).json()) as { message: string }).message).toContain('This API key expired on')
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto('/apikey')
  await expect(page.getByRole('row', { name: /Demo day/ })).toContainText('Expired')
  await page.getByRole('button', { name: 'Actions for Demo day' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit API key' })
  await edit.getByLabel('Expires').selectOption('In 90 days')
  await expectAccessible(page)
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Demo day/ })).toContainText('in 3 months')
  expect((await call()).status).toBe(200)
})
