/** A strict reader of the OpenMetrics 1.0 text format, for tests: it knows nothing of what writes it. */

export interface Sample {
  labels: Record<string, string>
  value: number
}

interface Family {
  type: string
  unit?: string
  help?: string
  /** By their whole name. */
  samples: Map<string, Sample[]>
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const SAMPLE =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[^"\\}]|"(?:[^"\\]|\\[\\"n])*")*)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|Inf)|NaN)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"(?:,|$)/y

const SUFFIXES: Record<string, string[]> = {
  counter: ['_total', '_created'],
  gauge: [''],
  histogram: ['_bucket', '_count', '_sum', '_created'],
  info: ['_info'],
}

/** Returns the families by their names. Throws an Error that quotes the first line that breaks a rule of the format. */
export function parseOpenMetrics(text: string): Map<string, Family> {
  if (!text.endsWith('\n# EOF\n') && text !== '# EOF\n') throw new Error('The text does not end with "# EOF"')
  const families = new Map<string, Family>()
  let name = ''
  for (const line of text.slice(0, -'# EOF\n'.length).split('\n').slice(0, -1)) {
    const [, keyword, described, rest] = /^# (TYPE|UNIT|HELP) (\S+) (.*)$/.exec(line) ?? []
    if (keyword) {
      if (described !== name) open(described as string, line)
      describe(families.get(name) as Family, { keyword, name, rest: rest as string, line })
    } else take(families.get(name), { name, line })
  }
  for (const [name, family] of families) check(name, family)
  return families

  function open(next: string, line: string): void {
    if (!NAME.test(next) || families.has(next)) throw new Error(`Not the name of a new family: ${line}`)
    families.set(next, { type: 'unknown', samples: new Map() })
    name = next
  }
}

interface Described {
  keyword: string
  name: string
  rest: string
  line: string
}

function describe(family: Family, { keyword, name, rest, line }: Described): void {
  if (family.samples.size > 0) throw new Error(`After the samples of its family: ${line}`)
  if (keyword === 'TYPE') {
    if (!SUFFIXES[rest]) throw new Error(`An unknown type: ${line}`)
    family.type = rest
  } else if (keyword === 'UNIT') {
    if (!name.endsWith(`_${rest}`)) throw new Error(`The name does not end with the unit: ${line}`)
    family.unit = rest
  } else family.help = rest
}

function take(family: Family | undefined, { name, line }: { name: string; line: string }): void {
  const [, whole, labels = '', value] = SAMPLE.exec(line) ?? []
  if (!family || whole === undefined) throw new Error(`Not a sample of a family: ${line}`)
  if (!SUFFIXES[family.type]?.some((suffix) => whole === name + suffix))
    throw new Error(`Not a sample of the ${family.type} ${name}: ${line}`)
  const sample = {
    labels: labelsOf(labels, line),
    value: value === 'NaN' ? Number.NaN : Number((value as string).replace('Inf', 'Infinity')),
  }
  const others = family.samples.get(whole) ?? []
  if (others.some((other) => keyOf(other.labels) === keyOf(sample.labels))) throw new Error(`A series twice: ${line}`)
  family.samples.set(whole, [...others, sample])
}

function labelsOf(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const [, name, value] = LABEL.exec(text) ?? []
    if (name === undefined || name in labels || name.startsWith('__'))
      throw new Error(`Labels that cannot be read: ${line}`)
    labels[name] = (value as string).replace(/\\(.)/g, (_, char) => (char === 'n' ? '\n' : char))
  }
  return labels
}

const keyOf = (labels: Record<string, string>): string => JSON.stringify(Object.entries(labels).sort())

function check(name: string, { type, samples }: Family): void {
  for (const [whole, series] of samples) {
    const mayBeNegative = type === 'gauge'
    const wrong = series.find(({ value }) => Number.isNaN(value) || (!mayBeNegative && value < 0))
    if (wrong) throw new Error(`${whole} is ${wrong.value}`)
    if (type === 'info' && series.some(({ value }) => value !== 1)) throw new Error(`${whole} is not 1`)
  }
  if (type === 'histogram') checkBuckets(name, samples)
}

function checkBuckets(name: string, samples: Family['samples']): void {
  const buckets = Map.groupBy(samples.get(`${name}_bucket`) ?? [], ({ labels: { le: _, ...labels } }) => keyOf(labels))
  for (const { labels, value } of samples.get(`${name}_count`) ?? []) {
    const own = buckets.get(keyOf(labels)) ?? []
    const bounds = own.map(({ labels: { le = '' } }) => (le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le)))
    const isAscending = (values: number[]) =>
      values.every((item, index) => index === 0 || item >= (values[index - 1] as number))
    if (!isAscending(bounds) || new Set(bounds).size < bounds.length || bounds.at(-1) !== Number.POSITIVE_INFINITY)
      throw new Error(`The buckets of ${name} do not ascend to +Inf`)
    if (!isAscending(own.map((bucket) => bucket.value)) || own.at(-1)?.value !== value)
      throw new Error(`The buckets of ${name} do not add up to its count`)
  }
}
