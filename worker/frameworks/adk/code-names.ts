/** Names of Python code in a design: callbacks, schemas, models, tools and agents. */
import { codeNameProblem } from '../python-names.ts'
import type { YamlValue } from '../python-yaml.ts'
import type { CodeReference } from './design.ts'
import type { FileNotes } from './file-notes.ts'
import { excerpt, type Keyed, nameOf, readPairs } from './plain-values.ts'

/**
 * Returns what a key such as `after_model_callbacks` or `output_schema` names; undefined after a problem.
 * @param mayBeText for a key of one name that may stand without `name`
 */
export function readCodeKey(keyed: Keyed, notes: FileNotes, mayBeText = false): CodeReference[] | undefined {
  const { path, pair } = keyed
  const key = String(pair.key.value)
  if (pair.value.kind === 'null' && !key.endsWith('_code')) {
    notes.note(path, pair.key.span)
    return []
  }
  if (!key.endsWith('_callbacks')) {
    const code = readCode(pair.value, { path, isRelative: key.endsWith('_code'), mayBeText }, notes)
    return code && [code]
  }
  if (pair.value.kind !== 'list') {
    notes.refuse(pair.value.span, `${path} must be a list.`)
    return undefined
  }
  notes.note(path, pair.key.span)
  return pair.value.items.flatMap((item, index) => readCode(item, { path: `${path}[${index}]` }, notes) ?? [])
}

interface CodePlace {
  path: string
  /** The name may stand without `name`. */
  mayBeText?: boolean
  /** `.tools.find` is a name in the design's own package. */
  isRelative?: boolean
}

/** @param value `{name: shop.tools.find}`, or for some keys the name alone */
function readCode(
  value: YamlValue,
  { path, isRelative = false, mayBeText = false }: CodePlace,
  notes: FileNotes,
): CodeReference | undefined {
  if (value.kind === 'text' && mayBeText) return checkCode(value, { path, isRelative }, notes)
  const pairs = readPairs(value, path, notes)
  if (!pairs) return undefined
  for (const { path: wrong, pair } of pairs.filter(({ pair }) => pair.key.value !== 'name'))
    notes.refuse(pair.key.span, `${wrong} is unknown: ${path} may have a name alone. Arguments are given in Python.`)
  const name = pairs.find(({ pair }) => pair.key.value === 'name')
  if (name) return checkCode(name.pair.value, { path, isRelative }, notes)
  notes.refuse(value.span, `${path} needs a name.`)
  return undefined
}

/** Notes a name of code. Returns undefined after a problem. */
export function checkCode(
  value: YamlValue,
  { path, isRelative }: CodePlace,
  notes: FileNotes,
): CodeReference | undefined {
  if (value.kind !== 'text') {
    notes.refuse(value.span, `${path} must be the name of Python code, and not ${nameOf(value)}.`)
    return undefined
  }
  const code = value.value
  // A name in the design's own package is whole with the name of any package before it.
  const problem = codeNameProblem(isRelative && code.startsWith('.') ? `package${code}` : code)
  if (problem) {
    notes.refuse(value.span, `${path}: ${problem.replace(code, excerpt(code))}`)
    return undefined
  }
  notes.noteCode(path, value.span, excerpt(code))
  return { code, span: value.span }
}
