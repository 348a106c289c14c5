import { openCanvas } from '../support/canvas.ts'
import { draw, reply, start } from '../support/draw.ts'
import { expect, expectAccessible, test, toast } from '../support/test.ts'

test('the owner of a flow offers it over MCP, and the settings in the panel open it', async ({
  page,
  api,
  playwright,
  baseURL,
}) => {
  const { id } = await api.createFlow('Offered over MCP', await draw(api, [start(), reply('Hello, model')]))
  const visitor = await playwright.request.newContext({ baseURL, storageState: { cookies: [], origins: [] } })
  await openCanvas(page, id)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const section = page.getByRole('dialog', { name: 'Share' }).getByRole('region', { name: 'MCP server' })
  await section.getByText('MCP server', { exact: true }).click()
  await section.getByRole('textbox', { name: 'Tool name' }).fill('say hello')
  await expect(section.getByText('Use up to 64 letters, digits, _ and -.')).toBeVisible()
  await section.getByRole('textbox', { name: 'Tool name' }).fill('say_hello')
  await section.getByRole('button', { name: 'Save tool' }).click()
  await expect(toast(page, 'Tool saved')).toBeVisible()
  await expectAccessible(page)

  const settings = JSON.parse(
    (await section.getByLabel('MCP client settings', { exact: true }).textContent()) as string,
  )
  const { url, headers } = settings.mcpServers.say_hello
  const call = { name: 'say_hello', arguments: { question: 'Hi' } }
  const ask = () => visitor.post(url, { headers, data: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call } })
  expect(await (await ask()).json()).toMatchObject({ result: { content: [{ text: 'Hello, model' }] } })

  await section.getByRole('button', { name: 'New token' }).click()
  await expect.poll(async () => (await ask()).status()).toBe(401)
  await section.getByText('MCP server', { exact: true }).click()
  await expect(section.getByRole('textbox', { name: 'Tool name' })).toBeHidden()
  await expect.poll(async () => (await ask()).status()).toBe(401)
  await visitor.dispose()
})
