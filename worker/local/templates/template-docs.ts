/** `docs/templates.md` and its pictures, made of the built-in templates. */
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { drawTemplate } from '../../templates/draw-template.ts'
import { templates } from '../../templates/index.ts'
import type { Sample, Template } from '../../templates/types.ts'
import { drawPicture } from './draw-picture.ts'

const INTRODUCTION = `# Templates

Each template is a whole agent flow or chat flow that runs at once: its models are the practice model until you choose another one.
Open **Marketplace** in the menu, choose a template, look at its flow, and press **Use template**. A note on the canvas says what
to change first.

This page and its pictures are drawn from the templates by \`npm run docs:templates\`.`

/** Returns the text of each file by its path in the repository. */
export function templateDocs(): Map<string, string> {
  const definitions = componentDefinitions()
  const pictures = templates.map((template) => {
    const picture = drawPicture(template.name, drawTemplate(template, definitions), definitions)
    return [`docs/templates/${template.id}.svg`, picture] as const
  })
  return new Map([['docs/templates.md', page()], ...pictures])
}

const page = () => `${[INTRODUCTION, ...templates.map(section)].join('\n\n')}\n`

function section({ id, name, description, usecases, sample }: Template): string {
  return [
    `## ${name}`,
    `${description} For: ${usecases.join(', ').toLowerCase()}.`,
    beginning(sample),
    `![The steps of “${name}”](templates/${id}.svg)`,
  ].join('\n\n')
}

function beginning(sample: Sample): string {
  if ('question' in sample) return `Ask it first: “${sample.question}”`
  if ('form' in sample) return `Fill in its form first:\n\n${jsonBlock(sample.form)}`
  if ('webhook' in sample) return `Send this to its webhook first:\n\n${jsonBlock(sample.webhook)}`
  return 'It runs on a schedule: start it by hand for a first look.'
}

const jsonBlock = (value: object) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
