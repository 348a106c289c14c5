/** Opens the YAML files of a design, each once, and notes why one cannot be read. */
import { MAX_YAML_CHARS, YamlError } from '#worker/text/yaml.ts'
import { type GivenFile, readText } from '../files.ts'
import { lineIndex, type PythonYaml, readPythonYaml } from '../python-yaml.ts'
import { UnreadableDesignError } from '../unreadable-design.ts'
import { FileNotes } from './file-notes.ts'
import { excerpt } from './plain-values.ts'
import { findSecrets, withoutSecrets } from './secrets.ts'

interface OpenYaml {
  notes: FileNotes
  /** Undefined after a problem. */
  yaml: PythonYaml | undefined
}

export class YamlFiles {
  readonly #files: ReadonlyMap<string, GivenFile>
  readonly #open = new Map<string, OpenYaml>()
  readonly #cleaned = new Map<string, string>()
  #chars = 0

  constructor(files: ReadonlyMap<string, GivenFile>) {
    this.#files = files
  }

  /** Returns a file of the design with the notes on it; undefined when there is none of this name. */
  open(name: string): OpenYaml | undefined {
    const known = this.#open.get(name)
    const file = this.#files.get(name)
    if (known || !file) return known
    const notes = new FileNotes(name)
    const opened = { notes, yaml: this.#read(file, notes) }
    this.#open.set(name, opened)
    return opened
  }

  /** Returns a file's bytes without the secrets that were found when it was opened. */
  cleaned(name: string): Uint8Array | undefined {
    const text = this.#cleaned.get(name)
    return text === undefined ? undefined : new TextEncoder().encode(text)
  }

  #read(file: GivenFile, notes: FileNotes): PythonYaml | undefined {
    let text = ''
    try {
      text = readText(notes.file, file)
      this.#chars += text.length
      if (this.#chars > MAX_YAML_CHARS)
        throw new YamlError(`the files of the agents have more than ${MAX_YAML_CHARS} characters`, 0)
      return this.#readClean(text, notes)
    } catch (error) {
      if (error instanceof UnreadableDesignError) notes.problems.push(...error.problems)
      else if (error instanceof YamlError)
        notes.refuse(lineIndex(text)(error.offset), `This is not YAML that ADK reads: ${excerpt(error.message)}.`)
      else throw error
      return undefined
    }
  }

  #readClean(text: string, notes: FileNotes): PythonYaml {
    const written = readPythonYaml(text)
    noteDropped(written, notes)
    const secrets = findSecrets(written)
    if (secrets.length === 0) return written
    for (const { path, span, placeholder } of secrets) {
      notes.note(path, span, 'changed', `The secret is not kept: ${placeholder} stands in its place.`)
      notes.task('credential', span, `${path} was a secret. Make it a credential, in place of ${placeholder}.`)
    }
    const cleaned = withoutSecrets(text, secrets)
    this.#cleaned.set(notes.file, cleaned)
    return readPythonYaml(cleaned)
  }
}

function noteDropped({ dropped }: PythonYaml, notes: FileNotes): void {
  for (const { pair, laterLine } of dropped) {
    const { span, value } = pair.key
    const path = `${excerpt(String(value))} (line ${span.line})`
    notes.note(path, span, 'changed', `This key comes again in line ${laterLine}, and ADK reads only that one.`)
  }
}
