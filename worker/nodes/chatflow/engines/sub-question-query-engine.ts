import type { UsageMetadata } from '#contract/runs/events.ts'
import { sumUsage } from '#contract/runs/usage.ts'
import { allInOrder } from '../../../llm/settle-in-order.ts'
import { callWithMetadata } from '../../../llm/structured-call.ts'
import { readStructured } from '../../../llm/structured-output.ts'
import type { NodeType, StepContext } from '../../types.ts'
import { returnSourcesParam } from '../chains/retrieval-answer.ts'
import { type ModelComponent, openComponentsAt, type RouteComponent, requireComponent } from '../component-types.ts'
import { anchor } from '../definition.ts'
import { LLAMA_EMBEDDINGS, LLAMA_MODEL } from './llama-index.ts'
import { answerFromTexts, QUERY_ENGINE, synthesizerAnchor } from './query-engine-answer.ts'

const MAX_QUESTIONS = 10
/** Questions that are asked at the same time. */
const AT_ONCE = 3

const INSTRUCTIONS = `Break the question into smaller ones that each of these sources can answer by itself. Ask only what is needed, at most ${MAX_QUESTIONS} questions, and name the source of each.`

export const subQuestionQueryEngine: NodeType = {
  definition: {
    label: 'Sub Question Query Engine',
    name: 'subQuestionQueryEngine',
    version: 2,
    type: 'SubQuestionQueryEngine',
    category: 'Engine',
    description: 'Splits a question into parts and combines the answers',
    baseClasses: ['SubQuestionQueryEngine', QUERY_ENGINE],
    tags: ['LlamaIndex'],
    inputs: [
      anchor('Query engine tools', 'queryEngineTools', 'QueryEngineTool', { list: true }),
      anchor('Chat model', 'model', LLAMA_MODEL),
      anchor('Embeddings', 'embeddings', LLAMA_EMBEDDINGS, {
        description: 'Ignored: each engine has its own',
        optional: true,
      }),
      synthesizerAnchor,
      returnSourcesParam,
    ],
  },
  async run(context) {
    const started = context.clock.now()
    const model = await requireComponent(context, 'model', 'model', 'a chat model')
    const tools = await openComponentsAt(context, 'queryEngineTools', 'route')
    if (tools.length === 0) throw new Error('Connect a QueryEngine Tool')
    const { questions, usage } = await subQuestions(model, tools, context)
    const answers = await answersTo(questions)
    const texts = answers.map(({ question, text }) => `Question: ${question}\nAnswer: ${text}`)
    const documents = answers.flatMap(({ sourceDocuments = [] }) => sourceDocuments)
    const spent = sumUsage([usage, ...answers.flatMap(({ usage: used }) => used ?? [])])
    return answerFromTexts({ model, texts, documents, started, spent }, context)
  },
}

interface SubQuestion {
  tool: RouteComponent
  question: string
}

async function subQuestions(
  model: ModelComponent,
  tools: readonly RouteComponent[],
  context: StepContext,
): Promise<{ questions: SubQuestion[]; usage: UsageMetadata }> {
  const item = {
    type: 'object',
    properties: {
      source: { type: 'string', enum: [...new Set(tools.map(({ name }) => name))] },
      question: { type: 'string' },
    },
    required: ['source', 'question'],
    additionalProperties: false,
  }
  const schema = {
    type: 'object',
    properties: { questions: { type: 'array', items: item } },
    required: ['questions'],
    additionalProperties: false,
  }
  const listed = tools.map(({ name, description }) => `${name}: ${description}`).join('\n')
  const { value, usage } = await callWithMetadata(
    {
      open: model.open,
      messages: [
        { role: 'system', content: `${INSTRUCTIONS}\n\n${listed}` },
        { role: 'user', content: context.input.text },
      ],
      schema,
    },
    {
      failure: 'The model could not break the question into smaller ones',
      read: (text) => readStructured(text, schema),
    },
    context,
  )
  const asked = (value as { questions: { source: string; question: string }[] }).questions.slice(0, MAX_QUESTIONS)
  const questions = asked.flatMap(({ source, question }) => {
    const tool = tools.find(({ name }) => name === source)
    return tool ? [{ tool, question }] : []
  })
  const whole = { tool: tools[0] as RouteComponent, question: context.input.text }
  return { questions: questions.length > 0 ? questions : [whole], usage }
}

async function answersTo(questions: readonly SubQuestion[]) {
  const answers = []
  for (let at = 0; at < questions.length; at += AT_ONCE)
    answers.push(
      ...(await allInOrder(
        questions.slice(at, at + AT_ONCE).map(async ({ tool, question }) => {
          if (!tool.chain) throw new Error(`${tool.name} cannot answer questions`)
          return { question, ...(await tool.chain.ask(question)) }
        }),
      )),
    )
  return answers
}
