import { formStart, llm, loopBack, reply, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const translationWithReview: Template = {
  id: 'translation-with-review',
  name: 'Translation with review',
  description: 'Translates a text, lets a second model review it, and improves it until the reviewer agrees.',
  usecases: ['Content', 'Documents'],
  note: 'Change first:\n1. The languages and styles in the form (Start).\n2. Your glossary, in “Translate”.\nA strict reviewer works best on another model than the translator.',
  sample: { form: { text: 'The harvest begins when the dew has dried.', language: 'German', style: 'Plain' } },
  parts: [
    formStart(
      'Translate a text',
      [
        { name: 'text', label: 'Text' },
        { name: 'language', label: 'Into', options: ['English', 'French', 'German', 'Spanish'] },
        { name: 'style', label: 'Style', options: ['Plain', 'Formal', 'Friendly'] },
      ],
      { remarks: 'none' },
    ),
    llm('Translate', {
      system:
        'You translate faithfully: same meaning, same format, natural in the target language. Follow the remarks of the reviewer. Return only the translation.',
      ask: 'Into {{ $form.language }}, style: {{ $form.style }}\nRemarks: {{ $flow.state.remarks }}\n\n{{ $form.text }}',
    }),
    llm('Review', {
      system:
        'You review translations. Reject only for wrong meaning, missing parts, or wording that a native reader would stumble over. Say exactly what to change.',
      ask: 'Original: {{ $form.text }}\n\nTranslation: {{ llmAgentflow_0 }}',
      fields: [
        { key: 'verdict', type: 'enum', enumValues: 'good, change', description: 'good: it can be published' },
        { key: 'remarks', type: 'string', description: 'What to change; empty when good' },
      ],
      updates: { remarks: '{{ output.remarks }}' },
    }),
    when('Good?', ['{{ llmAgentflow_1.output.verdict }}', 'equal', 'good']),
    reply('Translation', '{{ llmAgentflow_0 }}'),
    loopBack('Translate again', 'llmAgentflow_0-Translate', {
      rounds: 3,
      fallback: 'The reviewer still has remarks:\n\n{{ llmAgentflow_0 }}\n\nRemarks: {{ $flow.state.remarks }}',
    }),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4, 0],
    [3, 5, 1],
  ],
}
