import { gzipSync } from 'node:zlib'
import { chain, code, start } from '../support/flows.ts'
import { WEIGHT_LIMITS, type Weight, WIDGET_BYTES, weighPage } from '../support/page-weight.ts'
import { expect, test } from '../support/test.ts'

function expectWithin(weight: Weight, limits: Weight): void {
  expect(weight.bytes).toBeGreaterThan(limits.bytes / 2)
  expect(weight.bytes).toBeLessThanOrEqual(limits.bytes)
  expect(weight.requests).toBeLessThanOrEqual(limits.requests)
}

test.describe('a visitor', () => {
  test.use({ storageState: { cookies: [], origins: [] } })

  test('loads a small sign-in page with few requests', async ({ page }) => {
    expectWithin(await weighPage(page, '/signin', () => page.getByLabel('Email').waitFor()), WEIGHT_LIMITS.signIn)
  })
})

test('the canvas page stays within its bytes and requests', async ({ page, api }) => {
  const { id } = await api.createFlow('Bytes', chain(start(), code('return 1')))
  const shown = () => page.locator('.react-flow__node').first().waitFor()
  expectWithin(await weighPage(page, `/v2/agentcanvas/${id}`, shown), WEIGHT_LIMITS.canvas)
})

test('the canvas shows its shell and asks for its scripts and data before the first script has arrived', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.route(/\/assets\/index-[^/]+\.js$/, () => {})
  await page.goto('/v2/agentcanvas', { waitUntil: 'commit' })
  await expect
    .poll(() => asked)
    .toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^\/assets\/canvas-.*\.js$/),
        expect.stringMatching(/^\/assets\/canvas-.*\.css$/),
        expect.stringMatching(/^\/assets\/providers-.*\.js$/),
        '/api/v1/nodes/startAgentflow',
        '/api/v1/settings',
      ]),
    )
  await expect(page.locator('#shell header')).toBeVisible()
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(15, 17, 21)')
})

test('the widget is one small script that any site may load and keep', async ({ request }) => {
  for (const path of ['/widget.js', '/widget-react.js']) {
    const response = await request.get(path)
    const bytes = gzipSync(await response.body()).length
    expect(bytes).toBeGreaterThan(WIDGET_BYTES / 2)
    expect(bytes).toBeLessThanOrEqual(WIDGET_BYTES)
    expect(response.headers()).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': expect.stringContaining('max-age=3600'),
    })
  }
})
