/** Sends a file piece by piece, as its reader asks for it: its size is limited by nothing. */

interface StreamedFile {
  name: string
  /** Media type. */
  type: string
  pieces: AsyncGenerator<string, void>
}

export function streamFile({ name, type, pieces }: StreamedFile): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await pieces.return()
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, {
    headers: { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` },
  })
}
