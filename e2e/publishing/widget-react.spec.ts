/** The widget as a component on a page that has React of its own. */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { draw, llm, start } from '../support/draw.ts'
import { test } from '../support/site.ts'
import { expect } from '../support/test.ts'

const root = join(import.meta.dirname, '../..')

/** Bundles the page's React. Its parts share one copy of it, as in any application. */
async function bundleReact(): Promise<string> {
  const folder = mkdtempSync(join(root, 'test-results/react-'))
  const entry = join(folder, 'entry.js')
  writeFileSync(
    entry,
    `export { useEffect, useRef } from 'react'
    export { jsx, jsxs, Fragment } from 'react/jsx-runtime'
    export { createRoot } from 'react-dom/client'`,
  )
  await build({
    ...{ root, configFile: false, logLevel: 'silent', publicDir: false },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { outDir: folder, emptyOutDir: false, lib: { entry, formats: ['es'], fileName: 'react' } },
  })
  return join(folder, 'react.js')
}

test('a React page shows the chat, shows another flow instead, and takes it away', async ({
  page,
  api,
  model,
  site,
  baseURL,
}) => {
  const flow = await draw(api, [start(), llm(model.baseUrl)])
  const publish = async (title: string) => {
    const { id } = await api.createFlow(`React ${title}`, flow)
    await api.put(`/chatflows/${id}`, { callers: 'everyone', chatbotConfig: JSON.stringify({ title }) })
    return id
  }
  const [looms, reeds] = [await publish('Loom help'), await publish('Reed help')]
  site.serve('/react.js', await bundleReact())
  const imports = JSON.stringify({ imports: { react: '/react.js', 'react/jsx-runtime': '/react.js' } })
  await page.goto(
    site.show(`<div id="app" style="height: 600px"></div>
      <script type="importmap">${imports}</script>
      <script type="module">
        import { createRoot, jsx } from '/react.js'
        import { HeddleChat } from '${baseURL}/widget-react.js'
        const root = createRoot(document.getElementById('app'))
        window.showFlow = (flow) => root.render(flow ? jsx(HeddleChat, { flow }) : null)
        window.showFlow('${looms}')
      </script>`),
  )
  const showFlow = (id?: string) => page.evaluate((flowId) => (window as never as Shown).showFlow(flowId), id)
  await expect(page.getByText('Loom help')).toBeVisible()
  model.reply({ text: 'A heddle guides the warp.' })
  await page.getByLabel('Your message').fill('What is a heddle?')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('A heddle guides the warp.')

  await showFlow(reeds)
  await expect(page.getByText('Reed help')).toBeVisible()
  await expect(page.getByText('Loom help')).toHaveCount(0)
  await showFlow(looms)
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText('A heddle guides the warp.')
  await showFlow()
  await expect(page.getByLabel('Your message')).toHaveCount(0)
})

interface Shown {
  showFlow(flowId?: string): void
}
