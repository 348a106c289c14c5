import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../paths.ts'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

const run = (script: string, option: string) =>
  new Promise((resolve) => {
    const [program = '', ...args] = (scripts[script] ?? '').split(' ').slice(1)
    execFile(process.execPath, [program, ...args, option], { cwd: root }, (error, out, err) =>
      resolve({ code: error ? error.code : 0, out, err }),
    )
  })

it.each(['backup', 'restore', 'move', 'doctor', 'keys:rotate', 'db:migrate', 'fuzz', 'bench', 'test', 'test:deep'])(
  'shows the usage of %s, and names the option that it does not know',
  async (script) => {
    const name = script.startsWith('test') ? 'npm test' : `npm run ${script}`
    expect(await run(script, '--help')).toEqual({
      code: 0,
      out: expect.stringContaining(`Usage: ${name} -- `),
      err: '',
    })
    const err = `Unknown option --frob. See ${name} -- --help.\n`
    expect(await run(script, '--frob')).toEqual({ code: 1, out: '', err })
  },
)
