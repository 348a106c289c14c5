/** The engines of chat flows. */
import type { ChatNodeType } from '../../types.ts'
import { withChainComponent } from '../chains/chain-component.ts'
import { contextChatEngine } from './context-chat-engine.ts'
import { queryEngine } from './query-engine.ts'
import { simpleChatEngine } from './simple-chat-engine.ts'
import { subQuestionQueryEngine } from './sub-question-query-engine.ts'

export const engines: ChatNodeType[] = [
  simpleChatEngine,
  contextChatEngine,
  ...[queryEngine, subQuestionQueryEngine].map(withChainComponent),
]
