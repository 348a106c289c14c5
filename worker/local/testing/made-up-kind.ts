/** The lines that add the made-up kind of flow to the lists that ARCHITECTURE.md names, while Vite reads them. */
import type { Plugin } from 'vite'

interface Line {
  /** The text that the line follows. */
  after: string
  line: string
  imports?: string
}

const TESTING = '#contract/flow/kinds/testing/garden'

/** The lines of the made-up kind, by the path of the list. */
export const KIND_LINES: Readonly<Record<string, Line>> = {
  'worker/contract/flow/flow-types.ts': { after: 'export const FLOW_TYPES = [', line: "'GARDEN', " },
  'worker/contract/flow/kinds/facts.ts': {
    after: 'ASSISTANT: assistantFacts,',
    line: 'GARDEN: gardenFacts,',
    imports: `import { gardenFacts } from '${TESTING}/facts.ts'`,
  },
  'worker/contract/flow/kinds/index.ts': {
    after: 'FlowKind>> = {',
    line: 'GARDEN: garden,',
    imports: `import { garden } from '${TESTING}/kind.ts'`,
  },
  'worker/nodes/index.ts': {
    after: 'NodeType[] = [',
    line: '...gardenNodes,',
    imports: "import { gardenNodes } from '#worker/nodes/testing/garden.ts'",
  },
  'worker/runs/compilers.ts': {
    after: 'Compile>> = {',
    line: 'GARDEN: (flow, catalogue) => compile(flow, catalogue, garden),',
    imports: `import { garden } from '${TESTING}/kind.ts'`,
  },
  'worker/templates/index.ts': {
    after: 'Template[] = [',
    line: 'gardenTemplate,',
    imports: "import { gardenTemplate } from '#worker/templates/testing/garden.ts'",
  },
}

/** Returns the source of a list with the line. Throws when the list has changed its shape. */
export function withLine(code: string, { after, line, imports = '' }: Line): string {
  if (!code.includes(after)) throw new Error(`A list has no "${after}"`)
  return `${imports}\n${code.replace(after, `${after}${line}`)}`
}

export const madeUpKind: Plugin = {
  name: 'made-up-kind',
  enforce: 'pre',
  transform(code, id) {
    const added = Object.entries(KIND_LINES).find(([path]) => id.endsWith(path))?.[1]
    return added && withLine(code, added)
  },
}
