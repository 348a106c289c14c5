import { describe, expect, it } from 'vitest'
import type { Approval } from '#contract/runs/approvals.ts'
import type { HumanAnswer } from '#contract/runs/events.ts'
import {
  decidedByOthers,
  outcomeText,
  responderText,
  toolTitle,
  toolTitles,
  verdictOf,
  withoutToolCalls,
} from './approval-text.ts'

it.each([
  ['calculator', 'Calculator'],
  ['web_scraper', 'Web scraper'],
  ['getUserById', 'Get user by id'],
  ['JIRA-create', 'JIRA create'],
  ['__', '__'],
])('shows the tool %s as %s', (name, title) => {
  expect(toolTitle(name)).toBe(title)
})

it('names each tool of several calls once', () => {
  expect(toolTitles([{ tool: 'calculator' }, { tool: 'search' }, { tool: 'calculator' }])).toBe('Calculator and Search')
})

describe('withoutToolCalls', () => {
  const calls = `\`\`\`json\n${JSON.stringify([{ id: 'call_1', name: 'calculator', args: { n: '6*7' } }], null, 2)}\n\`\`\``

  it.each([
    ['only the calls', calls, ''],
    ['words before the calls', `Let me see.\n\n${calls}`, 'Let me see.'],
    ['calls that an excerpt cuts off', `Let me see.\n\n${calls.slice(0, 60)}`, 'Let me see.'],
    ['an answer without calls', 'It is 42.', 'It is 42.'],
    ['other JSON', '```json\n[\n  {\n    "id": 1\n  }\n]\n```', '```json\n[\n  {\n    "id": 1\n  }\n]\n```'],
  ])('keeps what the agent says of %s', (_name, text, said) => {
    expect(withoutToolCalls(text)).toBe(said)
  })
})

it('the text of an approval says what was decided', () => {
  const toolCalls = [{ tool: 'calculator' }]
  const verdicts = (['proceed', 'reject'] as const).flatMap((type) => [
    verdictOf({ answer: { type }, toolCalls }),
    verdictOf({ answer: { type }, toolCalls: null }),
  ])
  expect(verdicts).toEqual(['Allowed', 'Approved', 'Declined', 'Rejected'])
})

it('the text of an approval says who decided', () => {
  expect(responderText({ kind: 'user', name: 'Ann' })).toBe('Ann')
  expect(responderText({ kind: 'user' })).toBe('you')
  expect(responderText({ kind: 'user', id: 'u', name: 'Ann' }, 'u')).toBe('you')
  expect(responderText({ kind: 'user', id: 'u', name: 'Ann' }, 'v')).toBe('Ann')
  expect(responderText({ kind: 'user', name: 'Ann' })).toBe('Ann')
  expect(responderText({ kind: 'apiKey', name: 'Newsroom' })).toBe('API key Newsroom')
  expect(responderText({ kind: 'caller' })).toBe('an API call')
  expect(responderText({ kind: 'visitor' })).toBe('a visitor')
  expect(responderText({ kind: 'team' })).toBe('the team')
  expect(responderText(undefined)).toBe('')
})

it('tells a declined tool from a failed one', () => {
  expect(outcomeText({ error: 'A person declined this call', declined: true })).toBe(' (declined)')
  expect(outcomeText({ error: 'Division by zero' })).toBe(' (failed)')
  expect(outcomeText({ error: 'Division by zero', milliseconds: 1200 })).toBe(' (failed) · 1.2 s')
  expect(outcomeText({ milliseconds: 40 })).toBe(' · 40 ms')
  expect(outcomeText({})).toBe('')
})

describe('what others decided', () => {
  const approval = (answer: HumanAnswer, toolCalls: Approval['toolCalls'] = null) =>
    ({ answer, toolCalls }) as unknown as Approval

  it.each<[string | undefined, Approval[]]>([
    ['Approved by the team', [approval({ type: 'proceed', by: { kind: 'team' } })]],
    ['Rejected by Ann', [approval({ type: 'reject', by: { kind: 'user', name: 'Ann' } })]],
    ['Allowed by the team', [approval({ type: 'proceed', by: { kind: 'team' } }, [{ tool: 'search' }])]],
    [
      'Rejected by the team',
      [
        approval({ type: 'proceed', by: { kind: 'team' } }),
        approval({ type: 'reject', by: { kind: 'team' } }),
        approval({ type: 'proceed', by: { kind: 'caller' } }),
      ],
    ],
    [undefined, [approval({ type: 'proceed', by: { kind: 'caller' } })]],
    [undefined, [approval({ type: 'proceed', by: { kind: 'visitor' } })]],
    [undefined, [approval({ type: 'proceed' })]],
    [undefined, []],
  ])('is %s', (text, approvals) => {
    expect(decidedByOthers(approvals)).toBe(text)
  })
})
