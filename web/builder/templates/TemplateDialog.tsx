import { Input, Textarea } from '@chakra-ui/react'
import type { GalleryItem } from '#contract/marketplaces.ts'
import { createTemplate, updateTemplate } from '../../api/templates.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'

/** A flow to save as a template, or a saved template. */
export type TemplateSubject =
  | { flow: { id: string; name: string }; isDirty?: boolean }
  | { template: Pick<GalleryItem, 'id' | 'templateName' | 'description' | 'usecases'> }

/** Names and describes a template of the workspace. */
export default function TemplateDialog({ of, onClose }: { of: TemplateSubject; onClose(): void }) {
  const form = useForm({
    initial:
      'flow' in of
        ? { name: of.flow.name, description: '', usecases: '' }
        : {
            name: of.template.templateName,
            description: of.template.description ?? '',
            usecases: of.template.usecases.join(', '),
          },
    check: ({ name }) => fieldErrors({ name: name.trim() === '' && 'Enter a name.' }),
    send: async ({ name, description, usecases }) => {
      const details = { name: name.trim(), description: description.trim(), usecases: listOf(usecases) }
      if ('flow' in of) {
        await createTemplate({ ...details, type: 'AgentflowV2', chatflowId: of.flow.id })
        notify.success(`Saved the template “${details.name}”. Find it in the Marketplace under Custom`)
      } else await updateTemplate(of.template.id, details)
      onClose()
    },
  })
  const { fields } = form.errors
  return (
    <FormDialog
      title={'flow' in of ? 'Save as template' : 'Edit template'}
      submit={'flow' in of ? 'Save template' : 'Save'}
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
      <Field label="Description" error={fields.description} help="What it does, in a sentence.">
        <Textarea
          rows={3}
          maxLength={2000}
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

function helpOf(of: TemplateSubject): string | undefined {
  if (!('flow' in of)) return undefined
  const saved = of.isDirty ? 'The template has the last saved version, without your unsaved changes. ' : ''
  return `${saved}Credentials and secrets are left out.`
}

const listOf = (text: string) => [...new Set(text.split(',').map((each) => each.trim()))].filter(Boolean)
