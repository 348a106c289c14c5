import { Box, chakra, Image, Link, Stack, Text } from '@chakra-ui/react'
import { lazy, Suspense } from 'react'
import { type Artifact, isPicture } from '#contract/runs/artifacts.ts'

const Markdown = lazy(() => import('./Markdown.tsx'))

/** The files of an answer: images and Markdown are rendered, everything else is shown as text. */
export function Artifacts({ artifacts }: { artifacts: readonly Artifact[] }) {
  if (artifacts.length === 0) return null
  return (
    <Stack as="ul" listStyleType="none" gap="3" aria-label="Files">
      {artifacts.map((artifact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: artifacts are only ever appended
        <Box as="li" key={index}>
          <ArtifactView artifact={artifact} number={index + 1} />
        </Box>
      ))}
    </Stack>
  )
}

function ArtifactView({ artifact, number }: { artifact: Artifact; number: number }) {
  const { type, data } = artifact
  if (isPicture(artifact)) return <Picture address={data} name={`image-${number}.${type}`} number={number} />
  if (data.startsWith('data:')) return <Download address={data} name={`file-${number}.${type}`} />
  if (type === 'markdown')
    return (
      <Suspense fallback={<Text whiteSpace="pre-wrap">{data}</Text>}>
        <Markdown text={data} />
      </Suspense>
    )
  return <Code type={type} text={data} />
}

interface FileProps {
  address: string
  name: string
}

function Picture({ address, name, number }: FileProps & { number: number }) {
  return (
    <Stack gap="1" align="start">
      <Image src={address} alt={`Image ${number}`} maxW="100%" maxH="24rem" objectFit="contain" borderRadius="lg" />
      <Download address={address} name={name} />
    </Stack>
  )
}

function Download({ address, name }: FileProps) {
  return (
    <Link variant="underline" href={address} download={name} fontSize="xs" color="fg.muted">
      Download {name}
    </Link>
  )
}

function Code({ type, text }: { type: string; text: string }) {
  return (
    <Box>
      <Text fontSize="xs" color="fg.muted">
        {type}
      </Text>
      <chakra.pre
        tabIndex={0}
        aria-label={type}
        p="3"
        fontSize="xs"
        fontFamily="mono"
        bg="bg.muted"
        borderRadius="lg"
        maxH="16rem"
        overflow="auto"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
      >
        {text}
      </chakra.pre>
    </Box>
  )
}
