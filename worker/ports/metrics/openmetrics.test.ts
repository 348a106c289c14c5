import { expect, it } from 'vitest'
import { createCounter, createHistogram, type Values } from './counts.ts'
import { formatMetrics } from './openmetrics.ts'
import { parseOpenMetrics } from './testing/parse-openmetrics.ts'

const counter = (hasLabels?: true) =>
  createCounter<{ kind: string }>({ name: 'things', ...(hasLabels && { hasLabels }) })

const format = (values: Values, common = {}) =>
  formatMetrics([{ ...values, help: 'Things.\nOf "any" kind \\' }], common)

it('a counter without labels begins at 0, and one with labels with nothing', () => {
  const text = format(counter().read(), { isolate: 'a' })
  expect(parseOpenMetrics(text).get('things')?.samples.get('things_total')).toEqual([
    { labels: { isolate: 'a' }, value: 0 },
  ])
  expect(parseOpenMetrics(format(counter(true).read(), {})).get('things')?.samples.size).toBe(0)
})

it('a counter adds up by its labels, whatever characters they have', () => {
  const things = counter(true)
  things.add(2, { kind: 'a"b\\c\nd' })
  things.add(0.5, { kind: 'a"b\\c\nd' })
  things.add(1, { kind: '' })
  const parsed = parseOpenMetrics(format(things.read(), { isolate: 'x' }))
  expect(parsed.get('things')?.samples.get('things_total')).toEqual([
    { labels: { kind: 'a"b\\c\nd', isolate: 'x' }, value: 2.5 },
    { labels: { kind: '', isolate: 'x' }, value: 1 },
  ])
})

it('a histogram counts a value in the bucket of its upper bound and in all above it', () => {
  const times = createHistogram<{ route: string }>({ name: 'time_seconds', unit: 'seconds' }, [0.5, 1])
  for (const value of [0.5, 0.6, 1, 7]) times.observe(value, { route: '/a' })
  const { samples } = parseOpenMetrics(format(times.read(), {})).get('time_seconds') ?? {}
  expect(samples?.get('time_seconds_bucket')?.map(({ labels, value }) => [labels.le, value])).toEqual([
    ['0.5', 1],
    ['1.0', 3],
    ['+Inf', 4],
  ])
  expect(samples?.get('time_seconds_count')).toEqual([{ labels: { route: '/a' }, value: 4 }])
  expect(samples?.get('time_seconds_sum')?.[0]?.value).toBeCloseTo(9.1)
})

const HISTOGRAM = '# TYPE h histogram\n'

it.each([
  ['has no end', '# TYPE a gauge\na 1\n'],
  ['has a sample of no family', 'a 1\n# EOF\n'],
  ['has a counter without its suffix', '# TYPE a counter\na 1\n# EOF\n'],
  ['has a series twice', '# TYPE a gauge\na{b="1"} 1\na{b="1"} 2\n# EOF\n'],
  ['has families that mix', '# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# TYPE a gauge\n# EOF\n'],
  ['names a unit that its name lacks', '# TYPE a gauge\n# UNIT a seconds\n# EOF\n'],
  ['has a quote in a label', '# TYPE a gauge\na{b="c"d"} 1\n# EOF\n'],
  ['has a count that falls below 0', '# TYPE a counter\na_total -1\n# EOF\n'],
  ['has buckets without an end', `${HISTOGRAM}h_bucket{le="1.0"} 1\nh_count 1\nh_sum 1\n# EOF\n`],
  ['has buckets that descend', `${HISTOGRAM}h_bucket{le="1.0"} 2\nh_bucket{le="+Inf"} 1\nh_count 1\nh_sum 1\n# EOF\n`],
])('the reader of the tests refuses a text that %s', (_, text) => {
  expect(() => parseOpenMetrics(text)).toThrow()
})
