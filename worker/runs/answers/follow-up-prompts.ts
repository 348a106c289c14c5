/** Questions to go on with, which a model writes after an answer. */
import { eq } from 'drizzle-orm'
import { errorMessage } from '#contract/errors.ts'
import { type FollowUpModel, readFollowUpModel } from '#contract/runs/follow-up-prompts.ts'
import { followUpsIn } from '#contract/runs/follow-ups.ts'
import { chatMessages } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { openChosenModel } from '../../components/chosen-model.ts'
import { callModel } from '../../llm/model-call.ts'
import { readStructured } from '../../llm/structured-output.ts'
import type { Services } from '../../services.ts'
import type { RunEnd } from '../records/run-end.ts'
import type { RunStart } from '../run-start.ts'

const TIMEOUT_MS = 15_000
/** Length limit of the last question and of its answer, each, in characters. */
const MAX_HISTORY_CHARACTERS = 8000

const schema = {
  type: 'object',
  properties: { questions: { type: 'array', items: { type: 'string' } } },
  required: ['questions'],
  additionalProperties: false,
}

/** Writes, stores and returns the questions after an answer. Never rejects: without a model or an answer there are none. */
export async function writeFollowUps(services: Services, start: RunStart, end: RunEnd): Promise<string[]> {
  const model = readFollowUpModel(start.runContext.flow.followUpPrompts)
  if (!model || end.state !== 'FINISHED' || end.isNotStored || end.text.trim() === '') return []
  try {
    const questions = await askForQuestions(services, start, { model, answer: end.text })
    if (questions.length > 0) await store(services, start, questions)
    return questions
  } catch (error) {
    console.error(`follow-up prompts of run ${start.executionId}: ${errorMessage(error)}`)
    return []
  }
}

async function askForQuestions(
  services: Services,
  { question, runContext }: RunStart,
  { model, answer }: { model: FollowUpModel; answer: string },
): Promise<string[]> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const history = [`human: ${shortened(question)}`, `ai: ${shortened(answer)}`].join('\n')
  const content = model.prompt.replaceAll('{history}', () => history)
  const { open, withoutSecrets } = await openChosenModel(services, { tenant: runContext.flow, signal }, model)
  const messages = [{ role: 'user' as const, content }]
  const { clock } = services
  return withoutSecrets(async () => {
    const reply = await callModel({ open, messages, schema, speak: false }, { signal, clock, emit() {}, charge() {} })
    const read = readStructured(reply.text, schema)
    if ('problem' in read) throw new Error(`the model's answer is not a list of questions: ${read.problem}`)
    return followUpsIn(read.value.questions)
  })
}

async function store({ db }: Services, { runContext, call }: RunStart, questions: string[]): Promise<void> {
  await scope(db, runContext.flow).update(chatMessages, eq(chatMessages.id, call.apiMessageId), {
    followUpPrompts: JSON.stringify(questions),
  })
}

const shortened = (text: string) =>
  text.length <= MAX_HISTORY_CHARACTERS ? text : `${text.slice(0, MAX_HISTORY_CHARACTERS)}…`
