import { Code, Input, NativeSelect, Stack, Text, Textarea } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { McpServer } from '#contract/tools/mcp-servers.ts'
import { queryClient } from '../../api/query.ts'
import { ConnectRow } from '../../inputs/oauth/ConnectRow.tsx'
import { RedirectUrl } from '../../inputs/oauth/RedirectUrl.tsx'
import { notify } from '../../state/notify.ts'
import { Collapsible } from '../../ui/Collapsible.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'
import { SecretField } from '../../ui/forms/SecretField.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import {
  authorizeMcpServer,
  countTools,
  disconnectMcpServer,
  mcpServerQuery,
  mcpServersChanged,
  mcpToolsQuery,
  saveMcpServer,
} from './mcp-queries.ts'
import { checkMcpServerForm, type McpServerValues, mcpServerDraft, mcpServerValues } from './mcp-server-form.ts'

interface Props {
  server?: McpServer
  onClose(): void
}

/** Adds or edits an MCP server, and then connects to it. */
export default function McpServerDialog(props: Props) {
  const [server, setServer] = useState(props.server)
  return <ServerForm key={server?.updatedDate} server={server} onClose={props.onClose} onStay={setServer} />
}

interface FormProps {
  server: McpServer | undefined
  onClose(): void
  /** Stays open to connect what was saved. */
  onStay(server: McpServer): void
}

function ServerForm({ server, onClose, onStay }: FormProps) {
  const form = useForm<McpServerValues>({
    initial: mcpServerValues(server),
    check: checkMcpServerForm,
    send: async (values) => {
      const saved = await saveMcpServer(mcpServerDraft(values), server?.id)
      if (saved.authType === 'OAUTH' && saved.connection !== 'connected') {
        notify.success('Saved. Connect it now')
        return onStay(await queryClient.fetchQuery(mcpServerQuery(saved.id)))
      }
      const { status, toolCount, statusReason } = await authorizeMcpServer(saved.id)
      if (status === 'AUTHORIZED') notify.success(`Saved. The server offers ${countTools(toolCount)}`)
      else notify.error(`Saved. ${statusReason}`)
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
      <Field label="Authorization">
        <NativeSelect.Root>
          <NativeSelect.Field
            value={values.authType}
            onChange={(event) => set({ authType: event.target.value as McpServerValues['authType'] })}
          >
            <option value="NONE">None</option>
            <option value="CUSTOM_HEADERS">Headers</option>
            <option value="OAUTH">OAuth</option>
          </NativeSelect.Field>
          <NativeSelect.Indicator />
        </NativeSelect.Root>
      </Field>
      {values.authType === 'CUSTOM_HEADERS' && (
        <Field
          label="Headers"
          help="One per line, for example “Authorization: Bearer {{$vars.token}}”. Stored encrypted and never shown again: (stored) keeps a value."
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
      )}
      {values.authType === 'OAUTH' && <OAuthFields form={form} server={server} />}
      {server && <Tools id={server.id} />}
    </FormDialog>
  )
}

/** Tools that the server offered when it was last checked. */
function Tools({ id }: { id: string }) {
  const { data = [] } = useQuery(mcpToolsQuery(id))
  if (data.length === 0) return null
  return (
    <Collapsible title={countTools(data.length)}>
      <Stack as="ul" gap="2" mt="2" maxH="60" overflowY="auto" listStyleType="none" tabIndex={0} aria-label="Tools">
        {data.map(({ name, description }) => (
          <Text as="li" key={name} textStyle="sm" overflowWrap="anywhere">
            <Code>{name}</Code> {description}
          </Text>
        ))}
      </Stack>
    </Collapsible>
  )
}

interface OAuthProps {
  form: ReturnType<typeof useForm<McpServerValues>>
  server: McpServer | undefined
}

function OAuthFields({ form: { values, set, dirty }, server }: OAuthProps) {
  const isSaved = server?.authType === 'OAUTH'
  return (
    <Stack gap="3">
      <Text textStyle="sm" color="fg.muted">
        The server says where people sign in, and Heddle registers itself there.
      </Text>
      <Collapsible title="Use a client of your own" open={Boolean(server?.authConfig?.clientId)}>
        <Stack gap="5" mt="3">
          <RedirectUrl path="/oauth2-mcp/callback" />
          <Field label="Client ID" help="Leave empty to let Heddle register itself.">
            <Input
              autoComplete="off"
              maxLength={2000}
              value={values.clientId}
              onChange={(event) => set({ clientId: event.target.value })}
            />
          </Field>
          <SecretField
            label="Client secret"
            stored={Boolean(server?.authConfig?.clientSecret)}
            value={values.clientSecret}
            onChange={(clientSecret) => set({ clientSecret })}
          />
          <Field label="Scope" help="Separated by spaces. Leave empty to request what the server asks for.">
            <Input maxLength={2000} value={values.scope} onChange={(event) => set({ scope: event.target.value })} />
          </Field>
        </Stack>
      </Collapsible>
      {isSaved ? (
        <ConnectRow
          connection={server.connection ?? 'none'}
          dirty={dirty}
          askAddress={async () => (await authorizeMcpServer(server.id, { reconnect: true })).authorizationUrl}
          isOwn={({ mcpServerId }) => mcpServerId === server.id}
          onChange={() => void mcpServersChanged()}
          disconnect={() => disconnectMcpServer(server.id)}
        />
      ) : (
        <Text textStyle="xs" color="fg.muted">
          {server ? 'Save it, then connect.' : 'Create it, then connect.'}
        </Text>
      )}
    </Stack>
  )
}
