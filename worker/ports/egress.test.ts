// @defends calls-private-network
// @defends header-mcp-server
import { describe, expect, it } from 'vitest'
import { createEgress, MAX_CONNECTIONS } from './egress.ts'
import { openReader } from './limit-body.ts'
import { fakeNetwork, redirectTo } from './testing/fake-network.ts'

const open = (answers: Parameters<typeof fakeNetwork>[0], allowPrivateHosts: string[] = []) => {
  const network = fakeNetwork(answers)
  return { network, egress: createEgress({ allowPrivateHosts, network: network.fetch }) }
}

const PRIVATE = [
  'http://localhost/',
  'http://localhost:8788/',
  'http://app.localhost/',
  'http://LOCALHOST/',
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.255.255.254/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://①②⑦.⓪.⓪.①/',
  'http://0.0.0.0/',
  'http://0/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://169.254.170.2/',
  'http://168.63.129.16/metadata',
  'http://[::ffff:168.63.129.16]/',
  'http://100.64.0.1/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[2001:db8::1]/',
  'http://metadata.google.internal/',
  'http://printer.local/',
  'http://nas.lan/',
  'http://router.home.arpa/',
  'http://redis:6379/',
  'http://metadata/',
]

describe('egress', () => {
  it.each(PRIVATE)('rejects the private address %s', async (address) => {
    const { egress, network } = open({ [new URL(address).href]: new Response('secret') })
    await expect(egress.fetch(address)).rejects.toThrow(/is a private address.*ALLOW_PRIVATE_HOSTS=/)
    expect(network.seen).toEqual([])
  })

  it.each([
    ['file:///etc/passwd', /file:\/\/ is not allowed/],
    ['ftp://example.com/', /ftp:\/\/ is not allowed/],
    ['data:text/plain,hi', /is not allowed/],
    ['javascript:alert(1)', /is not allowed/],
    ['ws://example.com/', /is not allowed/],
    ['https://user:secret@example.com/', /name or password/],
    ['https://user@example.com/', /name or password/],
    ['https://example.com./', /ends with a dot/],
    ['http://localhost./', /ends with a dot/],
    ['example.com/path', /is not a valid URL/],
    ['', /is not a valid URL/],
  ])('rejects the URL %s', async (address, message) => {
    const { egress, network } = open({})
    await expect(egress.fetch(address)).rejects.toThrow(message)
    expect(network.seen).toEqual([])
  })

  it.each(['https://example.com/', 'http://8.8.8.8/', 'http://[2606:4700::1111]/', 'https://localhost.example.com/'])(
    'allows the address %s',
    async (address) => {
      const { egress } = open({ [address]: new Response('hello') })
      expect(await (await egress.fetch(address)).text()).toBe('hello')
    },
  )

  it('tells how to allow a private host', async () => {
    const { egress } = open({})
    await expect(egress.fetch('http://localhost:11434/v1')).rejects.toThrow(
      'localhost is a private address. To allow it, start Heddle with ALLOW_PRIVATE_HOSTS=localhost:11434',
    )
  })

  it.each([
    ['http://localhost:11434/', ['localhost:11434'], true],
    ['http://localhost:11434/', ['localhost'], true],
    ['http://localhost:8789/', ['localhost:11434'], false],
    ['http://localhost/', ['localhost:80'], true],
    ['http://127.0.0.1:11434/', ['localhost:11434'], false],
    ['http://[::1]:11434/', ['[::1]:11434'], true],
    ['http://evil.localhost/', ['localhost'], false],
  ])('calls %s with the allowed hosts %j: %s', async (address, allowed, isAllowed) => {
    const { egress, network } = open({ [address]: new Response('hello') }, allowed)
    await egress.fetch(address).catch(() => {})
    expect(network.seen.length > 0).toBe(isAllowed)
  })

  it('uses the public network for public hosts and the platform’s network for allowed private hosts', async () => {
    const network = fakeNetwork({ 'http://localhost:1/': new Response('private') })
    const publicNetwork = fakeNetwork({ 'https://example.com/': new Response('public') })
    const egress = createEgress({
      allowPrivateHosts: ['localhost:1'],
      network: network.fetch,
      publicNetwork: publicNetwork.fetch,
    })
    expect(await (await egress.fetch('http://localhost:1/')).text()).toBe('private')
    expect(await (await egress.fetch('https://example.com/')).text()).toBe('public')
  })

  it('mentions private hosts when the network refuses a public name', async () => {
    const { egress } = open({})
    await expect(egress.fetch('https://rebinding.example.com/')).rejects.toThrow(
      /rebinding.example.com could not be reached.*private host/,
    )
  })
})

