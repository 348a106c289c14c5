import type { Home } from '#contract/home/home.ts'
import { expect, role, story, text } from '../../workshop/story.tsx'
import { HomePage } from './HomePage.tsx'

const flow: Home['flows'][number] = {
  id: 'f',
  type: 'CHATFLOW',
  name: 'Desk',
  updatedDate: '2026-01-05T09:00:00.000Z',
  sketch: { width: 200, height: 80, nodes: [{ name: 'chain', x: 0, y: 0, width: 200, height: 80 }], edges: [] },
  lastRun: null,
}
const waitingRun = (id: string, waitsFor: string | null): Home['waiting'][number] => ({
  ...{ id, flow, question: 'Pay it', step: 'Editor', waitsFor },
  updatedDate: '2026-01-05T09:00:00.000Z',
})
const answersWith = (flows: Home['flows']) => ({ 'GET /home': { flows, waiting: [], failing: [] } })
const textsOf = (name: RegExp) =>
  role('link', name)
    .elements()
    .map(({ textContent }) => textContent)

story(
  'somebody who may create only chat flows is offered a new chat flow, and no design of an agent flow',
  () => <HomePage />,
  async ({ path }) => {
    await expect.element(role('link', 'Desk')).toBeVisible()
    expect(textsOf(/^New|^Describe|^All/)).toEqual(['New chat flow', 'All chat flows'])
    await role('link', 'New chat flow').click()
    await expect.poll(path).toBe('/canvas')
  },
  { answers: answersWith([flow]), can: ['chatflows:view', 'chatflows:create'] },
)

story(
  'somebody who may create only agent flows is offered a new agent flow and its design from words',
  () => <HomePage />,
  async ({ path }) => {
    await expect.element(role('link', 'Desk')).toBeVisible()
    expect(textsOf(/^New|^Describe|^All/)).toEqual(['Describe what you want', 'New agent flow', 'All agent flows'])
    await role('link', 'New agent flow').click()
    await expect.poll(path).toBe('/v2/agentcanvas')
  },
  { answers: answersWith([flow]), can: ['agentflows:view', 'agentflows:create'] },
)

story(
  'somebody who may create every kind of flow is offered each, and the list of each',
  () => <HomePage />,
  async ({ path }) => {
    await expect.element(role('link', 'Desk')).toBeVisible()
    expect(textsOf(/^New|^Describe|^All/)).toEqual([
      'Describe what you want',
      'New agent flow',
      'New chat flow',
      'All agent flows',
      'All chat flows',
    ])
    await role('link', 'All chat flows').click()
    await expect.poll(path).toBe('/chatflows')
  },
  { answers: answersWith([flow]), can: ['agentflows:view', 'agentflows:create', 'chatflows:view', 'chatflows:create'] },
)

story(
  'somebody who may create no flows and sees none is told so',
  () => <HomePage />,
  async () => {
    await expect.element(text('There are no flows that you can view yet.')).toBeVisible()
    expect(textsOf(/^New|^Describe|^All/)).toEqual([])
  },
  { answers: answersWith([]), can: ['variables:view', 'templates:marketplace'] },
)

story(
  'somebody who may create only chat flows is offered templates',
  () => <HomePage />,
  async () => {
    await expect.element(role('region', 'Start from a template')).toBeVisible()
  },
  {
    answers: {
      ...answersWith([]),
      'GET /marketplaces/gallery': {
        data: [
          {
            id: 't',
            templateName: 'Long conversation',
            description: '',
            type: 'Chatflow',
            framework: [],
            usecases: [],
            categories: [],
            badge: '',
            isCustom: false,
            isStarter: true,
            sketch: flow.sketch,
            updatedDate: null,
          },
        ],
      },
    },
    can: ['chatflows:create', 'templates:marketplace'],
    width: 'phone',
  },
)

story(
  'a question for others says who is waited for',
  () => <HomePage />,
  async () => {
    await expect.element(role('link', 'Editor in Desk needs your approval')).toBeVisible()
    await expect.element(role('link', 'Editor in Desk waits for Finance')).toBeVisible()
    await expect.element(text('Waiting for Finance')).toBeVisible()
  },
  {
    answers: {
      'GET /home': { flows: [flow], failing: [], waiting: [waitingRun('a', null), waitingRun('b', 'Finance')] },
    },
    can: ['chatflows:view'],
  },
)
