import { Button, Flex, Input, Stack, Text } from '@chakra-ui/react'
import { useState } from 'react'
import type { ConnectionTest } from '#contract/credentials/credentials.ts'
import { errorMessage } from '#contract/errors.ts'
import type { CredentialDefinition } from '#contract/flow/params/definition.ts'
import { Notice } from '../../ui/feedback/Notice.tsx'
import { Field } from '../../ui/forms/Form.tsx'
import { testCredential } from './queries.ts'

interface Props {
  definition: CredentialDefinition
  id?: string | undefined
  /** Where the node that uses it sends it. */
  address?: string | undefined
  /** What the form holds now. */
  fields(): Record<string, string>
}

/** Tries the credential as the form has it, saved or not. */
export function TestSection({ definition: { name, test, testHost }, id, address, fields }: Props) {
  const [url, setUrl] = useState(address ?? '')
  const [isBusy, setBusy] = useState(false)
  const [result, setResult] = useState<ConnectionTest>()
  const isNamed = test !== 'provider'
  const host = URL.parse(url)?.host || (url === '' ? testHost : undefined)

  const run = async () => {
    setBusy(true)
    setResult(undefined)
    const tested = testCredential({ id, credentialName: name, plainDataObj: fields(), ...(isNamed && url && { url }) })
    setResult(await tested.catch((error: unknown) => ({ ok: false, message: errorMessage(error) })))
    setBusy(false)
  }
  const button = (
    <Button variant="outline" size={isNamed ? 'md' : 'sm'} loading={isBusy} disabled={!host} onClick={run}>
      {isNamed ? 'Test' : 'Test connection'}
    </Button>
  )
  return (
    <Stack gap="3">
      {isNamed ? (
        <Field
          label="Test it with a GET request (optional)"
          help={host ? `The secret goes to ${host}.` : 'Enter the address that may get the secret.'}
        >
          <Flex gap="2" w="full">
            <Input
              type="url"
              placeholder={testHost ? `https://${testHost}` : 'https://api.example.com/me'}
              maxLength={2000}
              value={url}
              onChange={(event) => setUrl(event.target.value.trim())}
            />
            {button}
          </Flex>
        </Field>
      ) : (
        <Flex gap="3" align="center">
          {button}
          <Text textStyle="sm" color="fg.muted">
            The secret goes to {host}.
          </Text>
        </Flex>
      )}
      {result && (
        <Notice kind={result.ok ? 'success' : 'danger'} {...(result.ok && { role: 'status' })}>
          {result.message}
        </Notice>
      )}
    </Stack>
  )
}
