import type { Page } from '@playwright/test'
import { nodes, settings } from '../support/canvas.ts'
import { chooseFlowFile, exportFromCanvas, jsonFile, readDownload } from '../support/files.ts'
import { chain, directReply, node, start } from '../support/flows.ts'
import { expect, test, toast } from '../support/test.ts'

/** A node of an unsupported type, with all fields of its own product. */
const crystal = {
  ...node('crystalBallAgentflow', 0, { crystalQuestion: '<p>{{ question }}</p>', crystalTools: [{ kind: 'orb' }] }),
  position: { x: 200, y: 150 },
  width: 300,
  foretells: { weather: true },
}
const flow = chain(start(), crystal, directReply('{{ crystalBallAgentflow_0 }}'))

const reason = 'The node type crystalBallAgentflow is not supported'

async function expectStoredUnchanged(page: Page) {
  await expect(nodes(page)).toHaveCount(3)
  const unknown = nodes(page).filter({ hasText: 'Not supported. Kept unchanged.' })
  await expect(unknown).toContainText('crystalBall 0')
  await unknown.click()
  await expect(settings(page, 'crystalBall 0')).toContainText('It is kept unchanged but cannot run.')
  expect(await exportFromCanvas(page)).toEqual(flow)
}

test('unsupported content of an imported flow is reported, shown and exported unchanged', async ({ page }) => {
  await chooseFlowFile(page, jsonFile('Seer Agents.json', flow))
  const dialog = page.getByRole('dialog', { name: 'Import “Seer”' })
  await expect(dialog).toContainText('1 is not supported yet')
  await expect(dialog).toContainText(reason)
  await dialog.getByRole('button', { name: 'Import and open' }).click()
  await expect(page).toHaveURL(/agentcanvas\/[\w-]+$/)
  await expectStoredUnchanged(page)
})

test('unsupported content of an imported workspace is reported, shown and exported unchanged', async ({ page }) => {
  const fromAccount = async (item: string) => {
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
  }
  const item = { id: crypto.randomUUID(), name: 'Bundled seer', type: 'AGENTFLOW', flowData: JSON.stringify(flow) }
  await page.goto('/agentflows')
  await fromAccount('Import')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('File to import').setInputFiles(jsonFile('ExportData.json', { AgentFlowV2: [item] }))
  await dialog.getByText('Bundled seer').click()
  await expect(dialog).toContainText(reason)
  await dialog.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(toast(page, 'Import All successful')).toBeVisible()

  await fromAccount('Export')
  const leaving = page.waitForEvent('download')
  await page.getByRole('dialog', { name: 'Export' }).getByRole('button', { name: 'Export' }).click()
  const bundle = (await readDownload(await leaving)) as { AgentFlowV2: { name: string; flowData: string }[] }
  const kept = bundle.AgentFlowV2.find(({ name }) => name === 'Bundled seer')
  expect(JSON.parse(kept?.flowData ?? '')).toEqual(flow)

  await page.getByRole('link', { name: 'Bundled seer', exact: true }).first().click()
  await expectStoredUnchanged(page)
})
