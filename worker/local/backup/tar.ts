/** The tar format (POSIX ustar), as far as backups need it: regular files with short names. */

export const BLOCK_BYTES = 512

/** Bytes after an entry of this size, up to the next block. */
export const paddingOf = (bytes: number): number => (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES

const NAME = { at: 0, length: 100 }
const SIZE = { at: 124, length: 12 }
const CHECKSUM = { at: 148, length: 8 }
const PREFIX = { at: 345, length: 155 }

/** Returns the block before an entry's bytes. Throws when the name is longer than tar allows. */
export function tarHeader(name: string, bytes: number): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  const cut = Buffer.byteLength(name) > NAME.length ? name.lastIndexOf('/') : -1
  const [prefix, last] = cut < 0 ? ['', name] : [name.slice(0, cut), name.slice(cut + 1)]
  if (Buffer.byteLength(last) > NAME.length || Buffer.byteLength(prefix) > PREFIX.length)
    throw new Error(`${name} is too long for a tar file`)
  block.write(last, NAME.at)
  block.write(prefix, PREFIX.at)
  block.write('0000600\0' + '0000000\0' + '0000000\0', 100)
  writeSize(block, bytes)
  block.write('00000000000\0', 136)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, CHECKSUM.at)
  return block
}

/** In octal, and from 8 GB in GNU's binary form. */
function writeSize(block: Buffer, bytes: number): void {
  if (bytes < 8 ** 11) {
    block.write(`${bytes.toString(8).padStart(11, '0')}\0`, SIZE.at)
    return
  }
  block[SIZE.at] = 0x80
  block.writeBigUInt64BE(BigInt(bytes), SIZE.at + 4)
}

function readSize(block: Buffer): number {
  if (block[SIZE.at] === 0x80) return Number(block.readBigUInt64BE(SIZE.at + 4))
  return Number.parseInt(readText(block, SIZE), 8)
}

/** Texts end at the first zero. */
const readText = (block: Buffer, { at, length }: typeof NAME): string =>
  block.toString('utf8', at, at + length).split('\0', 1)[0] as string

/** The sum of the header's bytes, with spaces in place of the checksum. */
function sumOf(block: Buffer): number {
  const isChecksum = (at: number) => at >= CHECKSUM.at && at < CHECKSUM.at + CHECKSUM.length
  return block.reduce((sum, byte, at) => sum + (isChecksum(at) ? 0x20 : byte), 0)
}

export interface TarEntry {
  name: string
  size: number
  /** To be read to the end before the next entry. */
  chunks: AsyncIterable<Buffer>
}

/** Throws when the bytes are no tar file, or end early. */
export async function* readEntries(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const cursor = openCursor(bytes)
  for (;;) {
    const header = await cursor.take(BLOCK_BYTES)
    if (header.every((byte) => byte === 0)) break
    if (Number.parseInt(readText(header, CHECKSUM), 8) !== sumOf(header)) throw new Error('Not a header of a tar file')
    const prefix = readText(header, PREFIX)
    const size = readSize(header)
    yield { name: (prefix && `${prefix}/`) + readText(header, NAME), size, chunks: cursor.stream(size) }
    await cursor.take(paddingOf(size))
  }
  await cursor.end()
}

function openCursor(bytes: AsyncIterable<Buffer>) {
  const source = bytes[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function* stream(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (rest.length === 0) {
        const { value, done } = await source.next()
        if (done) throw new Error('The file ends early')
        rest = value
        continue
      }
      const chunk = rest.subarray(0, left)
      rest = rest.subarray(chunk.length)
      left -= chunk.length
      yield chunk
    }
  }

  return {
    stream,
    async take(size: number): Promise<Buffer> {
      const chunks: Buffer[] = []
      for await (const chunk of stream(size)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    /** Reads what follows, so that its checksum is compared too. */
    async end(): Promise<void> {
      while (!(await source.next()).done);
    },
  }
}
