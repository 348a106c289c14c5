import { agent, askPerson, formStart, llm, loopBack, reply } from '../steps.ts'
import type { Template } from '../types.ts'

export const travelPlanner: Template = {
  id: 'travel-planner',
  name: 'Travel planner',
  description: 'Looks up a place with tools, plans your days within a budget, and changes the plan until you like it.',
  usecases: ['Agents'],
  note: 'Change first:\n1. The tools of “Look around”. Add a search or a map service with your key.\n2. How full a day may be, in “Plan days”.\nReject the plan with a comment to get another.',
  sample: { form: { place: 'Ghent', days: 3, budget: 600, likes: 'canals, weaving, good bread' } },
  parts: [
    formStart(
      'Plan a trip',
      [
        { name: 'place', label: 'Where to' },
        { name: 'days', label: 'Days', type: 'number' },
        { name: 'budget', label: 'Budget', type: 'number' },
        { name: 'likes', label: 'What you like' },
      ],
      { wish: 'none' },
    ),
    agent('Look around', {
      system:
        'Find out what a visitor with these interests should see there, with your tools. Give distances and prices where you find them, and say where you found them.',
      ask: '{{ $form.place }}, interests: {{ $form.likes }}. Budget a day: {{ $form.budget }} / {{ $form.days }}',
      tools: ['wikipedia', 'calculator', 'currentDateTime'],
    }),
    llm('Plan days', {
      system:
        'Plan the trip day by day: at most three things a day that lie close together, with one alternative for rain. Keep to the budget and show the sum.',
      ask: '{{ $form.days }} days in {{ $form.place }} for {{ $form.budget }}.\nFound: {{ agentAgentflow_0 }}\nWish: {{ humanInputAgentflow_0 }}',
    }),
    askPerson('Your verdict', 'Do you like this plan? To change it, reject it and say what.'),
    reply('Plan', '{{ llmAgentflow_0 }}'),
    loopBack('Plan again', 'llmAgentflow_0-Plan days', {
      rounds: 3,
      fallback: 'The last plan:\n\n{{ llmAgentflow_0 }}',
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
