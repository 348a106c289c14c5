/** Calls of the route walk that need more than their schema says to accept the seeded rows. */
import { SEED_ID, SEED_OPERATIONS, SEED_SETTINGS } from './seed.ts'

export interface Example {
  /** Replaces these fields of the sampled body; undefined omits a field. */
  body?: Record<string, unknown>
  /** Values of path parameters. */
  params?: Record<string, string>
  /** The query without `?`. */
  query?: string
}

const NEW_ID = '00000000-0000-4000-8000-0000000000bb'
const trigger = { name: 'Trigger', settings: SEED_SETTINGS, operations: SEED_OPERATIONS }
const credential = { credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'k' } }
const importedFlow = { id: NEW_ID, name: 'Flow', flowData: JSON.stringify({ nodes: [], edges: [] }) }
const nothing = undefined

const VECTOR_CONFIG = {
  storeId: SEED_ID,
  embeddingName: nothing,
  vectorStoreName: nothing,
  recordManagerName: nothing,
  scheduleConfig: nothing,
}

/** By method and path. */
export const EXAMPLES: Record<string, Example> = {
  'POST /chatflows': { body: { apikeyid: nothing } },
  'PUT /chatflows/:id': { body: { apikeyid: nothing } },
  'GET /chatflows/has-changed/:id/:date': { params: { date: '2026-01-01T00:00:00.000Z' } },
  'PUT /triggers/:id': { body: trigger },
  'GET /nodes/:name': { params: { name: 'llmAgentflow' } },
  'POST /node-config': { body: { name: 'llmAgentflow' } },
  'POST /node-custom-function': { body: { javascriptFunction: 'return 1' } },
  'POST /credentials': { body: credential },
  'POST /credentials/test': {
    body: { credentialName: 'httpBearerToken', plainDataObj: { token: 't' }, id: nothing, url: nothing },
  },
  'GET /components-credentials/:name': { params: { name: 'openAIApi' } },
  'POST /apikey': { body: { permissions: ['chatflows:view'], flowIds: nothing, expiresDate: null } },
  'PUT /apikey/:id': { body: { permissions: ['chatflows:view'], flowIds: nothing, expiresDate: null } },
  'POST /custom-mcp-servers': { body: { serverUrl: 'https://mcp.example.com/mcp', authConfig: null } },
  'PUT /custom-mcp-servers/:id': { body: { serverUrl: 'https://mcp.example.com/mcp', authConfig: null } },
  'POST /document-store/store/:id/files': { query: 'name=a.txt' },
  'POST /document-store/loader/process/:loaderId': { query: 'async=true' },
  'POST /document-store/vectorstore/insert': {
    query: 'async=true',
    body: { storeId: SEED_ID, docId: nothing, embeddingName: nothing, vectorStoreName: nothing },
  },
  'POST /document-store/upsert/:id': {
    query: 'async=true',
    body: {
      ...{ docId: nothing, createNewDocStore: nothing, vectorStore: nothing, embedding: nothing },
      ...{ loader: { name: 'plainText', config: { text: 'Tea' } }, splitter: nothing },
    },
  },
  'POST /document-store/refresh/:id': { query: 'async=true', body: { items: [] } },
  'POST /document-store/jobs/:id/:action': { params: { action: 'cancel' } },
  'POST /document-store/loader/save': {
    body: { storeId: SEED_ID, id: nothing, loaderId: 'plainText', splitterId: '', credential: nothing },
  },
  'POST /document-store/generate-tool-desc/:id': { body: { selectedChatModel: { name: 'practiceModel' } } },
  'POST /document-store/vectorstore/estimate': {
    body: { storeId: SEED_ID, docId: nothing, embeddingName: nothing, embeddingConfig: nothing },
  },
  'GET /document-store/chunks/:storeId/:loaderId/:page': { params: { loaderId: 'all', page: '1' } },
  'POST /document-store/loader/preview': {
    body: { storeId: SEED_ID, id: nothing, loaderId: 'plainText', splitterId: '', credential: nothing },
  },
  'POST /document-store/vectorstore/save': { body: VECTOR_CONFIG },
  'POST /document-store/vectorstore/update': { body: VECTOR_CONFIG },
  'POST /document-store/vectorstore/query': { body: { storeId: SEED_ID, inputs: { mode: 'keyword' } } },
  'POST /tools': { body: { schema: '[]' } },
  'PUT /tools/:id': { body: { schema: '[]' } },
  'POST /tools/test': { body: { schema: '[]', func: 'return 1', arguments: {} } },
  'GET /search': { query: 'q=a' },
  'GET /usages': { query: 'kind=variable&asset=a' },
  'POST /marketplaces/custom': { body: { type: 'Tool', chatflowId: nothing, tool: { func: 'return 1' } } },
  'POST /assistants': { body: { type: 'CUSTOM', details: '{"name":"Helper"}' } },
  'PUT /assistants/:id': { body: { details: '{"name":"Helper"}' } },
  'POST /assistants/generate/instruction': { body: { selectedChatModel: { name: 'practiceModel' } } },
  'POST /export-import/import': {
    body: {
      AgentFlow: nothing,
      AgentFlowV2: [importedFlow],
      AssistantFlow: nothing,
      ChatFlow: nothing,
      ChatMessage: nothing,
      ChatMessageFeedback: nothing,
      Execution: nothing,
      Variable: nothing,
      choices: nothing,
    },
  },
}

/** Routes that cannot succeed with the seeded rows, and the owner's status. The tests of their areas cover success. */
export const NOT_ON_SEED: Record<string, { status: number; because: string }> = {
  'GET /openai-assistants': { status: 400, because: 'the seeded credential has no key' },
  'GET /openai-assistants/:id': { status: 400, because: 'the seeded credential has no key' },
  'POST /triggers': { status: 400, because: 'the seeded flow is of a type that does not run' },
  'PUT /credentials/:id': { status: 400, because: 'the seeded secret has no field of its credential type' },
  'POST /credentials/test': { status: 400, because: 'an address must be named, and no test calls one' },
  'POST /oauth2-credential/authorize/:id': { status: 400, because: 'the seeded credential is of no OAuth 2 type' },
  'POST /oauth2-credential/refresh/:id': { status: 400, because: 'the seeded credential is of no OAuth 2 type' },
  'POST /internal-prediction/:id': { status: 400, because: 'the seeded flow has no nodes to run' },
  'GET /internal-prediction/:id/:executionId': { status: 404, because: 'the seeded run is no test run' },
  'GET /files/:id/content': { status: 404, because: 'the bytes of the seeded file are not stored' },
  'POST /executions/:id/replay': { status: 404, because: 'the seeded run has no step to replay from' },
  'GET /trigger-deliveries/:id': { status: 404, because: 'the seeded delivery belongs to no flow of a type that runs' },
  'POST /trigger-deliveries/:id/replay': {
    status: 404,
    because: 'the seeded delivery belongs to no flow of a type that runs',
  },
  'PATCH /chatflows/:id/schedule/enabled': { status: 404, because: 'the seeded flow has no schedule' },
  'DELETE /chatflows/:id/schedule/trigger-logs': { status: 404, because: 'the seeded flow has no schedule' },
  'POST /document-store/store/:id/files': { status: 400, because: 'its body, a file, is empty' },
  'POST /agentflowv2-generator/generate': { status: 400, because: 'it calls a model' },
}
