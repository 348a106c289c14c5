import { expect, expectWords, page, role, story, text } from '../../workshop/story.tsx'
import { StepDetail } from './StepDetail.tsx'

const step = (data: object, more: object = {}) =>
  ({
    nodeId: 'llm_0',
    nodeLabel: 'Writer',
    status: 'FINISHED',
    previousNodeIds: [],
    data: { id: 'llm_0', name: 'llm', ...data },
    ...more,
  }) as never

story(
  'a step of a model shows its messages, and its settings folded',
  () => (
    <StepDetail
      item={step({
        input: {
          messages: [
            { role: 'user', content: 'Hello' },
            { role: 'assistant', content: [{ type: 'image' }] },
          ],
          temperature: 0.7,
        },
        output: { content: 'Hi **there**', usageMetadata: { input_tokens: 12, output_tokens: 3 } },
      })}
    />
  ),
  async () => {
    await expectWords(role('list', 'Input'), 'Hello')
    await expectWords(role('list', 'Input'), '"image"')
    await expectWords(role('main'), '12 tokens in, 3 out')
    await expectWords(role('main'), 'Hi there')
    expect(text('Settings').element().closest('details')?.open).toBe(false)
    await text('Settings').click()
    await expectWords(role('tree', 'Settings'), 'temperature: 0.7')
    expect(role('treeitem', /^messages/).elements()).toEqual([])
  },
)

story(
  'a step without a model shows its input as it is',
  () => <StepDetail item={step({ input: { url: 'https://example.com' }, output: { statusCode: 200 } })} />,
  async () => {
    await expectWords(role('tree', 'Input'), 'https://example.com')
    await expectWords(role('tree', 'Output'), 'statusCode: 200')
    expect(role('list', 'Input').elements()).toEqual([])
  },
)

story(
  'a step that failed shows its error, the attempts before, and that the run went on',
  () => (
    <StepDetail
      continuedAfterError
      item={step(
        { error: 'The service is down', failedAttempts: [{ error: 'Timed out', at: '2026-01-01T00:00:00.000Z' }] },
        { status: 'ERROR' },
      )}
    />
  ),
  async () => {
    await expectWords(role('alert'), 'The service is down')
    await expectWords(role('alert'), 'The run continued on this step’s error output.')
    await expectWords(role('list', 'Failed attempts'), 'Timed out')
  },
  { width: 'phone' },
)

story(
  'tools that were used show their input and output, and for visitors their names alone',
  () => (
    <StepDetail
      item={step({
        output: { usedTools: [{ tool: 'calculator', toolInput: { sum: '2+2' }, toolOutput: '4' }, { tool: 'search' }] },
      })}
    />
  ),
  async () => {
    await page.getByText(/^Calculator/i).click()
    await expectWords(role('tree'), 'output: 4')
    expect(document.querySelectorAll('main details')).toHaveLength(1)
  },
)
