import { keyCredential } from '#contract/flow/params/builders.ts'
import { callJson } from '../../providers/json-api.ts'
import { hitsText, searchTool, secret } from './search.ts'

interface Answer {
  answerBox?: { title?: string; answer?: string; snippet?: string; link?: string }
  knowledgeGraph?: { title?: string; type?: string; description?: string; attributes?: Record<string, string> }
  organic?: { title?: string; link?: string; snippet?: string; date?: string }[]
}

const KEY = { label: 'Serper API key', name: 'serperApiKey' }

export const serper = searchTool({
  label: 'Serper',
  name: 'serper',
  type: 'Serper',
  version: 1,
  description: 'Searches Google with Serper.dev',
  credential: keyCredential({ label: 'Serper API', name: 'serperApi', hosts: ['google.serper.dev'] }, KEY),
  tool: {
    name: 'serper_search',
    description: 'Searches Google. Useful for questions about current events and facts. Returns a list of pages.',
  },
  argument: { name: 'input', description: 'What to search for' },
  async search(query, context) {
    const { answerBox, knowledgeGraph, organic } = await callJson<Answer>(
      {
        service: 'Serper',
        url: 'https://google.serper.dev/search',
        method: 'POST',
        headers: { 'x-api-key': secret(context, 'Serper', KEY) },
        body: { q: query },
      },
      context,
    )
    const hits = (organic ?? []).map(({ title = '', link = '', snippet = '', date }) => ({
      title,
      link,
      snippet,
      date,
    }))
    return hitsText(hits, {
      answer: answerBox?.answer ?? answerBox?.snippet,
      about: knowledgeGraph && {
        title: knowledgeGraph.title,
        type: knowledgeGraph.type,
        description: knowledgeGraph.description,
        ...knowledgeGraph.attributes,
      },
    })
  },
})
