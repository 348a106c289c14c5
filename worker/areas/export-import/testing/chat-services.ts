/** The services that sample chat flows call, at their own addresses and in their own wire formats. */
import type { Egress } from '../../../ports/types.ts'

/** The next answer of a model: text, or a call of a tool. */
export type Said = string | { tool: string; args: object }

export interface Called {
  /** Host and path. */
  at: string
  body: string
}

export interface ChatServices {
  egress: Egress
  /** In order. */
  called: Called[]
}

/** @param said what the models say, in order */
export function chatServices(said: readonly Said[]): ChatServices {
  const called: Called[] = []
  const script = [...said]
  const next = (): Said => {
    const reply = script.shift()
    if (reply === undefined) throw new Error('The models have nothing more to say in this test')
    return reply
  }
  return {
    called,
    egress: {
      async fetch(input, init) {
        const request = new Request(input, init)
        const { host, pathname } = new URL(request.url)
        const at = host + pathname
        const body = await request.text()
        called.push({ at, body })
        const answer = services.find(([address]) => address.test(at))?.[1]
        if (!answer) return new Response(`no service at ${request.url}`, { status: 502 })
        return answer({ at, body }, next)
      },
    },
  }
}

type Answer = (request: Called, next: () => Said) => Response

const services: [RegExp, Answer][] = [
  [/\/embeddings$/, embeddings],
  [/\/chat\/completions$/, (_, next) => openAI(next())],
  [/^api\.anthropic\.com\//, (_, next) => anthropic(next())],
  [/^api\.replicate\.com\//, (_, next) => Response.json({ id: 'p1', status: 'succeeded', output: [next()] })],
  [/^api\.pinecone\.io\/indexes\/newindex$/, () => Response.json({ host: 'newindex.svc.pinecone.io', dimension: 3 })],
  [/^newindex\.svc\.pinecone\.io\/query$/, pineconeMatches],
  [/^shop\.example\/v2\/pipeline$/, libsql],
  [
    /^api\.github\.com\/repos\/ann\/socks\/git\/trees\//,
    () => Response.json({ tree: [{ path: 'socks.md', mode: '100644', type: 'blob', sha: 's1', size: 15 }] }),
  ],
  [/^api\.github\.com\/repos\/ann\/socks\/git\/blobs\//, () => new Response('Ann knits socks')],
  [/^shop\.example\/orders$/, () => Response.json([{ id: 7, status: 'sent' }])],
]

/** Says of each text how often it names a sock. */
function embeddings({ body }: Called): Response {
  const { input } = JSON.parse(body) as { input: string[] | string }
  const data = [input].flat().map((text, index) => ({
    object: 'embedding',
    index,
    embedding: [text.split(/sock/i).length, 1, 0],
  }))
  return Response.json({ object: 'list', data, model: 'm', usage: { prompt_tokens: 3, total_tokens: 3 } })
}

function openAI(said: Said): Response {
  const message =
    typeof said === 'string'
      ? { role: 'assistant', content: said }
      : {
          role: 'assistant',
          content: '',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: said.tool, arguments: JSON.stringify(said.args) } },
          ],
        }
  return Response.json({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: typeof said === 'string' ? 'stop' : 'tool_calls' }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  })
}

function anthropic(said: Said): Response {
  const isText = typeof said === 'string'
  return Response.json({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      isText ? { type: 'text', text: said } : { type: 'tool_use', id: 'toolu_1', name: said.tool, input: said.args },
    ],
    stop_reason: isText ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 2 },
  })
}

function pineconeMatches({ body }: Called): Response {
  const { namespace } = JSON.parse(body) as { namespace: string }
  return Response.json({
    namespace,
    matches: [{ id: 'v1', score: 0.9, metadata: { text: `Found in ${namespace}`, source: 'tesla' } }],
  })
}

/** A database with one table. */
function libsql({ body }: Called): Response {
  const sql = (JSON.parse(body) as { requests: { stmt?: { sql: string } }[] }).requests[0]?.stmt?.sql ?? ''
  const rows = sql.includes('sqlite_master')
    ? { cols: ['name', 'sql'], values: [['orders', 'create table orders (id integer)']] }
    : { cols: ['total'], values: [['42']] }
  const result = {
    cols: rows.cols.map((name) => ({ name })),
    rows: rows.values.map((row) => row.map((value) => ({ type: 'text', value }))),
  }
  return Response.json({ results: [{ type: 'ok', response: { type: 'execute', result } }, { type: 'ok' }] })
}
