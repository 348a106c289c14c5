/** Nodes of Flowise that cannot run here: why, and what to use in their place. */

const TCP = 'it reaches its database over TCP, and the edge only speaks HTTP'
const DISK = 'it needs a disk, and the edge has none'
const BROWSER = 'it needs a browser of its own, and the edge has none'
const PYTHON = 'it runs Python, and the edge does not'
const SERVICE = 'its service is not supported'
const ENDED = 'its service has ended'
const OLD_AGENT = 'this kind of agent is no longer developed'
const OLD_GRAPH = 'flows of sequential and multi agents are not supported'

const STORE = 'Document Store (Vector), or a vector store over HTTP'
const COMPATIBLE = 'OpenAI compatible, with the address of your server'
const SAME_PROVIDER = 'the chat model of the same provider'

const NODES: readonly [why: string, instead: string, names: string][] = [
  [TCP, 'Upstash Redis-Backed Chat Memory', 'RedisBackedChatMemory MongoDBAtlasChatMemory'],
  [SERVICE, 'Buffer Memory', 'DynamoDBChatMemory'],
  [ENDED, 'Buffer Memory', 'motorheadMemory'],
  [OLD_GRAPH, 'an agent flow', 'agentMemory sqliteAgentMemory postgresAgentMemory mySQLAgentMemory'],
  [OLD_GRAPH, 'an agent flow', 'supervisor worker seqStart seqAgent seqLLMNode seqToolNode seqEnd seqLoop seqState'],
  [OLD_GRAPH, 'an agent flow', 'seqCondition seqConditionAgent seqExecuteFlow seqCustomFunction'],
  [TCP, 'Upstash Redis Cache', 'redisCache'],
  [TCP, 'InMemory Embedding Cache', 'redisEmbeddingsCache'],
  [SERVICE, 'Upstash Redis Cache', 'momentoCache googleGenerativeAIContextCache'],
  [TCP, STORE, 'postgres redis singlestore mongoDBAtlas'],
  [SERVICE, STORE, 'Astra couchbase elasticsearch openSearch meilisearch vectara zep zepCloud kendra'],
  [SERVICE, STORE, 'AWSBedrockKBRetriever'],
  [SERVICE, 'Retrieval QA Chain with a document store', 'vectaraQAChain'],
  [DISK, 'In-Memory Vector Store or Document Store (Vector)', 'simpleStoreLlamaIndex'],
  ['graph databases are not supported', 'SQL Database Chain with a libSQL database', 'Neo4j graphCypherQAChain'],
  [PYTHON, 'SQL Database Chain with a libSQL database that has the table', 'airtableAgent'],
  [PYTHON, 'Custom Tool, which runs JavaScript', 'codeInterpreterE2B pythonInterpreter'],
  [OLD_AGENT, 'Tool Agent', 'autoGPT babyAGI openAIFunctionAgent openAIToolAgent mrklAgentChat mrklAgentLLM'],
  [OLD_AGENT, 'Tool Agent', 'reactAgentLLM xmlAgent openAIToolAgentLlamaIndex anthropicAgentLlamaIndex'],
  [OLD_AGENT, 'Tool Agent with a Retriever Tool', 'conversationalRetrievalAgent conversationalRetrievalToolAgent'],
  [BROWSER, 'Web Pages', 'puppeteerWebScraper playwrightWebScraper'],
  [BROWSER, 'Web Page Reader', 'webBrowser'],
  [DISK, 'File Loader', 'folderFiles'],
  [SERVICE, 'File Loader', 'unstructuredFileLoader unstructuredFolderLoader'],
  [DISK, 'Custom Tool', 'readFile writeFile'],
  [ENDED, 'Custom MCP', 'zapierNLA'],
  ['service accounts of Google Cloud are not supported', 'Google Gemini with an API key', 'chatGoogleVertexAI'],
  [SERVICE, COMPATIBLE, 'chatLocalAI chatLitellm chatNvidiaNIM chatIBMWatsonx chatAlibabaTongyi chatBaiduWenxin'],
  ['older models that complete texts are not supported', SAME_PROVIDER, 'openAI azureOpenAI cohere ollama'],
  [
    'older models that complete texts are not supported',
    SAME_PROVIDER,
    'awsBedrock fireworks togetherAI ibmWatsonx googlevertexai',
  ],
]

const byName = new Map(
  NODES.flatMap(([why, instead, names]) => names.split(' ').map((name) => [name, { why, instead }] as const)),
)

/** Returns why a node cannot run and what to use: `: it … . Use …`. Empty for one that nothing is known of. */
export function whyUnsupported(name: string): string {
  const known = byName.get(name)
  return known ? `: ${known.why}. Use ${known.instead}` : ''
}
