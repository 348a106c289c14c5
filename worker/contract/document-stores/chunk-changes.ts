/**
 * What reading a source again changes among its chunks. Chunks are matched by the hash of what the splitter made, so that
 * one changed paragraph changes one chunk; an edit by a person stays.
 */

/** A chunk as it is stored. */
export interface OldChunk {
  id: string
  chunkNo: number
  pageContent: string
  /** JSON text. */
  metadata: string
  originHash: string
  isEnabled: boolean
  isEdited: boolean
  proposedContent: string | null
  /** The hash of `proposedContent` with the headings that it came with; null without one. */
  proposedHash: string | null
}

/** A piece that the splitter made of the source now. */
export interface NewPiece {
  text: string
  headings: string
  /** JSON text. */
  metadata: string
  hash: string
}

export interface ChunkChanges<Old extends OldChunk, New extends NewPiece> {
  /** Nothing about them changes. */
  kept: Old[]
  /** Same text, other place or metadata; a proposal that no longer holds is withdrawn. */
  renumbered: { old: Old; piece: New; chunkNo: number }[]
  added: { piece: New; chunkNo: number }[]
  /** The text at their place changed. */
  changed: { old: Old; piece: New; chunkNo: number }[]
  /** Edited by a person, while the source changed below. An empty proposal: the source no longer has the text. */
  conflicts: { old: Old; proposedContent: string; chunkNo: number }[]
  removed: Old[]
}

/** An edit is compared with so many pieces at its place. */
const MAX_COMPARED = 20

/**
 * Takes time linear in the chunks and their texts.
 * @param old the chunks of one source, by `chunkNo`
 * @param pieces in the order of the source
 * @param firstNo the number of the source's first chunk
 */
export function compareChunks<Old extends OldChunk, New extends NewPiece>(
  old: readonly Old[],
  pieces: readonly New[],
  firstNo: number,
): ChunkChanges<Old, New> {
  const matching = matchByHash(old, pieces)
  pairGaps(matching)
  return collect(matching, firstNo)
}

interface Matching<Old, New> {
  old: readonly Old[]
  pieces: readonly New[]
  /** The old chunk of each piece, by its index. */
  oldOf: (Old | undefined)[]
  /** The piece of each old chunk, by its index; undefined: the source no longer has it. */
  placeOf: (number | undefined)[]
}

function matchByHash<Old extends OldChunk, New extends NewPiece>(
  old: readonly Old[],
  pieces: readonly New[],
): Matching<Old, New> {
  const oldOf: (Old | undefined)[] = pieces.map(() => undefined)
  const placeOf: (number | undefined)[] = old.map(() => undefined)
  const matchEnds = (index: number, place: number): boolean => {
    const isTaken = placeOf[index] !== undefined || oldOf[place] !== undefined
    if (isTaken || !old[index] || old[index].originHash !== pieces[place]?.hash) return false
    oldOf[place] = old[index]
    placeOf[index] = place
    return true
  }
  // What stands before and behind a change keeps its place, even where equal texts stand elsewhere.
  for (let at = 0; matchEnds(at, at); at++);
  for (let back = 1; matchEnds(old.length - back, pieces.length - back); back++);
  const waiting = indexesByHash(old)
  pieces.forEach(({ hash }, place) => {
    if (oldOf[place]) return
    const candidates = waiting.get(hash) ?? []
    let index = candidates.pop()
    while (index !== undefined && placeOf[index] !== undefined) index = candidates.pop()
    if (index === undefined) return
    oldOf[place] = old[index]
    placeOf[index] = place
  })
  return { old, pieces, oldOf, placeOf }
}

/** The first chunk of a hash comes last: it is taken first. */
function indexesByHash(old: readonly OldChunk[]): Map<string, number[]> {
  const indexes = new Map<string, number[]>()
  for (let index = old.length - 1; index >= 0; index--) {
    const { originHash, proposedHash } = old[index] as OldChunk
    for (const hash of new Set([originHash, proposedHash])) {
      if (hash === null) continue
      const known = indexes.get(hash)
      if (known) known.push(index)
      else indexes.set(hash, [index])
    }
  }
  return indexes
}

/**
 * Pairs the chunks that no piece matched with the pieces that no chunk matched, within each gap between matched ones. A
 * chunk that a person switched off is not paired: nobody has switched off the text that stands there now.
 */
