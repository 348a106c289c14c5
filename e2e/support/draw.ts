/** Draws flows as the canvas does, from the definitions that the product under test has. */

import type { FlowDocument } from '#contract/flow/document/document.ts'
import { drawFlow, type Link } from '#contract/flow/document/draw.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { chatflow } from '#contract/flow/kinds/chatflow/kind.ts'
import type { Part } from '#contract/flow/kinds/types.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { withPracticeModel } from '#contract/flow/practice-model.ts'
import type { Api } from './api.ts'

/** The parts stand in a row unless they say where, and form a chain unless `links` say otherwise. */
export const draw = async (api: Pick<Api, 'get'>, parts: Part[], links?: Link[]): Promise<FlowDocument> =>
  drawFlow({ parts, links }, await api.get<ComponentDefinition[]>('/nodes'), agentflow)

export const drawChatflow = async (api: Pick<Api, 'get'>, parts: Part[], links: Link[]): Promise<FlowDocument> =>
  drawFlow({ parts, links }, await api.get<ComponentDefinition[]>('/nodes'), chatflow)

export const start = (inputs: Part['inputs'] = {}): Part => ({ name: 'startAgentflow', inputs })

/** An LLM that the scripted model server answers. */
export const llm = (baseUrl: string, label = 'LLM', inputs: Part['inputs'] = {}): Part => ({
  name: 'llmAgentflow',
  label,
  inputs: {
    llmModel: 'chatOpenAICustom',
    llmModelConfig: { llmModel: 'chatOpenAICustom', modelName: 'scripted', basepath: baseUrl },
    ...inputs,
  },
})

/** An LLM that needs nothing. */
export const practice = (label = 'Practice'): Part => ({
  name: 'llmAgentflow',
  label,
  inputs: withPracticeModel('llmModel'),
})

export const reply = (message: string, label = 'Reply'): Part => ({
  name: 'directReplyAgentflow',
  label,
  inputs: { directReplyMessage: message },
})

/** Asks a person; its outputs are proceed and reject. */
export const human = (question: string, label = 'Editor'): Part => ({
  name: 'humanInputAgentflow',
  label,
  inputs: { humanInputDescriptionType: 'fixed', humanInputDescription: question },
})

/** An agent that the scripted model server answers. It asks a person before it uses the calculator. */
export const guardedAgent = (baseUrl: string, label = 'Clerk'): Part => ({
  name: 'agentAgentflow',
  label,
  inputs: {
    agentModel: 'chatOpenAICustom',
    agentModelConfig: { agentModel: 'chatOpenAICustom', modelName: 'scripted', basepath: baseUrl },
    agentTools: [{ agentSelectedTool: 'calculator', agentSelectedToolRequiresHumanInput: true }],
  },
})

/** A model writes, an editor is asked, and one of two replies follows. */
export const drawApproval = (api: Pick<Api, 'get'>, baseUrl: string): Promise<FlowDocument> =>
  draw(
    api,
    [start(), llm(baseUrl, 'Writer'), human('Print this?'), reply('Printed.', 'Press'), reply('Sent back.', 'Desk')],
    [
      [0, 1],
      [1, 2],
      [2, 3, 0],
      [2, 4, 1],
    ],
  )
