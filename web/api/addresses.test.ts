import { afterEach, expect, it, vi } from 'vitest'

/** Loads the client anew, as a page at `https://pages.example` with these settings of the build. */
async function addresses(settings: Record<string, string>) {
  vi.resetModules()
  vi.stubGlobal('location', { origin: 'https://pages.example' })
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const { apiBase, uiBase } = await import('./client.ts')
  return { api: apiBase(), pages: uiBase() }
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

it('links lead to the host of the page, which serves API and pages by default', async () => {
  expect(await addresses({})).toEqual({ api: 'https://pages.example', pages: 'https://pages.example' })
})

it('links lead to the hosts that the build names, without a slash at the end', async () => {
  const settings = { VITE_API_BASE_URL: 'https://api.example/', VITE_UI_BASE_URL: 'https://app.example/' }
  expect(await addresses(settings)).toEqual({ api: 'https://api.example', pages: 'https://app.example' })
})
