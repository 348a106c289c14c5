/** Chooses a tool and its arguments for a question. */
import { fitSchema, type JsonSchema } from './fit-schema.ts'
import type { FunctionTool } from './types.ts'

export interface ToolUse {
  toolName: string
  args: Record<string, unknown>
}

interface Intent {
  /** Matches the tool's name or description. */
  tool: RegExp
  /** Extracts the tool's subject from the question. */
  find(question: string): string | undefined
}

/** Characters of the question that are searched for an expression. */
const LONGEST_EXPRESSION = 1000
const EXPRESSION = /[-+(]*\d[\d\s.,]*(?:[-+*/^%×÷x()]+\s*[\d.(]+[\d\s.)]*)+/
const URL_PATTERN = /https?:\/\/[^\s"'<>]+/

const intents: Intent[] = [
  { tool: /calculat|arithmetic|math/i, find: expressionIn },
  {
    tool: /date|time|clock/i,
    find: (question) =>
      /\b(time|date|day|today|now|clock|month|year|tomorrow|week)\b/i.test(question) ? '' : undefined,
  },
  { tool: /request|http|web|url|fetch/i, find: (question) => URL_PATTERN.exec(question)?.[0] },
]

/** Returns a call of the first tool that fits the question or is named in it. */
export function chooseTool(tools: FunctionTool[], question: string): ToolUse | undefined {
  for (const tool of tools) {
    const subject = subjectFor(tool, question)
    if (subject !== undefined) return callOf(tool, subject, question)
  }
  return undefined
}

/** Returns a call of this tool, even if it does not fit the question. */
export function forceTool(tool: FunctionTool, question: string): ToolUse {
  return callOf(tool, subjectFor(tool, question) ?? question, question)
}

function subjectFor({ name, description = '' }: FunctionTool, question: string): string | undefined {
  const about = `${name} ${description}`
  for (const intent of intents) {
    const subject = intent.tool.test(about) ? intent.find(question) : undefined
    if (subject !== undefined) return subject
  }
  const spoken = name.replace(/[_-]+/g, ' ').toLowerCase()
  return question.toLowerCase().includes(spoken) ? question : undefined
}

function callOf({ name, inputSchema }: FunctionTool, subject: string, question: string): ToolUse {
  const schema = requiredOnly(inputSchema as JsonSchema)
  const args = fitSchema(schema, subject || question)
  return { toolName: name, args: (args ?? {}) as Record<string, unknown> }
}

/** Removes optional arguments, since guesses would do harm. */
function requiredOnly(schema: JsonSchema): JsonSchema {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const required = (schema.required ?? []) as string[]
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => required.includes(name))),
  }
}

function expressionIn(question: string): string | undefined {
  const found = EXPRESSION.exec(question.slice(0, LONGEST_EXPRESSION))?.[0]
  return found
    ?.replace(/[×x]/g, '*')
    .replaceAll('÷', '/')
    .replace(/[\s.,]+$/, '')
    .trim()
}
