import { formStart, llm, reply, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const onboardingAssistant: Template = {
  id: 'onboarding-assistant',
  name: 'Onboarding assistant',
  description:
    'Asks who is starting and writes a first-week plan, with a checklist for their role and one for their lead.',
  usecases: ['Operations'],
  note: 'Change first:\n1. Roles and questions in the form (Start).\n2. Your accounts, tools and people, in the two plans.\n3. The checklist of the lead.',
  sample: { form: { name: 'Mara Lind', role: 'Engineering', start: '2 May', remote: true } },
  parts: [
    formStart('Who is starting?', [
      { name: 'name', label: 'Name' },
      { name: 'role', label: 'Role', options: ['Engineering', 'Sales', 'Other'] },
      { name: 'start', label: 'First day' },
      { name: 'remote', label: 'Works remotely', type: 'boolean' },
    ]),
    when('Role', ['{{ $form.role }}', 'equal', 'Engineering']),
    llm('Engineering plan', {
      system:
        'Write a first-week plan for an engineer: accounts on day one, a running product on day two, a small change of their own by day five. Name a person for each day.',
      ask: '{{ $form.name }}, starts {{ $form.start }}, remote: {{ $form.remote }}',
    }),
    llm('General plan', {
      system:
        'Write a first-week plan: accounts and people on day one, how we work on day two, a task of their own by day five. Name a person for each day.',
      ask: '{{ $form.name }} ({{ $form.role }}), starts {{ $form.start }}, remote: {{ $form.remote }}',
    }),
    reply(
      'Engineer’s week',
      '{{ llmAgentflow_0 }}\n\nFor the lead:\n- Invite {{ $form.name }} to the repository\n- Choose a first change\n- Plan a review on day five',
    ),
    reply(
      'First week',
      '{{ llmAgentflow_1 }}\n\nFor the lead:\n- Order the equipment before {{ $form.start }}\n- Plan a talk on day five',
    ),
  ],
  links: [
    [0, 1],
    [1, 2, 0],
    [1, 3, 1],
    [2, 4],
    [3, 5],
  ],
}
