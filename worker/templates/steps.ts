/** Short forms of the steps that templates are made of. Every model is the practice model. */
import type { Part } from '#contract/flow/kinds/types.ts'
import { withPracticeModel } from '#contract/flow/practice-model.ts'

type Inputs = Record<string, unknown>

interface Field {
  key: string
  type: 'string' | 'stringArray' | 'number' | 'boolean' | 'enum' | 'jsonArray'
  description: string
  enumValues?: string
  /** JSON Schema properties of each item of a `jsonArray`. */
  jsonSchema?: string
}

export const chatStart = (state: Inputs = {}): Part => ({
  name: 'startAgentflow',
  inputs: { startInputType: 'chatInput', startState: pairs(state) },
})

interface FormField {
  name: string
  label: string
  type?: 'string' | 'number' | 'boolean'
  /** Makes it a choice. */
  options?: readonly string[]
}

export const formStart = (title: string, fields: readonly FormField[], state: Inputs = {}): Part => ({
  name: 'startAgentflow',
  inputs: {
    startInputType: 'formInput',
    formTitle: title,
    formDescription: 'Fill in the fields and start the flow.',
    formInputTypes: fields.map(({ name, label, type = 'string', options }) => ({
      type: options ? 'options' : type,
      label,
      name,
      addOptions: options?.map((option) => ({ option })) ?? '',
    })),
    startState: pairs(state),
  },
})

/** Fields of the JSON body; a `?` after the name makes one optional. */
export const webhookStart = (body: Readonly<Record<string, string>>): Part => ({
  name: 'startAgentflow',
  inputs: {
    startInputType: 'webhookTrigger',
    webhookMethod: 'POST',
    webhookInputMode: 'payload',
    webhookEnableValidation: true,
    webhookBodyParams: Object.entries(body).map(([name, type]) => ({
      name: name.replace('?', ''),
      type,
      required: !name.endsWith('?'),
    })),
  },
})

export const scheduleStart = (schedule: Inputs, task: string): Part => ({
  name: 'startAgentflow',
  inputs: {
    startInputType: 'scheduleInput',
    scheduleType: 'visualPicker',
    scheduleTimezone: 'UTC',
    scheduleInputMode: 'text',
    scheduleDefaultInput: task,
    ...schedule,
  },
})

interface ModelStep {
  /** What the model is told about its work. */
  system: string
  /** What it works on. Without it, the model sees the conversation. */
  ask?: string
  fields?: readonly Field[]
  updates?: Readonly<Record<string, string>>
  inside?: number
}

export const llm = (label: string, { system, ask, fields, updates = {}, inside }: ModelStep): Part => ({
  name: 'llmAgentflow',
  label,
  inputs: {
    ...withPracticeModel('llmModel'),
    llmMessages: briefing(system, ask),
    llmEnableMemory: ask === undefined,
    llmStructuredOutput: fields ?? '',
    llmUpdateState: pairs(updates),
  },
  ...(inside !== undefined && { inside }),
})

export const agent = (
  label: string,
  { system, ask, tools, updates = {}, inside }: ModelStep & { tools: readonly string[] },
): Part => ({
  name: 'agentAgentflow',
  label,
  inputs: {
    ...withPracticeModel('agentModel'),
    agentMessages: briefing(system, ask),
    agentEnableMemory: ask === undefined,
    agentTools: tools.map((tool) => ({
      agentSelectedTool: tool,
      agentSelectedToolConfig: { agentSelectedTool: tool },
      agentSelectedToolRequiresHumanInput: false,
    })),
    agentUpdateState: pairs(updates),
  },
  ...(inside !== undefined && { inside }),
})

/** A model chooses one of the scenarios, which are the outputs in order. */
export const choose = (label: string, instructions: string, scenarios: readonly string[]): Part => ({
  name: 'conditionAgentAgentflow',
  label,
  inputs: {
    ...withPracticeModel('conditionAgentModel'),
    conditionAgentInstructions: instructions,
    conditionAgentInput: '{{ question }}',
    conditionAgentScenarios: scenarios.map((scenario) => ({ scenario })),
  },
})

type Test = readonly [
  value: string,
  operation: 'equal' | 'notEqual' | 'contains' | 'larger' | 'largerEqual' | 'smaller' | 'smallerEqual' | 'notEmpty',
  other: string | number,
]

/** Each test is an output, and Else is the last. */
export const when = (label: string, ...tests: readonly Test[]): Part => ({
  name: 'conditionAgentflow',
  label,
  inputs: {
    conditions: tests.map(([value1, operation, value2]) => ({
      type: typeof value2 === 'number' ? 'number' : 'string',
      value1,
      operation,
      value2,
    })),
  },
})

/** Outputs: proceed, reject. */
export const askPerson = (label: string, question: string): Part => ({
  name: 'humanInputAgentflow',
  label,
  inputs: { humanInputDescriptionType: 'fixed', humanInputDescription: question, humanInputEnableFeedback: true },
})

export const reply = (label: string, message: string): Part => ({
  name: 'directReplyAgentflow',
  label,
  inputs: { directReplyMessage: message },
})

/** `values` are what the code reads as `$name`. */
export const code = (
  label: string,
  values: Readonly<Record<string, string>>,
  javascript: string,
  inside?: number,
): Part => ({
  name: 'customFunctionAgentflow',
  label,
  inputs: {
    customFunctionInputVariables: Object.entries(values).map(([variableName, variableValue]) => ({
      variableName,
      variableValue,
    })),
    customFunctionJavascriptFunction: javascript.trim(),
  },
  ...(inside !== undefined && { inside }),
})

/** A request whose failure takes the error output. */
export const http = (label: string, method: 'GET' | 'POST', url: string, body?: string): Part => ({
  name: 'httpAgentflow',
  label,
  inputs: { method, url, ...(body && { bodyType: 'json', body }), responseType: 'json' },
  runPolicy: { onError: 'branch', timeoutSeconds: 30, retries: 1 },
})

/** A request inside an iteration, whose failure is the item's result. */
export const httpInside = (label: string, url: string, { body, inside }: { body: string; inside: number }): Part => ({
  name: 'httpAgentflow',
  label,
  inputs: { method: 'POST', url, bodyType: 'json', body, responseType: 'json' },
  inside,
})

/** The test that a service accepted the request of an HTTP step. */
export const accepted = (step: string): Test => [`{{ ${step}.output.http.status }}`, 'smaller', 400]

export const each = (label: string, list: string): Part => ({
  name: 'iterationAgentflow',
  label,
  inputs: { iterationInput: list, iterationConcurrency: 1 },
})

export const loopBack = (
  label: string,
  target: string,
  { rounds, fallback }: { rounds: number; fallback: string },
): Part => ({
  name: 'loopAgentflow',
  label,
  inputs: { loopBackToNode: target, maxLoopCount: rounds, fallbackMessage: fallback },
})

const briefing = (system: string, ask?: string) => [
  { role: 'system', content: system },
  ...(ask === undefined ? [] : [{ role: 'user', content: ask }]),
]

const pairs = (values: Inputs) => {
  const rows = Object.entries(values).map(([key, value]) => ({ key, value }))
  return rows.length > 0 ? rows : ''
}
