/** Files of a design that are no agent of it: they are kept and exported, without their secrets. */
import type { GivenFile } from '../files.ts'
import { isEnvironmentFile, withoutValues } from './environment-file.ts'
import { FileNotes } from './file-notes.ts'
import { excerpt } from './plain-values.ts'
import type { YamlFiles } from './yaml-files.ts'

interface OtherFile {
  notes: FileNotes
  /** Set where something was removed. */
  cleaned?: Uint8Array
}

/** @param root the path of the root agent's file */
export function readOtherFile(
  name: string,
  file: GivenFile,
  { root, yamls }: { root: string; yamls: YamlFiles },
): OtherFile {
  if (isEnvironmentFile(name)) return readEnvironment(name, file)
  if (/\.ya?ml$/.test(name)) return readOtherYaml(name, yamls)
  const notes = new FileNotes(name)
  if (name.endsWith('.py')) notes.noteFile('unsupported', pythonReason(name, file, root))
  if (/(?:\.evalset|(?:^|\/)test_config)\.json$/.test(name))
    notes.noteFile('unsupported', 'Evaluations are kept and exported. They do not run here.')
  return { notes }
}

function readEnvironment(name: string, { bytes }: GivenFile): OtherFile {
  const notes = new FileNotes(name)
  const { text, names } = withoutValues(new TextDecoder().decode(bytes))
  notes.noteFile('changed', 'The names are kept, and the values are not: enter keys as credentials.')
  for (const { name: variable, line } of names)
    notes.task(
      'credential',
      { line, column: 1 },
      `${excerpt(variable)} had a value. Make it a credential if it is a secret.`,
    )
  return { notes, cleaned: new TextEncoder().encode(text) }
}

function readOtherYaml(name: string, yamls: YamlFiles): OtherFile {
  const opened = yamls.open(name)
  const notes = opened?.notes ?? new FileNotes(name)
  const reason = 'No agent refers to this file. It is kept and exported.'
  const [problem] = notes.problems
  notes.noteFile('unsupported', problem ? `${reason} Its secrets, if any, are kept too: ${problem.reason}` : reason)
  return { notes }
}

function pythonReason(name: string, { bytes }: GivenFile, root: string): string {
  const folder = root.slice(0, root.lastIndexOf('/') + 1)
  const isLoadedFirst = [`${folder}agent.py`, `${folder}__init__.py`].includes(name)
  const reason = 'Python is kept and exported. It does not run here.'
  if (!isLoadedFirst || !new TextDecoder().decode(bytes).includes('root_agent')) return reason
  return `ADK loads the agent of this file in place of ${root}. ${reason}`
}
