/** The Start node's parameters: how the flow is started, the input it accepts, and its state. */
import type { InputParam, ParamOption } from '#contract/flow/params/definition.ts'
import { CRON_HELP, FIELD_LABELS, FREQUENCY_LABELS, MISSED_LABELS, OVERLAP_LABELS } from '#contract/triggers/labels.ts'
import { NEW_SCHEDULE } from '#contract/triggers/schedule.ts'
import { optionsOf } from '../shared/params.ts'
import { webhookParams } from './start-webhook-params.ts'

const ON_FORM = { startInputType: 'formInput' }
const ON_SCHEDULE = { startInputType: 'scheduleInput' }
const ON_PICKER = { ...ON_SCHEDULE, scheduleType: 'visualPicker' }

export const startParams: InputParam[] = [
  {
    label: 'Input type',
    name: 'startInputType',
    type: 'options',
    options: [
      { label: 'Chat input', name: 'chatInput', description: 'A message starts the flow' },
      { label: 'Form input', name: 'formInput', description: 'A submitted form starts the flow' },
      {
        label: 'Webhook trigger',
        name: 'webhookTrigger',
        description: 'A request to the webhook URL starts the flow',
      },
      { label: 'Schedule input', name: 'scheduleInput', description: 'A schedule starts the flow' },
    ],
    default: 'chatInput',
  },
  { label: 'Form title', name: 'formTitle', type: 'string', placeholder: 'Please fill in', show: ON_FORM },
  {
    label: 'Form description',
    name: 'formDescription',
    type: 'string',
    placeholder: 'What the form is for',
    show: ON_FORM,
  },
  formFields({ label: 'Form input types', name: 'formInputTypes', show: ON_FORM }),
  ...webhookParams(),
  ...scheduleParams(),
  {
    label: 'Ephemeral memory',
    name: 'startEphemeralMemory',
    type: 'boolean',
    description: 'Start every run without the earlier conversation',
    optional: true,
  },
  {
    label: 'Flow state',
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
    label: 'Persist state',
    name: 'startPersistState',
    type: 'boolean',
    description: 'Keep the flow state for the next run in the same session',
    optional: true,
  },
]

function scheduleParams(): InputParam[] {
  return [...timingParams(), ...scheduleRuleParams(), ...scheduleInputParams()]
}

function timingParams(): InputParam[] {
  const every = (...frequency: string[]) => ({
    ...ON_PICKER,
    scheduleFrequency: frequency.length > 1 ? frequency : frequency[0],
  })
  return [
    {
      label: FIELD_LABELS.scheduleType,
      name: 'scheduleType',
      type: 'options',
      options: [
        { label: 'Days and times', name: 'visualPicker' },
        { label: FIELD_LABELS.cron, name: 'cronExpression' },
      ],
      default: 'visualPicker',
      show: ON_SCHEDULE,
    },
    {
      label: FIELD_LABELS.cron,
      name: 'scheduleCronExpression',
      type: 'string',
      description: CRON_HELP,
      placeholder: '0 9 * * 1-5',
      show: { ...ON_SCHEDULE, scheduleType: 'cronExpression' },
    },
    {
      label: FIELD_LABELS.frequency,
      name: 'scheduleFrequency',
      type: 'options',
      options: optionsOf(FREQUENCY_LABELS),
      default: NEW_SCHEDULE.frequency,
      show: ON_PICKER,
    },
    {
      label: FIELD_LABELS.minute,
      name: 'scheduleOnMinute',
      type: 'number',
      default: NEW_SCHEDULE.minute,
      show: every('hourly'),
    },
    {
      label: FIELD_LABELS.time,
      name: 'scheduleOnTime',
      type: 'timePicker',
      default: NEW_SCHEDULE.time,
      show: every('daily', 'weekly', 'monthly'),
    },
    {
      label: FIELD_LABELS.weekdays,
      name: 'scheduleOnDayOfWeek',
      type: 'weekDaysPicker',
      default: NEW_SCHEDULE.weekdays.join(),
      show: every('weekly'),
    },
    {
      label: FIELD_LABELS.days,
      name: 'scheduleOnDayOfMonth',
      type: 'monthDaysPicker',
      default: NEW_SCHEDULE.days.join(),
      show: every('monthly'),
    },
    { label: FIELD_LABELS.endDate, name: 'scheduleEndDate', type: 'datePicker', optional: true, show: ON_SCHEDULE },
    {
      label: FIELD_LABELS.timezone,
      name: 'scheduleTimezone',
      type: 'options',
      hint: 'Schedules have a resolution of one minute. If both a day of the month and a weekday are set, either one matches. When clocks go forward, a skipped time runs at the next valid minute; when they go back, a repeated time runs once. Hours and minutes set with * or steps follow the clock.',
      options: timeZones(),
      control: 'timeZone',
      default: 'UTC',
      optional: true,
      show: ON_SCHEDULE,
    },
  ]
}

function scheduleRuleParams(): InputParam[] {
  return [
    {
      label: FIELD_LABELS.overlap,
      name: 'scheduleOverlap',
      type: 'options',
      options: optionsOf(OVERLAP_LABELS),
      default: 'skip',
      optional: true,
      show: ON_SCHEDULE,
    },
    {
      label: FIELD_LABELS.missed,
      name: 'scheduleMissed',
      type: 'options',
      options: optionsOf(MISSED_LABELS),
      default: 'skip',
      optional: true,
      show: ON_SCHEDULE,
    },
    {
      label: FIELD_LABELS.jitterSeconds,
      name: 'scheduleJitter',
      type: 'number',
      placeholder: '0',
      description: 'Spreads schedules that start in the same minute',
      optional: true,
      show: ON_SCHEDULE,
    },
  ]
}

function scheduleInputParams(): InputParam[] {
  return [
    {
      label: FIELD_LABELS.input,
      name: 'scheduleInputMode',
      type: 'options',
      options: [
        { label: FIELD_LABELS.text, name: 'text' },
        { label: 'Form', name: 'form' },
        { label: 'No input', name: 'none' },
      ],
      default: 'text',
      show: ON_SCHEDULE,
    },
    {
      label: FIELD_LABELS.text,
      name: 'scheduleDefaultInput',
      type: 'string',
      rows: 4,
      show: { ...ON_SCHEDULE, scheduleInputMode: 'text' },
    },
    formFields({
      label: 'Form fields',
      name: 'scheduleFormInputTypes',
      show: { ...ON_SCHEDULE, scheduleInputMode: 'form' },
    }),
    {
      label: FIELD_LABELS.form,
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
      { label: 'Variable name', name: 'name', type: 'string', placeholder: 'The name used in references' },
      {
        label: 'Add options',
        name: 'addOptions',
        type: 'array',
        show: { [`${own.name}[$index].type`]: 'options' },
        array: [{ label: 'Option', name: 'option', type: 'string' }],
      },
    ],
  }
}

function names(...all: string[]): ParamOption[] {
  return all.map((name) => ({ label: name, name }))
}

function timeZones(): ParamOption[] {
  return names('UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'))
}
