import { practice } from '../practice.ts'
import type { Template } from '../types.ts'

const RETURNS = `Returns
You can send back everything within thirty days. Socks must be unworn. We pay for the parcel, and your money is back within a week.

Delivery
Parcels leave our mill on weekdays before noon. They take two days within the country and five days abroad.

Care
Wash wool by hand in cold water, and dry it flat. It never goes into a dryer.`

export const answersFromDocuments: Template = {
  type: 'CHATFLOW',
  id: 'answers-from-documents',
  name: 'Answers from documents',
  description: 'Finds the passages that a question is about, answers from them alone, and shows where they come from.',
  usecases: ['Documents', 'Customer support'],
  note: 'Change first:\n1. The text in “Handbook”: paste yours, or put a file loader in its place. Many documents belong into a document store.\n2. The model and the embeddings. “Practice” ones know words, not meanings.',
  sample: { question: 'Within how many days can I send socks back?' },
  parts: [
    { name: 'recursiveCharacterTextSplitter', label: 'Pieces', inputs: { chunkSize: 200, chunkOverlap: 0 } },
    { name: 'plainText', label: 'Handbook', inputs: { text: RETURNS, metadata: '{"source":"Handbook"}' } },
    { name: 'practiceEmbeddings', label: 'Embeddings' },
    { name: 'memoryVectorStore', label: 'Search', inputs: { topK: 2 } },
    practice(),
    { name: 'bufferMemory', label: 'Memory' },
    { name: 'conversationalRetrievalQAChain', label: 'Answer', inputs: { returnSourceDocuments: true } },
  ],
  links: [
    [0, 1],
    [1, 3],
    [2, 3],
    [3, 6],
    [4, 6],
    [5, 6],
  ],
}