describe('egress with redirects', () => {
  const start = 'https://example.com/start'
  const end = 'https://example.com/end'

  it.each(PRIVATE.filter((address) => /^[ -~]+$/.test(address)))(
    'does not follow a redirect to %s',
    async (address) => {
      const { egress, network } = open({
        [start]: redirectTo(address),
        [new URL(address).href]: new Response('secret'),
      })
      await expect(egress.fetch(start)).rejects.toThrow(/is a private address/)
      expect(network.seen).toHaveLength(1)
    },
  )

  it.each(['file:///etc/passwd', 'https://user:secret@example.com/', 'http://'])(
    'rejects a redirect to %s',
    async (to) => {
      const { egress, network } = open({ [start]: redirectTo(to) })
      await expect(egress.fetch(start)).rejects.toThrow()
      expect(network.seen).toHaveLength(1)
    },
  )

  it('checks the second hop like the first', async () => {
    const { egress } = open({
      [start]: redirectTo('https://other.example.com/'),
      'https://other.example.com/': redirectTo('http://169.254.169.254/'),
      'http://169.254.169.254/': new Response('secret'),
    })
    await expect(egress.fetch(start)).rejects.toThrow(/169.254.169.254 is a private address/)
  })

  it('follows at most five redirects', async () => {
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, n) => [`https://example.com/${n}`, redirectTo(`/${n + 1}`)] as const),
      )
    const five = open({ ...chain(5), 'https://example.com/5': new Response('arrived') })
    expect(await (await five.egress.fetch('https://example.com/0')).text()).toBe('arrived')
    const six = open({ ...chain(6), 'https://example.com/6': new Response('arrived') })
    await expect(six.egress.fetch('https://example.com/0')).rejects.toThrow(/^example.com redirects more than 5 times/)
    const secret = open({ 'https://example.com/?key=secret': redirectTo('/?key=secret') })
    await expect(secret.egress.fetch('https://example.com/?key=secret')).rejects.not.toThrow(/secret/)
  })

  it('returns the final URL with the response', async () => {
    const { egress } = open({ [start]: redirectTo('/end'), 'https://example.com/end': new Response('arrived') })
    expect((await egress.fetch(start)).url).toBe('https://example.com/end')
  })

  const secrets = { authorization: 'Bearer s', cookie: 'a=b', 'x-api-key': 's', 'x-custom': 's', accept: 'text/plain' }

  it.each([
    ['another host', 'https://other.example.com/end'],
    ['another port', 'https://example.com:8443/end'],
    ['another scheme', 'http://example.com/end'],
  ])('drops headers that may be secret on a redirect to %s', async (_name, to) => {
    const { egress, network } = open({ [start]: redirectTo(to), [to]: new Response() })
    await egress.fetch(start, { headers: secrets })
    expect(network.seen[1]?.headers).toEqual({ accept: 'text/plain', 'user-agent': 'Heddle' })
  })

  it('does not restore them when a third hop returns to the first origin', async () => {
    const away = 'https://other.example.com/'
    const { egress, network } = open({ [start]: redirectTo(away), [away]: redirectTo(end), [end]: new Response() })
    await egress.fetch(start, { headers: secrets })
    expect(network.seen[2]?.headers.authorization).toBeUndefined()
  })

  it('keeps all headers within an origin', async () => {
    const { egress, network } = open({ [start]: redirectTo('/end'), [end]: new Response() })
    await egress.fetch(start, { headers: secrets })
    expect(network.seen[1]?.headers).toMatchObject(secrets)
  })

  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [302, 'PUT', 'PUT', 'body'],
    [307, 'POST', 'POST', 'body'],
    [308, 'POST', 'POST', 'body'],
    [303, 'GET', 'GET', ''],
  ])('follows %i after %s with %s and the body "%s"', async (status, method, then, body) => {
    const { egress, network } = open({ [start]: redirectTo('/end', status), [end]: new Response() })
    await egress.fetch(start, { method, body: method === 'GET' ? undefined : 'body' })
    expect(network.seen[1]).toMatchObject({ method: then, body })
    expect('content-type' in (network.seen[1]?.headers ?? {})).toBe(body !== '')
  })

  it('leaves redirects to the caller, or rejects them, on request', async () => {
    const { egress, network } = open({ [start]: redirectTo('/end') })
    expect((await egress.fetch(start, { redirect: 'manual' })).status).toBe(302)
    await expect(egress.fetch(start, { redirect: 'error' })).rejects.toThrow(/responded with a redirect/)
    expect(network.seen).toHaveLength(2)
  })
})

