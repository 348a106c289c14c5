/** All vector stores. The embedded index comes first. */
import type { VectorStoreType } from '../types.ts'
import { libsqlShelf } from './libsql-shelf.ts'

export const vectorStores: VectorStoreType[] = [libsqlShelf]
