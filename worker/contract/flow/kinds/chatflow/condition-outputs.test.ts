import { describe, expect, it } from 'vitest'
import { CONDITION_ALERTS } from '../../rules/condition-alerts.ts'
import { conditionOutputs } from './condition-outputs.ts'

describe('condition outputs', () => {
  const row = { variable: 'v', operation: 'is', output: 'Is refund' }
  const outputs = (condition: Parameters<typeof conditionOutputs>[1]) => {
    const made = conditionOutputs('c_0', condition)
    return made.ok
      ? ((made.outputAnchors[0]?.options ?? []) as { id: string; label: string }[]).map(
          ({ id, label }) => `${label}: ${id}`,
        )
      : made.alert
  }
  it.each([
    ['adds End', [row], ['Is refund: c_0-output-isRefund-Condition', 'End: c_0-output-end-Condition']],
    ['empty', [], 'Please add an item for the condition'],
    ['no variable', [{ ...row, variable: '' }], CONDITION_ALERTS.variable],
    ['no output', [row, { ...row, output: ' ' }], 'Please specify an Output Name'],
    ['no operation', [{ ...row, operation: undefined }], 'Please select an operation for the condition'],
  ])('table: %s', (_, items, expected) => expect(outputs({ mode: 'table', items: items as [] })).toEqual(expected))

  it.each([
    [
      'returns',
      'if (a) return "Agent"\nreturn \'End\'',
      ['Agent: c_0-output-agent-Condition', 'End: c_0-output-end-Condition'],
    ],
    ['the same twice', 'if (a) return `x`; return `x`', ['x: c_0-output-x-Condition']],
    [
      'in comments and texts',
      '// return "a"\n/* return "b" */ const s = "return \'c\'"; return "d"',
      ['d: c_0-output-d-Condition'],
    ],
    ['none', 'const a = 1', CONDITION_ALERTS.code],
    [
      'not a text',
      'return a',
      'Please add a return statement in the condition code to define the output. You can refer to How to Use for more information.',
    ],
  ])('code: %s', (_, code, expected) => expect(outputs({ mode: 'code', code })).toEqual(expected))
})
