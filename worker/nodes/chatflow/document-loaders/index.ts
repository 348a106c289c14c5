/** The document loaders of chat flows. */
import { loaders } from '../../../knowledge/loaders/index.ts'
import type { ChatNodeType } from '../../types.ts'
import { loaderNode } from './loader-node.ts'
import { storedDocuments } from './stored-documents.ts'

export const documentLoaders: ChatNodeType[] = [...loaders.map(loaderNode), storedDocuments]
