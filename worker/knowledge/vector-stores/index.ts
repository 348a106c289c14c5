/** All vector stores. The embedded index comes first. */
import type { VectorStoreType } from '../types.ts'
import { chroma } from './chroma.ts'
import { embeddedIndex } from './embedded-index.ts'
import { milvus } from './milvus.ts'
import { pinecone } from './pinecone.ts'
import { qdrant } from './qdrant.ts'
import { supabase } from './supabase.ts'
import { upstash } from './upstash.ts'
import { vectorize } from './vectorize.ts'
import { weaviate } from './weaviate.ts'

export const vectorStores: VectorStoreType[] = [
  embeddedIndex,
  pinecone,
  qdrant,
  weaviate,
  chroma,
  milvus,
  upstash,
  vectorize,
  supabase,
]
