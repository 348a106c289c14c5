/** The small, runnable flow that the practice model returns when asked to generate one. */

const APPROVAL = /\b(approv|confirm|human|review)/i

/** Returns a flow with a question and an answer, and an approval step if the request mentions one. */
export function drawFlow(request: string): unknown {
  const step = (id: string, type: string, label: string, inputs: [string, string][] = []) => ({
    id,
    type: `${type}Agentflow`,
    label,
    inside: '',
    inputs: inputs.map(([name, value]) => ({ name, value })),
  })
  const start = step('start', 'start', 'Start')
  const messages = JSON.stringify([{ role: 'system', content: `Do this: ${request.slice(-500)}` }])
  const answer = step('answer', 'llm', 'Answer', [['llmMessages', messages]])
  const reply = step('reply', 'directReply', 'Reply', [['directReplyMessage', '{{answer}}']])
  const link = (from: string, to: string, output = 0) => ({ from, output, to })
  if (!APPROVAL.test(request))
    return { steps: [start, answer, reply], links: [link('start', 'answer'), link('answer', 'reply')] }
  const ask = step('approval', 'humanInput', 'Approval', [
    ['humanInputDescriptionType', 'fixed'],
    ['humanInputDescription', 'Shall this answer be sent?'],
  ])
  const declined = step('declined', 'directReply', 'Declined', [['directReplyMessage', 'The answer was not approved.']])
  return {
    steps: [start, answer, ask, reply, declined],
    links: [
      link('start', 'answer'),
      link('answer', 'approval'),
      link('approval', 'reply'),
      link('approval', 'declined', 1),
    ],
  }
}
