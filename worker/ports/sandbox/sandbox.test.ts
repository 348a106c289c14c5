// @defends configuration-becomes-code
// @defends custom-function-leaves
// @defends many-custom-functions
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createEgress } from '../egress.ts'
import { fakeNetwork, redirectTo } from '../testing/fake-network.ts'
import type { Egress } from '../types.ts'
import { createSandboxes, DEFAULT_LIMITS } from './index.ts'

const compiled = WebAssembly.compile(readFileSync(new URL('./quickjs.wasm', import.meta.url)))
const sandboxes = createSandboxes(() => compiled)
/** Limits by counts only, so that a slow machine changes nothing. */
const patient = createSandboxes(() => compiled, { ...DEFAULT_LIMITS, cpuMs: Number.POSITIVE_INFINITY })
/** Short limits, so that tests with endless code finish soon. */
const impatient = createSandboxes(() => compiled, { ...DEFAULT_LIMITS, cpuMs: 100, wallMs: 300 })

const network = fakeNetwork({
  'https://example.com/json': (request) =>
    Response.json(
      { method: request.method, header: request.headers.get('x-mine') },
      { headers: { 'X-Answer': 'yes' } },
    ),
  'https://example.com/missing': new Response('not here', { status: 404, statusText: 'Not Found' }),
  'https://example.com/away': redirectTo('http://169.254.169.254/'),
  'https://example.com/large': () => new Response('x'.repeat(3 * 1024 * 1024)),
  'https://example.com/never': () => new Promise(() => {}),
})
const egress = createEgress({ allowPrivateHosts: [], network: network.fetch })
const run = (code: string, globals: Record<string, unknown> = {}) =>
  sandboxes.open(egress, 'workspace-1').run({ code, globals })
const value = async (code: string, globals?: Record<string, unknown>) => (await run(code, globals)).value

