import { Input, Textarea } from '@chakra-ui/react'
import type { McpServer } from '#contract/tools/mcp-servers.ts'
import { notify } from '../../state/notify.ts'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { headerLines, readHeaderLines } from './header-lines.ts'
import { checkMcpServer, saveMcpServer } from './mcp-queries.ts'

interface Props {
  server?: McpServer
  onClose(): void
}

/** Adds or edits an MCP server, and then connects to it. */
export default function McpServerDialog({ server, onClose }: Props) {
  const form = useForm({
    initial: {
      name: server?.name ?? '',
      serverUrl: server?.serverUrl ?? '',
      headers: headerLines(server?.authConfig?.headers ?? {}),
    },
    check: ({ name, serverUrl, headers }) =>
      fieldErrors({
        name: name.trim() === '' && 'Enter a name.',
        serverUrl: !/^https?:\/\//.test(serverUrl.trim()) && 'Enter the URL, starting with https://.',
        headers: readHeaderLines(headers) === undefined && 'Write each header as “Name: value”, one a line.',
      }),
    send: async ({ name, serverUrl, headers }) => {
      const read = readHeaderLines(headers) ?? {}
      const auth = Object.keys(read).length > 0 ? { authConfig: { headers: read } } : { authConfig: null }
      const authType = auth.authConfig ? ('CUSTOM_HEADERS' as const) : ('NONE' as const)
      const saved = await saveMcpServer(
        { name: name.trim(), serverUrl: serverUrl.trim(), authType, ...auth },
        server?.id,
      )
      const { status, toolCount, statusReason } = await checkMcpServer(saved.id)
      if (status === 'AUTHORIZED') notify.success(`Saved. The server offers ${toolCount} tools`)
      else notify.error(`Saved, but Heddle couldn’t connect: ${statusReason}`)
      onClose()
    },
  })
  const { values, errors, set } = form
  return (
    <FormDialog
      title={server ? 'Edit MCP server' : 'New MCP server'}
      submit={server ? 'Save' : 'Create'}
      size="md"
      form={form}
      onClose={onClose}
    >
      <Field label="Name" error={errors.fields.name}>
        <Input autoFocus maxLength={200} value={values.name} onChange={(event) => set({ name: event.target.value })} />
      </Field>
      <Field label="URL" help="Streamable HTTP or SSE." error={errors.fields.serverUrl}>
        <Input
          type="url"
          maxLength={2000}
          placeholder="https://mcp.example.com/mcp"
          value={values.serverUrl}
          onChange={(event) => set({ serverUrl: event.target.value })}
        />
      </Field>
      <Field
        label="Headers"
        help="One a line, for example “Authorization: Bearer …”. Stored encrypted and never shown again: (stored) keeps a value."
        error={errors.fields.headers}
      >
        <Textarea
          rows={3}
          fontFamily="mono"
          autoComplete="off"
          spellCheck={false}
          value={values.headers}
          onChange={(event) => set({ headers: event.target.value })}
        />
      </Field>
    </FormDialog>
  )
}
