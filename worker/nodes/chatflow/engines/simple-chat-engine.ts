import { chatEngine } from './chat-engine.ts'

export const simpleChatEngine = chatEngine({
  label: 'Simple Chat Engine',
  name: 'simpleChatEngine',
  type: 'SimpleChatEngine',
  description: 'Chats with a model that remembers the conversation',
  inputs: [],
  system: '',
})
