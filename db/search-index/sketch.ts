/**
 * Sketches of vectors: the signs of 1,024 random directions. The more signs two vectors share, the smaller their angle
 * (Charikar, "Similarity Estimation Techniques from Rounding Algorithms"), so that all sketches of a search index are
 * compared in the time that a few vectors take. The directions are fixed: stored sketches compare only with others of
 * this file.
 */
const BITS = 1024
/** Vectors of fewer numbers are padded, since they can be turned in a few ways only. */
const LEAST_POWER = 6
const SEED = 0x9e3779b9
/** The bytes that libSQL expects after the bits of a one-bit vector. */
const LIBSQL_ENDING = [0x00, 0x10, 0x03]
export const SKETCH_BYTES = BITS / 8 + LIBSQL_ENDING.length

/** Returns the sketch in libSQL's form of a vector of bits (`F1BIT_BLOB`). `vector` has any length but none. */
export function sketchOf(vector: ArrayLike<number>): Uint8Array {
  const sketch = new Uint8Array(SKETCH_BYTES)
  sketch.set(LIBSQL_ENDING, BITS / 8)
  const nextSign = signs()
  const turned = new Float64Array(2 ** Math.max(LEAST_POWER, Math.ceil(Math.log2(vector.length))))
  for (let from = 0; from < BITS; from += turned.length) {
    turned.fill(0)
    turned.set(vector)
    for (let turn = 0; turn < 2; turn++) {
      for (let at = 0; at < turned.length; at++) turned[at] = (turned[at] as number) * nextSign()
      transform(turned)
    }
    for (let at = 0; at < turned.length && from + at < BITS; at++) {
      if ((turned[at] as number) > 0) setBit(sketch, from + at)
    }
  }
  return sketch
}

/** Offset of the second sketch of a pair. The byte before it gives the pair the odd length that libSQL asks for. */
export const SECOND_AT = SKETCH_BYTES + 1

/** Returns two sketches as one, whose distance from another pair is the sum of theirs. */
export function pairOf(first: Uint8Array | undefined, second: Uint8Array | undefined): Uint8Array {
  const pair = new Uint8Array(SECOND_AT + SKETCH_BYTES)
  pair.set(LIBSQL_ENDING, BITS / 8)
  pair.set(LIBSQL_ENDING, SECOND_AT + BITS / 8)
  if (first) pair.set(first)
  if (second) pair.set(second, SECOND_AT)
  return pair
}

function setBit(bytes: Uint8Array, bit: number): void {
  bytes[bit >> 3] = (bytes[bit >> 3] as number) | (1 << (bit & 7))
}

/** Walsh and Hadamard's transform in place: after random signs it turns a vector at random, without a matrix. */
function transform(values: Float64Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let block = 0; block < values.length; block += 2 * half) {
      for (let at = block; at < block + half; at++) {
        const [left, right] = [values[at] as number, values[at + half] as number]
        values[at] = left + right
        values[at + half] = left - right
      }
    }
  }
}

/** Returns a function of the next sign, always in the same order (xorshift32). */
function signs(): () => 1 | -1 {
  let state = SEED
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state & 1 ? 1 : -1
  }
}