function pairGaps<Old extends OldChunk, New extends NewPiece>(matching: Matching<Old, New>): void {
  for (const { indexes, places } of findGaps(matching)) {
    const free = new Set(places)
    const pair = (index: number, place: number) => {
      free.delete(place)
      matching.oldOf[place] = matching.old[index]
      matching.placeOf[index] = place
    }
    for (const index of indexes.filter((index) => matching.old[index]?.isEdited)) {
      const place = nearestText(matching, index, free)
      if (place !== undefined) pair(index, place)
    }
    const plain = indexes.filter((index) => matching.old[index]?.isEdited === false && matching.old[index].isEnabled)
    const rest = [...free]
    plain.slice(0, rest.length).forEach((index, at) => {
      pair(index, rest[at] as number)
    })
  }
}

interface Gap {
  indexes: number[]
  places: number[]
}

/** Unmatched old chunks with the unmatched pieces that follow the piece of the chunk before them. */
function findGaps<Old extends OldChunk, New extends NewPiece>({
  old,
  pieces,
  oldOf,
  placeOf,
}: Matching<Old, New>): Gap[] {
  const gaps = new Map<number, Gap>()
  let after = -1
  for (let index = 0; index < old.length; index++) {
    const place = placeOf[index]
    if (place !== undefined) after = place
    else {
      const gap = gaps.get(after) ?? { indexes: [], places: [] }
      gap.indexes.push(index)
      gaps.set(after, gap)
    }
  }
  for (const [start, gap] of gaps)
    for (let place = start + 1; place < pieces.length && oldOf[place] === undefined; place++) gap.places.push(place)
  return [...gaps.values()]
}

/** Returns the free piece that shares most words with an edited chunk; undefined when none shares any. */
function nearestText<Old extends OldChunk, New extends NewPiece>(
  { old, pieces }: Matching<Old, New>,
  index: number,
  free: Set<number>,
): number | undefined {
  const words = wordsOf((old[index] as Old).pageContent)
  let nearest: { place: number; shared: number } | undefined
  let compared = 0
  for (const place of free) {
    if (compared++ === MAX_COMPARED) break
    const shared = sharedWords(words, wordsOf((pieces[place] as New).text))
    if (shared > (nearest?.shared ?? 0)) nearest = { place, shared }
  }
  return nearest?.place
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** The share of the words of both, so that long pieces are not nearer for their length. */
function sharedWords(a: Set<string>, b: Set<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  return shared / Math.max(1, a.size + b.size - shared)
}

function collect<Old extends OldChunk, New extends NewPiece>(
  matching: Matching<Old, New>,
  firstNo: number,
): ChunkChanges<Old, New> {
  const changes: ChunkChanges<Old, New> = {
    kept: [],
    renumbered: [],
    added: [],
    changed: [],
    conflicts: [],
    removed: [],
  }
  const orphans = editsWithoutPlace(matching, changes)
  let chunkNo = firstNo
  const conflict = (old: Old, proposedContent: string) => {
    if (old.proposedContent === proposedContent && old.chunkNo === chunkNo) changes.kept.push(old)
    else changes.conflicts.push({ old, proposedContent, chunkNo })
    chunkNo++
  }
  const place = (old: Old | undefined, piece: New) => {
    if (!old) changes.added.push({ piece, chunkNo })
    else if (old.originHash === piece.hash) {
      const isSame =
        old.chunkNo === chunkNo && (old.isEdited || old.metadata === piece.metadata) && old.proposedContent === null
      if (isSame) changes.kept.push(old)
      else changes.renumbered.push({ old, piece, chunkNo })
    } else if (old.isEdited) return conflict(old, piece.text)
    else changes.changed.push({ old, piece, chunkNo })
    chunkNo++
  }
  for (const edited of orphans.get(-1) ?? []) conflict(edited, '')
  matching.pieces.forEach((piece, at) => {
    place(matching.oldOf[at], piece)
    for (const edited of orphans.get(at) ?? []) conflict(edited, '')
  })
  return changes
}

/** Returns edited chunks that the source no longer has, by the piece after which they stood; others are removed. */
function editsWithoutPlace<Old extends OldChunk, New extends NewPiece>(
  { old, placeOf }: Matching<Old, New>,
  changes: ChunkChanges<Old, New>,
): Map<number, Old[]> {
  const orphans = new Map<number, Old[]>()
  let after = -1
  old.forEach((chunk, index) => {
    const place = placeOf[index]
    if (place !== undefined) after = place
    else if (!chunk.isEdited) changes.removed.push(chunk)
    else if (orphans.has(after)) orphans.get(after)?.push(chunk)
    else orphans.set(after, [chunk])
  })
  return orphans
}
