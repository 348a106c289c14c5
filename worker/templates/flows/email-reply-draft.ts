import { askPerson, formStart, llm, reply } from '../steps.ts'
import type { Template } from '../types.ts'

export const emailReplyDraft: Template = {
  id: 'email-reply-draft',
  name: 'Email reply draft',
  description: 'Reads a mail, lists what it asks for, and drafts a reply that answers every point in your tone.',
  usecases: ['Customer support', 'Content'],
  note: 'Change first:\n1. How you write, in “Draft reply”: paste two of your emails.\n2. The tones in the form (Start).\nTo send it at once, put an HTTP or Gmail step behind “Review”.',
  sample: { form: { mail: 'Can you deliver by May, and what does it cost?', tone: 'Friendly' } },
  parts: [
    formStart('Reply to a mail', [
      { name: 'mail', label: 'The mail' },
      { name: 'tone', label: 'Tone', options: ['Friendly', 'Formal', 'Brief'] },
    ]),
    llm('List points', {
      system: 'List every question, request and deadline of the mail, in its order. Add nothing.',
      ask: '{{ $form.mail }}',
      fields: [{ key: 'points', type: 'stringArray', description: 'One entry for each point' }],
    }),
    llm('Draft reply', {
      system:
        'Write a reply that answers every point. Where you lack a fact, write [to fill in] instead of guessing. Return only the mail.',
      ask: 'Mail: {{ $form.mail }}\nPoints: {{ llmAgentflow_0.output.points }}\nTone: {{ $form.tone }}',
    }),
    askPerson('Review', 'Use this reply?'),
    reply('Reply', '{{ llmAgentflow_1 }}'),
    reply('Dropped', 'The draft was dropped: {{ humanInputAgentflow_0 }}'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4, 0],
    [3, 5, 1],
  ],
}
