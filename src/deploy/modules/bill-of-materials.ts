import { hash } from 'node:crypto'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import { isSupportedSpdxId } from '@cyclonedx/cyclonedx-library/SPDX'
import { compareCodeUnits } from '../../base/text/code-unit-order.ts'
import { type DescribedContent, indexByForgeName } from './module-metadata.ts'

/** The commit whose modules are listed. */
export interface BillSubject {
  /** Name of the environment. */
  readonly name: string
  readonly commit: string
  /** Commit time in seconds since 1970. */
  readonly time: number
}

/**
 * Returns the bill of materials of an environment's modules in CycloneDX 1.6 JSON. Equal commits and modules give equal
 * text. A module from an archive has the hash of the archive, a module from git has its commit, and each module has its
 * deployed tree.
 */
export function createBillOfMaterials(
  modules: readonly DescribedContent[],
  { name, commit, time }: BillSubject,
): string {
  const { Bom, Component, Tool } = Models
  const environment = new Component(Enums.ComponentType.Application, name, {
    bomRef: `commit:${commit}`,
    version: commit,
  })
  const bom = new Bom({ version: 1, serialNumber: computeSerialNumber(commit, modules) })
  bom.metadata.timestamp = new Date(time * 1000)
  bom.metadata.component = environment
  bom.metadata.tools.tools.add(new Tool({ name: 'plumbline' }))
  const sorted = modules.toSorted((one, other) => compareCodeUnits(one.fetched.module.path, other.fetched.module.path))
  const components = new Map(sorted.map((module) => [module, createComponent(module)]))
  const named = indexByForgeName(sorted)
  for (const [{ dependencies }, component] of components) {
    bom.components.add(component)
    environment.dependencies.add(component.bomRef)
    for (const dependency of dependencies) {
      const other = named.get(dependency.name)
      const needed = other && components.get(other)
      if (needed && needed !== component) component.dependencies.add(needed.bomRef)
    }
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })}\n`
}

function createComponent({ fetched, forgeName, version, license }: DescribedContent): Models.Component {
  const { module, tree, resolved, sha256 } = fetched
  const [group = module.owner] = forgeName?.split('/') ?? []
  const component = new Models.Component(Enums.ComponentType.Library, module.name, {
    ...(group !== undefined && { group }),
    ...{ bomRef: `module:${module.path}`, version: version ?? resolved, purl: formatPackageUrl(fetched) },
  })
  if (sha256 !== undefined) component.hashes.set(Enums.HashAlgorithm['SHA-256'], sha256)
  if (license !== undefined && license !== '') component.licenses.add(toLicense(license))
  for (const [key, value] of [
    ['path', module.path],
    ['resolved', resolved],
    ['tree', tree],
  ] as const)
    component.properties.add(new Models.Property(`plumb:${key}`, value))
  if (module.source.kind === 'git') {
    const reference = new Models.ExternalReference(module.source.url, Enums.ExternalReferenceType.VCS)
    component.externalReferences.add(reference)
  }
  return component
}

function toLicense(license: string): Models.License {
  const ids: readonly string[] = license.split(/ (?:AND|OR) /)
  if (ids.length === 1 && isSupportedSpdxId(license)) return new Models.SpdxLicense(license)
  if (ids.every((id) => isSupportedSpdxId(id))) return new Models.LicenseExpression(license)
  return new Models.NamedLicense(license)
}

/**
 * Returns the package URL: type `puppet` for the Forge, otherwise `generic` with the address, since
 * no type exists for commits on arbitrary hosts.
 */
function formatPackageUrl({ module, resolved, sha256 }: DescribedContent['fetched']): string {
  const { owner, name, source } = module
  const part = encodeURIComponent
  if (source.kind === 'forge') return `pkg:puppet/${part(owner ?? '')}/${part(name)}@${part(resolved)}`
  const at = `pkg:generic/${part(name)}@${part(resolved)}`
  if (source.kind === 'git') return `${at}?vcs_url=${part(`git+${source.url}@${resolved}`)}`
  if (source.kind === 'local') return at
  return `${at}?${sha256 === undefined ? '' : `checksum=sha256:${sha256}&`}download_url=${part(source.url)}`
}

function computeSerialNumber(commit: string, modules: readonly DescribedContent[]): string {
  const listed = modules
    .map(({ fetched }) => `${fetched.module.path} ${fetched.tree} ${fetched.resolved}`)
    .toSorted(compareCodeUnits)
  return createSerialNumber([commit, ...listed].join('\n'))
}

/** Returns the UUID of a bill of materials: version 8 (RFC 9562: custom), derived from a text that identifies the content. */
export function createSerialNumber(content: string): string {
  const digest = hash('sha256', content, 'hex')
  const variant = ((Number.parseInt(digest[16]!, 16) & 3) | 8).toString(16)
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, variant + digest.slice(17, 20)]
  return `urn:uuid:${[...parts, digest.slice(20, 32)].join('-')}`
}
