/** Values that are longer than one answer. Databases that were written without limits hold them in one column. */

/** Bytes of a piece, which an answer holds as twice as many digits. */
const PIECE_BYTES = 2 * 1024 ** 2

/**
 * Returns the text of a column, or undefined when it no longer has this many bytes.
 * @param column its name in SQL
 * @param ask answers with the value of an expression in the column's row
 */
export async function readInPieces(
  { column, bytes }: { column: string; bytes: number },
  ask: (expression: string) => Promise<unknown[][]>,
): Promise<string | undefined> {
  const pieces: Buffer[] = []
  for (let from = 1; from <= bytes; from += PIECE_BYTES) {
    // Digits, as the bytes of a piece could pass for a place to read from.
    const [row] = await ask(`hex(substr(cast(${column} as blob), ${from}, ${PIECE_BYTES}))`)
    if (typeof row?.[0] !== 'string') return undefined
    pieces.push(Buffer.from(row[0], 'hex'))
  }
  const whole = Buffer.concat(pieces)
  return whole.length === bytes ? whole.toString() : undefined
}
