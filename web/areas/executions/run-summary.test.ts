import { describe, expect, it } from 'vitest'
import type { TraceItem } from '#contract/runs/events.ts'
import { questionText, sharingLabel, sourceOf } from './run-summary.ts'

const run = { chatType: 'EXTERNAL', replayOf: null, parentExecutionId: null } as const

describe('the source of a run', () => {
  it.each([
    ['an API call', run, 'API'],
    ['the chat on the canvas', { ...run, chatType: 'INTERNAL' }, 'Canvas'],
    ['a schedule', { ...run, chatType: 'SCHEDULED' }, 'Schedule'],
    ['a replay of an API call', { ...run, replayOf: 'a' }, 'Replay'],
    ['a call by another run', { ...run, parentExecutionId: 'a' }, 'Another run'],
  ] as const)('is named for %s', (_, started, label) => expect(sourceOf(started)).toBe(label))
})

describe('the question of a run', () => {
  it.each([
    ['a question stays as it was asked', 'Will it rain?', 'Will it rain?'],
    ['a form lists its fields', '{"City":"Ulm","Days":3}', 'City: Ulm, Days: 3'],
    ['JSON cut short stays text', '{"City":"Ul', '{"City":"Ul'],
    ['a run without a question has an empty one', null, ''],
  ])('%s', (_, question, text) => expect(questionText(question)).toBe(text))
})

describe('the switch that shares a run', () => {
  const asking = (approvers?: string) =>
    ({
      data: { output: { humanInputAction: { data: { input: { approvers, approverRole: 'Finance' } } } } },
    }) as TraceItem
  const view = 'Let anyone with the link view'
  it.each([
    ['a run that does not wait', [], view],
    ['a question for the caller', [asking('caller')], `${view} and answer`],
    ['a question of an earlier version', [asking()], `${view} and answer`],
    ['a question for members', [asking('members')], `${view}. Only members can answer.`],
    ['a question for a role', [asking('role')], `${view}. Only members can answer.`],
    ['questions for members and for the caller', [asking('members'), asking('caller')], `${view} and answer`],
  ])('says what readers may do with %s', (_, waiting, label) => expect(sharingLabel(waiting)).toBe(label))
})
