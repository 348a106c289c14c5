import type { ChatTurn } from '#contract/runs/events.ts'
import { addUsage } from '#contract/runs/usage.ts'
import type { ChatNodeType, StepContext } from '../../types.ts'
import { openComponentsAt, requireComponent } from '../component-types.ts'
import { anchor, chainNode, languageModelAnchor, moderationAnchor } from '../definition.ts'
import { askModel, chainResult, moderated, withFilesOfQuestion } from './chain-answer.ts'
import { chooseRoute } from './multi-route.ts'

export const multiPromptChain: ChatNodeType = {
  definition: chainNode({
    label: 'Multi Prompt Chain',
    name: 'multiPromptChain',
    version: 2,
    type: 'MultiPromptChain',
    baseClasses: ['MultiRouteChain'],
    description: 'Answers with the prompt that fits the question best',
    inputs: [
      languageModelAnchor,
      anchor('Prompt retriever', 'promptRetriever', 'PromptRetriever', { list: true }),
      moderationAnchor,
    ],
  }),
  run: (context) => moderated(context, () => run(context)),
}

async function run(context: StepContext) {
  const started = context.clock.now()
  const model = await requireComponent(context, 'model', 'model', 'a model to Language model')
  const routes = await openComponentsAt(context, 'promptRetriever', 'route')
  if (routes.length === 0) throw new Error('Connect a prompt retriever')
  const { route, question, usage } = await chooseRoute({ model, routes, question: context.input.text }, context)
  const system: ChatTurn[] = route?.system ? [{ role: 'system', content: route.system }] : []
  const turns = withFilesOfQuestion([...system, { role: 'user', content: question }], context)
  const answer = await askModel({ model, turns }, context)
  return chainResult({ ...answer, usage: addUsage(usage, answer.usage) }, { model, turns, started }, context)
}
