import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import { accepted, http, reply, scheduleStart, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const priceWatch: Template = {
  id: 'price-watch',
  name: 'Price watch',
  description: 'Looks at a price every hour and tells you as soon as it falls below your limit. Needs no model.',
  usecases: ['Operations', 'Data'],
  note: 'Change first:\n1. The URL of “Read price”, and the path of the price in “Cheap enough?”.\n2. Your limit there.\n3. The URL of “Tell me”.\nThe schedule runs as soon as the flow is saved. Pause it under Triggers.',
  sample: { schedule: true },
  parts: [
    scheduleStart({ scheduleFrequency: 'hourly', scheduleOnMinute: 5 }, 'Look at the price'),
    http('Read price', 'GET', 'https://shop.example.com/products/loom.json'),
    when('Price there?', accepted('httpAgentflow_0')),
    when('Cheap enough?', ['{{ httpAgentflow_0.output.http.data.price }}', 'smaller', 100]),
    http(
      'Tell me',
      'POST',
      'https://chat.example.com/hooks/me',
      '{ "text": "The price is down to {{ httpAgentflow_0.output.http.data.price }}" }',
    ),
    when('Told?', accepted('httpAgentflow_1')),
    reply('Told', 'Told you: the price is {{ httpAgentflow_0.output.http.data.price }}.'),
    reply(
      'Not told',
      'The price is down to {{ httpAgentflow_0.output.http.data.price }}, but the message was not sent.',
    ),
    reply('Wait', 'Still {{ httpAgentflow_0.output.http.data.price }}.'),
    reply('No price', 'The shop did not answer. Check the URL in “Read price”.'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3, 0],
    [3, 4, 0],
    [4, 5],
    [5, 6, 0],
    [5, 7, 1],
    [4, 7, ERROR_OUTPUT],
    [3, 8, 1],
    [2, 9, 1],
    [1, 9, ERROR_OUTPUT],
  ],
}
