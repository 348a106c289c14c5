/** Measures how the time of a function grows with the length of an untrusted text. */

/** `start`, then `piece` repeatedly, then `end`. */
export interface Attack {
  start: string
  piece: string
  end: string
}

type Work = (text: string) => unknown

/** Small steps first, so that exponential work is found before it hangs. */
const LENGTHS = [16, 18, 20, 22, 24, 26, 28, 30, 32, 36, 40, 48, 64, 80, 96, 128, 192, 256, 1024, 4096, 16_384]
/** Work that takes less time at the greatest length cannot be quadratic. */
const NOTICEABLE_MS = 5
const ENOUGH_MS = 40
/** How often times are taken before a suspicion counts. */
const ROUNDS = 5
/** The most that the time may grow when the length doubles: half-way between linear (2) and quadratic (4). */
export const MOST_PER_DOUBLING = 3

/** Punctuation of all languages that are parsed here. */
const PIECES = [
  ...[
    '\n',
    '\r\n',
    ' ',
    '\t',
    '"',
    "'",
    '`',
    '\\',
    '\\"',
    "\\'",
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '1',
    'a',
    'é',
  ],
  ...['_', '*', '**', '-', '+', '/', '//', '/*', '.', ',', ':', ';', '=', '&', '#', '@', '$', '%', '|', '~', '!', '?'],
  ...['<a', '<a ', '<!--', '&#', '{{', '}}', '```', '```\n', '"a', '":', '{"a":', '{a:', "{'", ', ', ' x', '1.', '1,'],
  ...[
    'a ',
    'a.',
    'a\n',
    '\na',
    '- ',
    '\n- ',
    '> ',
    '[a](',
    '](',
    '![',
    '$a',
    '/a',
    '\n ',
    ' \n',
    '(1',
    '1(',
    '1-',
    '*/1,',
  ],
]
/** Ends with the end of the text, the end of a line, and something that fits nowhere. */
export const ENDS = ['', '\n', '\0']

/** @param starts openers in the parsed language */
export function hostile(...starts: string[]): Attack[] {
  return starts.flatMap((start) => PIECES.flatMap((piece) => ['', '\0'].map((end) => ({ start, piece, end }))))
}

/**
 * Returns the attack that costs more than MOST_PER_DOUBLING, or undefined. An error counts as an answer.
 * @param longest characters of an attack; fewer for slow work
 */
export async function findRunaway(
  work: Work,
  attacks: Iterable<Attack>,
  longest = 16_384,
): Promise<string | undefined> {
  for (const attack of attacks) {
    const factor = await growthOf(work, attack, longest)
    if (factor > MOST_PER_DOUBLING) return `${JSON.stringify(attack)} costs ${factor.toFixed(1)} times per doubling`
  }
  return undefined
}

/** A suspicion among short texts is tried on longer ones, where stalls of the machine weigh less: the longest decides. */
async function growthOf(work: Work, attack: Attack, longest: number): Promise<number> {
  let factor = 1
  for (const length of LENGTHS) {
    if (length > longest) break
    const spent = await wallTime(work, attackText(attack, length))
    factor = spent < NOTICEABLE_MS ? 1 : await factorAt(work, attack, length)
    if (spent > ENOUGH_MS) break
  }
  return factor
}

/**
 * Measured over two doublings; 1 for work that took a noticeable time only once, on a busy machine. Load and garbage
 * collection only ever add time, so the best of several runs is compared with the best of several, in turns; a suspicion
 * is confirmed with the CPU time.
 */
async function factorAt(work: Work, attack: Attack, length: number): Promise<number> {
  const [short, long] = [attackText(attack, length / 4), attackText(attack, length)]
  let factor = Number.POSITIVE_INFINITY
  for (const time of [leastWallTime, cpuTime]) {
    const best = { short: Number.POSITIVE_INFINITY, long: Number.POSITIVE_INFINITY }
    for (let round = 0; round < ROUNDS; round++) {
      best.long = Math.min(best.long, await time(work, long))
      if (best.long < NOTICEABLE_MS) return 1
      best.short = Math.min(best.short, await time(work, short))
      factor = Math.min(factor, Math.sqrt(best.long / best.short))
      if (factor <= MOST_PER_DOUBLING) return factor
    }
  }
  return factor
}

function attackText({ start, piece, end }: Attack, length: number): string {
  return start + piece.repeat(Math.ceil(length / piece.length)) + end
}

async function wallTime(work: Work, text: string): Promise<number> {
  const before = performance.now()
  await attempt(work, text)
  return performance.now() - before
}

async function leastWallTime(work: Work, text: string): Promise<number> {
  return Math.min(await wallTime(work, text), await wallTime(work, text), await wallTime(work, text))
}

/** CPU milliseconds of this thread for one run. Its clock may tick in steps of 4 ms, so runs are added up. */
async function cpuTime(work: Work, text: string): Promise<number> {
  const now = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  const before = now()
  let runs = 0
  do {
    await attempt(work, text)
    runs += 1
  } while (now() - before < 50)
  return (now() - before) / runs
}

/**
 * Returns how many times as much CPU the large work costs as the small. Load and garbage collection only ever add, so the
 * least of several turns counts; turns end as soon as the limit is kept.
 */
export async function costRatio(small: () => unknown, large: () => unknown, limit: number): Promise<number> {
  const best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY }
  // An error is no answer here.
  await small()
  await large()
  for (let round = 0; round < ROUNDS; round++) {
    best.small = Math.min(best.small, await cpuTime(small, ''))
    best.large = Math.min(best.large, await cpuTime(large, ''))
    if (best.large / best.small < limit) break
  }
  return best.large / best.small
}

async function attempt(work: Work, text: string): Promise<void> {
  try {
    await work(text)
  } catch {}
}
