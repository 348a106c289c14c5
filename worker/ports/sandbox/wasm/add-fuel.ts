/**
 * Adds fuel to a WebAssembly module: an exported mutable global `fuel` that every loop iteration and every block of
 * copied memory decrements. Below zero, the module calls its import `a.refuel`, which fills it up or throws, and then `a.pause` if
 * that said so. So even work that the interpreter never interrupts (a search in a long text, a scan of a huge length) is looked
 * at while it runs, and ends at the same point on every machine.
 *
 * `node worker/ports/sandbox/wasm/add-fuel.ts` generates the metered interpreter; a test verifies it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Reader, readInstruction, readSections, type Section } from './reader.ts'

const SECTION = { type: 1, import: 2, function: 3, global: 6, export: 7, start: 8, element: 9, code: 10 }
const I32 = 0x7f
/** 2^31 - 1 as an operand. Full from the start, because the module runs loops during instantiation. */
const MAX_I32 = [0xff, 0xff, 0xff, 0xff, 0x07]
const LOOP = 0x03
const CALL = 0x10
const REF_FUNC = 0xd2
const MEMORY_COPY = 0xfc0a
const MEMORY_FILL = 0xfc0b
/** Bytes of copied memory per unit of fuel, as a power of two. */
const COPY_SHIFT = 6

type Bytes = readonly number[]

export function addFuel(module: Uint8Array): Uint8Array {
  const sections = readSections(module)
  const imported = importsIn(sections)
  const fuel = imported.globals + countOf(sections, SECTION.global)
  const parameters = parameterCounts(sections)
  const refuel = imported.functions
  const metering = { fuel, refuel, parameters }
  const type = countOf(sections, SECTION.type)
  const change: Record<number, (content: Uint8Array) => Uint8Array> = {
    [SECTION.type]: (content) => append(append(content, [0x60, 0x00, 0x01, I32]), [0x60, 0x00, 0x00]),
    [SECTION.import]: (content) => append(append(content, importOf('refuel', type)), importOf('pause', type + 1)),
    [SECTION.start]: (content) => Uint8Array.from(u32(moved(new Reader(content).u32(), refuel))),
    [SECTION.element]: (content) => moveElements(content, refuel),
    [SECTION.global]: (content) => append(content, [I32, 0x01, 0x41, ...MAX_I32, 0x0b]),
    [SECTION.export]: (content) => append(moveExports(content, refuel), [...named('fuel'), 0x03, ...u32(fuel)]),
    [SECTION.code]: (content) => meterCode(content, metering),
  }
  const written = sections.flatMap(({ id, content }) => {
    const changed = change[id]?.(content) ?? content
    return [Uint8Array.of(id, ...u32(changed.length)), changed]
  })
  return concat([module.subarray(0, 8), ...written])
}

/** The new imports take the numbers of the first functions of the module, and all of these move up. */
const moved = (index: number, refuel: number): number => (index < refuel ? index : index + 2)

const importOf = (name: string, type: number): number[] => [...named('a'), ...named(name), 0x00, ...u32(type)]

const named = (name: string): number[] => [...u32(name.length), ...Buffer.from(name)]

function moveExports(content: Uint8Array, refuel: number): Uint8Array {
  const reader = new Reader(content)
  const parts: Uint8Array[] = [Uint8Array.from(u32(reader.u32()))]
  while (reader.at < content.length) {
    const start = reader.at
    reader.take(reader.u32())
    const kind = reader.byte()
    parts.push(content.subarray(start, reader.at))
    const index = reader.u32()
    parts.push(Uint8Array.from(u32(kind === 0 ? moved(index, refuel) : index)))
  }
  return concat(parts)
}

/** Tables of functions, each at an offset that is a number. */
function moveElements(content: Uint8Array, refuel: number): Uint8Array {
  const reader = new Reader(content)
  const parts: Uint8Array[] = [Uint8Array.from(u32(reader.u32()))]
  while (reader.at < content.length) {
    const start = reader.at
    if (reader.byte() !== 0 || reader.byte() !== 0x41) throw new Error('The module has elements that are not known')
    reader.skipLeb()
    reader.byte()
    const count = reader.u32()
    parts.push(content.subarray(start, reader.at))
    for (let left = count; left > 0; left--) parts.push(Uint8Array.from(u32(moved(reader.u32(), refuel))))
  }
  return concat(parts)
}

interface Metering {
  /** Number of the global. */
  fuel: number
  /** Number of the function, before that of `pause`. */
  refuel: number
  parameters: number[]
}

function meterCode(content: Uint8Array, metering: Metering): Uint8Array {
  const reader = new Reader(content)
  const bodies = Array.from({ length: reader.u32() }, (_, index) => {
    const body = meterBody(reader.take(reader.u32()), metering.parameters[index] as number, metering)
    return [Uint8Array.from(u32(body.length)), body]
  })
  return concat([Uint8Array.from(u32(bodies.length)), ...bodies.flat()])
}

