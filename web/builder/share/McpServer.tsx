import { Button, Flex, Stack, Switch, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#contract/errors.ts'
import type { FlowMcpServerSettings } from '#contract/mcp/servers.ts'
import { api, apiBase } from '../../api/client.ts'
import { keys } from '../../api/query.ts'
import { notify } from '../../state/notify.ts'
import { CopyBlock, CopyField } from '../../ui/CopyField.tsx'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { RetryNotice } from '../../ui/feedback/RetryNotice.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { mcpClientConfig, TOKEN_PLACEHOLDER } from './openai-samples.ts'

type McpServerFields = Omit<FlowMcpServerSettings, 'token'>
type Send = (call: () => Promise<FlowMcpServerSettings>) => Promise<void>

/** Offers the flow as a tool to MCP clients. What it changes is saved at once. */
export function McpServer({ flowId }: { flowId: string }) {
  const queryKey = keys.one('mcp-server', flowId)
  const client = useQueryClient()
  const [token, setToken] = useState<string>()
  const [busy, setBusy] = useState(false)
  const path = `/mcp-server/${flowId}`
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => api.get<FlowMcpServerSettings>(path) })
  const send: Send = async (call) => {
    setBusy(true)
    try {
      const { token: made, ...shown } = await call()
      if (made) setToken(made)
      client.setQueryData<McpServerFields>(queryKey, shown)
    } catch (failure) {
      notify.error(`Couldn’t change the MCP server: ${errorMessage(failure)}`)
    } finally {
      setBusy(false)
    }
  }
  const toggle = (on: boolean) =>
    void send(() => (on ? api.post<FlowMcpServerSettings>(path, {}) : api.delete<FlowMcpServerSettings>(path)))
  return (
    <Stack as="section" gap="3" aria-label="MCP server">
      <Switch.Root
        checked={data?.enabled ?? false}
        disabled={!data || busy}
        onCheckedChange={(change) => toggle(change.checked)}
      >
        <Switch.HiddenInput aria-describedby="mcp-server" />
        <Switch.Control />
        <Switch.Label>MCP server</Switch.Label>
      </Switch.Root>
      <Text id="mcp-server" color="fg.muted" textStyle="sm">
        Programs that speak MCP, such as coding assistants, can call this flow as a tool. They need its token, or an API
        key for all such flows of this workspace. This is saved at once.
      </Text>
      {error && <RetryNotice error={error} onRetry={refetch} />}
      {data?.enabled && <Details flowId={flowId} settings={data} token={token} busy={busy} send={send} />}
    </Stack>
  )
}

interface DetailsProps {
  flowId: string
  settings: McpServerFields
  token: string | undefined
  busy: boolean
  send: Send
}

function Details({ flowId, settings, token, busy, send }: DetailsProps) {
  const [draft, setDraft] = useState(settings)
  const url = `${apiBase()}/api/v1/mcp/${flowId}`
  const isNamed = /^[A-Za-z0-9_-]{1,64}$/.test(draft.toolName)
  const isChanged = draft.toolName !== settings.toolName || draft.description !== settings.description
  const save = () =>
    send(async () => {
      const { toolName, description } = draft
      const saved = await api.put<FlowMcpServerSettings>(`/mcp-server/${flowId}`, { toolName, description })
      notify.success('Tool saved')
      return saved
    })
  const refresh = () => send(() => api.post<FlowMcpServerSettings>(`/mcp-server/${flowId}/refresh`, {}))
  const config = mcpClientConfig({ name: settings.toolName, url, token: token ?? TOKEN_PLACEHOLDER })
  return (
    <Stack gap="3">
      <TextField
        label="Tool name"
        value={draft.toolName}
        error={isNamed ? undefined : 'Use up to 64 letters, digits, _ and -.'}
        mono
        onChange={(toolName) => setDraft({ ...draft, toolName })}
      />
      <TextField
        label="Tool description"
        help="Models read it to decide when to call the flow."
        value={draft.description}
        onChange={(description) => setDraft({ ...draft, description })}
      />
      <Flex gap="2" wrap="wrap">
        <Button size="sm" variant="outline" disabled={!isChanged || !isNamed || busy} onClick={() => void save()}>
          Save tool
        </Button>
        <Button size="sm" variant="outline" disabled={busy} onClick={() => void refresh()}>
          New token
        </Button>
      </Flex>
      <CopyField label="MCP address" value={url} />
      {token ? (
        <>
          <Notice kind="success">Copy the token now: it isn’t shown again.</Notice>
          <CopyField label="MCP token" value={token} />
        </>
      ) : (
        <Text textStyle="sm" color="fg.muted">
          The token was shown when it was made. A new one replaces it: programs with the old one are refused.
        </Text>
      )}
      <CopyBlock label="MCP client settings" value={config} />
    </Stack>
  )
}
