/** Test helper: a network that responds from a table and records requests. */
export interface SeenRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: string
}

type Answer = Response | ((request: Request) => Response | Promise<Response>)

/** @param answers responses by URL; other URLs are unreachable */
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
