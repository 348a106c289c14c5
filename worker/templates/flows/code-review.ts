import { chatStart, llm } from '../steps.ts'
import type { Template } from '../types.ts'

export const codeReview: Template = {
  id: 'code-review',
  name: 'Code review',
  description: 'Three reviewers read a change at once for bugs, safety and clarity, and one report sums them up.',
  usecases: ['Engineering'],
  note: 'Change first:\n1. The rules of your team, in the three reviewers.\n2. A strong model for “Bugs” pays off most.\nPaste a diff, or start the flow from a webhook of your repository.',
  sample: { question: '+ const total = items.reduce((sum, item) => sum + item.price)' },
  parts: [
    chatStart(),
    llm('Bugs', {
      system:
        'Review the change for wrong results only: missing cases, wrong types, races, off-by-one errors. Give the line, the failing input and the mend.',
      ask: '{{ question }}',
    }),
    llm('Safety', {
      system:
        'Review the change for security only: input that reaches SQL, HTML, a shell or a path, missing checks of permission, secrets in code. Say nothing when there is nothing.',
      ask: '{{ question }}',
    }),
    llm('Clarity', {
      system: 'Review the change for readers: names, structure, comments, missing tests. At most three points.',
      ask: '{{ question }}',
    }),
    llm('Report', {
      system:
        'Merge the reviews. Order by harm, drop repetitions and matters of taste, and end with one word: merge, change or discuss.',
      ask: 'Bugs: {{ llmAgentflow_0 }}\n\nSafety: {{ llmAgentflow_1 }}\n\nClarity: {{ llmAgentflow_2 }}',
    }),
  ],
  links: [
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 4],
    [2, 4],
    [3, 4],
  ],
}
