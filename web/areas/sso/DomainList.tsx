import { Badge, Button, Flex, Heading, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#contract/errors.ts'
import type { ListedDomain } from '#contract/organization/sso.ts'
import { confirm } from '../../state/confirm.ts'
import { notify } from '../../state/notify.ts'
import { CopyField } from '../../ui/CopyField.tsx'
import { ErrorState } from '../../ui/feedback/ErrorState.tsx'
import { Form } from '../../ui/forms/Form.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { fieldErrors } from '../../ui/forms/form-errors.ts'
import { useForm } from '../../ui/forms/use-form.ts'
import { createDomain, deleteDomain, domainsQuery, proveDomain } from './queries.ts'

const attempt = (what: Promise<void>) => what.catch((error: unknown) => notify.error(errorMessage(error)))

/** The e-mail domains of the organization, and how to prove them. */
export function DomainList({ mayChange }: { mayChange: boolean }) {
  const { data, error, refetch } = useQuery(domainsQuery)
  const form = useForm({
    initial: { domain: '' },
    check: ({ domain }) => fieldErrors({ domain: domain.trim() === '' && 'Enter a domain.' }),
    send: async ({ domain }) => {
      await createDomain(domain)
      form.set({ domain: '' })
    },
  })
  return (
    <Stack gap="4">
      <Heading as="h2" size="lg">
        Domains
      </Heading>
      <Text color="fg.muted">
        Prove the domains of your addresses, so that people with an account here are recognized when they sign in.
      </Text>
      {error && <ErrorState title="Couldn’t load domains" text={error.message} onRetry={() => void refetch()} />}
      {data?.map((domain) => (
        <DomainCard key={domain.id} domain={domain} mayChange={mayChange} />
      ))}
      <Form onSubmit={form.submit} summary={form.errors.summary}>
        <TextField
          label="Domain"
          placeholder="example.com"
          error={form.errors.fields.domain}
          value={form.values.domain}
          onChange={(domain) => form.set({ domain })}
        />
        <Button type="submit" variant="outline" alignSelf="start" disabled={!mayChange} loading={form.busy}>
          Add domain
        </Button>
      </Form>
    </Stack>
  )
}

function DomainCard({ domain: listed, mayChange }: { domain: ListedDomain; mayChange: boolean }) {
  const { id, domain, recordName, proof, provenDate } = listed
  const remove = async () => {
    const isSure = await confirm({ title: `Delete “${domain}”?`, confirmButtonName: 'Delete', danger: true })
    if (isSure) await attempt(deleteDomain(id))
  }
  return (
    <Stack as="section" aria-label={domain} gap="3" borderWidth="1px" borderRadius="l3" bg="bg.panel" p="4">
      <Flex gap="2" align="center">
        <Heading as="h3" size="md">
          {domain}
        </Heading>
        <Badge colorPalette={provenDate ? 'success' : 'warning'}>{provenDate ? 'Proven' : 'Not proven'}</Badge>
      </Flex>
      {!provenDate && (
        <>
          <Text textStyle="sm">Add a TXT record with this name and value at your DNS provider, then check it:</Text>
          <CopyField label="Record name" value={recordName} />
          <CopyField label="Record value" value={proof} />
        </>
      )}
      <Flex gap="2">
        {!provenDate && (
          <Button size="sm" variant="outline" disabled={!mayChange} onClick={() => void attempt(proveDomain(id))}>
            Check record
          </Button>
        )}
        <Button size="sm" variant="outline" colorPalette="danger" disabled={!mayChange} onClick={() => void remove()}>
          Delete
        </Button>
      </Flex>
    </Stack>
  )
}
