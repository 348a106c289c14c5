/** Programs that call a flow, ready to run. Pure. */
import { isRecord } from '#contract/data/json.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'

export const LANGUAGES = ['curl', 'JavaScript', 'Python'] as const
export type Language = (typeof LANGUAGES)[number]

/** Stands for a key that only its owner knows. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY'

interface SampleCall {
  url: string
  /** Absent when the call needs none. */
  apiKey?: string
  body: object
}

/** Returns what starts the flow: a question, or its form with an example of each field. */
export function exampleBody(start: FlowNode | undefined): object {
  const { startInputType, formInputTypes } = start?.data.inputs ?? {}
  if (startInputType !== 'formInput' || !Array.isArray(formInputTypes)) return { question: 'Hello' }
  const fields = formInputTypes.filter(isRecord).filter(({ name }) => typeof name === 'string' && name !== '')
  return { form: Object.fromEntries(fields.map((field) => [field.name, exampleOf(field)])) }
}

function exampleOf({ type, label, addOptions }: Record<string, unknown>): string | number | boolean {
  if (type === 'number') return 1
  if (type === 'boolean') return true
  const [first] = Array.isArray(addOptions) ? addOptions : []
  return isRecord(first) && typeof first.option === 'string' ? first.option : String(label || 'Hello')
}

/** Returns the call as a program. */
export function sampleOf(language: Language, call: SampleCall): string {
  return { curl, JavaScript: javaScript, Python: python }[language](call)
}

function curl({ url, apiKey, body }: SampleCall): string {
  const key = apiKey ? [`-H ${quoted(`Authorization: Bearer ${apiKey}`)}`] : []
  const parts = [
    `curl ${quoted(url)}`,
    `-H 'Content-Type: application/json'`,
    ...key,
    `-d ${quoted(JSON.stringify(body))}`,
  ]
  return parts.join(' \\\n  ')
}

/** Inside single quotes a shell reads everything literally but a single quote. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function javaScript({ url, apiKey, body }: SampleCall): string {
  const key = apiKey ? `\n    Authorization: ${JSON.stringify(`Bearer ${apiKey}`)},` : ''
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    'Content-Type': 'application/json',${key}
  },
  body: JSON.stringify(${JSON.stringify(body)}),
})
if (!response.ok) throw new Error(await response.text())
const { text } = await response.json()
console.log(text)`
}

function python({ url, apiKey, body }: SampleCall): string {
  const key = apiKey ? `\n        "Authorization": ${JSON.stringify(`Bearer ${apiKey}`)},` : ''
  return `import json
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=${JSON.stringify(JSON.stringify(body))}.encode(),
    headers={
        "Content-Type": "application/json",${key}
    },
)
with urllib.request.urlopen(request) as response:
    print(json.load(response)["text"])`
}

/** Returns the code that puts our widget into a page. */
export const widgetSnippet = (origin: string, flowId: string): string =>
  `<script src="${origin}/widget.js" data-flow="${flowId}"></script>`

/**
 * Returns the code that puts Flowise's widget into a page.
 * @param theme what an owner chose; it can neither end the script nor add to it
 */
export const flowiseSnippet = (origin: string, flowId: string, theme: object): string => `<script type="module">
  import Chatbot from 'https://cdn.jsdelivr.net/npm/flowise-embed/dist/web.js'
  Chatbot.init({
    chatflowid: ${JSON.stringify(flowId)},
    apiHost: ${JSON.stringify(origin)},
    theme: ${literalOf(theme)},
  })
</script>`

const literalOf = (value: object) =>
  JSON.stringify(value, null, 2).replaceAll('<', '\\u003c').replaceAll('\n', '\n    ')
