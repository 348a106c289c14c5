/**
 * Runs the designs of a framework on the real one and compares what it does with the recorded traces.
 * `npm run check:frameworks -- adk [design...]`; `--update` writes the traces instead. Needs `uv`.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { createTwoFilesPatch } from 'diff'
import { readDesign } from '#worker/frameworks/adk/read-design.ts'
import type { GivenFile } from '#worker/frameworks/files.ts'
import { root } from '#worker/local/paths.ts'
import { designsFolder, listDesigns, readDesignFiles, readScript } from './recordings.ts'
import { startScriptedModel } from './scripted-model.ts'

const READERS: Record<string, (files: readonly GivenFile[]) => unknown> = { adk: readDesign }
const PYTHON = '3.12'
const BIOME = join(root, 'node_modules/@biomejs/biome/bin/biome')

/** Fixed, since the order of names that a join hands on is that of a Python set. */
const HASH_SEED = '0'

/** Runs a program in the repository's root. Returns what it printed. @throws with its errors when it fails */
async function run(command: string, args: string[], { input = '', env = process.env } = {}): Promise<string> {
  const child = spawn(command, args, { cwd: root, env, stdio: 'pipe' })
  child.stdin.end(input)
  const status = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
  const [code, output, errors] = await Promise.all([status, text(child.stdout), text(child.stderr)])
  if (code !== 0) throw new Error(`${command} ${args[0]} failed:\n${errors || output}`)
  return output
}

/** @throws telling where uv is, when it is not installed */
async function uv(...args: string[]): Promise<void> {
  await run('uv', args).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('Install uv first: https://docs.astral.sh/uv/') : error
  })
}

/** Makes a framework's Python environment as its requirements say. Returns the path of its Python. */
async function prepareEnvironment(framework: string): Promise<string> {
  const folder = join(root, '.venv', framework)
  const python = join(folder, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python')
  const requirements = join(import.meta.dirname, framework, 'requirements.txt')
  if (!existsSync(python)) await uv('venv', '--python', process.env.UV_PYTHON || PYTHON, folder)
  await uv('pip', 'sync', '--python', python, '--require-hashes', requirements)
  return python
}

/** Runs the designs one after the other in one process. Returns their traces by name, formatted. */
async function record(framework: string, designs: string[]): Promise<Map<string, string>> {
  const python = await prepareEnvironment(framework)
  const models = await Promise.all(designs.map((design) => startScriptedModel(readScript(framework, design))))
  const traces = mkdtempSync(join(tmpdir(), 'traces-'))
  try {
    const jobs = designs.map((design, index) => ({ design, baseUrl: models[index]?.baseUrl }))
    const program = join(import.meta.dirname, framework, 'record.py')
    await run(python, ['-B', program, designsFolder(framework), traces], {
      input: JSON.stringify(jobs),
      // Settings of this machine, such as a proxy or a project of Google's cloud, would change the traces.
      env: { GOOGLE_API_KEY: 'unused', OTEL_SDK_DISABLED: 'true', PYTHONHASHSEED: HASH_SEED },
    })
    const formatted = new Map<string, string>()
    for (const design of designs)
      formatted.set(design, await format(readFileSync(join(traces, `${design}.json`), 'utf8')))
    return formatted
  } finally {
    rmSync(traces, { recursive: true })
    await Promise.all(models.map((model) => model.close()))
  }
}

const format = (json: string) =>
  run(process.execPath, [BIOME, 'format', '--stdin-file-path=trace.json'], { input: json })

/** @throws when the product cannot read a design that the framework is to load; one in Python alone is not for it */
function readDesigns(framework: string, designs: string[]): void {
  const read = READERS[framework]
  for (const design of designs) {
    const files = readDesignFiles(framework, design)
    if (files.some(({ name }) => name.endsWith('/root_agent.yaml'))) read?.(files)
  }
}

/** Returns how a design's new trace differs from the recorded one, or nothing. */
function compare(path: string, trace: string): string {
  const recorded = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (recorded === trace) return ''
  return createTwoFilesPatch(path.slice(root.length + 1), 'now', recorded, trace, undefined, undefined, { context: 4 })
}

async function check(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { update: { type: 'boolean' } }, allowPositionals: true })
  const [framework = '', ...only] = positionals
  const frameworks = Object.keys(READERS)
  if (!frameworks.includes(framework)) throw new Error(`Name a framework: ${frameworks.join(', ')}.`)
  const designs = listDesigns(framework).filter((design) => only.length === 0 || only.includes(design))
  if (designs.length === 0) throw new Error(`Found no design named ${only.join(', ')}.`)
  readDesigns(framework, designs)
  const differences: string[] = []
  for (const [design, trace] of await record(framework, designs)) {
    const path = join(designsFolder(framework), design, 'trace.json')
    const difference = compare(path, trace)
    if (difference) differences.push(difference)
    if (difference && values.update) writeFileSync(path, trace)
  }
  if (values.update) return console.log(`Wrote ${differences.length} of ${designs.length} traces.`)
  if (differences.length > 0) throw new Error(`${differences.join('\n')}\n${differences.length} traces differ.`)
  console.log(`${designs.length} designs run as recorded.`)
}

try {
  await check()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
