import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import { accepted, askPerson, chatStart, http, llm, loopBack, reply, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const approvalBeforeSending: Template = {
  id: 'approval-before-sending',
  name: 'Approval before sending',
  description: 'Drafts a message, waits for your approval, and only then hands it to your mail service.',
  usecases: ['Customer support', 'Operations'],
  isStarter: true,
  note: 'Change first:\n1. The URL and body of “Send”: your mail or messaging service.\n2. The tone in “Draft”.\nReject with a comment to get another draft, up to three times.',
  sample: { question: 'Write to a customer whose parcel is three days late.' },
  parts: [
    chatStart({ wish: 'none' }),
    llm('Draft', {
      system:
        'You write messages to customers: warm, short, without blame. Write only the message. If the reviewer has a wish, follow it.',
      ask: '{{ question }}\n\nWish of the reviewer: {{ $flow.state.wish }}',
    }),
    askPerson('Review', 'Send this message? To get another draft, reject it and say what to change.'),
    http('Send', 'POST', 'https://mail.example.com/messages', '{ "text": "{{ llmAgentflow_0 }}", "approved": true }'),
    when('Sent?', accepted('httpAgentflow_0')),
    reply('Done', 'Sent:\n\n{{ llmAgentflow_0 }}'),
    reply('Not sent', 'The message is approved but was not sent. Check the URL in “Send”.\n\n{{ llmAgentflow_0 }}'),
    {
      ...loopBack('Draft again', 'llmAgentflow_0-Draft', {
        rounds: 3,
        fallback: 'Three drafts were rejected, so nothing was sent.',
      }),
    },
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3, 0],
    [3, 4],
    [4, 5, 0],
    [4, 6, 1],
    [3, 6, ERROR_OUTPUT],
    [2, 7, 1],
  ],
}