/** Meters the code of one function, adding a local for the sizes of copies. */
function meterBody(body: Uint8Array, parameters: number, metering: Metering): Uint8Array {
  const reader = new Reader(body)
  const groups = reader.u32()
  const groupsAt = reader.at
  let locals = parameters
  for (let group = 0; group < groups; group++) {
    locals += reader.u32()
    reader.byte()
  }
  const size = u32(locals)
  const turn = charge(metering, [0x41, 0x01])
  const copy = [0x21, ...size, ...charge(metering, [0x20, ...size, 0x41, COPY_SHIFT, 0x76]), 0x20, ...size]

  const parts: Uint8Array[] = [
    Uint8Array.from(u32(groups + 1)),
    body.subarray(groupsAt, reader.at),
    Uint8Array.of(0x01, I32),
  ]
  let copiedTo = reader.at
  const insert = (at: number, code: Bytes) => {
    parts.push(body.subarray(copiedTo, at), Uint8Array.from(code))
    copiedTo = at
  }
  const replace = (start: number, code: Bytes) => {
    insert(start, code)
    copiedTo = reader.at
  }
  insert(reader.at, turn)
  while (reader.at < body.length) {
    const start = reader.at
    const opcode = readInstruction(reader)
    if (opcode === LOOP) insert(reader.at, turn)
    else if (opcode === MEMORY_COPY || opcode === MEMORY_FILL) insert(start, copy)
    else if (opcode === CALL || opcode === REF_FUNC)
      replace(start, [opcode, ...u32(moved(new Reader(body, start + 1).u32(), metering.refuel))])
  }
  return concat([...parts, body.subarray(copiedTo)])
}

/** `fuel -= amount; if (fuel < 0) if (refuel()) pause()`, where `amount` is code that leaves an i32. */
function charge({ fuel, refuel }: Metering, amount: Bytes): Bytes {
  const index = u32(fuel)
  const take = [0x23, ...index, ...amount, 0x6b, 0x24, ...index]
  return [
    ...take,
    0x23,
    ...index,
    0x41,
    0x00,
    0x48,
    0x04,
    0x40,
    CALL,
    ...u32(refuel),
    0x04,
    0x40,
    CALL,
    ...u32(refuel + 1),
    0x0b,
    0x0b,
  ]
}

/** Returns the number of parameters of each function in the code section. */
function parameterCounts(sections: Section[]): number[] {
  const types = openSection(sections, SECTION.type)
  const counts = Array.from({ length: types.u32() }, () => {
    if (types.byte() !== 0x60) throw new Error('The module has a type that is not a function')
    const count = types.u32()
    types.take(count)
    types.take(types.u32())
    return count
  })
  const functions = openSection(sections, SECTION.function)
  return Array.from({ length: functions.u32() }, () => counts[functions.u32()] as number)
}

function importsIn(sections: Section[]): { functions: number; globals: number } {
  const reader = openSection(sections, SECTION.import)
  let functions = 0
  let globals = 0
  for (let left = reader.u32(); left > 0; left--) {
    reader.take(reader.u32())
    reader.take(reader.u32())
    const kind = reader.byte()
    if (kind === 3) globals++
    if (kind === 0) functions++
    if (kind === 0) reader.u32()
    else if (kind === 3) reader.take(2)
    else {
      if (kind === 1) reader.byte()
      const hasMaximum = reader.byte() & 1
      reader.skipLeb(hasMaximum ? 2 : 1)
    }
  }
  return { functions, globals }
}

function countOf(sections: Section[], id: number): number {
  return openSection(sections, id).u32()
}

function openSection(sections: Section[], id: number): Reader {
  const section = sections.find((candidate) => candidate.id === id)
  if (!section) throw new Error(`The module has no section ${id}`)
  return new Reader(section.content)
}

/** Appends an entry to a list section. */
function append(content: Uint8Array, entry: Bytes): Uint8Array {
  const reader = new Reader(content)
  const count = reader.u32()
  return concat([Uint8Array.from(u32(count + 1)), content.subarray(reader.at), Uint8Array.from(entry)])
}

function u32(value: number): number[] {
  const low = value & 0x7f
  const rest = value >>> 7
  return rest === 0 ? [low] : [low | 0x80, ...u32(rest)]
}

function concat(parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts))
}

/** Reads the original interpreter from its package. */
export function readInterpreter(): Uint8Array {
  const entry = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync')
  return readFileSync(join(dirname(entry), 'emscripten-module.wasm'))
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, '../quickjs.wasm'), addFuel(readInterpreter()))
