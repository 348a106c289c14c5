import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import { http, llm, reply, webhookStart, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const leadQualification: Template = {
  id: 'lead-qualification',
  name: 'Lead qualification',
  description: 'Scores a lead from your website form, files hot ones in your CRM, and drafts a mail to the warm ones.',
  usecases: ['Sales'],
  note: 'Change first:\n1. What a good lead is for you, in “Score”.\n2. The limits 70 and 40 in “How warm?”.\n3. The URL of “File in CRM”.\nCall the webhook from your form: find its URL under Triggers.',
  sample: { webhook: { name: 'Mara Lind', company: 'Lind Mills', message: 'We need 80 seats before May.' } },
  parts: [
    webhookStart({ name: 'string', company: 'string', message: 'string' }),
    llm('Score', {
      system:
        'Score leads from 0 to 100. Up to 40 points for need, 30 for the size of the company, 30 for a date. Say in one sentence what the score rests on.',
      ask: '{{ $webhook.body.name }} of {{ $webhook.body.company }}: {{ $webhook.body.message }}',
      fields: [
        { key: 'score', type: 'number', description: '0 to 100' },
        { key: 'reason', type: 'string', description: 'One sentence' },
      ],
    }),
    when(
      'How warm?',
      ['{{ llmAgentflow_0.output.score }}', 'largerEqual', 70],
      ['{{ llmAgentflow_0.output.score }}', 'largerEqual', 40],
    ),
    http(
      'File in CRM',
      'POST',
      'https://crm.example.com/leads',
      '{ "name": "{{ $webhook.body.name }}", "company": "{{ $webhook.body.company }}", "score": {{ llmAgentflow_0.output.score }} }',
    ),
    llm('Draft mail', {
      system:
        'Write a short mail that answers the lead’s message and asks the one question that would raise the score.',
      ask: '{{ $webhook.body.message }}\n\nScore: {{ llmAgentflow_0.output.reason }}',
    }),
    reply('Cold', 'Not a lead for now: {{ llmAgentflow_0.output.reason }}'),
    reply('Hot', 'Filed with {{ llmAgentflow_0.output.score }} points. Call {{ $webhook.body.name }} today.'),
    reply('Call anyway', 'A hot lead, but the CRM did not answer. Call {{ $webhook.body.name }} today.'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3, 0],
    [2, 4, 1],
    [2, 5, 2],
    [3, 6],
    [3, 7, ERROR_OUTPUT],
  ],
}
