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
const NO_BODY = undefined

const VECTOR_CONFIG = {
  storeId: SEED_ID,
  embeddingName: NO_BODY,
  vectorStoreName: NO_BODY,
  recordManagerName: NO_BODY,
  scheduleConfig: NO_BODY,
}

const provider = {
  ...{ kind: 'oidc', issuer: 'https://login.example.com', isEnabled: false, isRequired: false },
  ...{ defaultRole: null, groupRoles: [] },
}

/** Examples of calls, by method and path. */
export const EXAMPLES: Record<string, Example> = {
  // A copy needs the right to view its flow as well.
  'POST /chatflows': { body: { apikeyid: NO_BODY, copyOf: NO_BODY, sources: NO_BODY } },
  'PUT /chatflows/:id': { body: { apikeyid: NO_BODY, sources: [{ name: 'a.txt', data: 'YQ==' }] } },
  'POST /workspaces/:id/users': { body: { email: 'somebody@example.com' } },
  'GET /chatflows/has-changed/:id/:date': { params: { date: '2026-01-01T00:00:00.000Z' } },
  'POST /account/email': { body: { email: 'new-address@example.com' } },
  'POST /auth/confirm': { body: { code: NO_BODY, passkey: NO_BODY } },
  'PUT /triggers/:id': { body: trigger },
  'POST /sso-providers': { body: provider },
  'PUT /sso-providers/:id': { body: { ...provider, kind: NO_BODY } },
  'POST /platform/sso-providers': { body: provider },
  'PUT /platform/sso-providers/:id': { body: { ...provider, kind: NO_BODY } },
  'POST /sso-domains': { body: { domain: 'example.com' } },
  'PUT /scim-groups/:id': { body: { place: null } },
  'POST /scim/v2/Users': { body: { userName: 'bea@example.com', active: true } },
  'PUT /scim/v2/Users/:id': { body: { userName: 'seeded@example.com', active: true } },
  'PATCH /scim/v2/Users/:id': { body: { Operations: [{ op: 'Replace', path: 'externalId', value: 'x' }] } },
  'POST /scim/v2/Groups': { body: { members: NO_BODY } },
  'PUT /scim/v2/Groups/:id': { body: { members: NO_BODY } },
  'PATCH /scim/v2/Groups/:id': { body: { Operations: [{ op: 'Replace', path: 'externalId', value: 'x' }] } },
  'GET /scim/v2/Users': { query: 'filter=userName%20eq%20%22seeded%40example.com%22' },
  'GET /scim/v2/ResourceTypes/:id': { params: { id: 'User' } },
  'GET /scim/v2/Schemas/:id': { params: { id: 'urn:ietf:params:scim:schemas:core:2.0:User' } },
  'GET /nodes/:name': { params: { name: 'llmAgentflow' } },
  'POST /node-config': { body: { name: 'llmAgentflow' } },
  'POST /node-custom-function': { body: { javascriptFunction: 'return 1' } },
  'POST /credentials': { body: credential },
  'POST /credentials/test': {
    body: { credentialName: 'httpBearerToken', plainDataObj: { token: 't' }, id: NO_BODY, url: NO_BODY },
  },
  'GET /components-credentials/:name': { params: { name: 'openAIApi' } },
  'POST /apikey': { body: { permissions: ['chatflows:view'], flowIds: NO_BODY, expiresDate: null } },
  'PUT /apikey/:id': { body: { permissions: ['chatflows:view'], flowIds: NO_BODY, expiresDate: null } },
  'POST /custom-mcp-servers': { body: { serverUrl: 'https://mcp.example.com/mcp', authConfig: null } },
  'PUT /custom-mcp-servers/:id': { body: { serverUrl: 'https://mcp.example.com/mcp', authConfig: null } },
  'POST /document-store/store/:id/files': { query: 'name=a.txt' },
  'POST /document-store/loader/process/:loaderId': { query: 'async=true' },
  'POST /document-store/vectorstore/insert': {
    query: 'async=true',
    body: { storeId: SEED_ID, docId: NO_BODY, embeddingName: NO_BODY, vectorStoreName: NO_BODY },
  },
  'DELETE /document-store/vectorstore/:storeId': { query: 'async=true' },
  'POST /document-store/upsert/:id': {
    query: 'async=true',
    body: {
      ...{ docId: NO_BODY, createNewDocStore: NO_BODY, vectorStore: NO_BODY, embedding: NO_BODY },
      ...{ loader: { name: 'plainText', config: { text: 'Tea' } }, splitter: NO_BODY },
    },
  },
  'POST /document-store/refresh/:id': { query: 'async=true', body: { items: [] } },
  'POST /document-store/jobs/:id/:action': { params: { action: 'cancel' } },
  'POST /document-store/loader/save': {
    body: { storeId: SEED_ID, id: NO_BODY, loaderId: 'plainText', splitterId: '', credential: NO_BODY },
  },
  'POST /document-store/generate-tool-desc/:id': { body: { selectedChatModel: { name: 'practiceModel' } } },
  'POST /document-store/vectorstore/estimate': {
    body: { storeId: SEED_ID, docId: NO_BODY, embeddingName: NO_BODY, embeddingConfig: NO_BODY },
  },
  'GET /document-store/chunks/:storeId/:loaderId/:page': { params: { loaderId: 'all', page: '1' } },
  'POST /document-store/loader/preview': {
    body: { storeId: SEED_ID, id: NO_BODY, loaderId: 'plainText', splitterId: '', credential: NO_BODY },
  },
  'POST /document-store/vectorstore/save': { body: VECTOR_CONFIG },
  'POST /document-store/vectorstore/update': { body: VECTOR_CONFIG },
  'POST /document-store/vectorstore/query': { body: { storeId: SEED_ID, inputs: { mode: 'keyword' } } },
  'POST /roles': { body: { kind: 'workspace', permissions: ['tools:view'] } },
  'PUT /roles/:id': { body: { permissions: ['tools:view'] } },
  'POST /tools': { body: { schema: '[]' } },
  'PUT /tools/:id': { body: { schema: '[]' } },
  'POST /tools/test': { body: { schema: '[]', func: 'return 1', arguments: {} } },
  'GET /search': { query: 'q=a' },
  'GET /usages': { query: 'kind=variable&asset=a' },
  'POST /marketplaces/custom': { body: { type: 'Tool', chatflowId: NO_BODY, tool: { func: 'return 1' } } },
  'POST /assistants': { body: { type: 'CUSTOM', details: '{"name":"Helper"}' } },
  'PUT /assistants/:id': { body: { details: '{"name":"Helper"}' } },
  'POST /assistants/generate/instruction': { body: { selectedChatModel: { name: 'practiceModel' } } },
  'GET /get-upload-file': { query: `chatflowId=${SEED_ID}&chatId=${SEED_ID}&fileName=a.txt` },
  'GET /prediction/:id/:executionId': { query: `chatId=${SEED_ID}&question=q` },
  'POST /prediction/:id': { body: { question: 'q', uploads: NO_BODY, humanInput: NO_BODY } },
  'POST /chat/completions': { body: { model: SEED_ID, messages: [{ role: 'user', content: 'q' }] } },
  'POST /attachments/:id/:chatId': { body: { base64: NO_BODY } },
  'POST /leads': { body: { email: 'ann@example.com' } },
  'GET /text-to-speech/voices': { query: 'provider=openai' },
  'POST /export-import/chatflow-messages': { body: { chatflowId: SEED_ID, startDate: NO_BODY, endDate: NO_BODY } },
  'POST /export-import/imports': { body: { name: 'ExportData.json', size: 2 } },
  'POST /export-import/imports/:id/parts/:part': { params: { part: '0' } },
  'POST /export-import/import': {
    body: {
      AgentFlow: NO_BODY,
      AgentFlowV2: [importedFlow],
      AssistantFlow: NO_BODY,
      ChatFlow: NO_BODY,
      ChatMessage: NO_BODY,
      ChatMessageFeedback: NO_BODY,
      Execution: NO_BODY,
      Variable: NO_BODY,
      choices: NO_BODY,
    },
  },
}

