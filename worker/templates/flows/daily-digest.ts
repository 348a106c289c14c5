import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import { accepted, code, http, llm, reply, scheduleStart, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const dailyDigest: Template = {
  id: 'daily-digest',
  name: 'Daily digest',
  description: 'Reads your news or tickets every weekday morning and posts the five points that matter.',
  usecases: ['Operations', 'Content'],
  note: 'Change first:\n1. The URL in “Fetch items”: any JSON list.\n2. Where “Post digest” sends it.\n3. The days, time and time zone in Start.\nThe schedule runs as soon as the flow is saved. Pause it under Triggers.',
  sample: { schedule: true },
  parts: [
    scheduleStart(
      { scheduleFrequency: 'weekly', scheduleOnTime: '08:00', scheduleOnDayOfWeek: '1,2,3,4,5' },
      'Write today’s digest',
    ),
    http('Fetch items', 'GET', 'https://news.example.com/items.json'),
    when('Fetched?', accepted('httpAgentflow_0')),
    code(
      'Keep the newest',
      { items: '{{ httpAgentflow_0.output.http.data }}' },
      `
const list = typeof $items === 'string' ? JSON.parse($items) : $items
if (!Array.isArray(list)) throw new Error('The address did not answer with a list')
return list.slice(0, 20).map((item) => '- ' + (item.title ?? JSON.stringify(item))).join('\\n')`,
    ),
    llm('Write digest', {
      system:
        'You write a morning digest for a busy team: a headline, then at most five bullet points, the most important first. Say why each one matters.',
      ask: '{{ customFunctionAgentflow_0 }}',
    }),
    http('Post digest', 'POST', 'https://chat.example.com/hooks/team', '{ "text": "{{ llmAgentflow_0 }}" }'),
    when('Posted?', accepted('httpAgentflow_1')),
    reply('Done', 'Posted:\n\n{{ llmAgentflow_0 }}'),
    reply(
      'Not posted',
      'The digest is written but was not posted. Check the URL in “Post digest”.\n\n{{ llmAgentflow_0 }}',
    ),
    reply('No items', 'The items could not be read. Check the URL in “Fetch items”.'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3, 0],
    [3, 4],
    [4, 5],
    [5, 6],
    [6, 7, 0],
    [6, 8, 1],
    [5, 8, ERROR_OUTPUT],
    [2, 9, 1],
    [1, 9, ERROR_OUTPUT],
  ],
}