describe('headers of a connection', () => {
  it('cannot be set by the caller', async () => {
    const { egress, network } = open({ 'https://example.com/': new Response() })
    await egress.fetch(new Request('https://example.com/', { headers: { 'proxy-authorization': 's', te: 'trailers' } }))
    expect(network.seen[0]?.headers).toEqual({ 'user-agent': 'Heddle' })
  })
})

describe('the limits of egress', () => {
  const address = 'https://example.com/'
  const bytes = (pull: UnderlyingByteSource['pull']) => new ReadableStream({ type: 'bytes', pull })
  const endless = () => new Response(bytes((controller) => controller.enqueue(new Uint8Array(1000))))
  const silent = () => new Response(bytes(() => new Promise(() => {})))
  const never = () => new Promise<Response>(() => {})

  it('end a body that becomes too large while it streams', async () => {
    const { egress } = open({ [address]: endless })
    const response = await egress.fetch(address, {}, { maxBytes: 5000 })
    await expect(response.text()).rejects.toThrow('The response of example.com exceeds 5000 bytes')
  })

  it('leave chunks whole for who reads a body without its stream', async () => {
    const { egress } = open({ [address]: new Response('x'.repeat(10_000)) })
    expect((await openReader(await egress.fetch(address)).read())?.byteLength).toBe(10_000)
  })

  it('end a body that becomes too large while it is read without its stream', async () => {
    const { egress } = open({ [address]: endless })
    const body = openReader(await egress.fetch(address, {}, { maxBytes: 2500 }))
    expect((await body.read())?.byteLength).toBe(1000)
    expect((await body.read())?.byteLength).toBe(1000)
    await expect(body.read()).rejects.toThrow('The response of example.com exceeds 2500 bytes')
  })

  it('end a body that stalls while it is read without its stream', async () => {
    const stop = new AbortController()
    const { egress } = open({ [address]: silent })
    const read = openReader(await egress.fetch(address, { signal: stop.signal })).read()
    const reason = new Error('stopped')
    stop.abort(reason)
    await expect(read).rejects.toBe(reason)
    const late = openReader(await open({ [address]: silent }).egress.fetch(address, {}, { timeoutMs: 10 })).read()
    await expect(late).rejects.toThrow('example.com did not respond within 0.01 seconds')
  })

  it('free the connection of a body that is read without its stream, at its end and when it is cancelled', async () => {
    const { egress } = open({ [address]: () => new Response('body') })
    for (let call = 0; call < 2 * MAX_CONNECTIONS; call++) {
      const body = openReader(await egress.fetch(address))
      if (call % 2) await body.cancel()
      else while (await body.read());
    }
    expect(await (await egress.fetch(address)).text()).toBe('body')
  })

  describe('of a body that says it is small', () => {
    const small = (body: BodyInit) => () => new Response(body, { headers: { 'content-length': '5' } })
    const stalled = () => small(new ReadableStream({ pull: () => new Promise(() => {}) }))()

    it('hold until it was read', async () => {
      const late = open({ [address]: stalled }).egress.fetch(address, {}, { timeoutMs: 20 })
      await expect(late).rejects.toThrow('example.com did not respond within 0.02 seconds')
      const left = new AbortController()
      const waiting = open({ [address]: stalled }).egress.fetch(address, { signal: left.signal })
      left.abort(new Error('person left'))
      await expect(waiting).rejects.toThrow('person left')
    })

    it('free its connection, whether or not anybody reads it', async () => {
      const { egress } = open({ [address]: small('hello') })
      for (let call = 0; call < 2 * MAX_CONNECTIONS; call++) await egress.fetch(address)
      expect(await (await egress.fetch(address)).text()).toBe('hello')
    })

    it('count what was packed', async () => {
      const packed = () =>
        new Response(endless().body, { headers: { 'content-length': '5', 'content-encoding': 'gzip' } })
      const response = await open({ [address]: packed }).egress.fetch(address, {}, { maxBytes: 5000 })
      await expect(response.text()).rejects.toThrow('The response of example.com exceeds 5000 bytes')
    })
  })

  it('reject a body with too large a declared length', async () => {
    const { egress } = open({ [address]: new Response('x', { headers: { 'content-length': '5001' } }) })
    await expect(egress.fetch(address, {}, { maxBytes: 5000 })).rejects.toThrow(/exceeds 5000 bytes/)
  })

  it('allow a body of exactly the maximum size', async () => {
    const { egress } = open({ [address]: new Response('x'.repeat(5000)) })
    expect(await (await egress.fetch(address, {}, { maxBytes: 5000 })).text()).toHaveLength(5000)
  })

  it('split a body into small chunks, because stream parsers take quadratic time for large ones', async () => {
    const { egress } = open({ [address]: new Response('x'.repeat(10_000)) })
    const { body } = await egress.fetch(address)
    const sizes: number[] = []
    for await (const piece of body ?? []) sizes.push(piece.byteLength)
    expect(sizes).toEqual([4096, 4096, 1808])
  })

  it('end a call without a response in time', async () => {
    const { egress } = open({ [address]: never })
    await expect(egress.fetch(address, {}, { timeoutMs: 20 })).rejects.toThrow(
      'example.com did not respond within 0.02 seconds',
    )
  })

  it('end a body that stalls', async () => {
    const { egress } = open({ [address]: silent })
    const response = await egress.fetch(address, {}, { timeoutMs: 20 })
    await expect(response.text()).rejects.toThrow(/did not respond within/)
  })

  it('pass on the caller’s reason for an abort, before and during the response', async () => {
    const before = open({ [address]: never })
    const gone = new AbortController()
    const waiting = before.egress.fetch(address, { signal: gone.signal })
    gone.abort(new Error('person left'))
    await expect(waiting).rejects.toThrow('person left')

    const during = open({ [address]: silent })
    const later = new AbortController()
    const response = await during.egress.fetch(address, { signal: later.signal })
    later.abort(new Error('person left'))
    await expect(response.text()).rejects.toThrow('person left')
  })

  it('allow five connections, each until its body ends, fails or is cancelled', async () => {
    let underWay = 0
    let most = 0
    const { egress } = open({
      [address]: () => {
        most = Math.max(most, ++underWay)
        return new Response('hello')
      },
    })
    const leave = async (response: Response, how: number) => {
      underWay--
      if (how % 2 === 0) await response.text()
      else await response.body?.cancel()
    }
    await Promise.all(Array.from({ length: 40 }, async (_, n) => leave(await egress.fetch(address), n)))
    expect(most).toBe(5)
  })

  it('reject the sixth call when nobody reads the bodies', async () => {
    const { egress } = open({ [address]: () => new Response('hello') })
    for (let n = 0; n < 5; n++) await egress.fetch(address)
    await expect(egress.fetch(address, {}, { timeoutMs: 20 })).rejects.toThrow(/did not respond within/)
  })

  it('free the connection of a failed call', async () => {
    const { egress } = open({ [address]: new Response('hello') })
    for (let n = 0; n < 12; n++) await expect(egress.fetch('https://nowhere.example.com/')).rejects.toThrow()
    expect(await (await egress.fetch(address)).text()).toBe('hello')
  })
})
