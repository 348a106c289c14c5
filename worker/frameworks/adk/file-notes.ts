/** Collects what reading one file of a design finds. */
import type { FileFinding, FrameworkTask, KeyFinding } from '#contract/frameworks/report.ts'
import type { Span } from '../python-yaml.ts'
import type { DesignProblem } from '../unreadable-design.ts'

/** Problems that are named; more of them say nothing new. */
const MAX_PROBLEMS = 20

type Verdict = KeyFinding['verdict']

export class FileNotes {
  readonly file: string
  readonly problems: DesignProblem[] = []
  readonly #tasks: FrameworkTask[] = []
  readonly #reasons: string[] = []
  readonly #keys = new Map<string, KeyFinding>()
  #verdict: Verdict = 'exact'

  constructor(file: string) {
    this.file = file
  }

  /** Notes that a key is read. Further notes on the same key add their reasons, and the worst verdict counts. */
  note(key: string, { line, column }: Span, verdict: Verdict = 'exact', reason?: string): void {
    const before = this.#keys.get(key)
    const reasons = [...(before?.reasons ?? []), ...(reason && !before?.reasons.includes(reason) ? [reason] : [])]
    const at = before ?? { key, line, column }
    this.#keys.set(key, { ...at, key, verdict: worst(before?.verdict ?? 'exact', verdict), reasons })
  }

  /** Notes something on the file as a whole. */
  noteFile(verdict: Verdict, reason: string): void {
    this.#verdict = worst(this.#verdict, verdict)
    this.#reasons.push(reason)
  }

  /** Notes what needs Python: it is kept, and a person has to replace it. */
  noteCode(key: string, span: Span, name: string): void {
    const reason = `Runs in real ADK only: ${name}. Give it a stand-in to run it here.`
    this.note(key, span, 'unsupported', reason)
    this.task('standIn', span, reason)
  }

  task(kind: FrameworkTask['kind'], { line, column }: Pick<Span, 'line' | 'column'>, reason: string): void {
    this.#tasks.push({ kind, file: this.file, line, column, reason })
  }

  /** Notes why the design cannot be read. */
  refuse({ line, column }: Pick<Span, 'line' | 'column'>, reason: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ file: this.file, line, column, reason })
  }

  get tasks(): FrameworkTask[] {
    return this.#tasks.toSorted(inOrder)
  }

  /** Returns what was found, in the order of the file. */
  finding(): FileFinding {
    const keys = [...this.#keys.values()].sort(inOrder)
    const verdict = keys.reduce((sum, key) => worst(sum, key.verdict), this.#verdict)
    return { file: this.file, verdict, reasons: this.#reasons, keys }
  }
}

interface Position {
  line: number
  column: number
}
const inOrder = (one: Position, other: Position) => one.line - other.line || one.column - other.column

const ORDER: readonly Verdict[] = ['exact', 'changed', 'unsupported']
const worst = (one: Verdict, other: Verdict): Verdict => (ORDER.indexOf(one) < ORDER.indexOf(other) ? other : one)
