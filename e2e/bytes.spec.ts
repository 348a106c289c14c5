import { chain, code, start } from './support/flows.ts'
import { SCRIPT_LIMITS, scriptBytes } from './support/scripts.ts'
import { expect, test } from './support/test.ts'

test.describe('a stranger', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  test('loads a small sign-in page', async ({ page }) => {
    const bytes = await scriptBytes(page, '/signin', () => page.getByLabel('Email').waitFor())
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(SCRIPT_LIMITS.signIn)
  })
})

test('the canvas page stays within its bytes', async ({ page, api }) => {
  const { id } = await api.createFlow('Bytes', chain(start(), code('return 1')))
  const shown = () => page.locator('.react-flow__node').first().waitFor()
  const bytes = await scriptBytes(page, `/v2/agentcanvas/${id}`, shown)
  expect(bytes).toBeGreaterThan(SCRIPT_LIMITS.signIn)
  expect(bytes).toBeLessThanOrEqual(SCRIPT_LIMITS.canvas)
})
