/** A network for tests that answers from a table and remembers what was asked of it. */
export interface SeenRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: string
}

type Answer = Response | ((request: Request) => Response | Promise<Response>)

/** @param answers by address; one that is not in the table is an unreachable host */
export function fakeNetwork(answers: Record<string, Answer>) {
  const seen: SeenRequest[] = []
  return {
    seen,
    async fetch(request: Request): Promise<Response> {
      const { url, method, headers } = request
      seen.push({ url, method, headers: Object.fromEntries(headers), body: await request.clone().text() })
      const answer = answers[url]
      if (!answer) throw new TypeError('network error')
      return typeof answer === 'function' ? answer(request) : answer.clone()
    },
  }
}

export function redirectTo(location: string, status = 302): Response {
  return new Response(null, { status, headers: { location } })
}
