import { Center } from '@chakra-ui/react'
import {
  type Icon,
  IconApi,
  IconBrandGithub,
  IconBrandGoogleDrive,
  IconBrandNotion,
  IconBucket,
  IconFileText,
  IconFileTypeCsv,
  IconFileTypeDocx,
  IconFileTypePdf,
  IconFileTypeTxt,
  IconFileTypeXls,
  IconJson,
  IconMarkdown,
  IconPresentation,
  IconSitemap,
  IconTextCaption,
  IconWorld,
} from '@tabler/icons-react'

/** Icons by a part of the component's name, in lower case. */
const ICONS: readonly (readonly [part: string, icon: Icon])[] = [
  ['sitemap', IconSitemap],
  ['web', IconWorld],
  ['crawl', IconWorld],
  ['github', IconBrandGithub],
  ['notion', IconBrandNotion],
  ['drive', IconBrandGoogleDrive],
  ['s3', IconBucket],
  ['api', IconApi],
  ['pdf', IconFileTypePdf],
  ['doc', IconFileTypeDocx],
  ['word', IconFileTypeDocx],
  ['csv', IconFileTypeCsv],
  ['excel', IconFileTypeXls],
  ['powerpoint', IconPresentation],
  ['json', IconJson],
  ['markdown', IconMarkdown],
  ['plaintext', IconTextCaption],
  ['text', IconFileTypeTxt],
  ['txt', IconFileTypeTxt],
]

/** The picture of a kind of loader; a file for those without one. */
export function LoaderIcon({ name }: { name: string }) {
  const wanted = name.replace(/document/i, '').toLowerCase()
  const Shown = ICONS.find(([part]) => wanted.includes(part))?.[1] ?? IconFileText
  return (
    <Center boxSize="9" flexShrink="0" borderRadius="l2" bg="accent.subtle" color="accent.fg">
      <Shown size={20} aria-hidden />
    </Center>
  )
}
