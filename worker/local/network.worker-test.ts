// @defends calls-private-network
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { expect, it } from 'vitest'
import { publicNetwork, wholeNetwork } from './network.ts'

/** Calls the address over both networks and, for comparison, over the default one. */
const script = `export default {
  async fetch(request, env) {
    const { address } = await request.json()
    const call = (network) => network.fetch(address).then((answer) => answer.text(), () => 'refused')
    return Response.json({
      open: await call(globalThis),
      whole: await call(env.NETWORK),
      public: await call(env.PUBLIC_NETWORK),
    })
  },
}`

it('refuses to connect to a name that resolves to a private address', async () => {
  const server = createServer((_, response) => response.end('inside')).listen(0, '0.0.0.0')
  await once(server, 'listening')
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script,
      compatibilityDate: '2026-10-01',
      serviceBindings: { NETWORK: wholeNetwork(), PUBLIC_NETWORK: publicNetwork() },
      cf: false,
      telemetry: { enabled: false },
      // workerd logs each refusal.
      handleStructuredLogs: () => {},
    }),
  )
  const address = `http://localhost:${(server.address() as AddressInfo).port}/`
  const answer = await miniflare.dispatchFetch('http://test/', { method: 'POST', body: JSON.stringify({ address }) })
  expect(await answer.json()).toEqual({ open: 'inside', whole: 'inside', public: 'refused' })
  await miniflare.dispose()
  server.close()
})
