/**
 * Reads the designs of a framework with what the real framework did with them, so that the product's own runs can be
 * compared with it, without Python.
 */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import type { GivenFile } from '#worker/frameworks/files.ts'

/** A reply of the scripted model: a text, or what `Reply` of the model server says, with when it is sent. */
const answer = z.union([
  z.string(),
  z.strictObject({
    text: z.string().optional(),
    toolCalls: z.array(z.strictObject({ name: z.string(), arguments: z.unknown() })).optional(),
    json: z.unknown().optional(),
    error: z.strictObject({ status: z.number(), message: z.string() }).optional(),
    /** Comes after this agent's answer to the same message, where both run at once. */
    after: z.string().optional(),
    /** Sent as soon as this agent has asked for the same message too. */
    whenAsked: z.string().optional(),
    /** The model never answers. */
    never: z.literal(true).optional(),
  }),
])

/** What a person sends: a text, or the late result of a long-running call. */
const message = z.strictObject({
  text: z.string().optional(),
  result: z.strictObject({ name: z.string(), response: z.unknown() }).optional(),
  /** Defaults to the first session. */
  session: z.string().optional(),
  /** Defaults to the first user. */
  user: z.string().optional(),
  /** Set in the session's state together with the message. */
  stateDelta: z.record(z.string(), z.unknown()).optional(),
})

const script = z.strictObject({
  /** The rules that the design shows, as one sentence. */
  shows: z.string(),
  /** What each new session's state holds. */
  state: z.record(z.string(), z.unknown()).optional(),
  /** The answers to a message by the name of the model that is asked: each agent asks one named like itself. */
  messages: z.array(message.extend({ answers: z.record(z.string(), z.array(answer)) })),
})

const part = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ call: z.strictObject({ id: z.string().optional(), name: z.string(), args: z.unknown() }) }),
  z.strictObject({ result: z.strictObject({ id: z.string().optional(), name: z.string(), response: z.unknown() }) }),
])

/** What a model is asked. */
const turn = z.strictObject({
  agent: z.string(),
  branch: z.string().optional(),
  system: z
    .strictObject({
      /** The design's own instruction, with its values filled in. */
      instruction: z.string(),
      /** The name and description that the model is told to be its own. */
      name: z.string(),
      description: z.string(),
      /** The agents that it may transfer to, in the order in which the model reads them. */
      targets: z.array(z.strictObject({ name: z.string(), description: z.string() })),
      /** The agent that it is told to transfer to when nobody else fits. */
      parent: z.string(),
      /** The model is told to answer by a call of a tool that takes the answer's schema. */
      answersByTool: z.literal(true),
    })
    .partial()
    .optional(),
  contents: z.array(
    z.strictObject({
      role: z.enum(['user', 'model']),
      /** Another agent, whose turn the model reads as an account of it. */
      agent: z.string().optional(),
      /** The instruction, where a static one has taken its place in `system`. */
      isInstruction: z.literal(true).optional(),
      parts: z.array(part).optional(),
    }),
  ),
  tools: z.array(z.string()).optional(),
  answersInJson: z.literal(true).optional(),
  settings: z.record(z.string(), z.number()).optional(),
})

const event = z.strictObject({
  author: z.string(),
  branch: z.string().optional(),
  /** The path of the node that ran, each with the number of its run: `flow@1/writer@2`. */
  node: z.string().optional(),
  parts: z.array(part).optional(),
  stateDelta: z.record(z.string(), z.unknown()).optional(),
  transferTo: z.string().optional(),
  escalate: z.boolean().optional(),
  skipSummarization: z.boolean().optional(),
  longRunning: z.array(z.string()).optional(),
  route: z.unknown().optional(),
  output: z.unknown().optional(),
  error: z.strictObject({ code: z.string(), message: z.string() }).partial().optional(),
  isFinal: z.boolean(),
})

const trace = z.strictObject({
  messages: z.array(
    z.strictObject({
      message,
      /** In order; between branches that ran at the same time the order means nothing. */
      steps: z.array(z.union([z.strictObject({ turn }), z.strictObject({ event })])),
      /** The last text that is final, and who said it. */
      answer: z.strictObject({ author: z.string(), text: z.string() }).nullable(),
      end: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('finished') }),
        z.strictObject({ kind: z.literal('failed'), error: z.string(), message: z.string() }),
      ]),
      /** The state that the session sees afterwards. */
      state: z.record(z.string(), z.unknown()),
    }),
  ),
})

export type Script = z.infer<typeof script>

interface Recording {
  /** The design's folder, which is also the name of its Python package. */
  name: string
  script: Script
  trace: z.infer<typeof trace>
}

/** Returns the folder of a framework's designs, absolute. */
export const designsFolder = (framework: string): string => join(import.meta.dirname, framework, 'designs')

/** Returns the names of a framework's designs, sorted. */
export function listDesigns(framework: string): string[] {
  const scripts = globSync('*/script.json', { cwd: designsFolder(framework) })
  return scripts.map((path) => basename(dirname(path))).sort()
}

/** Returns the files of a design as the framework gets them, without what recording it adds. */
export const readDesignFiles = (framework: string, design: string): GivenFile[] => {
  const folder = join(designsFolder(framework), design)
  const names = globSync('**/*.{yaml,py}', { cwd: folder }).sort()
  return names.map((name) => ({ name: `${design}/${name}`, bytes: new Uint8Array(readFileSync(join(folder, name))) }))
}

/** @throws naming the design and what is not as it should be */
export const readScript = (framework: string, design: string): Script =>
  parseFile(script, join(designsFolder(framework), design, 'script.json'))

/**
 * Returns every recorded design of a framework, sorted by name.
 * @throws naming the design and what is not as it should be
 */
export function readRecordings(framework: string): Recording[] {
  return listDesigns(framework).map((name) => ({
    name,
    script: readScript(framework, name),
    trace: parseFile(trace, join(designsFolder(framework), name, 'trace.json')),
  }))
}

function parseFile<T>(schema: z.ZodType<T>, path: string): T {
  const { data, error } = schema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  if (error) throw new Error(`${basename(dirname(path))}/${basename(path)}:\n${z.prettifyError(error)}`)
  return data
}
