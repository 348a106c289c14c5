// @defends tool-workspace-wrote
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createEgress } from '../../ports/egress.ts'
import { createSandboxes, DEFAULT_LIMITS } from '../../ports/sandbox/index.ts'
import { fakeNetwork } from '../../ports/testing/fake-network.ts'
import { ownTools } from '../testing/own-tools.ts'
import { openTool } from '../testing/tools.ts'
import type { CallingStep } from '../types.ts'

const compiled = WebAssembly.compile(readFileSync(new URL('../../ports/sandbox/quickjs.wasm', import.meta.url)))
const network = fakeNetwork({ 'https://example.com/city': () => Response.json({ name: 'Ghent' }) })
const egress = createEgress({ allowPrivateHosts: [], network: network.fetch })
const sandbox = createSandboxes(() => compiled, { ...DEFAULT_LIMITS, cpuMs: 200 }).open(egress)

const schema = JSON.stringify([
  { id: 0, property: 'city', description: 'Where', type: 'string', required: true },
  { id: 1, property: 'days', description: '', type: 'number', required: false },
])

const open = (func: string | null, config: Record<string, unknown> = { selectedTool: 'own-1' }) => {
  const own = ownTools({ 'own-1': { name: 'Get weather!', description: 'Tells the weather', schema, func } })
  return openTool('customTool', network, { config, own, sandbox })
}

const answer = async (func: string, args: Record<string, unknown> = { city: 'Ghent' }) => (await open(func)).call(args)

describe('a custom tool', () => {
  it('has the name, description and arguments that its author gave it', async () => {
    const tool = await open('return 1', { selectedTool: 'own-1', returnDirect: 'true' })
    expect(tool).toMatchObject({
      name: 'Get_weather_',
      description: 'Tells the weather',
      returnDirect: true,
      hasEffect: true,
      parameters: { properties: { city: { type: 'string' }, days: { type: 'number' } }, required: ['city'] },
    })
  })

  it.each([
    ['return "Sunny in " + $city', 'Sunny in Ghent'],
    ['return { city: $city, days: $days }', { city: 'Ghent', days: null }],
    ['const { name } = await (await fetch("https://example.com/city")).json()\nreturn name', 'Ghent'],
    ['const { data } = await require("axios").get("https://example.com/city")\nreturn data', { name: 'Ghent' }],
    ['', ''],
  ])('returns the value of: %s', async (func, value) => {
    if (func === '') await expect(open(func)).rejects.toThrow('has no function')
    else expect(await answer(func)).toEqual(value)
  })

  it('reads the variables and the flow of the step that calls it, and an argument before those', async () => {
    const own = ownTools({
      'own-1': {
        name: 'x',
        description: 'x',
        schema: JSON.stringify([{ property: 'flow', type: 'string' }]),
        func: 'return [$vars.region, $flow]',
      },
    })
    const { customTool } = await import('./custom-tool.ts')
    const { contextOf } = await import('../testing/tools.ts')
    const [tool] = await customTool.open(
      contextOf('customTool', network, { config: { selectedTool: 'own-1' }, own, sandbox }),
    )
    const step: CallingStep = {
      question: '',
      charge() {},
      cite() {},
      show() {},
      globals: () => ({ $vars: { region: 'eu' }, $flow: { chatId: 'c' } }),
    }
    expect(await tool?.call({ flow: 'mine' }, 'key', step)).toEqual(['eu', 'mine'])
  })

  it.each([
    [{}, 'choose a tool'],
    [{ selectedTool: 'gone' }, 'no longer exists. Choose another one'],
  ])('is not opened with %j', async (config, message) => {
    await expect(open('return 1', config)).rejects.toThrow(message)
  })
})

describe('the function of a tool', () => {
  it.each([
    ['starts no process', 'return process.version', 'process'],
    ['loads no module of the host', 'return require("child_process").execSync("id")', 'not available'],
    ['finds no way out of its interpreter', 'return this.constructor.constructor("return process")()', 'process'],
    ['imports nothing', 'return await import("node:fs")', ''],
    ['reaches no private host', 'return (await fetch("http://169.254.169.254/latest")).status', 'private'],
    ['reaches no private host by axios', 'return await require("axios").get("http://127.0.0.1:22")', 'private'],
    ['ends when it loops without end', 'for (;;) {}', 'ran too long'],
    ['ends when it takes all memory', 'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)', 'was stopped'],
  ])('%s', async (_, func, message) => {
    await expect(answer(func)).rejects.toThrow(message)
  })
})
