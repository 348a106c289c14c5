import { code, formStart, llm } from '../steps.ts'
import type { Template } from '../types.ts'

export const quizMaker: Template = {
  id: 'quiz-maker',
  name: 'Quiz maker',
  description: 'Writes a quiz on any topic for your learners, and puts the answers at the end.',
  usecases: ['Content'],
  note: 'Change first:\n1. The levels in the form (Start).\n2. What a good question is, in “Write questions”.\n3. The layout in “Lay out”.',
  sample: { form: { topic: 'Spinning and weaving', count: 5, level: 'Beginner' } },
  parts: [
    formStart('Make a quiz', [
      { name: 'topic', label: 'Topic' },
      { name: 'count', label: 'Number of questions', type: 'number' },
      { name: 'level', label: 'Level', options: ['Beginner', 'Advanced', 'Expert'] },
    ]),
    llm('Write questions', {
      system:
        'Write quiz questions with one right answer and three wrong ones that somebody could believe. Test understanding, not wording. No trick questions.',
      ask: '{{ $form.count }} questions on {{ $form.topic }}. Level: {{ $form.level }}',
      fields: [
        {
          key: 'questions',
          type: 'jsonArray',
          description: 'The questions',
          jsonSchema:
            '{ "question": { "type": "string" }, "right": { "type": "string" }, "wrong": { "type": "array", "items": { "type": "string" }, "minItems": 3, "maxItems": 3 } }',
        },
      ],
    }),
    code(
      'Lay out',
      { questions: '{{ llmAgentflow_0.output.questions }}' },
      `
const questions = typeof $questions === 'string' ? JSON.parse($questions) : $questions
const letters = ['A', 'B', 'C', 'D']
const laidOut = questions.map(({ question, right, wrong }, index) => {
  const place = (index * 3 + 1) % 4
  const choices = [...wrong.slice(0, 3)]
  choices.splice(place, 0, right)
  return { text: (index + 1) + '. ' + question + '\\n' + choices.map((each, at) => '   ' + letters[at] + ') ' + each).join('\\n'), answer: (index + 1) + letters[place] }
})
return laidOut.map(({ text }) => text).join('\\n\\n') + '\\n\\nAnswers: ' + laidOut.map(({ answer }) => answer).join(', ')`,
    ),
  ],
}
