/** Reads a design of Google ADK from its files. */
import type { FrameworkReport } from '#contract/frameworks/report.ts'
import { type GivenFile, openFiles } from '../files.ts'
import { UnreadableDesignError } from '../unreadable-design.ts'
import { checkUses, referencesOf } from './agent-uses.ts'
import { readAgents } from './agents.ts'
import type { AgentDesign, Design } from './design.ts'
import type { FileNotes } from './file-notes.ts'
import { readOtherFile } from './other-files.ts'
import { excerpt } from './plain-values.ts'
import { findRoot } from './root-file.ts'
import { YamlFiles } from './yaml-files.ts'

interface DesignReading {
  design: Design
  report: FrameworkReport
  /** The files as given, but without secrets. Only these may be kept. */
  files: readonly GivenFile[]
}

/**
 * Returns the design, and a report on every file and on every key of its agents. What ADK refuses is refused.
 * @throws UnreadableDesignError with all that has to be mended
 */
export function readDesign(given: readonly GivenFile[]): DesignReading {
  const { files, folder } = openFiles(given)
  const yamls = new YamlFiles(files)
  const root = findRoot(files, yamls)
  const { agents, notes } = readFrom(root, yamls)
  checkUses({ root, agents, notesOf: ({ file }) => notes.get(file) as FileNotes })
  if (!root.endsWith('root_agent.yaml'))
    notes.get(root)?.noteFile('changed', 'ADK begins with root_agent.yaml: rename this file to run the design there.')
  noteModels(agents, notes)
  const problems = [...notes.values()].flatMap((each) => each.problems)
  if (problems.length > 0) throw new UnreadableDesignError(problems)
  const read = [...files].map(([name, file]) => {
    const agent = notes.get(name)
    const { notes: fileNotes, cleaned } = agent
      ? { notes: agent, cleaned: undefined }
      : readOtherFile(name, file, { root, yamls })
    const bytes = cleaned ?? yamls.cleaned(name) ?? file.bytes
    return { fileNotes, file: { ...file, bytes } }
  })
  return {
    design: { folder, root, agents },
    report: {
      files: read.map(({ fileNotes }) => fileNotes.finding()),
      tasks: read.flatMap(({ fileNotes }) => fileNotes.tasks),
    },
    files: read.map(({ file }) => file),
  }
}

interface ReadFiles {
  agents: Map<string, AgentDesign>
  /** By file, in the order in which they are referred to. */
  notes: Map<string, FileNotes>
}

/** Reads the root and all files that it leads to, each once. */
function readFrom(root: string, yamls: YamlFiles): ReadFiles {
  const agents = new Map<string, AgentDesign>()
  const notes = new Map<string, FileNotes>()
  const names = new Set([root])
  // A set also walks through what is added meanwhile.
  for (const name of names) {
    const opened = yamls.open(name)
    if (!opened) continue
    notes.set(name, opened.notes)
    for (const agent of readFile(opened)) {
      agents.set(agent.id, agent)
      for (const file of referredFiles(agent, opened.notes, yamls)) names.add(file)
    }
  }
  return { agents, notes }
}

function readFile({ yaml, notes }: NonNullable<ReturnType<YamlFiles['open']>>): AgentDesign[] {
  if (!yaml) return []
  if (yaml.root?.kind === 'map') return readAgents(yaml.root, notes)
  const at = yaml.root?.span ?? { line: 1, column: 1 }
  notes.refuse(at, yaml.root ? 'An agent must be a map of keys and values.' : 'The file is empty.')
  return []
}

/** Returns the files that an agent refers to, and notes those that are missing. */
function referredFiles(agent: AgentDesign, notes: FileNotes, yamls: YamlFiles): string[] {
  return referencesOf(agent).flatMap((reference) => {
    if (!('agent' in reference) || reference.agent.startsWith(`${agent.file}#`)) return []
    if (yamls.open(reference.agent)) return [reference.agent]
    notes.refuse(reference.span, `The file ${excerpt(reference.agent)} is missing.`)
    return []
  })
}

/** Each model has to be chosen once, whoever uses it. */
function noteModels(agents: ReadonlyMap<string, AgentDesign>, notes: ReadonlyMap<string, FileNotes>): void {
  const named = new Set<string>()
  for (const { class: name, file, settings, code, span } of agents.values()) {
    if (name !== 'LlmAgent' || code.has('model_code')) continue
    const model = String(settings.get('model')?.value ?? '')
    if (named.has(model)) continue
    named.add(model)
    const reason = model
      ? `Choose a model for ${excerpt(model)}.`
      : 'No model is named: ADK takes that of the agent above, or its own default. Choose one.'
    notes.get(file)?.task('model', settings.get('model')?.span ?? span, reason)
  }
}
