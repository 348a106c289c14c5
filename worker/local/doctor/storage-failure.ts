/** Says what to do when the disk of a data folder, or a file in it, does not work. */
import { join } from 'node:path'

const FAILURES: [pattern: RegExp, explain: (dataDir: string) => string][] = [
  [
    /\b(SQLITE_FULL|ENOSPC|EDQUOT)\b|database or disk is full/,
    (dataDir) =>
      `The disk of ${dataDir} is full. Free some space on it, or move the folder to a larger disk and set DATA_DIR.`,
  ],
  [
    /\b(EROFS|EACCES|EPERM|SQLITE_READONLY|SQLITE_CANTOPEN)\w*|Unable to open connection to local database|readonly database/,
    (dataDir) =>
      `${dataDir} cannot be written to. Mount its disk for writing, and give the folder and all files in it to the user that runs Heddle.`,
  ],
  [
    /\b(SQLITE_NOTADB|SQLITE_CORRUPT)\w*|file is not a database|disk image is malformed/,
    (dataDir) =>
      `${join(dataDir, 'heddle.db')} is damaged. Keep a copy of it, and restore the last backup into a new folder: npm run restore -- FILE, with DATA_DIR set to it.`,
  ],
  [
    /\bSQLITE_IOERR\w*|\bEIO\b|disk I\/O error/,
    (dataDir) =>
      `The disk of ${dataDir} fails to read or write. Look into the system's log, and restore the last backup on another disk.`,
  ],
]

/** Returns an error that says which file or folder is at fault and what to do, or the same error when it has another reason. */
export function explainStorageFailure(error: unknown, dataDir: string): unknown {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  const failure = FAILURES.find(([pattern]) => pattern.test(`${code} ${message}`))
  return failure ? new Error(failure[1](dataDir), { cause: error }) : error
}
