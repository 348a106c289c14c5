import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import { accepted, http, llm, reply, webhookStart, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const bugReportClassifier: Template = {
  id: 'bug-report-classifier',
  name: 'Bug report classifier',
  description: 'Labels each new bug report, asks for missing steps, and tells the team at once about severe ones.',
  usecases: ['Engineering'],
  note: 'Change first:\n1. The labels in “Classify”.\n2. The URL of “Set label”: your tracker’s API. Add its token as a credential of that step.\n3. Let your tracker call the webhook: find its URL under Triggers.',
  sample: { webhook: { id: '17', title: 'Crash on save', text: 'It crashes when I save a file with an emoji.' } },
  parts: [
    webhookStart({ id: 'string', title: 'string', text: 'string' }),
    llm('Classify', {
      system:
        'Classify bug reports. crash: data or work is lost. wrong: the result is wrong. look: it only looks wrong. question: nothing is broken.',
      ask: '{{ $webhook.body.title }}\n\n{{ $webhook.body.text }}',
      fields: [
        { key: 'label', type: 'enum', enumValues: 'crash, wrong, look, question', description: 'The kind of report' },
        { key: 'reproducible', type: 'boolean', description: 'True when the steps are there' },
        { key: 'missing', type: 'string', description: 'What to ask the reporter' },
      ],
    }),
    http(
      'Set label',
      'POST',
      'https://tracker.example.com/labels',
      '{ "issue": "{{ $webhook.body.id }}", "label": "{{ llmAgentflow_0.output.label }}" }',
    ),
    when('Label set?', accepted('httpAgentflow_0')),
    when(
      'What next?',
      ['{{ llmAgentflow_0.output.label }}', 'equal', 'crash'],
      ['{{ llmAgentflow_0.output.reproducible }}', 'equal', 'false'],
    ),
    reply('Alarm', 'Severe: {{ $webhook.body.title }} (report {{ $webhook.body.id }})'),
    reply('Ask back', 'Please add: {{ llmAgentflow_0.output.missing }}'),
    reply('Filed', 'Filed as {{ llmAgentflow_0.output.label }}.'),
    reply('Not labelled', 'The tracker did not take the label “{{ llmAgentflow_0.output.label }}”. Check “Set label”.'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4, 0],
    [4, 5, 0],
    [4, 6, 1],
    [4, 7, 2],
    [3, 8, 1],
    [2, 8, ERROR_OUTPUT],
  ],
}
