import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { root } from '../paths.ts'

const script = `
  const { returnFreedMemory } = await import('#worker/local/runtime/returned-memory.ts')
  returnFreedMemory()
  console.log(process.pid, process.argv.at(-1), process.env.MALLOC_TRIM_THRESHOLD_)`

async function run(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script, 'argument'], {
    cwd: root,
    env: { ...process.env, ...env },
  })
  const [said, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { pid: child.pid, said: said.trim().split(' '), errors }
}

describe.runIf(process.platform === 'linux')('a process that returns freed memory', () => {
  it('begins anew as the same process with its arguments, and says nothing', async () => {
    const { pid, said, errors } = await run({})
    expect(said).toEqual([String(pid), 'argument', '131072'])
    expect(errors).toBe('')
  })

  it('keeps a setting that is there', async () => {
    const { said } = await run({ MALLOC_TRIM_THRESHOLD_: '65536' })
    expect(said.at(-1)).toBe('65536')
  })
})
