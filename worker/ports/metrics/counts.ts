/** Counters and histograms of one isolate. */

/** Values come from the code, never from a request: each new one is a series for the whole life of an isolate. */
export type Labels = Readonly<Record<string, string>>

/** `name` ends with the unit, if it has one. */
interface Description {
  name: string
  unit?: 'seconds' | 'bytes'
}

interface Sample {
  suffix?: string
  labels?: Labels
  value: number
}

/** The values of a metric at this moment. */
export interface Values extends Description {
  type: 'counter' | 'gauge' | 'histogram' | 'info'
  samples: Sample[]
}

interface Counter<Own extends Labels> {
  add(amount: number, labels: Own): void
  read(): Values
}

/** The counter of a metric with labels has no series until something is counted; without labels it begins at 0. */
export function createCounter<Own extends Labels = Record<never, string>>(
  description: Description & { hasLabels?: true },
): Counter<Own> {
  const counted = new Map<string, { labels: Own; value: number }>()
  const { hasLabels, ...described } = description
  if (!hasLabels) counted.set('', { labels: {} as Own, value: 0 })
  return {
    add(amount, labels) {
      const series = seriesOf(counted, labels, () => ({ labels, value: 0 }))
      series.value += amount
    },
    read: () => ({
      ...described,
      type: 'counter',
      samples: [...counted.values()].map((series) => ({ suffix: '_total', ...series })),
    }),
  }
}

interface Histogram<Own extends Labels> {
  observe(value: number, labels: Own): void
  read(): Values
}

/** @param bounds the upper bounds of the buckets, ascending; one more takes what is above them */
export function createHistogram<Own extends Labels>(
  description: Description,
  bounds: readonly number[],
): Histogram<Own> {
  const observed = new Map<string, { labels: Own; counts: number[]; sum: number }>()
  return {
    observe(value, labels) {
      const series = seriesOf(observed, labels, () => ({ labels, counts: bounds.map(() => 0).concat(0), sum: 0 }))
      const bucket = bounds.findIndex((bound) => value <= bound)
      const index = bucket < 0 ? bounds.length : bucket
      series.counts[index] = (series.counts[index] as number) + 1
      series.sum += value
    },
    read: () => ({ ...description, type: 'histogram', samples: [...observed.values()].flatMap(samplesOf) }),
  }

  function samplesOf({ labels, counts, sum }: { labels: Own; counts: number[]; sum: number }): Sample[] {
    let count = 0
    const buckets = counts.map((inBucket, index) => {
      count += inBucket
      return { suffix: '_bucket', labels: { ...labels, le: boundOf(bounds[index]) }, value: count }
    })
    return [...buckets, { suffix: '_count', labels, value: count }, { suffix: '_sum', labels, value: sum }]
  }
}

/** Canonical numbers, as the format wants them: `1.0`. */
const boundOf = (bound: number | undefined): string =>
  bound === undefined ? '+Inf' : Number.isInteger(bound) ? `${bound}.0` : String(bound)

function seriesOf<Series>(all: Map<string, Series>, labels: Labels, create: () => Series): Series {
  const key = Object.values(labels).join('\n')
  const found = all.get(key) ?? create()
  all.set(key, found)
  return found
}
