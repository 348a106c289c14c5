/**
 * A run stores a long text once, in `run_texts`, however many of its steps repeat it. Where the text was, an empty string
 * stands, and a column beside the JSON (`texts` of a step, `inputTexts` of an execution) says which text belongs there. So
 * no text can pass for a reference, and a row without that column is read as it is. Long lists and objects of an input, as
 * its form or the body of its webhook call, are stored in the same way. Messages keep texts of their own: a conversation
 * outlives its runs. A question that is echoed leaves about three times its bytes: twice in messages, once here.
 */
import { hash } from 'node:crypto'
import { isObject } from '#contract/data/json.ts'

/** In UTF-16 code units. A shorter text stays where it is. */
const MIN_LENGTH = 1024
/** A text stays in a place with a longer pointer, which would take as much room as the text. */
const MAX_POINTER = 256

/** Characters of the JSON of a list or object that stays in the input of a run. */
const MAX_VALUE_LENGTH = 16 * 1024
/** Places in one value. Further texts stay where they are. */
const MAX_REFS = 5000

/** No text is taken out of what SQL reads: questions for people with their answers, forms, webhook calls. */
const WHOLE = ['/data/answer/', '/data/output/humanInputAction/', '/form/', '/webhook/', '/past/']

/** The hash of each text by the place where it belongs: a JSON pointer (RFC 6901). */
type TextRefs = Record<string, string>

/** Texts and other values by their hash (SHA-256, base64url), as JSON: it also holds what SQLite's texts cannot, lone surrogates and NUL. */
export type StoredTexts = Map<string, string>

/** The hashes of a run's texts that are stored already. */
export type KnownTexts = Map<string, string>

/**
 * Returns a copy of a JSON value without its long texts, and what `restoreTexts` needs. Secrets must be hidden before.
 * @param known texts that need not be returned again; new ones are added to it
 */
export function extractTexts<Value>(
  value: Value,
  known: KnownTexts = new Map(),
): { rest: Value; refs: TextRefs | null; added: StoredTexts } {
  const refs: [string, string][] = []
  const added: StoredTexts = new Map()
  const rest = withTexts(value, (text, path) => {
    if (text.length < MIN_LENGTH || refs.length >= MAX_REFS) return text
    const pointer = pointerOf(path)
    if (pointer.length > MAX_POINTER || WHOLE.some((start) => `${pointer}/`.startsWith(start))) return text
    refs.push([pointer, hashOf(text)])
    return ''
  })
  return { rest, refs: refs.length > 0 ? Object.fromEntries(refs) : null, added }

  function hashOf(text: string): string {
    const stored = known.get(text)
    if (stored !== undefined) return stored
    const json = JSON.stringify(text)
    const made = hash('sha256', json, 'base64url')
    known.set(text, made)
    added.set(made, json)
    return made
  }
}

/** Extracts the texts of a run's input as `extractTexts` does, and its long members and the long body of its webhook call. */
export function extractInput<Input extends object>(input: Input) {
  const { rest, refs, added } = extractTexts(input)
  const taken: Record<string, string> = {}
  const { past: _, webhook, ...members } = rest as { past?: object; webhook?: { body?: unknown } }
  const short = Object.entries(members).flatMap(([key, value]) =>
    isObject(value) ? takeLong(`/${key}`, value).map((left) => [key, left]) : [],
  )
  const body = webhook ? takeLong('/webhook/body', webhook.body) : []
  const left = { ...rest, ...Object.fromEntries(short), ...(body.length > 0 && { webhook: { ...webhook, body: '' } }) }
  return { rest: left as Input, refs: Object.keys(taken).length > 0 ? { ...refs, ...taken } : refs, added }

  /** Returns what stands for a value that was taken, or nothing. */
  function takeLong(pointer: string, value: unknown): string[] {
    const json = JSON.stringify(value)
    if (json === undefined || json.length <= MAX_VALUE_LENGTH) return []
    const made = hash('sha256', json, 'base64url')
    taken[pointer] = made
    added.set(made, json)
    return ['']
  }
}

/** Returns the value from which texts were taken. @param texts those of the run; others may be among them */
export function restoreTexts<Value>(rest: Value, refs: TextRefs | null, texts: StoredTexts): Value {
  if (!refs) return rest
  return withTexts(rest, (text, path) => {
    const json = text === '' ? texts.get(refs[pointerOf(path)] ?? '') : undefined
    return json === undefined ? text : JSON.parse(json)
  })
}

/** Returns a copy with each text replaced, also in what replaces one; what has none that changes is not copied. */
function withTexts<Value>(value: Value, replaced: (text: string, path: readonly string[]) => unknown): Value {
  const path: string[] = []
  return visit(value) as Value

  function visit(inner: unknown): unknown {
    if (typeof inner === 'string') {
      const found = replaced(inner, path)
      return typeof found === 'string' ? found : visit(found)
    }
    if (!isObject(inner)) return inner
    const entries = Object.entries(inner).map(([key, child]) => {
      path.push(key)
      const changed = visit(child)
      path.pop()
      return [key, changed, changed === child] as const
    })
    if (entries.every(([, , isSame]) => isSame)) return inner
    if (Array.isArray(inner)) return entries.map(([, changed]) => changed)
    // Makes a property of its own also for `__proto__`.
    return Object.fromEntries(entries)
  }
}

const pointerOf = (path: readonly string[]): string =>
  path.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
