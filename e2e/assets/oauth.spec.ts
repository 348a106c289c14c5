import { chain, directReply, get, node, start } from '../support/flows.ts'
import { startOAuthProvider } from '../support/oauth-provider.ts'
import { oauthPort } from '../support/ports.ts'
import { expect, expectAccessible, test, toast } from '../support/test.ts'

for (const { device, viewport } of [
  { device: 'a desktop', viewport: { width: 1400, height: 900 } },
  { device: 'a phone', viewport: { width: 390, height: 844 } },
]) {
  test.describe(() => {
    test.use({ viewport })

    test(`a person connects an account on ${device}, and a flow uses it`, async ({ page, api, baseURL }) => {
      const provider = await startOAuthProvider(`${baseURL}/api/v1/oauth2-credential/callback`, oauthPort)
      try {
        await page.goto('/credentials')
        await page.getByRole('button', { name: 'New credential' }).first().click()
        const form = page.getByRole('dialog', { name: 'New credential' })
        await form.getByRole('button', { name: /^OAuth2 API/ }).click()
        await expect(form.getByLabel('Redirect URL', { exact: true })).toHaveValue(/\/oauth2-credential\/callback$/)
        await form.getByLabel('Name', { exact: true }).fill('Account')
        await form.getByLabel('Authorization URL').fill(provider.fields.authorizationUrl ?? '')
        await form.getByLabel('Access token URL').fill(provider.fields.accessTokenUrl ?? '')
        await form.getByLabel('Client ID').fill(provider.fields.clientId ?? '')
        await form.getByLabel(/^Client secret/).fill(provider.fields.clientSecret ?? '')
        await form.getByLabel(/^Scope/).fill(provider.fields.scope ?? '')
        await form.getByText('More settings').click()
        await form.getByLabel(/^Additional parameters/).fill(provider.fields.additionalParameters ?? '')
        await form.getByLabel('The secret may be sent to').selectOption('Only these hosts')
        await form.getByRole('button', { name: 'Create' }).click()

        const edit = page.getByRole('dialog', { name: 'Edit OAuth2 API credential' })
        await expect(edit.getByText('Not connected.')).toBeVisible()
        const opened = page.waitForEvent('popup')
        await edit.getByRole('button', { name: 'Connect' }).click()
        const popup = await opened
        await popup.getByRole('link', { name: 'Allow' }).click()
        await popup.getByRole('link', { name: 'Allow' }).click()
        await expect(toast(page, '“Account” is connected.')).toBeVisible()
        await expect(edit.getByText('Connected.')).toBeVisible()
        await edit.getByRole('button', { name: 'Cancel' }).click()

        const [stored] = await api.get<{ id: string }[]>('/credentials')
        const request = get(provider.resource)
        request.data.credential = stored?.id ?? ''
        const { id } = await api.createFlow('Who', chain(start(), request, directReply('{{httpAgentflow_0}}')))
        const answer = await api.post<{ text: string }>(`/prediction/${id}`, { question: 'Who?' })
        expect(answer.text).toContain('"sub":"ann"')

        await page.reload()
        await page.getByRole('button', { name: 'Actions for Account' }).click()
        await page.getByRole('menuitem', { name: 'Delete' }).click()
        const question = page.getByRole('alertdialog')
        await expect(question).toContainText('Used by Who. It will fail until you choose another credential.')
        await question.getByRole('button', { name: 'Delete' }).click()
        await expect(page.getByRole('main').getByText('Account', { exact: true })).toBeHidden()
      } finally {
        await provider.close()
      }
    })

    test(`a person connects an MCP server on ${device}, and a flow calls its tool`, async ({ page, api, baseURL }) => {
      const provider = await startOAuthProvider(`${baseURL}/api/v1/oauth2-mcp/callback`, oauthPort)
      const name = `Directory on ${device}`
      try {
        await page.goto('/tools?tab=mcp')
        await page.getByRole('button', { name: 'New MCP server' }).first().click()
        const form = page.getByRole('dialog', { name: 'New MCP server' })
        await form.getByLabel('Name', { exact: true }).fill(name)
        await form.getByLabel('URL', { exact: true }).fill(provider.mcp)
        await form.getByLabel('Authorization').selectOption('OAuth')
        await expect(form.getByText('Create it, then connect.')).toBeVisible()
        await form.getByRole('button', { name: 'Create' }).click()

        const edit = page.getByRole('dialog', { name: 'Edit MCP server' })
        await expect(edit.getByText('Not connected.')).toBeVisible()
        await expectAccessible(page)
        const opened = page.waitForEvent('popup')
        await edit.getByRole('button', { name: 'Connect', exact: true }).click()
        const popup = await opened
        await popup.getByRole('link', { name: 'Allow' }).click()
        await popup.getByRole('link', { name: 'Allow' }).click()
        await expect(toast(page, `“${name}” is connected.`)).toBeVisible()
        await expect(edit.getByText('Connected.', { exact: true })).toBeVisible()
        await expect(edit.getByRole('button', { name: 'Reconnect' })).toBeVisible()
        await edit.getByText('1 tool', { exact: true }).click()
        await expect(edit.getByRole('list', { name: 'Tools' })).toHaveText('whoami Says who asks')
        await expectAccessible(page)
        await edit.getByRole('button', { name: 'Cancel' }).click()

        const servers = await api.get<{ id: string; name: string }[]>('/custom-mcp-servers')
        const id = servers.find((server) => server.name === name)?.id ?? ''
        const tool = node('toolAgentflow', 0, {
          toolAgentflowSelectedTool: 'customMcpServerTool',
          toolAgentflowSelectedToolConfig: { mcpServerId: id, mcpActions: ['whoami'] },
        })
        const flow = await api.createFlow(`Who on ${device}`, chain(start(), tool))
        expect(await api.post(`/prediction/${flow.id}`, { question: 'Who?' })).toMatchObject({ text: 'ann' })

        await page.getByRole('button', { name: `Actions for ${name}` }).click()
        await page.getByRole('menuitem', { name: 'Edit' }).click()
        await edit.getByRole('button', { name: 'Disconnect' }).click()
        await expect(edit.getByText('Not connected.')).toBeVisible()
      } finally {
        await provider.close()
      }
    })
  })
}