const NOBODY_ELSE = { status: 404, because: 'the organization has nobody with the id of the seed' }
const NO_SUCH_ROLE = { status: 404, because: 'the organization has no role with the id of the seed' }

/** Routes that cannot succeed with the seeded rows, and the owner's status. The tests of their areas cover success. */
export const NOT_ON_SEED: Record<string, { status: number; because: string }> = {
  'PUT /workspaces/:id': { status: 404, because: 'the seeded id is no workspace' },
  'DELETE /workspaces/:id': { status: 404, because: 'the seeded id is no workspace' },
  'POST /workspaces/:id/restore': { status: 404, because: 'the seeded id is no workspace' },
  'POST /workspaces/:id/switch': { status: 404, because: 'the seeded id is no workspace' },
  'GET /workspaces/:id/users': { status: 404, because: 'the seeded id is no workspace' },
  'POST /workspaces/:id/users': { status: 404, because: 'the seeded id is no workspace' },
  'PUT /workspaces/:id/users/:userId': { status: 404, because: 'the seeded id is no workspace' },
  'POST /workspaces/:id/leave': { status: 404, because: 'the seeded id is no workspace' },
  'DELETE /workspaces/:id/users/:userId': { status: 404, because: 'the seeded id is no workspace' },
  'GET /openai-assistants': { status: 400, because: 'the seeded credential has no key' },
  'GET /openai-assistants/:id': { status: 400, because: 'the seeded credential has no key' },
  'GET /openai-assistants-vector-store': { status: 400, because: 'the seeded credential has no key' },
  'GET /openai-assistants-vector-store/:id': { status: 400, because: 'the seeded credential has no key' },
  'POST /openai-assistants-vector-store': { status: 400, because: 'the seeded credential has no key' },
  'PUT /openai-assistants-vector-store/:id': { status: 400, because: 'the seeded credential has no key' },
  'DELETE /openai-assistants-vector-store/:id': { status: 400, because: 'the seeded credential has no key' },
  'POST /openai-assistants-vector-store/:id': { status: 400, because: 'the seeded credential has no key' },
  'PATCH /openai-assistants-vector-store/:id': { status: 400, because: 'the seeded credential has no key' },
  'DELETE /openai-assistants-file/:id': { status: 400, because: 'the seeded credential has no key' },
  'POST /openai-assistants-file/upload': { status: 400, because: 'the seeded credential has no key' },
  ...Object.fromEntries(
    [
      ...['DELETE /scim-tokens/:id', 'PUT /scim-groups/:id'],
      ...['PUT /sso-providers/:id', 'DELETE /sso-providers/:id', 'POST /sso-providers/:id/test'],
      ...['PUT /platform/sso-providers/:id', 'DELETE /platform/sso-providers/:id'],
      ...['POST /platform/sso-providers/:id/test', 'POST /sso-domains/:id/prove', 'DELETE /sso-domains/:id'],
      ...['POST /account/identities/:id/link', 'POST /account/identities/unlink'],
    ].map((name) => [name, { status: 404, because: 'rows of organizations are not seeded' }]),
  ),
  'GET /users/:id': NOBODY_ELSE,
  'POST /users/:id/disable': NOBODY_ELSE,
  'POST /users/:id/enable': NOBODY_ELSE,
  'PUT /users/:id/admin': NOBODY_ELSE,
  'PUT /users/:id/role': NOBODY_ELSE,
  'DELETE /users/:id/second-step': NOBODY_ELSE,
  'DELETE /users/:id': NOBODY_ELSE,
  'POST /account/leave': { status: 409, because: 'the last admin stays' },
  'POST /account/invite': { status: 400, because: 'the organization has no workspace with the id of the seed' },
  'POST /account/invitations/:id/resend': { status: 404, because: 'nobody is invited' },
  'DELETE /account/invitations/:id': { status: 404, because: 'nobody is invited' },
  'PUT /roles/:id': NO_SUCH_ROLE,
  'DELETE /roles/:id': NO_SUCH_ROLE,
  'POST /triggers': { status: 400, because: 'the seeded flow is of a type that does not run' },
  'PUT /credentials/:id': { status: 400, because: 'the seeded secret has no field of its credential type' },
  'POST /credentials/test': { status: 400, because: 'an address must be named, and no test calls one' },
  'POST /oauth2-credential/authorize/:id': { status: 400, because: 'the seeded credential is of no OAuth 2 type' },
  'POST /oauth2-credential/refresh/:id': { status: 400, because: 'the seeded credential is of no OAuth 2 type' },
  'POST /internal-prediction/:id': { status: 400, because: 'the seeded flow has no nodes to run' },
  'POST /vector/internal-upsert/:id': { status: 400, because: 'the seeded flow has no vector store' },
  'GET /internal-prediction/:id/:executionId': { status: 404, because: 'the seeded run is no test run' },
  'DELETE /document-store/store/:id/files/:fileId': { status: 404, because: 'the seeded file is not stored' },
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
  'POST /export-import/imports': { status: 409, because: 'the seeded import is open' },
  'POST /export-import/imports/:id/parts/:part': { status: 400, because: 'its body, a part of a file, is empty' },
  'POST /export-import/imports/:id/run': { status: 409, because: 'the seeded import was not checked' },
  'POST /auth/confirm/provider': { status: 404, because: 'no identity provider opened the session' },
  'POST /auth/confirm': { status: 400, because: 'no sample is the password of a person' },
  'PUT /account/password': { status: 400, because: 'no sample is the password of a person' },
  'POST /account/invitation/accept': { status: 400, because: 'no sample is the token of an email' },
  'POST /account/email/confirm': { status: 400, because: 'no sample is the token of an email' },
  'POST /account/email/undo': { status: 400, because: 'no sample is the token of an email' },
  'POST /account/authenticator/confirm': { status: 409, because: 'nobody is setting an authenticator app up' },
  'DELETE /account/authenticator': { status: 404, because: 'nobody has an authenticator app' },
  'POST /account/recovery-codes': { status: 404, because: 'nobody has an authenticator app' },
  'POST /account/passkeys': { status: 400, because: 'no sample is signed by a passkey' },
  'PATCH /account/passkeys/:id': { status: 404, because: 'nobody has a passkey' },
  'DELETE /account/passkeys/:id': { status: 404, because: 'nobody has a passkey' },
  'DELETE /account/sessions/:id': { status: 404, because: 'no session has that id' },
  'POST /agentflowv2-generator/generate': { status: 400, because: 'it calls a model' },
}
