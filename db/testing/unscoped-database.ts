import { type Database, openDatabase } from '../client.ts'
import type { Network } from '../pipeline.ts'
import { acrossWorkspaces } from '../scope.ts'

/** Opens a database on which tests may read and write the rows of every workspace. */
export function openUnscopedDatabase(url: string, authToken?: string, network?: Network): Database {
  return acrossWorkspaces(openDatabase(url, authToken, network), 'tests look at every row')
}
