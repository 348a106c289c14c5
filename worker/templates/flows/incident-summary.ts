import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import { accepted, http, llm, reply, webhookStart, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const incidentSummary: Template = {
  id: 'incident-summary',
  name: 'Incident summary',
  description: 'Takes an alert, fetches the last log lines, explains what broke, and posts severe ones to the team.',
  usecases: ['Operations', 'Engineering'],
  note: 'Change first:\n1. The URL of “Fetch logs” and of “Tell the team”.\n2. The severities in “Explain”.\nLet your monitoring call the webhook: find its URL under Triggers.',
  sample: { webhook: { service: 'checkout', alert: 'critical: error rate above 5 percent' } },
  parts: [
    webhookStart({ service: 'string', alert: 'string' }),
    http('Fetch logs', 'GET', 'https://logs.example.com/recent?service={{ $webhook.body.service }}'),
    llm('Explain', {
      system:
        'You are on call. From the alert and the log, say what users notice, the likely cause with the line that shows it, and the first thing to try. Do not guess beyond the log.',
      ask: 'Alert: {{ $webhook.body.alert }}\n\nLog: {{ httpAgentflow_0.output.http.data }}',
      fields: [
        { key: 'severity', type: 'enum', enumValues: 'critical, minor', description: 'critical: users are affected' },
        { key: 'summary', type: 'string', description: 'At most four sentences' },
      ],
    }),
    when('Severe?', ['{{ llmAgentflow_0.output.severity }}', 'equal', 'critical']),
    http(
      'Tell the team',
      'POST',
      'https://chat.example.com/hooks/incidents',
      '{ "text": "{{ $webhook.body.service }}: {{ llmAgentflow_0.output.summary }}" }',
    ),
    when('Told?', accepted('httpAgentflow_1')),
    reply('Posted', 'The team knows: {{ llmAgentflow_0.output.summary }}'),
    reply('Not posted', 'Call somebody, because the chat did not answer: {{ llmAgentflow_0.output.summary }}'),
    reply('Keep for later', 'Minor: {{ llmAgentflow_0.output.summary }}'),
    reply('No logs', 'Alert of {{ $webhook.body.service }} without logs: {{ $webhook.body.alert }}'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4, 0],
    [4, 5],
    [5, 6, 0],
    [5, 7, 1],
    [4, 7, ERROR_OUTPUT],
    [3, 8, 1],
    [1, 9, ERROR_OUTPUT],
  ],
}
