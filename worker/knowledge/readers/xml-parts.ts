/**
 * Reads the XML of Office files and books as a stream of elements, so that no document is held in memory. Entities that
 * the XML declares itself are never expanded and nothing is fetched.
 */
import { Parser } from 'htmlparser2'
import { UnreadableError } from '../types.ts'
import { partDecoder, type Zip } from './zip.ts'

export interface XmlHandler {
  /** Names are without their prefixes: `w:p` is `p`. */
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

export type Attributes = Record<string, string>

const MAX_DEPTH = 200
const MAX_ELEMENTS = 20_000_000
/** Decoded bytes at once: the parser looks again at what it has not finished. */
const BYTES_AT_ONCE = 4096

/** @throws UnreadableError when the part is missing, broken or nested too deeply */
export function scanXml(zip: Zip, name: string, { open, text, close }: XmlHandler): void {
  let depth = 0
  let elements = 0
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth += 1
        elements += 1
        if (depth > MAX_DEPTH || elements > MAX_ELEMENTS)
          throw new UnreadableError('This file is nested too deeply or has too many parts. Simplify it, or divide it.')
        open?.(localName(tag), attributes)
      },
      ontext: (data) => text?.(data),
      onclosetag(tag) {
        depth -= 1
        close?.(localName(tag))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  const decode = partDecoder()
  zip.unpack(name, (bytes) => {
    for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE)
      parser.write(decode(bytes.subarray(at, at + BYTES_AT_ONCE)))
  })
  parser.end(decode())
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Returns an attribute by its name without prefix. */
export function attributeOf(attributes: Attributes, name: string): string | undefined {
  for (const [key, value] of Object.entries(attributes)) if (localName(key) === name) return value
  return undefined
}

/** Returns the targets of a part's relations by their ids, as names of parts. */
export function readRelations(zip: Zip, name: string): Map<string, { target: string; type: string }> {
  const slash = name.lastIndexOf('/') + 1
  const file = `${name.slice(0, slash)}_rels/${name.slice(slash)}.rels`
  const relations = new Map<string, { target: string; type: string }>()
  if (!zip.has(file)) return relations
  scanXml(zip, file, {
    open(element, { Id, Target, Type = '', TargetMode }) {
      if (element === 'Relationship' && Id && Target && TargetMode !== 'External')
        relations.set(Id, { target: partName(name, Target), type: Type.slice(Type.lastIndexOf('/') + 1) })
    },
  })
  return relations
}

/** Returns the name of the part that `target` names within the part `from`. Only ever a key. */
export function partName(from: string, target: string): string {
  const steps = target.startsWith('/') ? [] : from.split('/').slice(0, -1)
  for (const step of target.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}
