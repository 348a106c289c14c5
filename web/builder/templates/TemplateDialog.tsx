import { Input, Textarea } from '@chakra-ui/react'
import { type CanvasFlowType, KIND_FACTS } from '#contract/flow/kinds/facts.ts'
import type { GalleryItem } from '#contract/marketplaces/marketplaces.ts'
import type { Tool } from '#contract/tools/schemas.ts'
import { createTemplate, updateTemplate } from '../../api/templates.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'

/** A flow or a tool to save as a template, or a saved template. */
export type TemplateSubject =
  | { tool: Pick<Tool, 'name' | 'description' | 'iconSrc' | 'schema' | 'func'> }
  | { flow: { id: string; name: string; type: CanvasFlowType }; isDirty?: boolean }
  | { template: Pick<GalleryItem, 'id' | 'templateName' | 'description' | 'usecases'> }

const MAX_DESCRIPTION = 2000

/** Names and describes a template of the workspace. */
export default function TemplateDialog({ of, onClose }: { of: TemplateSubject; onClose(): void }) {
  const form = useForm({
    initial: initialOf(of),
    check: ({ name }) => fieldErrors({ name: name.trim() === '' && 'Enter a name.' }),
    send: async ({ name, description, usecases }) => {
      const details = { name: name.trim(), description: description.trim(), usecases: listOf(usecases) }
      if ('template' in of) await updateTemplate(of.template.id, details)
      else {
        await createTemplate({ ...details, ...contentOf(of) })
        notify.success(`Saved the template “${details.name}”. Find it in the Marketplace under Custom`)
      }
      onClose()
    },
  })
  const { fields } = form.errors
  const isSaved = 'template' in of
  return (
    <FormDialog
      title={isSaved ? 'Edit template' : 'Save as template'}
      submit={isSaved ? 'Save' : 'Save template'}
      form={form}
      size="md"
      onClose={onClose}
    >
      <Field label="Name" error={fields.name} help={helpOf(of)}>
        <Input
          autoFocus
          maxLength={200}
          value={form.values.name}
          onChange={(event) => form.set({ name: event.target.value })}
        />
      </Field>
      <Field label="Description" error={fields.description} help="What it does, in one sentence.">
        <Textarea
          rows={3}
          maxLength={MAX_DESCRIPTION}
          value={form.values.description}
          onChange={(event) => form.set({ description: event.target.value })}
        />
      </Field>
      <Field label="Use cases" error={fields.usecases} help="Separated by commas, such as Sales, Research.">
        <Input value={form.values.usecases} onChange={(event) => form.set({ usecases: event.target.value })} />
      </Field>
    </FormDialog>
  )
}

function initialOf(of: TemplateSubject) {
  if ('flow' in of) return { name: of.flow.name, description: '', usecases: '' }
  if ('tool' in of)
    return { name: of.tool.name, description: of.tool.description.slice(0, MAX_DESCRIPTION), usecases: '' }
  const { templateName: name, description, usecases } = of.template
  return { name, description: description ?? '', usecases: usecases.join(', ') }
}

function contentOf(of: Exclude<TemplateSubject, { template: unknown }>) {
  if ('flow' in of) return { type: KIND_FACTS[of.flow.type].template.type, chatflowId: of.flow.id }
  const { iconSrc, schema, func } = of.tool
  return { type: 'Tool' as const, tool: { iconSrc, schema, func } }
}

function helpOf(of: TemplateSubject): string | undefined {
  if ('template' in of) return undefined
  if ('tool' in of) return 'The template has the tool’s code as it is: take secrets out of it first.'
  const saved = of.isDirty ? 'The template has the last saved version, without your unsaved changes. ' : ''
  return `${saved}Credentials, secrets and source files are left out.`
}

const listOf = (text: string) => [...new Set(text.split(',').map((each) => each.trim()))].filter(Boolean)
