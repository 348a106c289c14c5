/** What a build was made of, so that a start tells whether it can be served. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '#contract/version.ts'
import { migrationsFolder } from '../paths.ts'

interface BuildRecord {
  /** The fingerprint of the sources on the machine that built: see `fingerprint.ts`. */
  fingerprint: string
  version: string
  /** The name of the newest migration. */
  migration: string
}

const fileIn = (dist: string) => join(dist, 'build.json')

/** Undefined when there is no complete build at `dist`. */
export function readBuildRecord(dist: string): BuildRecord | undefined {
  const file = fileIn(dist)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/** Before a build, so that one that was broken off is not served. */
export function removeBuildRecord(dist: string): void {
  rmSync(fileIn(dist), { force: true })
}

export function writeBuildRecord(dist: string, fingerprint: string): void {
  const record: BuildRecord = { fingerprint, version: VERSION, migration: newestMigration() }
  writeFileSync(fileIn(dist), `${JSON.stringify(record, null, 2)}\n`)
}

/** Throws a sentence for people when the build at `dist` cannot be served by this checkout. */
export function assertServable(dist: string): void {
  const record = readBuildRecord(dist)
  const remedy =
    'Run npm ci without --omit=dev to build it here, or copy the dist folder from where this version was built.'
  if (!record)
    throw new Error(`There is no build in ${dist}, and the packages to make one are not installed. ${remedy}`)
  if (record.version === VERSION && record.migration === newestMigration()) return
  throw new Error(
    `The build in ${dist} is of version ${record.version} with migration ${record.migration}, but this is ${VERSION} with ` +
      `${newestMigration()}. ${remedy}`,
  )
}

function newestMigration(): string {
  const { entries } = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  return entries.at(-1)?.tag ?? 'none'
}
