import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import { accepted, http, llm, reply, webhookStart, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const webhookToSlack: Template = {
  id: 'webhook-to-slack',
  name: 'Webhook to Slack',
  description: 'Receives an event from any system, puts it into one readable line, and posts it to a Slack channel.',
  usecases: ['Operations'],
  note: 'Change first:\n1. In Slack, create an incoming webhook and paste its URL into “Post to Slack”.\n2. The fields that your system sends, in Start.\nFind the URL to call under Triggers.',
  sample: { webhook: { source: 'shop', event: 'stock.low', details: 'Blue mugs: 3 left' } },
  parts: [
    webhookStart({ source: 'string', event: 'string', 'details?': 'string' }),
    llm('Put into words', {
      system:
        'You turn events into one line for a team chat: what happened, where, and whether someone must act. At most 200 characters.',
      ask: 'From {{ $webhook.body.source }}: {{ $webhook.body.event }}. {{ $webhook.body.details }}',
    }),
    http(
      'Post to Slack',
      'POST',
      'https://hooks.slack.com/services/your/webhook/path',
      '{ "text": "{{ llmAgentflow_0 }}" }',
    ),
    when('Posted?', accepted('httpAgentflow_0')),
    reply('Posted', 'Posted: {{ llmAgentflow_0 }}'),
    reply('Not posted', 'Slack did not take the message. Check the URL in “Post to Slack”.'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4, 0],
    [3, 5, 1],
    [2, 5, ERROR_OUTPUT],
  ],
}
