/** Reads the recorded designs of ADK and looks for anything of them that is neither in the design nor in the report. */
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { readDesign } from '#worker/frameworks/adk/read-design.ts'
import { readDesignFiles, readRecordings } from './recordings.ts'

/** Python alone can say these. */
const IN_PYTHON = ['hooks_in_python']

const recordings = readRecordings('adk')
const inYaml = recordings.filter(({ name }) => !IN_PYTHON.includes(name))

/** Returns the values of a document, each with the path of its key. */
function leaves(value: unknown, path = ''): [path: string, value: unknown][] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leaves(item, `${path}[${index}]`))
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path ? `${path}.${key}` : key))
}

const asText = (value: unknown) =>
  JSON.stringify(value, (_key, inner: unknown) => (inner instanceof Map ? Object.fromEntries(inner) : inner))

it.each(inYaml)('nothing of the design $name is lost without a word', ({ name }) => {
  const files = readDesignFiles('adk', name)
  const { design, report } = readDesign(files)
  const lost = files
    .filter((file) => file.name.endsWith('.yaml'))
    .flatMap((given) => {
      const file = given.name.slice(name.length + 1)
      const agents = asText([...design.agents.values()].filter((agent) => agent.file === file))
      const keys = report.files.find((finding) => finding.file === file)?.keys ?? []
      const isTold = (path: string) => keys.some(({ key, verdict }) => path.startsWith(key) && verdict !== 'exact')
      return leaves(parse(new TextDecoder().decode(given.bytes), { version: '1.1' }))
        .filter(([path, value]) => !agents.includes(asText(value)) && value !== 'START' && !isTold(path))
        .map(([path]) => `${file}: ${path}`)
    })
  expect(lost).toEqual([])
  expect(report.files.map(({ file }) => `${name}/${file}`)).toEqual(files.map((file) => file.name))
  expect(design.folder).toBe(name)
})

it.each(inYaml)('the design $name has every agent that spoke in its recording', ({ name, trace }) => {
  const { design } = readDesign(readDesignFiles('adk', name))
  const agents = [...design.agents.values()].map((agent) => agent.name)
  const asked = trace.messages.flatMap(({ steps }) =>
    steps.flatMap((step) => ('turn' in step ? [step.turn.agent] : [])),
  )
  expect([...new Set(asked)].filter((agent) => !agents.includes(agent))).toEqual([])
})

it.each(IN_PYTHON)('the design %s is refused, since only Python can read it', (name) => {
  expect(() => readDesign(readDesignFiles('adk', name))).toThrow('agent.py is Python, which is not read')
})
