/** The Start node's parameters: how the flow is started, the input it accepts, and its state. */
import type { InputParam, ParamOption } from '#contract/flow/params/definition.ts'

const ON_FORM = { startInputType: 'formInput' }
const ON_WEBHOOK = { startInputType: 'webhookTrigger' }
const ON_VALIDATION = { ...ON_WEBHOOK, webhookEnableValidation: true }
const ON_SIGNATURE = { ...ON_WEBHOOK, webhookEnableAuth: true }
const ON_CALLBACK = { ...ON_WEBHOOK, webhookResponseMode: 'async' }
const ON_SCHEDULE = { startInputType: 'scheduleInput' }
const ON_PICKER = { ...ON_SCHEDULE, scheduleType: 'visualPicker' }

export const startParams: InputParam[] = [
  {
    label: 'Input Type',
    name: 'startInputType',
    type: 'options',
    options: [
      { label: 'Chat Input', name: 'chatInput', description: 'A message starts the flow' },
      { label: 'Form Input', name: 'formInput', description: 'A submitted form starts the flow' },
      {
        label: 'Webhook Trigger',
        name: 'webhookTrigger',
        description: 'A request to the webhook URL starts the flow',
      },
      { label: 'Schedule Input', name: 'scheduleInput', description: 'A schedule starts the flow' },
    ],
    default: 'chatInput',
  },
  { label: 'Form Title', name: 'formTitle', type: 'string', placeholder: 'Please fill in', show: ON_FORM },
  {
    label: 'Form Description',
    name: 'formDescription',
    type: 'string',
    placeholder: 'What the form is for',
    show: ON_FORM,
  },
  formFields({ label: 'Form Input Types', name: 'formInputTypes', show: ON_FORM }),
  ...webhookParams(),
  ...scheduleParams(),
  {
    label: 'Ephemeral Memory',
    name: 'startEphemeralMemory',
    type: 'boolean',
    description: 'Start every run without the earlier conversation',
    optional: true,
  },
  {
    label: 'Flow State',
    name: 'startState',
    type: 'array',
    description: 'Values that all nodes of a run can read and update',
    optional: true,
    array: [
      { label: 'Key', name: 'key', type: 'string', placeholder: 'name' },
      { label: 'Value', name: 'value', type: 'string', placeholder: 'Initial value', optional: true },
    ],
  },
  {
    label: 'Persist State',
    name: 'startPersistState',
    type: 'boolean',
    description: 'Keep the flow state for the next run in the same session',
    optional: true,
  },
]