describe('a function', () => {
  it.each([
    ['return 1 + 1', 2],
    ['return "text"', 'text'],
    ['return { a: [1, { b: null }] }', { a: [1, { b: null }] }],
    ['return await Promise.all([1, Promise.resolve(2)])', [1, 2]],
    ['return new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['', undefined],
    ['return undefined', undefined],
    ['return null', null],
    ['return 1 // the end', 1],
    ['return { a: undefined, f() {} }', {}],
    ['return JSON.stringify(new Map([[1, 2]]).get(1))', '2'],
  ])('returns the value of: %s', async (code, expected) => {
    expect(await value(code)).toEqual(expected)
  })

  it('reads its arguments', async () => {
    const globals = { $input: 'hi', $vars: { a: 1 }, $flow: { state: { list: [1, 2] } }, $missing: undefined }
    expect(await value('return [$input, $vars.a, $flow.state.list.length, $missing]', globals)).toEqual([
      'hi',
      1,
      2,
      null,
    ])
  })

  it('cannot change the caller’s values', async () => {
    const globals = { $flow: { state: { a: 1 } } }
    await run('$flow.state.a = 2; $flow = null', globals)
    expect(globals).toEqual({ $flow: { state: { a: 1 } } })
  })

  it('collects its log', async () => {
    const { logs } = await run('console.log("a", 1, { b: [2] }); console.error(new Error("c")); return 1')
    expect(logs).toEqual(['a 1 {"b":[2]}', 'Error: c'])
  })

  it.each([
    ['null.x', /TypeError: cannot read property 'x' of null \(line 1\)/],
    ['\n\nfoo()', /ReferenceError: 'foo' is not defined \(line 3\)/],
    ['return 1 +', /SyntaxError.*\(line \d\)/],
    ['throw new Error("my words")', /my words/],
    ['throw { code: 7 }', /The function threw \{"code":7\}/],
    ['throw null', /.+/],
    ['return () => 1', /returned a function/],
    ['return Symbol("s")', /returned a symbol/],
    ['const a = {}; a.a = a; return a', /circular/],
    ['return 10n', /BigInt/],
    ['require("got")', /require\('got'\) is not available.*fetch\(url, options\)/],
    ['const { Pool } = require("pg")', /require\('pg'\) is not available.*axios, node-fetch/],
    ['require("fs")', /require\('fs'\) is not available/],
    ['require("child_process")', /require\('child_process'\) is not available/],
    ['await import("node:fs")', /.+/],
  ])('fails with a clear message: %s', async (code, message) => {
    await expect(run(code)).rejects.toThrow(message)
  })
})

describe('attacks', () => {
  const TOO_LONG = /ran too long/
  const TOO_MUCH = /too much memory, or nested too deeply/

  it.each([
    ['an endless loop', 'for (;;) {}', TOO_LONG],
    ['an endless loop that catches', 'for (;;) { try { for (;;) {} } catch {} }', TOO_LONG],
    [
      'endless loops one after the other',
      'const f = async () => { for (;;) {} }; for (;;) try { await f() } catch {}',
      TOO_LONG,
    ],
    ['an endless loop in a promise job', 'await Promise.resolve().then(() => { for (;;) {} })', TOO_LONG],
    ['endless jobs', 'let n = 0; const f = async () => { for (;;) await n++ }; await f()', TOO_LONG],
    ['an endless generator', 'function* g() { for (;;) yield 1 } for (const _ of g()) {}', TOO_LONG],
    ['a regular expression that backtracks', 'return /(a+)+b/.test("a".repeat(40))', TOO_LONG],
    ['an endless getter in the result', 'return { get a() { for (;;) {} } }', TOO_LONG],
    ['an endless toJSON', 'return { toJSON() { for (;;) {} } }', TOO_LONG],
    ['an endless thenable', 'return { then() { for (;;) {} } }', TOO_LONG],
    ['an endless error message', 'throw { toString() { for (;;) {} }, toJSON() { for (;;) {} } }', TOO_LONG],
    ['an endless proxy', 'return new Proxy({}, { ownKeys() { for (;;) {} } })', TOO_LONG],
    ['text that grows', 'let s = "abc"; for (;;) s += s', TOO_MUCH],
    ['a list that grows', 'const a = []; for (;;) a.push({})', TOO_MUCH],
    [
      'typed arrays that the interpreter does not count',
      'const a = []; for (;;) a.push(new Uint8Array(1e5))',
      TOO_MUCH,
    ],
    [
      'promises that adopt each other',
      'const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})',
      /.+/,
    ],
    ['deep recursion', 'const f = () => f() + 1; return f()', TOO_MUCH],
    ['a deeply nested result', 'let a = []; for (let i = 0; i < 100000; i++) a = [a]; return a', TOO_MUCH],
    ['a large result', 'return "x".repeat(2e6)', /returned more than 1000000 characters/],
    ['many large results', 'return Array(300).fill("x".repeat(1e5))', /returned more than|too much memory/],
    ['a promise that nothing resolves', 'await new Promise(() => {})', /waits for a promise that never resolves/],
  ])('stops %s', async (_name, code, message) => {
    const sandbox = (message === TOO_LONG ? impatient : patient).open(egress)
    await expect(sandbox.run({ code, globals: {} })).rejects.toThrow(message)
    expect((await patient.open(egress).run({ code: 'return "sound"', globals: {} })).value).toBe('sound')
  })

  it('bounds the memory of an instance', async () => {
    const before = process.memoryUsage().arrayBuffers
    for (let n = 0; n < 5; n++) await run('const a = []; for (;;) a.push(new Uint8Array(1e6))').catch(() => {})
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5 * 40 * 1024 * 1024)
  })

  it('runs 50 waiting functions in turns within one isolate', async () => {
    const answer = Promise.withResolvers<void>()
    const open = { now: 0, most: 0 }
    const slow: Egress = {
      async fetch() {
        open.most = Math.max(open.most, ++open.now)
        await answer.promise
        open.now--
        return new Response('ok')
      },
    }
    const before = process.memoryUsage().external
    const code = 'return (await fetch("https://example.com/")).text()'
    const shared = createSandboxes(() => compiled)
    const runs = Array.from({ length: 50 }, () => shared.open(slow).run({ code, globals: {} }))
    while (open.now < DEFAULT_LIMITS.atOnce) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(process.memoryUsage().external - before).toBeLessThan(100 * 1024 * 1024)
    answer.resolve()
    expect((await Promise.all(runs)).map(({ value }) => value)).toEqual(Array(50).fill('ok'))
    expect(open.most).toBe(DEFAULT_LIMITS.atOnce)
  })

  it('rejects a function when the queue does not move', async () => {
    const short = createSandboxes(() => compiled, { ...DEFAULT_LIMITS, atOnce: 1, waitMs: 50 }).open(egress)
    const gone = new AbortController()
    const first = short.run({ code: 'await fetch("https://example.com/never")', globals: {}, signal: gone.signal })
    await expect(short.run({ code: 'return 1', globals: {} })).rejects.toThrow(/Too many custom functions/)
    gone.abort(new Error('person left'))
    await expect(first).rejects.toThrow('person left')
    expect((await short.run({ code: 'return 1', globals: {} })).value).toBe(1)
  })

  it('limits the size of the log', async () => {
    const { logs } = await run('for (let i = 0; i < 1e4; i++) console.log("x".repeat(100)); return 1')
    expect(logs.join('\n').length).toBeLessThanOrEqual(DEFAULT_LIMITS.logChars)
  })

  it.each([
    ['an endless loop', 'for (;;) {}'],
    ['endless jobs', 'for (let n = 0; ; n++) await n'],
    ['a search in a long text', 'const a = "a".repeat(4e6); return a.indexOf(a.slice(2e6) + "b")'],
    ['a scan of an endless length', 'return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
    ['an endless reversal', 'return [].reverse.call({ length: 2 ** 53 - 1 })'],
    ['endless sorting', 'const a = new Uint8Array(4e6); for (;;) a.sort()'],
    ['endless copying', 'const a = "a".repeat(4e6); for (;;) a.slice(1)'],
    ['endless filling', 'const a = new Uint8Array(4e6); for (;;) a.fill(1)'],
    ['endless parsing', 'const text = JSON.stringify(Array(1e5).fill(1)); for (;;) JSON.parse(text)'],
    ['a regular expression that backtracks', 'return /(a+)+b/.test("a".repeat(40))'],
  ])('stops %s by fuel when the clock does not advance', async (_name, code) => {
    const counting = createSandboxes(() => compiled, { ...DEFAULT_LIMITS, fuel: 5e7, cpuMs: Number.POSITIVE_INFINITY })
    await expect(counting.open(egress).run({ code, globals: {} })).rejects.toThrow(TOO_LONG)
  })

  it('stops when the caller leaves', async () => {
    const gone = new AbortController()
    const waiting = sandboxes
      .open(egress)
      .run({ code: 'await fetch("https://example.com/never")', globals: {}, signal: gone.signal })
    gone.abort(new Error('person left'))
    await expect(waiting).rejects.toThrow('person left')
  })
})

describe('the sandbox', () => {
  it('provides the language and no objects of the host', async () => {
    const hosts = [
      'process',
      'require',
      'module',
      'WebAssembly',
      'XMLHttpRequest',
      'WebSocket',
      'caches',
      'crypto',
      'self',
      'global',
      'std',
      'os',
    ]
    expect(
      await value(`return ${JSON.stringify(hosts)}.filter((name) => name !== 'require' && name in globalThis)`),
    ).toEqual([])
  })

  it.each([
    'return this.constructor.constructor("return typeof process")()',
    'return Function("return typeof process")()',
    'return (async () => {}).constructor("return typeof process")()',
    'return [].constructor.constructor("return typeof process")()',
    'return (0, eval)("typeof process")',
    'return globalThis.constructor.constructor("return typeof process")()',
    'return [].map.constructor("return typeof process")()',
    'return Reflect.construct(Function, ["return typeof process"])()',
    'try { null.x } catch (e) { return e.constructor.constructor("return typeof process")() }',
    'return fetch.constructor("return typeof process")()',
    'return console.log.constructor("return typeof process")()',
    'return Object.getPrototypeOf(function* () {}).constructor("yield typeof process")().next().value',
  ])('does not let this escape: %s', async (code) => {
    expect(await value(code)).toBe('undefined')
  })

  it('shares nothing between runs', async () => {
    await run('globalThis.left = 1; Object.prototype.left = 2; Array.prototype.push = () => 3; JSON.parse = null')
    expect(await value('return [typeof left, typeof {}.left, [].push(1), typeof JSON.parse]')).toEqual([
      'undefined',
      'undefined',
      1,
      'function',
    ])
  })

  it('protects the host’s prototypes from results', async () => {
    const result = await value(
      'return JSON.parse(\'{"__proto__": {"polluted": 1}, "a": {"__proto__": {"polluted": 1}}}\')',
    )
    expect(result).toEqual({ a: {} })
    expect(Object.assign({}, result)).not.toHaveProperty('polluted')
    expect({}).not.toHaveProperty('polluted')
  })

  it('protects the host’s prototypes from replaced functions', async () => {
    const code =
      'JSON.stringify = () => "{\\"forged\\":1}"; Promise.prototype.then = null; Object.prototype.toJSON = () => 5; return { a: 1 }'
    expect(await value(code)).toBe(5)
  })

  it('treats names of prototype keys as data', async () => {
    const globals = JSON.parse('{"__proto__": {"polluted": 1}, "$a": 1}')
    expect(await value('return [$a, typeof {}.polluted]', globals)).toEqual([1, 'undefined'])
  })
})

describe('Node’s modules and globals', () => {
  it.each<[string, unknown]>([
    [
      `const axios = require('axios'); return (await axios.get('https://example.com/json')).data`,
      { method: 'GET', header: null },
    ],
    [
      `const axios = require('axios')
      const { status, headers, data } = await axios({ method: 'post', url: 'https://example.com/json', data: { a: 1 }, headers: { 'X-Mine': 'h' } })
      return [status, headers['x-answer'], data]`,
      [200, 'yes', { method: 'POST', header: 'h' }],
    ],
    [
      `const api = require('axios').create({ baseURL: 'https://example.com/' }); return (await api.get('/json')).status`,
      200,
    ],
    [
      `const axios = require('axios')
      try { await axios.get('https://example.com/missing') } catch (e) { return [axios.isAxiosError(e), e.message, e.response.status, e.response.data] }`,
      [true, 'Request failed with status code 404', 404, 'not here'],
    ],
    [
      `const axios = require('axios')
      try { await axios.get('https://example.com/never', { timeout: 5 }) } catch (e) { return e.code }`,
      'ECONNABORTED',
    ],
    [
      `const fetch = require('node-fetch'); return (await (await fetch('https://example.com/json')).json()).method`,
      'GET',
    ],
    [`return Buffer.from('héllo').toString('base64')`, 'aMOpbGxv'],
    [`return require('buffer').Buffer === Buffer`, true],
    [
      `return require('crypto').createHash('sha256').update('a').update('b').digest('hex')`,
      'fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603',
    ],
    [
      `return require('node:crypto').createHmac('sha1', 'key').update('text').digest('base64')`,
      'Np4pWetJRQM4shJ0j3fY3tdIR7s=',
    ],
    [`return require('crypto').randomUUID().length`, 36],
    [
      `const { randomBytes, timingSafeEqual } = require('crypto'); const a = randomBytes(8); return [a.length, timingSafeEqual(a, a)]`,
      [8, true],
    ],
    [
      `const path = require('path'); return [path.join('a', '..', 'b.txt'), path.extname('x.tar.gz')]`,
      ['b.txt', '.gz'],
    ],
    [
      `const { URL } = require('url'); const u = new URL('/p?a=1#h', 'https://example.com'); return [u.href, u.searchParams.get('a')]`,
      ['https://example.com/p?a=1#h', '1'],
    ],
    [`return require('url').parse('https://example.com:8080/p?a=1', true).query.a`, '1'],
    [`return new URLSearchParams({ a: '1 2' }).toString()`, 'a=1+2'],
    [
      `const u = new URL('https://example.com/'); u.searchParams.append('q', 'ä'); u.searchParams.set('q', 'b'); u.pathname = '/x y'; return String(u)`,
      'https://example.com/x%20y?q=b',
    ],
    [`return [...new URLSearchParams('?a=1&b=%20')].flat().join()`, 'a,1,b, '],
    [`try { new URL('nonsense') } catch (e) { return e.message }`, 'Invalid URL'],
    [`return require('querystring').parse('a=1&a=2&b=x').a`, ['1', '2']],
    [
      `const EventEmitter = require('events'); const e = new EventEmitter(); let n = 0; e.on('x', (by) => { n += by }); e.emit('x', 2); return n`,
      2,
    ],
    [
      `const assert = require('assert'); try { assert.deepStrictEqual([1], [2]) } catch (e) { return e.code }`,
      'ERR_ASSERTION',
    ],
    [
      `const order = []; setTimeout(() => order.push('late'), 20); setTimeout((a) => order.push(a), 1, 'early')
      await new Promise((done) => setTimeout(done, 40)); return order`,
      ['early', 'late'],
    ],
    [
      `let n = 0; await new Promise((done) => { const id = setInterval(() => { if (++n === 3) { clearInterval(id); done() } }, 1) }); return n`,
      3,
    ],
    [
      `const id = setTimeout(() => { throw new Error('cleared') }, 1); clearTimeout(id); await require('timers/promises').setTimeout(5); return 'quiet'`,
      'quiet',
    ],
    [`return new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(1234.5)`, '1.234,50\u00a0€'],
    [
      `return new Intl.DateTimeFormat('en-US', { timeZone: 'Asia/Tokyo', dateStyle: 'long' }).format(new Date(0))`,
      'January 1, 1970',
    ],
    [`return new Date(0).toLocaleDateString('en-GB', { timeZone: 'UTC', weekday: 'long' })`, 'Thursday'],
    [`return (1234567.891).toLocaleString('en-US')`, '1,234,567.891'],
    [`return new TextDecoder().decode(new TextEncoder().encode('é')) + atob(btoa('x'))`, 'éx'],
  ])('returns the value of: %s', async (code, expected) => {
    expect(await value(code)).toEqual(expected)
  })

  it('send the same requests as axios', async () => {
    await run(
      `await require('axios').post('https://example.com/json', new URLSearchParams({ a: 'b' }), { params: { q: [1, 2] }, auth: { username: 'u', password: 'p' } })`,
    ).catch(() => {})
    await run(`await require('axios').post('https://example.com/json', { deep: { a: 1 } })`)
    expect(network.seen.at(-1)).toMatchObject({ method: 'POST', body: '{"deep":{"a":1}}' })
  })

  it('do not wait for a timer that is not awaited', async () => {
    expect(await value(`setTimeout(() => {}, 1e9); setInterval(() => {}, 1e9); return 'done'`)).toBe('done')
  })

  it.each([
    ['an endless interval', 'setInterval(() => {}, 1); await new Promise(() => {})', /ran too long/],
    ['unlimited timers', 'for (;;) setTimeout(() => {}, 1e6)', /wait for 1000 timers/],
    [
      'endless digests',
      `const { createHash } = require('crypto'); const t = 'x'.repeat(1e6); for (;;) createHash('sha256').update(t).digest()`,
      /ran too long/,
    ],
    [
      'endless formatters',
      `for (let n = 0; ; n++) new Intl.NumberFormat('en', { minimumIntegerDigits: (n % 21) + 1 }).format(n)`,
      /ran too long|is out of range/,
    ],
    ['a large text for Intl', `new Intl.NumberFormat(Array(1e5).fill('en'))`, /at most 10000 characters/],
    ['an unknown method of Intl', `new Intl.NumberFormat('en').constructor.call({}, 'en'); Object.values(Intl)`, /.*/],
    ['too many random bytes', `require('crypto').randomBytes(1e9)`, /0 to 65536 bytes/],
    ['an unknown digest', `require('crypto').createHash('none').update('').digest()`, /./],
  ])('end with an error of the function for %s', async (_name, code, message) => {
    const sandbox = String(message).includes('ran too long') ? impatient : patient
    await expect(sandbox.open(egress).run({ code, globals: {} })).rejects.toThrow(message)
  })

  it.each([
    `return require('url').URL.constructor('return typeof process')()`,
    `return require('crypto').createHash.constructor('return typeof process')()`,
    `return setTimeout.constructor('return typeof process')()`,
    `return Buffer.constructor('return typeof process')()`,
    `return require('axios').constructor('return typeof process')()`,
    `return new Intl.NumberFormat('en').format.constructor('return typeof process')()`,
  ])('do not let this escape: %s', async (code) => {
    expect(await value(code)).toBe('undefined')
  })

  it('cost nothing for code that does not use them', async () => {
    expect(
      await value(
        `return ['Buffer', 'URL', 'setTimeout'].map((name) => name.length).length + typeof globalThis['req' + 'uire']`,
      ),
    ).toMatch(/^3/)
    expect(await value('return typeof globalThis["Buf" + "fer"]')).toBe('undefined')
  })
})

describe('fetch', () => {
  it('goes through egress', async () => {
    const code = `const r = await fetch('https://example.com/json', { method: 'POST', headers: { 'x-mine': 'h' }, body: 'b' })
      return [r.ok, r.status, r.headers.get('x-answer'), await r.json()]`
    expect(await value(code)).toEqual([true, 200, 'yes', { method: 'POST', header: 'h' }])
    expect(network.seen.at(-1)).toMatchObject({ method: 'POST', body: 'b' })
  })

  it.each([
    ['GET', 'GET goes out'],
    ['head', 'HEAD goes out'],
    ['POST', 'the barrier is reached, POST goes out'],
    ['delete', 'the barrier is reached, DELETE goes out'],
  ])('stores earlier steps before a %s request with an effect: %s', async (method, expected) => {
    const order: string[] = []
    const seen = network.seen.length
    const beforeEffect = async () => {
      expect(network.seen.length).toBe(seen)
      order.push('the barrier is reached')
    }
    const code = `await fetch('https://example.com/json', { method: ${JSON.stringify(method)} }); return 1`
    await sandboxes.open(egress).run({ code, globals: {}, beforeEffect })
    order.push(`${network.seen.at(-1)?.method} goes out`)
    expect(order.join(', ')).toBe(expected)
  })

  it('returns responses of every status', async () => {
    const code =
      'const r = await fetch("https://example.com/missing"); return [r.ok, r.status, r.statusText, await r.text()]'
    expect(await value(code)).toEqual([false, 404, 'Not Found', 'not here'])
  })

  it('runs several requests at once', async () => {
    const code = `return Promise.all([1, 2, 3].map(() => fetch('https://example.com/json').then((r) => r.status)))`
    expect(await value(code)).toEqual([200, 200, 200])
  })

  it.each([
    ['http://localhost:8788/', /localhost is a private address/],
    ['http://169.254.169.254/', /is a private address/],
    ['https://example.com/away', /169.254.169.254 is a private address/],
    ['file:///etc/passwd', /is not allowed/],
    ['https://example.com/large', /exceeds/],
  ])('rejects %s', async (url, message) => {
    await expect(run(`return (await fetch(${JSON.stringify(url)})).text()`)).rejects.toThrow(message)
  })

  it('lets the function catch a rejection', async () => {
    expect(await value('try { await fetch("http://localhost/") } catch (e) { return e.message }')).toMatch(/private/)
  })

  it('limits the number of requests', async () => {
    const code = 'for (let i = 0; i < 30; i++) await fetch("https://example.com/json"); return 1'
    await expect(run(code)).rejects.toThrow(/may make 20 requests/)
  })

  it('requires a text body', async () => {
    await expect(run('await fetch("https://example.com/json", { method: "POST", body: { a: 1 } })')).rejects.toThrow(
      /body must be a string/,
    )
  })

  it('does not wait for a request that is not awaited', async () => {
    expect(await value('fetch("https://example.com/never"); return "done"')).toBe('done')
  })

  it('cancels an endless request', async () => {
    const code = 'return (await fetch("https://example.com/never")).status'
    await expect(impatient.open(egress).run({ code, globals: {} })).rejects.toThrow(/ran too long|did not answer/)
  })
})

describe('an interpreter that has run before', () => {
  /** Counts the interpreters that it opens. */
  function counted(limits = DEFAULT_LIMITS) {
    const opened = { count: 0 }
    const own = createSandboxes(() => {
      opened.count++
      return compiled
    }, limits)
    const runIn = async (workspaceId: string | undefined, code: string) =>
      (await own.open(egress, workspaceId).run({ code, globals: {} })).value
    return { opened, runIn }
  }

  it.each([
    [
      'a global',
      'globalThis.left = 1; var other = 2',
      'return [typeof left, typeof other]',
      ['undefined', 'undefined'],
    ],
    ['a property of all objects', 'Object.prototype.left = 1', 'return typeof {}.left', 'undefined'],
    [
      'other built-ins',
      'JSON.parse = JSON.stringify = Object.assign = () => "left"',
      'return { a: JSON.parse("1") }',
      { a: 1 },
    ],
    ['another method of promises', 'Promise.prototype.then = () => {}', 'return await Promise.resolve(1)', 1],
    [
      'another constructor',
      'Array.prototype.constructor = Array.from = () => ["left"]',
      'return Array.from("ab")',
      ['a', 'b'],
    ],
    [
      'a symbol',
      'Symbol.for("left").description; Symbol.prototype.left = 1',
      'return typeof Symbol.for("left").left',
      'undefined',
    ],
    ['frozen built-ins', 'Object.freeze(Array.prototype); Object.freeze(globalThis)', 'globalThis.a = 1; return a', 1],
    ['a module', 'require("path").join = () => "left"', 'return require("path").join("a", "b")', 'a/b'],
    [
      'a timer',
      'setTimeout(() => { globalThis.left = 1 }, 1); return 1',
      'await new Promise((done) => setTimeout(done, 20)); return typeof left',
      'undefined',
    ],
    ['lines of the console', 'console.log("left"); return 1', 'console.log("mine"); return 1', 1],
  ])('keeps nothing of it: %s', async (_name, before, after, expected) => {
    const { opened, runIn } = counted()
    await runIn('a', before).catch(() => {})
    expect(await runIn('a', after)).toEqual(expected)
    expect(opened.count).toBe(1)
  })

  it('draws other random numbers', async () => {
    const { opened, runIn } = counted()
    const drawn = []
    for (let turn = 0; turn < 20; turn++) drawn.push(await runIn('a', 'return Math.random()'))
    expect(new Set(drawn).size).toBe(20)
    expect(opened.count).toBe(1)
  })

  it('has all of its memory and time again', async () => {
    const { opened, runIn } = counted()
    const half = 'const a = new Uint8Array(9e6).fill(1); for (let i = 0; i < 1e5; i++); return a.length'
    for (let turn = 0; turn < 5; turn++) expect(await runIn('a', half)).toBe(9e6)
    expect(opened.count).toBe(1)
    await expect(runIn('a', 'return new Uint8Array(20e6).length')).rejects.toThrow(/too much memory/)
    expect(await runIn('a', half)).toBe(9e6)
  })

  it('has all of its loop iterations again', async () => {
    const { opened, runIn } = counted({ ...DEFAULT_LIMITS, fuel: 1e7, cpuMs: Number.POSITIVE_INFINITY })
    for (let turn = 0; turn < 8; turn++) expect(await runIn('a', 'let n = 0; while (n < 5e5) n++; return n')).toBe(5e5)
    expect(opened.count).toBe(1)
    await expect(runIn('a', 'for (;;);')).rejects.toThrow(/ran too long/)
  })

  it('runs functions of one workspace only', async () => {
    const { opened, runIn } = counted()
    for (const workspaceId of ['a', 'b', 'a', 'b', 'a']) await runIn(workspaceId, 'return 1')
    expect(opened.count).toBe(2)
    await runIn('c', 'return 1')
    expect(opened.count).toBe(3)
    for (let turn = 0; turn < 2; turn++) await runIn(undefined, 'return 1')
    expect(opened.count).toBe(5)
  })

  it('is not used again after a limit stopped it', async () => {
    const { opened, runIn } = counted()
    await expect(runIn('a', 'const f = () => f(); f()')).rejects.toThrow(/nested too deeply/)
    expect(await runIn('a', 'return 1')).toBe(1)
    expect(opened.count).toBe(2)
  })
})
