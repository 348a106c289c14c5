/** Reads the WebAssembly binary format: LEB128 numbers, sections and instruction lengths. */

export interface Section {
  id: number
  /** The section's content, without its id and size. */
  content: Uint8Array
}

const HEADER_BYTES = 8

export class Reader {
  readonly bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  byte(): number {
    const value = this.bytes[this.at++]
    if (value === undefined) throw new Error('The module ends too early')
    return value
  }

  /** Unsigned LEB128 of up to 32 bits. */
  u32(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
  }

  take(length: number): Uint8Array {
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  /** Skips LEB128 numbers of any size. */
  skipLeb(times = 1): void {
    for (let n = 0; n < times; n++) while (this.byte() >= 0x80);
  }
}

export function readSections(module: Uint8Array): Section[] {
  const reader = new Reader(module, HEADER_BYTES)
  const sections: Section[] = []
  while (reader.at < module.length) sections.push({ id: reader.byte(), content: reader.take(reader.u32()) })
  return sections
}

/** Reads a whole instruction and returns its opcode, or `0xFC00 + n` for opcodes prefixed with 0xFC. */
export function readInstruction(reader: Reader): number {
  const opcode = reader.byte()
  if (opcode === 0xfc) return 0xfc00 + readBulk(reader)
  if (opcode >= 0x02 && opcode <= 0x04) reader.skipLeb()
  else if (opcode === 0x0c || opcode === 0x0d || opcode === 0x10) reader.skipLeb()
  else if (opcode === 0x0e) reader.skipLeb(reader.u32() + 1)
  else if (opcode === 0x11) reader.skipLeb(2)
  else if (opcode === 0x1c) reader.skipLeb(reader.u32())
  else if (opcode >= 0x20 && opcode <= 0x26) reader.skipLeb()
  else if (opcode >= 0x28 && opcode <= 0x3e) reader.skipLeb(2)
  else if (opcode >= 0x3f && opcode <= 0x42) reader.skipLeb()
  else if (opcode === 0x43) reader.take(4)
  else if (opcode === 0x44) reader.take(8)
  else if (opcode === 0xd0 || opcode === 0xd2) reader.skipLeb()
  else if (!isPlain(opcode))
    throw new Error(`The module uses an instruction that is not known: 0x${opcode.toString(16)}`)
  return opcode
}

function readBulk(reader: Reader): number {
  const operation = reader.u32()
  if (operation > 17) throw new Error(`The module uses an instruction that is not known: 0xfc ${operation}`)
  if ([8, 10, 12, 14].includes(operation)) reader.skipLeb(2)
  else if (operation > 8) reader.skipLeb()
  return operation
}

/** Returns true if the opcode has no operands. */
function isPlain(opcode: number): boolean {
  return [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, 0xd1].includes(opcode) || (opcode >= 0x45 && opcode <= 0xc4)
}
