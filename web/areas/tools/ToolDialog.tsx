import { Field as ChakraField, Input, Stack, Textarea } from '@chakra-ui/react'
import type { Tool } from '#contract/tools/schemas.ts'
import { type ToolFile, toolFile } from '#contract/tools/tool-file.ts'
import { saveTool } from '../../api/tools.ts'
import { CodeInput } from '../../inputs/CodeInput.tsx'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { AppearanceFields } from './AppearanceFields.tsx'
import { ParameterGrid } from './ParameterGrid.tsx'

import { TestRun } from './TestRun.tsx'
import { checkTool, schemaOf, type ToolFields, toFields } from './tool-form.ts'

const FUNCTION = {
  label: 'JavaScript function',
  name: 'func',
  type: 'code',
  placeholder: `// $city is the parameter "city"; $vars and $flow are there too.
const response = await fetch('https://wttr.in/' + encodeURIComponent($city) + '?format=3')
return await response.text()`,
}
const NO_SCOPE = { params: [], inputs: {} }

interface Props {
  /** The tool to edit. */
  tool?: Tool
  /** The content of an imported file. */
  file?: ToolFile
  onClose(): void
}

/** Creates or edits a tool, and runs it with example arguments. */
export default function ToolDialog({ tool, file, onClose }: Props) {
  const form = useForm<ToolFields>({
    initial: toFields(tool ?? file),
    check: checkTool,
    send: async ({ parameters, ...fields }) => {
      await saveTool(toolFile({ ...fields, name: fields.name.trim(), schema: schemaOf(parameters) }), tool?.id)
      notify.success(tool ? 'Tool saved' : 'Tool created')
      onClose()
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog
      title={tool ? 'Edit tool' : file ? 'Import tool' : 'New tool'}
      submit={tool ? 'Save' : 'Create'}
      size="xl"
      form={form}
      onClose={onClose}
    >
      <Field label="Name" help="Models call it by this name, for example get_weather." error={errors.fields.name}>
        <Input autoFocus maxLength={200} value={values.name} onChange={(event) => set({ name: event.target.value })} />
      </Field>
      <Field
        label="Description"
        help="Tells the model what the tool does and when to use it."
        error={errors.fields.description}
      >
        <Textarea
          rows={2}
          maxLength={10_000}
          value={values.description}
          onChange={(event) => set({ description: event.target.value })}
        />
      </Field>
      <AppearanceFields values={values} onChange={set} />
      <ParameterGrid
        parameters={values.parameters}
        error={errors.fields.parameters ?? errors.fields.schema}
        onChange={(parameters) => set({ parameters })}
      />
      <ChakraField.Root invalid={Boolean(errors.fields.func)}>
        <ChakraField.Label>{FUNCTION.label}</ChakraField.Label>
        <Stack w="full">
          <CodeInput
            id="tool-func"
            param={FUNCTION}
            value={values.func}
            onChange={(func) => set({ func: String(func) })}
            onDone={() => {}}
            scope={NO_SCOPE}
          />
        </Stack>
        <ChakraField.HelperText>
          A function body: it can use await and fetch, require axios and other modules, and returns text or an object.
        </ChakraField.HelperText>
        <ChakraField.ErrorText>{errors.fields.func}</ChakraField.ErrorText>
      </ChakraField.Root>
      <TestRun parameters={values.parameters} func={values.func} />
    </FormDialog>
  )
}
