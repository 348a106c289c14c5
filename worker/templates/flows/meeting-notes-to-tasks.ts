import { chatStart, each, httpInside, llm } from '../steps.ts'
import type { Template } from '../types.ts'

export const meetingNotesToTasks: Template = {
  id: 'meeting-notes-to-tasks',
  name: 'Meeting notes to tasks',
  description: 'Finds who promised what by when in your notes, files each task in your tracker, and sums up.',
  usecases: ['Operations'],
  note: 'Change first:\n1. The URL and body of “File task”: your task tracker.\n2. The fields of a task in “Find tasks”.\nA task that cannot be filed does not stop the others.',
  sample: { question: 'Mara sends the offer by Friday. Jon checks the looms. We meet again on the third.' },
  parts: [
    chatStart(),
    llm('Find tasks', {
      system:
        'Find every commitment in the notes. A task has an owner and something that can be done. Opinions and plans without an owner are not tasks.',
      ask: '{{ question }}',
      fields: [
        {
          key: 'tasks',
          type: 'jsonArray',
          description: 'One entry for each task',
          jsonSchema:
            '{ "owner": { "type": "string" }, "task": { "type": "string" }, "due": { "type": "string", "description": "As the notes say it; empty when they do not" } }',
        },
      ],
    }),
    each('Tasks', '{{ llmAgentflow_0.output.tasks }}'),
    httpInside('File task', 'https://tasks.example.com/tasks', { body: '{ "task": {{ $iteration }} }', inside: 2 }),
    llm('Sum up', {
      system: 'List the tasks by owner with their dates. Then name the decisions and the open questions of the notes.',
      ask: 'Notes: {{ question }}\n\nTasks: {{ llmAgentflow_0.output.tasks }}',
    }),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 4],
  ],
}
