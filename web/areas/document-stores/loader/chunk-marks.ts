/** Positions and overlaps of chunks in the text that they were split from. Pure. */

export interface Span {
  /** Characters from `start` to before `end`. */
  start: number
  end: number
}

interface MarkedPart {
  start: number
  text: string
  /** Indices of the chunks that hold this part, in order: none between chunks, several where they overlap. */
  chunks: number[]
  /** Indices of the chunks that begin here. */
  begins: number[]
}

/** Returns the text in parts: each stands in the same chunks from its first to its last character. */
export function markChunks(text: string, spans: readonly Span[]): MarkedPart[] {
  const inText = spans.map(({ start, end }) => ({
    start: Math.max(0, Math.min(start, text.length)),
    end: Math.max(0, Math.min(end, text.length)),
  }))
  const borders = [...new Set([0, ...inText.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b)
  const byStart = [...inText.keys()]
    .filter((index) => length(inText[index]) > 0)
    .sort((a, b) => (inText[a]?.start ?? 0) - (inText[b]?.start ?? 0) || a - b)
  const parts: MarkedPart[] = []
  let open: number[] = []
  let next = 0
  for (const [at, start] of borders.entries()) {
    const end = borders[at + 1] ?? text.length
    open = open.filter((index) => (inText[index]?.end ?? 0) > start)
    const begins: number[] = []
    for (let index = byStart[next]; index !== undefined && inText[index]?.start === start; index = byStart[next]) {
      begins.push(index)
      next += 1
    }
    open = [...open, ...begins].sort((a, b) => a - b)
    if (end > start) parts.push({ start, text: text.slice(start, end), chunks: open, begins })
  }
  return parts
}

const length = (span: Span | undefined) => (span ? span.end - span.start : 0)
