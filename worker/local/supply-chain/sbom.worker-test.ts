import { expect, it } from 'vitest'
import { buildSbom } from './sbom.ts'
import { readShippedPackages } from './shipped-packages.ts'

it('the bill of materials has each package that runs in production once, with its hash and licence', async () => {
  const sbom = await buildSbom()
  const listed = sbom.components.map(({ name, version }) => `${name}@${version}`)
  const shipped = [...readShippedPackages()].map(
    ([folder, { version }]) => `${folder.replace(/^.*node_modules\//, '')}@${version}`,
  )
  expect(listed.sort()).toEqual([...new Set(shipped)].sort())
  expect(listed).toEqual(
    expect.arrayContaining([expect.stringMatching(/^hono@/), expect.stringMatching(/^miniflare@/)]),
  )
  expect(listed.filter((name) => /^(vitest|playwright|wrangler|typescript)@/.test(name))).toEqual([])
  expect(sbom.components.filter(({ scope }) => scope !== 'required')).toEqual([])
  const refs = new Set([...sbom.components, sbom.metadata.component].map((component) => component['bom-ref']))
  expect(
    sbom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !refs.has(ref)),
  ).toEqual([])
})
