/**
 * The browser bundle in Brotli, which takes a seventh less than gzip and seconds to make: so a build packs it, once. Files
 * are named after what they hold, so that none is served for another.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

/** Fonts and pictures are packed as they are. */
export const PACKABLE = /\.(css|html|ico|js|json|map|svg|txt|wasm|webmanifest)$/

const brotli = promisify(zlib.brotliCompress)
const folderIn = (dist: string) => join(dist, 'brotli')

/** 132 bits of SHA-256, base64url. */
export const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url').slice(0, 22)

/** Packs what `dist/client` holds, in place of what was packed before. */
export async function packAssets(dist: string): Promise<void> {
  const folder = folderIn(dist)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const files = readdirSync(join(dist, 'client'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && PACKABLE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file)
      writeFileSync(join(folder, hashOf(bytes)), await brotli(bytes, optionsOf(bytes)))
    }),
  )
}

const optionsOf = ({ length }: Buffer) => ({ params: { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: length } })

/** Returns the packed bytes of a file by its hash; undefined for what no build has packed. */
export async function readPacked(dist: string, hash: string): Promise<Buffer | undefined> {
  try {
    return await readFile(join(folderIn(dist), hash))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
