/** Programs that use a flow as a model, and the settings of MCP clients, ready to run. Pure. */

export const OPENAI_LANGUAGES = ['JavaScript', 'Python'] as const
export type OpenAiLanguage = (typeof OPENAI_LANGUAGES)[number]

interface OpenAiCall {
  /** Ends with `/v1`. */
  baseUrl: string
  model: string
  apiKey: string
}

export function openAiSampleOf(language: OpenAiLanguage, call: OpenAiCall): string {
  return language === 'JavaScript' ? javaScript(call) : python(call)
}

const javaScript = ({ baseUrl, model, apiKey }: OpenAiCall) => `// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${JSON.stringify(baseUrl)}, apiKey: ${JSON.stringify(apiKey)} })
const stream = await client.chat.completions.create({
  model: ${JSON.stringify(model)},
  messages: [{ role: 'user', content: 'Hello' }],
  stream: true,
})
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '')`

const python = ({ baseUrl, model, apiKey }: OpenAiCall) => `# pip install openai
from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(baseUrl)}, api_key=${JSON.stringify(apiKey)})
stream = client.chat.completions.create(
    model=${JSON.stringify(model)},
    messages=[{"role": "user", "content": "Hello"}],
    stream=True,
)
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="")`

/** Stands for a token that was shown once. */
export const TOKEN_PLACEHOLDER = 'YOUR_TOKEN'

/** Returns the settings that MCP clients such as Claude Code, Cursor and VS Code read. */
export function mcpClientConfig({ name, url, token }: { name: string; url: string; token: string }): string {
  const server = { type: 'http', url, headers: { Authorization: `Bearer ${token}` } }
  return JSON.stringify({ mcpServers: { [name]: server } }, null, 2)
}
