/** What is not in the data folder: the database of a server, and the files of a bucket. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startLibsqlServer } from '#db/local/server.ts'
import type { S3Settings } from '../../ports/s3/settings.ts'
import type { DatabaseAddress } from '../migrate.ts'
import { copyLiveFiles, openFolderBucket, openS3FileBucket } from '../move/files.ts'
import { copyParts, NO_SIZES, openFolder } from '../move/installation.ts'
import { copySnapshot, openClient, openServer } from '../move/tables.ts'
import { copyDatabase } from './snapshot.ts'

/** Copies one moment of a server's database, while others write to it, to a file that does not exist yet. */
export async function takeDatabase(address: DatabaseAddress, file: string): Promise<void> {
  const source = await openServer(address)
  const taken = `${file}.taken`
  const server = await startLibsqlServer({ file: taken, ...NO_SIZES })
  const target = openClient(server)
  try {
    await copySnapshot(source, target)
  } finally {
    source.close()
    target.close()
    await server.close()
  }
  // Into one file, without a log beside it.
  copyDatabase(taken, file)
  for (const end of ['', '-wal', '-shm']) rmSync(taken + end, { force: true })
}

/** Copies the files of a bucket, while others write to it, into a folder as a data folder keeps them. */
export async function takeFiles(settings: S3Settings, folder: string): Promise<void> {
  const [source, target] = [openS3FileBucket(settings), await openFolderBucket(folder)]
  try {
    await copyLiveFiles(source, target)
  } finally {
    await target.close()
  }
}

interface Elsewhere {
  database: DatabaseAddress | undefined
  s3: S3Settings | undefined
}

/**
 * Brings what belongs elsewhere from a data folder to an empty server and an empty bucket, compares it, and removes it from the
 * folder. Throws a sentence for people when they hold anything else than what an earlier attempt brought there.
 */
export async function bringElsewhere(folder: string, { database, s3 }: Elsewhere): Promise<void> {
  const target = database && (await openServer(database))
  const opened = await openFolder(folder)
  const source = openClient(opened.address)
  try {
    await copyParts({
      ...{ source, target },
      files: s3 && { source: opened.bucket, target: openS3FileBucket(s3) },
    })
  } finally {
    source.close()
    target?.close()
    await opened.close()
  }
  // A closed server leaves its log, which is empty then.
  const moved = ['lock', 'heddle.db-wal', 'heddle.db-shm', ...(database ? ['heddle.db'] : []), ...(s3 ? ['files'] : [])]
  for (const name of moved) rmSync(join(folder, name), { recursive: true, force: true })
}
