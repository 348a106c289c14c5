/** References to agents: `{config_path: writer.yaml}` or `{code: shop.agents.writer}`. */
import type { YamlValue } from '../python-yaml.ts'
import { checkCode } from './code-names.ts'
import type { AgentReference } from './design.ts'
import type { FileNotes } from './file-notes.ts'
import { excerpt, nameOf, readPairs } from './plain-values.ts'

/** Returns the agent that a map refers to; undefined after a problem. */
export function readAgentReference(value: YamlValue, path: string, notes: FileNotes): AgentReference | undefined {
  const pairs = readPairs(value, path, notes)
  if (!pairs) return undefined
  for (const { path: wrong, pair } of pairs.filter(({ pair }) => !KEYS.includes(String(pair.key.value))))
    notes.refuse(pair.key.span, `${wrong} is unknown: a reference has a config_path or code.`)
  const given = pairs.filter(({ pair }) => KEYS.includes(String(pair.key.value)) && pair.value.kind !== 'null')
  const [only] = given
  if (!only || given.length > 1) {
    notes.refuse(value.span, `${path} needs either config_path or code.`)
    return undefined
  }
  if (only.pair.key.value === 'code') return checkCode(only.pair.value, { path }, notes)
  return readConfigPath(only.pair.value, path, notes)
}

const KEYS = ['config_path', 'code']

/** Returns the file that a text names; undefined after a problem. The file need not exist. */
export function readConfigPath(value: YamlValue, path: string, notes: FileNotes): AgentReference | undefined {
  if (value.kind !== 'text') {
    notes.refuse(value.span, `${path} must be the path of a file, and not ${nameOf(value)}.`)
    return undefined
  }
  const written = value.value
  const file = resolvePath(notes.file, written)
  if (file === undefined) {
    const reason = written.startsWith('/')
      ? 'Write it from the folder of this file.'
      : 'It has to stay in the folder of this file.'
    notes.refuse(value.span, `${path}: the path “${excerpt(written)}” leads elsewhere. ${reason}`)
    return undefined
  }
  notes.note(path, value.span)
  return { agent: file, written, span: value.span }
}

/** Returns a path inside the design; undefined when it is absolute or leaves the folder of the file that names it. */
function resolvePath(from: string, written: string): string | undefined {
  if (written.startsWith('/') || written === '') return undefined
  const folder = from.split('/').slice(0, -1)
  const parts: string[] = []
  for (const part of written.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return [...folder, ...parts].join('/')
}
