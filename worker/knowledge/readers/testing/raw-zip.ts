/** Writes zip files whose directory may lie. */
import { joinBytes } from './pdf.ts'

interface RawPart {
  name: string
  packed: Uint8Array
  /** As the directory says. */
  size: number
  method?: number
  flags?: number
  /** Where the directory says that it stands. */
  offset?: number
}

/** @param count of parts, as the directory says */
export function rawZip(parts: RawPart[], count = parts.length): Uint8Array<ArrayBuffer> {
  const local: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const part of parts) {
    const entry = joinBytes([localHeader(part), part.packed])
    directory.push(directoryEntry(part, part.offset ?? at))
    local.push(entry)
    at += entry.length
  }
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(8, count, true)
  end.setUint16(10, count, true)
  end.setUint32(16, at, true)
  return joinBytes([...local, ...directory, new Uint8Array(end.buffer)])
}

function localHeader({ name, packed, size, method = 8, flags = 0 }: RawPart): Uint8Array {
  const bytes = new TextEncoder().encode(name)
  const head = new DataView(new ArrayBuffer(30))
  head.setUint32(0, 0x04034b50, true)
  head.setUint16(6, flags, true)
  head.setUint16(8, method, true)
  head.setUint32(18, packed.length, true)
  head.setUint32(22, size, true)
  head.setUint16(26, bytes.length, true)
  return joinBytes([new Uint8Array(head.buffer), bytes])
}

function directoryEntry({ name, packed, size, method = 8, flags = 0 }: RawPart, offset: number): Uint8Array {
  const bytes = new TextEncoder().encode(name)
  const entry = new DataView(new ArrayBuffer(46))
  entry.setUint32(0, 0x02014b50, true)
  entry.setUint16(8, flags, true)
  entry.setUint16(10, method, true)
  entry.setUint32(20, packed.length, true)
  entry.setUint32(24, size, true)
  entry.setUint16(28, bytes.length, true)
  entry.setUint32(42, offset, true)
  return joinBytes([new Uint8Array(entry.buffer), bytes])
}
