/** A worker that reads the file which is sent to it. */
import { readFile } from '../index.ts'

export default {
  async fetch(request: Request): Promise<Response> {
    const name = new URL(request.url).pathname.slice(1)
    try {
      const content = await readFile(new Uint8Array(await request.arrayBuffer()), { name, mime: '' })
      return Response.json(content)
    } catch (error) {
      const { name: kind, message, stack } = error as Error
      return Response.json({ kind, message, stack }, { status: 400 })
    }
  },
}