function webhookParams(): InputParam[] {
  return [
    {
      label: 'HTTP Method',
      name: 'webhookMethod',
      type: 'options',
      hint: 'Find the webhook’s URL and secret under Triggers. The secret also signs callbacks.',
      options: names('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      default: 'POST',
      show: ON_WEBHOOK,
    },
    {
      label: 'Content Type',
      name: 'webhookContentType',
      type: 'options',
      options: names('application/json', 'application/x-www-form-urlencoded'),
      default: 'application/json',
      optional: true,
      show: ON_WEBHOOK,
    },
    {
      label: 'Input Mode',
      name: 'webhookInputMode',
      type: 'options',
      options: [
        { label: 'Custom Text', name: 'text', description: 'Your own text, with values from the request' },
        { label: 'No Input', name: 'none', description: 'Nodes read the request through references only' },
        { label: 'Full Webhook Payload', name: 'payload', description: 'The whole request as JSON' },
      ],
      default: 'text',
      show: ON_WEBHOOK,
    },
    {
      label: 'Custom Text',
      name: 'webhookDefaultInput',
      type: 'string',
      rows: 3,
      optional: true,
      acceptVariable: true,
      show: { ...ON_WEBHOOK, webhookInputMode: 'text' },
    },
    flag('Verify request signature', 'webhookEnableAuth', ON_WEBHOOK),
    {
      label: 'Signature Type',
      name: 'webhookSignatureType',
      type: 'options',
      options: [
        { label: 'HMAC-SHA256', name: 'hmac-sha256', description: 'Signs the body, in a header you choose' },
        { label: 'Plain Token', name: 'plain-token', description: 'The secret itself, in a header you choose' },
        { label: 'Signature with Timestamp', name: 'heddle', description: 'Rejects replayed requests' },
        { label: 'GitHub', name: 'github' },
        { label: 'Stripe', name: 'stripe' },
        { label: 'Slack', name: 'slack' },
        { label: 'Shopify', name: 'shopify' },
      ],
      default: 'hmac-sha256',
      optional: true,
      show: ON_SIGNATURE,
    },
    {
      label: 'Signature Header',
      name: 'webhookSignatureHeader',
      type: 'string',
      placeholder: 'x-webhook-signature',
      optional: true,
      show: { ...ON_SIGNATURE, webhookSignatureType: ['hmac-sha256', 'plain-token'] },
    },
    {
      label: 'Signature Tolerance (Seconds)',
      name: 'webhookTolerance',
      type: 'number',
      placeholder: '300',
      description: 'How many seconds old a signed request can be',
      optional: true,
      show: { ...ON_SIGNATURE, webhookSignatureType: ['heddle', 'stripe', 'slack'] },
    },
    {
      label: 'Response Mode',
      name: 'webhookResponseMode',
      type: 'options',
      options: [
        { label: 'Synchronous', name: 'sync', description: 'The caller waits for the response' },
        { label: 'Asynchronous (callback)', name: 'async', description: 'The response is sent to your callback URL' },
        {
          label: 'Streaming (SSE)',
          name: 'stream',
          description: 'The caller receives the response as it is generated',
        },
      ],
      default: 'sync',
      show: ON_WEBHOOK,
    },
    { label: 'Callback URL', name: 'callbackUrl', type: 'string', optional: true, show: ON_CALLBACK },
    {
      label: 'Maximum Body Size',
      name: 'webhookMaxBytes',
      type: 'number',
      placeholder: '1048576',
      description: 'In bytes. Larger requests are rejected.',
      optional: true,
      show: ON_WEBHOOK,
    },
    flag('Validate request shape', 'webhookEnableValidation', ON_WEBHOOK),
    expected({ label: 'Expected Query Parameters', name: 'webhookQueryParams' }, 'Variable Name'),
    bodyParams(),
    expected({ label: 'Expected Headers', name: 'webhookHeaderParams' }, 'Header Name'),
  ]
}

function bodyParams(): InputParam {
  const hide = { webhookContentType: 'application/x-www-form-urlencoded' }
  return {
    label: 'Expected Body Parameters',
    name: 'webhookBodyParams',
    type: 'array',
    optional: true,
    show: ON_VALIDATION,
    array: [
      { label: 'Variable Name', name: 'name', type: 'string' },
      {
        label: 'Type',
        name: 'type',
        type: 'options',
        options: [
          { label: 'String', name: 'string' },
          { label: 'Number', name: 'number' },
          { label: 'Boolean', name: 'boolean' },
          { label: 'Object', name: 'object', hide },
          { label: 'Array[String]', name: 'array[string]', hide },
          { label: 'Array[Number]', name: 'array[number]', hide },
          { label: 'Array[Boolean]', name: 'array[boolean]', hide },
          { label: 'Array[Object]', name: 'array[object]', hide },
        ],
        default: 'string',
      },
      { label: 'Required', name: 'required', type: 'boolean' },
    ],
  }
}

function expected(names: { label: string; name: string }, nameLabel: string): InputParam {
  return {
    ...names,
    type: 'array',
    optional: true,
    show: ON_VALIDATION,
    array: [
      { label: nameLabel, name: 'name', type: 'string' },
      { label: 'Required', name: 'required', type: 'boolean' },
    ],
  }
}

function scheduleParams(): InputParam[] {
  const every = (...frequency: string[]) => ({
    ...ON_PICKER,
    scheduleFrequency: frequency.length > 1 ? frequency : frequency[0],
  })
  return [
    {
      label: 'Schedule Type',
      name: 'scheduleType',
      type: 'options',
      options: [
        { label: 'Visual Picker', name: 'visualPicker' },
        { label: 'Cron Expression', name: 'cronExpression' },
      ],
      default: 'visualPicker',
      show: ON_SCHEDULE,
    },
    {
      label: 'Cron Expression',
      name: 'scheduleCronExpression',
      type: 'string',
      placeholder: '0 9 * * 1-5',
      show: { ...ON_SCHEDULE, scheduleType: 'cronExpression' },
    },
    {
      label: 'Frequency',
      name: 'scheduleFrequency',
      type: 'options',
      options: [
        { label: 'Hourly', name: 'hourly' },
        { label: 'Daily', name: 'daily' },
        { label: 'Weekly', name: 'weekly' },
        { label: 'Monthly', name: 'monthly' },
      ],
      show: ON_PICKER,
    },
    { label: 'On Minute', name: 'scheduleOnMinute', type: 'number', placeholder: '0', show: every('hourly') },
    { label: 'On Time', name: 'scheduleOnTime', type: 'timePicker', show: every('daily', 'weekly', 'monthly') },
    { label: 'On Day of Week', name: 'scheduleOnDayOfWeek', type: 'weekDaysPicker', show: every('weekly') },
    { label: 'On Day of Month', name: 'scheduleOnDayOfMonth', type: 'monthDaysPicker', show: every('monthly') },
    { label: 'End Date', name: 'scheduleEndDate', type: 'datePicker', optional: true, show: ON_SCHEDULE },
    {
      label: 'Timezone',
      name: 'scheduleTimezone',
      type: 'options',
      hint: 'Schedules have a resolution of one minute. If both a day of the month and a weekday are set, either one matches. When clocks go forward, a skipped time runs at the next valid minute; when they go back, a repeated time runs once. Hours and minutes set with * or steps follow the clock.',
      options: timeZones(),
      default: 'UTC',
      optional: true,
      show: ON_SCHEDULE,
    },
    {
      label: 'If the Previous Run Is Still Running',
      name: 'scheduleOverlap',
      type: 'options',
      options: [
        { label: 'Skip this run', name: 'skip' },
        { label: 'Wait for it, then run', name: 'queue' },
        { label: 'Run both together', name: 'together' },
      ],
      default: 'skip',
      optional: true,
      show: ON_SCHEDULE,
    },
    {
      label: 'Missed Runs',
      name: 'scheduleMissed',
      type: 'options',
      options: [
        { label: 'Skip them', name: 'skip' },
        { label: 'Run once for all of them', name: 'runOnce' },
      ],
      default: 'skip',
      description: 'What to do with runs that were due while Heddle was down',
      optional: true,
      show: ON_SCHEDULE,
    },
    {
      label: 'Random Delay (Seconds)',
      name: 'scheduleJitter',
      type: 'number',
      placeholder: '0',
      description: 'Delays each run by up to this many seconds',
      optional: true,
      show: ON_SCHEDULE,
    },
    {
      label: 'Schedule Input Mode',
      name: 'scheduleInputMode',
      type: 'options',
      options: [
        { label: 'Default Text Input', name: 'text' },
        { label: 'Form Input', name: 'form' },
        { label: 'No Input', name: 'none' },
      ],
      default: 'text',
      show: ON_SCHEDULE,
    },
    {
      label: 'Default Input',
      name: 'scheduleDefaultInput',
      type: 'string',
      rows: 4,
      show: { ...ON_SCHEDULE, scheduleInputMode: 'text' },
    },
    formFields({
      label: 'Form Fields',
      name: 'scheduleFormInputTypes',
      show: { ...ON_SCHEDULE, scheduleInputMode: 'form' },
    }),
    {
      label: 'Default Form Values',
      name: 'scheduleFormDefaults',
      type: 'json',
      optional: true,
      show: { ...ON_SCHEDULE, scheduleInputMode: 'form' },
    },
  ]
}

function formFields(own: Pick<InputParam, 'label' | 'name' | 'show'>): InputParam {
  return {
    ...own,
    type: 'array',
    description: 'The fields of the form. Nodes read them as {{$form.name}}.',
    array: [
      {
        label: 'Type',
        name: 'type',
        type: 'options',
        options: [
          { label: 'String', name: 'string' },
          { label: 'Number', name: 'number' },
          { label: 'Boolean', name: 'boolean' },
          { label: 'Options', name: 'options' },
        ],
        default: 'string',
      },
      { label: 'Label', name: 'label', type: 'string', placeholder: 'The label on the form' },
      { label: 'Variable Name', name: 'name', type: 'string', placeholder: 'The name used in references' },
      {
        label: 'Add Options',
        name: 'addOptions',
        type: 'array',
        show: { [`${own.name}[$index].type`]: 'options' },
        array: [{ label: 'Option', name: 'option', type: 'string' }],
      },
    ],
  }
}

function flag(label: string, name: string, show: Record<string, unknown>): InputParam {
  return { label, name, type: 'boolean', default: false, optional: true, show }
}

function names(...all: string[]): ParamOption[] {
  return all.map((name) => ({ label: name, name }))
}

function timeZones(): ParamOption[] {
  return names('UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'))
}
