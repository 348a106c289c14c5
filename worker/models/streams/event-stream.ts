/** Finds the server-sent events in a text that comes in pieces, in linear time however it is cut. */

/** The longest event in characters. An image as Base64 fits. */
export const MAX_EVENT = 4 * 1024 * 1024

export class EventStream {
  /** The beginning of a line whose end has not come yet. */
  #line = ''
  #data: string | undefined
  #endsInReturn = false

  /** Returns the data of the events that this piece completes. @throws Error when an event is too long */
  push(piece: string): string[] {
    if (piece === '') return []
    let text = this.#endsInReturn && piece.startsWith('\n') ? piece.slice(1) : piece
    this.#endsInReturn = piece.endsWith('\r')
    if (text.includes('\r')) text = text.replace(/\r\n?/g, '\n')
    const events: string[] = []
    let from = 0
    for (let to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      const data = this.#endLine(this.#line + text.slice(from, to))
      if (data !== undefined) events.push(data)
      this.#line = ''
      from = to + 1
    }
    this.#line += text.slice(from)
    if (this.#line.length + (this.#data?.length ?? 0) > MAX_EVENT)
      throw new Error(`The model sent an event of more than ${MAX_EVENT} characters`)
    return events
  }

  #endLine(line: string): string | undefined {
    if (line === '') {
      const data = this.#data
      this.#data = undefined
      return data
    }
    if (!line.startsWith('data:')) return undefined
    const value = line.slice(line[5] === ' ' ? 6 : 5)
    this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
    return undefined
  }
}
