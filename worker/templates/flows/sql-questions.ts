import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import { accepted, chatStart, code, http, llm, reply, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const sqlQuestions: Template = {
  id: 'sql-questions',
  name: 'Questions to a database',
  description:
    'Turns a question into SQL, lets only reading queries through, runs them over HTTP and explains the rows.',
  usecases: ['Data'],
  note: 'Change first:\n1. The URLs of “Read schema” and “Run query”: an HTTP service in front of your database.\n2. Give that service a user that can only read. “Check query” is a second lock, not the only one.',
  sample: { question: 'How many orders did we ship in May?' },
  parts: [
    chatStart(),
    http('Read schema', 'GET', 'https://data.example.com/schema'),
    when('Schema there?', accepted('httpAgentflow_0')),
    llm('Write query', {
      system:
        'Write one SQL query that answers the question with the tables given. Only SELECT. At most 100 rows. Never guess the name of a column.',
      ask: 'Tables: {{ httpAgentflow_0.output.http.data }}\n\nQuestion: {{ question }}',
      fields: [{ key: 'sql', type: 'string', description: 'The query' }],
    }),
    code(
      'Check query',
      { sql: '{{ llmAgentflow_0.output.sql }}' },
      `
const sql = String($sql).trim().replace(/;\\s*$/, '')
const writes = /\\b(insert|update|delete|drop|alter|create|grant|truncate|attach|pragma)\\b/i
return sql.includes(';') || writes.test(sql) ? 'refused' : 'allowed'`,
    ),
    when('Allowed?', ['{{ customFunctionAgentflow_0 }}', 'equal', 'allowed']),
    http('Run query', 'POST', 'https://data.example.com/query', '{ "sql": "{{ llmAgentflow_0.output.sql }}" }'),
    when('Rows there?', accepted('httpAgentflow_1')),
    llm('Explain', {
      system: 'Answer the question from the rows in one or two sentences, then show the rows as a small table.',
      ask: 'Question: {{ question }}\nQuery: {{ llmAgentflow_0.output.sql }}\nRows: {{ httpAgentflow_1.output.http.data }}',
    }),
    reply('No database', 'The database did not answer. Check the URLs in “Read schema” and “Run query”.'),
    reply('Refused', 'I only read. This query was not run:\n\n{{ llmAgentflow_0.output.sql }}'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3, 0],
    [3, 4],
    [4, 5],
    [5, 6, 0],
    [6, 7],
    [7, 8, 0],
    [2, 9, 1],
    [1, 9, ERROR_OUTPUT],
    [7, 9, 1],
    [6, 9, ERROR_OUTPUT],
    [5, 10, 1],
  ],
}
